"""Online ratings for any number of seats (Weng and Lin 2011, JMLR 12: Bayesian approximation for online ranking).

A strength is normal, N(μ, σ²); a match moves everyone by the slope and the curvature of a likelihood of the finishing
order: Plackett and Luce's, or of all pairs by Bradley and Terry or by Thurstone and Mosteller, averaged over opponents.
Like all online ratings these depend on the order of the matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from leaderboards.arrays import FloatArray, TableError
from leaderboards.ratings.truncation import drawn, won

Model = Literal["plackett-luce", "bradley-terry", "thurstone-mosteller"]


@dataclass(frozen=True)
class MultiplayerRating:
    """Strengths after the last match, entrants in the order in which they first played."""

    names: tuple[str, ...]
    mu: FloatArray
    sigma: FloatArray
    model: str
    beta: float
    tau: float
    matches: int

    @property
    def cautious(self) -> FloatArray:
        """μ - 3σ: what an entrant is almost surely worth (N,)."""
        return self.mu - 3 * self.sigma


def multiplayer(
    matches: Iterable[Sequence[tuple[str, float]]],
    *,
    model: Model = "plackett-luce",
    mu: float = 25.0,
    sigma: float = 25.0 / 3,
    beta: float = 25.0 / 6,
    tau: float = 25.0 / 300,
    draw_margin: float = 0.1,
) -> MultiplayerRating:
    """Rate by finishing order, one match after the other.

    Args:
        matches: for each, (entrant, payoff) of every seat; the higher payoff finishes first, equal ones draw.
        model: of the finishing order.
        mu: everybody's first mean.
        sigma: everybody's first standard deviation.
        beta: standard deviation of a performance around the strength.
        tau: how much a strength may have drifted since the last match.
        draw_margin: of Thurstone and Mosteller's model.

    Raises:
        TableError: a payoff isn't finite, an entrant sits twice, or the model is unknown.
    """
    if model not in _UPDATES:
        raise TableError(f'no model "{model}"; there are {", ".join(_UPDATES)}')
    strength: dict[str, tuple[float, float]] = {}
    played = 0
    for seats in matches:
        names, payoffs = [name for name, _ in seats], np.array([payoff for _, payoff in seats], dtype=np.float64)
        _check(names, payoffs)
        before = np.array([strength.get(name, (mu, sigma)) for name in names])
        variance = before[:, 1] ** 2 + tau**2
        shift, shrink = _UPDATES[model](before[:, 0], variance, payoffs, beta, draw_margin)
        after = np.stack([before[:, 0] + shift, np.sqrt(variance * np.maximum(1 - shrink, 1e-4))], axis=1)
        strength.update((name, (float(m), float(s))) for name, (m, s) in zip(names, after, strict=True))
        played += 1
    table = np.array(list(strength.values())).reshape(-1, 2)
    return MultiplayerRating(tuple(strength), table[:, 0], table[:, 1], model, beta, tau, played)


def _check(names: list[str], payoffs: FloatArray) -> None:
    if len(set(names)) != len(names):
        raise TableError(f"an entrant sits twice among {names}; copies can't be told apart by finishing order")
    if not np.isfinite(payoffs).all():
        raise TableError(f"payoffs {payoffs.tolist()} of {names} aren't all finite")


def _plackett_luce(
    mu: FloatArray, variance: FloatArray, payoffs: FloatArray, beta: float, _margin: float
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of the chance that seats leave the table in this order."""
    c = math.sqrt(float((variance + beta**2).sum()))
    behind = payoffs[None, :] <= payoffs[:, None]  # [q, s]: s is still there when q is chosen
    weight = np.exp((mu - mu.max()) / c)
    chosen = weight[None, :] / (behind * weight[None, :]).sum(axis=1, keepdims=True) * behind  # [q, i]
    ties = (payoffs[None, :] == payoffs[:, None]).sum(axis=1)
    slope = (np.eye(len(mu)) - chosen) / ties[:, None]
    curve = chosen * (1 - chosen) / ties[:, None]
    shift = variance / c * slope.sum(axis=0)
    return shift, np.sqrt(variance) / c * variance / c**2 * curve.sum(axis=0)


def _bradley_terry(
    mu: FloatArray, variance: FloatArray, payoffs: FloatArray, beta: float, _margin: float
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of logistic pairwise chances, averaged over opponents."""
    c = np.sqrt(variance[:, None] + variance[None, :] + 2 * beta**2)
    chance = 0.5 + 0.5 * np.tanh((mu[:, None] - mu[None, :]) / c / 2)
    score = 0.5 + 0.5 * np.sign(payoffs[:, None] - payoffs[None, :])
    return _averaged(variance, c, score - chance, chance * (1 - chance))


def _thurstone_mosteller(
    mu: FloatArray, variance: FloatArray, payoffs: FloatArray, beta: float, margin: float
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of normal pairwise chances, averaged over opponents; c as in openskill, twice the paper's."""
    c = 2 * np.sqrt(variance[:, None] + variance[None, :] + 2 * beta**2)
    lead, sign = (mu[:, None] - mu[None, :]) / c, np.sign(payoffs[:, None] - payoffs[None, :])
    slope, curve = won(np.where(sign < 0, -lead, lead), margin / c)
    even_slope, even_curve = drawn(lead, margin / c)
    return _averaged(variance, c, np.where(sign == 0, even_slope, sign * slope), np.where(sign == 0, even_curve, curve))


def _averaged(
    variance: FloatArray, c: FloatArray, slope: FloatArray, curve: FloatArray
) -> tuple[FloatArray, FloatArray]:
    others = 1 - np.eye(len(variance))
    share = others / max(1, len(variance) - 1)
    shift = variance * (share * slope / c).sum(axis=1)
    return shift, variance**1.5 * (share * curve / c**3).sum(axis=1)


_UPDATES = {
    "plackett-luce": _plackett_luce,
    "bradley-terry": _bradley_terry,
    "thurstone-mosteller": _thurstone_mosteller,
}
