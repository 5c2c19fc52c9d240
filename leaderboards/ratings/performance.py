"""Strengths from a finishing order by message passing (Herbrich, Minka and Graepel 2006: TrueSkill, NIPS 19).

Performances are normal around strengths; each entrant performed better, by more than a draw margin, than the next one.
Each comparison is replaced by the normal one that agrees with it best, until nothing changes (expectation propagation).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from leaderboards.arrays import FloatArray, TableError
from leaderboards.ratings.truncation import drawn, won

_SWEEPS = 500


@dataclass(frozen=True)
class Performance:
    """Parameters: strengths start at N(mu, sigma²), drift by tau, and perform with beta around themselves."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    tau: float = 25.0 / 300
    draw: float = 0.10
    """Chance that two equals draw."""

    @property
    def margin(self) -> float:
        """Lead in performance below which two entrants draw."""
        from scipy.special import ndtri

        return float(ndtri((self.draw + 1) / 2)) * math.sqrt(2) * self.beta


def rate_order(
    strengths: Sequence[tuple[float, float]], ranks: Sequence[float], model: Performance | None = None
) -> list[tuple[float, float]]:
    """Strengths (μ, σ) after one match of any number of seats.

    Args:
        strengths: (μ, σ) of each seat before.
        ranks: the lower the better; equal ranks drew (neighbours are compared, so of several equals in seat order).
        model: the parameters.

    Raises:
        TableError: not as many ranks as strengths.
    """
    model = model or Performance()
    if len(ranks) != len(strengths):
        raise TableError(f"{len(ranks)} ranks for {len(strengths)} seats; give each seat one")
    mu, sigma = np.array(strengths, dtype=np.float64).T
    prior_variance = sigma**2 + model.tau**2
    order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    mean, covariance = _posterior(mu, prior_variance + model.beta**2, order, ranks, model.margin)
    # A strength follows from its performance as one normal variable from another.
    gain = prior_variance / (prior_variance + model.beta**2)
    after = mu + gain * (mean - mu)
    variance = prior_variance * (1 - gain) + gain**2 * np.diag(covariance)
    return [(float(m), float(s)) for m, s in zip(after, np.sqrt(variance), strict=True)]


def match_quality(first: tuple[float, float], second: tuple[float, float], model: Performance | None = None) -> float:
    """The chance of a draw relative to that between two entrants of known, equal strength."""
    model = model or Performance()
    noise = 2 * model.beta**2
    total = noise + first[1] ** 2 + second[1] ** 2
    return math.sqrt(noise / total) * math.exp(-((first[0] - second[0]) ** 2) / (2 * total))


def _posterior(
    mean: FloatArray, variance: FloatArray, order: Sequence[int], ranks: Sequence[float], margin: float
) -> tuple[FloatArray, FloatArray]:
    """Mean and covariance of performances, given who finished next to whom."""
    pairs = list(pairwise(order))
    sites = [(0.0, 0.0)] * len(pairs)  # precision, and precision times mean, of each comparison's stand-in
    covariance, center = np.diag(variance), mean.copy()
    for _ in range(_SWEEPS):
        change = 0.0
        for place, (better, worse) in enumerate(pairs):
            site = _site(center, covariance, sites[place], better, worse, margin, ranks[better] == ranks[worse])
            center, covariance = _updated(center, covariance, better, worse, site, sites[place])
            change = max(change, abs(site[0] - sites[place][0]), abs(site[1] - sites[place][1]))
            sites[place] = site
        if change < 1e-12:
            break
    return center, covariance


def _site(
    center: FloatArray,
    covariance: FloatArray,
    old: tuple[float, float],
    better: int,
    worse: int,
    margin: float,
    draw: bool,
) -> tuple[float, float]:
    """The normal stand-in of one comparison, given all the others."""
    lead = center[better] - center[worse]
    spread = covariance[better, better] + covariance[worse, worse] - 2 * covariance[better, worse]
    precision, weighted = 1 / spread - old[0], lead / spread - old[1]
    lead, root = weighted / precision, 1 / math.sqrt(precision)
    v, w = (float(x) for x in (drawn if draw else won)(np.asarray(lead / root), np.asarray(margin / root)))
    matched_mean, matched_variance = lead + root * v, root**2 * (1 - w)
    return 1 / matched_variance - precision, matched_mean / matched_variance - weighted


def _updated(
    center: FloatArray,
    covariance: FloatArray,
    better: int,
    worse: int,
    new: tuple[float, float],
    old: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """The joint normal with one stand-in exchanged: a rank-one change along the difference."""
    direction = covariance[:, better] - covariance[:, worse]
    spread, lead = direction[better] - direction[worse], center[better] - center[worse]
    precision, weighted = new[0] - old[0], new[1] - old[1]
    scale = 1 + precision * spread
    moved = center + direction * (weighted - precision * lead) / scale
    return moved, covariance - np.outer(direction, direction) * precision / scale
