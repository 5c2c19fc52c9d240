"""Soft Condorcet optimisation (Lanctot et al. 2024, arXiv 2411.00119): ratings that offend few pairwise votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError


@dataclass(frozen=True)
class SoftCondorcet:
    """Ratings within bounds, and how many pairwise votes they offend."""

    names: tuple[str, ...]
    rating: FloatArray
    """(N,)."""
    loss: float
    """The smooth count that was minimised."""
    offended: float
    """Votes that put a lower-rated entrant above a higher-rated one (Kemeny's count)."""
    temperature: float
    bounds: tuple[float, float]
    steps: int


def soft_condorcet(
    above: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    temperature: float = 1.0,
    bounds: tuple[float, float] = (0.0, 100.0),
    steps: int = 2000,
) -> SoftCondorcet:
    """Minimise Σ votes(i above j) · sigmoid((r_j - r_i) / temperature) within bounds.

    Without bounds the loss has no minimum but only falls towards Kemeny's count as ratings grow apart. It isn't convex:
    descent starts at everybody equal, leaves by the majority margins, and is deterministic.

    Args:
        above: (N, N), how many votes put row above column.
        names: of the entrants.
        temperature: how far apart ratings must be for a vote to count as settled.
        bounds: the least and the greatest rating.
        steps: of projected gradient descent.

    Raises:
        TableError: a count is NaN or negative, or temperature or bounds are out of order.
    """
    above_NN = arrays.counts("preferences", above)
    low, high = bounds
    if temperature <= 0 or low >= high:
        raise TableError(f"temperature={temperature:g} must be above 0 and bounds={bounds} in ascending order")
    np.fill_diagonal(above_NN, 0.0)
    share_NN = above_NN / max(1.0, float(above_NN.sum()))
    rating = np.full(len(above_NN), (low + high) / 2)
    for step in range(steps):
        slope = _slope(share_NN, rating, temperature)
        size = float(np.abs(slope).max())
        if size < 1e-15:
            break
        # A falling step as long as a tenth of the range at first: far ratings feel no slope, so lengths are normalised.
        stride = 0.1 * (high - low) * (1 - step / steps) ** 2
        rating = np.clip(rating - stride * slope / (size + 1e-3), low, high)
    title = arrays.labels(names, len(rating))
    offended = float((above_NN * (rating[None, :] > rating[:, None])).sum())
    return SoftCondorcet(title, rating, _loss(above_NN, rating, temperature), offended, temperature, bounds, steps)


def _loss(above_NN: FloatArray, rating: FloatArray, temperature: float) -> float:
    return float((above_NN * _sigmoid((rating[None, :] - rating[:, None]) / temperature)).sum())


def _slope(share_NN: FloatArray, rating: FloatArray, temperature: float) -> FloatArray:
    wrong = _sigmoid((rating[None, :] - rating[:, None]) / temperature)
    pull = share_NN * wrong * (1 - wrong) / temperature
    slope: FloatArray = pull.sum(axis=0) - pull.sum(axis=1)
    return slope


def _sigmoid(x: FloatArray) -> FloatArray:
    half: FloatArray = 0.5 + 0.5 * np.tanh(x / 2)
    return half
