"""What results so far say about an order, how sure that is, and which meeting would make it surer.

Two ways to see strength, as a leaderboard does: competitive games by Bradley–Terry (who wins of whom), all others by
the mean payoff over the whole population. Frozen in, frozen out; numpy alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PRIOR = (400 / np.log(10) / 1000) ** 2
"""Precision of the normal prior on strengths, in natural units: a standard deviation of 1,000 Elo points."""
_STEPS = 50
_LEAST = 1e-24  # variance of a difference that is known exactly
_BORROWED = 2.0  # how many observations the common variance is worth in each cell


@dataclass(frozen=True)
class Beliefs:
    """About N entrants."""

    value: Array
    """The more the better (N,)."""
    wrong: float
    """The mean, over pairs of entrants, of the chance that they stand in the wrong order."""
    gain: Array
    """By how much one more meeting of row with column lessens that, up to a factor (N, N); symmetric."""


def by_wins(score: Array, played: Array) -> Beliefs:
    """Bradley–Terry strengths with a weak prior, a draw half a win (Bradley and Terry 1952, Biometrika 39).

    Args:
        score: (N, N), wins plus half the draws of row against column.
        played: (N, N), matches of row against column; symmetric, nothing on the diagonal.
    """
    value, information = _fitted(score, played)
    covariance = np.linalg.inv(information)
    spread = np.diag(covariance)
    variance = np.maximum(spread[:, None] + spread[None, :] - 2 * covariance, _LEAST)
    weight = _weight(value, variance)
    pull = np.diag(weight.sum(axis=1)) - weight
    moved = covariance @ pull @ covariance
    one_more = _chances(value) * (1 - _chances(value))
    benefit = np.diag(moved)[:, None] + np.diag(moved)[None, :] - 2 * moved
    gain = one_more / (1 + one_more * variance) * benefit
    np.fill_diagonal(gain, 0.0)
    return Beliefs(value, _wrong(value, variance), gain)


def by_payoff(total: Array, squares: Array, met: Array) -> Beliefs:
    """Mean payoffs over the population, everybody and itself weighted equally; pairs that never met count nothing.

    Args:
        total: (N, N), row's payoffs in meetings with column, summed.
        squares: the same of their squares.
        met: (N, N), how many meetings that were.
    """
    known, often = met > 0, np.maximum(met, 1.0)
    mean = total / often
    others = np.maximum(known.sum(axis=1), 1)
    noise = _noise(squares - total * mean, met, mean[known])
    share = noise / others[:, None] ** 2
    value = np.where(known, mean, 0.0).sum(axis=1) / others
    own = np.where(known, share / often, 0.0).sum(axis=1)
    variance = np.maximum(own[:, None] + own[None, :], _LEAST)
    weight = _weight(value, variance).sum(axis=1)
    lessened = share * np.where(known, 1 / often - 1 / (often + 1), 1.0)
    gain = weight[:, None] * lessened
    return Beliefs(value, _wrong(value, variance), gain + gain.T)


def _fitted(score: Array, played: Array) -> tuple[Array, Array]:
    """Strengths of greatest posterior, and the information there."""
    value, eye = np.zeros(len(score)), np.eye(len(score))
    for _ in range(_STEPS):
        chance = _chances(value)
        slope = (score - played * chance).sum(axis=1) - PRIOR * value
        table = played * chance * (1 - chance)
        information = np.diag(table.sum(axis=1)) - table + PRIOR * eye
        step = np.linalg.solve(information, slope)
        value = value + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-9:
            break
    return value, information


def _chances(value: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(np.clip(value[None, :] - value[:, None], -500, 500))), dtype=np.float64)


def _noise(deviation: Array, met: Array, means: Array) -> Array:
    """Variance of one meeting in each cell, borrowing from its row and column, and these from all cells."""
    degrees, squares = np.maximum(met - 1, 0.0), np.where(met > 1, np.maximum(deviation, 0.0), 0.0)
    if degrees.sum() >= len(met):
        common = squares.sum() / degrees.sum()
    else:  # before much has been repeated, cells are taken to be as noisy as they are different
        common = float(np.var(means)) if len(means) else 0.0
    of_row = (squares.sum(axis=1) + _BORROWED * common) / (degrees.sum(axis=1) + _BORROWED)
    expected = (of_row[:, None] + of_row[None, :]) / 2
    noise: Array = (squares + _BORROWED * expected) / (degrees + _BORROWED)
    return noise


def _weight(value: Array, variance: Array) -> Array:
    """How fast the chance of a wrong order falls with the variance of each difference, averaged over what it may be."""
    gap = value[:, None] - value[None, :]
    weight = np.exp(-(gap**2) / (4 * variance)) * np.sqrt(gap**2 / 4 + variance / np.pi) / variance**1.5
    np.fill_diagonal(weight, 0.0)
    return np.asarray(weight, dtype=np.float64)


def _wrong(value: Array, variance: Array) -> float:
    """Equals whose difference is known exactly are in no wrong order."""
    from scipy.special import ndtr

    pairs = np.triu_indices(len(value), k=1)
    gap, spread = np.abs(value[:, None] - value[None, :])[pairs], np.sqrt(variance[pairs])
    if not len(gap):
        return 0.0
    settled = spread <= 1e-12 * max(1.0, float(np.abs(value).max()))
    return float(np.where(settled, 0.0, ndtr(-gap / spread)).mean())
