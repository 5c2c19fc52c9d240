"""Uncertainty: clusters of deals, and what differences say about ranks."""

from __future__ import annotations

import numpy as np

from leaderboards.arrays import FloatArray, IntArray

LEVEL = 0.95
NORMAL_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def quantile(clusters_N: FloatArray | IntArray) -> FloatArray:
    """What a clustered standard error is multiplied by: Student's t with one degree less than there are clusters.

    Args:
        clusters_N: how many independent clusters each estimate rests on; fewer than two give NaN: nothing is known.
    """
    from scipy.special import stdtrit

    degrees = np.maximum(np.asarray(clusters_N, dtype=np.float64) - 1.0, 1.0)
    return np.where(np.asarray(clusters_N) >= 2, stdtrit(degrees, 0.5 + LEVEL / 2), np.nan)


def clustered_covariance(influence_GN: FloatArray, clusters_N: FloatArray | IntArray) -> FloatArray:
    """Covariance of N estimates from what each of G independent clusters adds to them (Liang and Zeger 1986).

    Each estimate is scaled by G / (G - 1) for its own number of clusters; below two it is NaN.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        scale_N = np.where(clusters_N >= 2, np.sqrt(clusters_N / (clusters_N - 1.0)), np.nan)
    scaled = influence_GN * scale_N
    return scaled.T @ scaled


def deviation(covariance_NN: FloatArray) -> FloatArray:
    """Standard error of each estimate (N,)."""
    return np.sqrt(np.maximum(np.diag(covariance_NN), 0.0))


def difference_deviation(covariance_NN: FloatArray) -> FloatArray:
    """Standard error of each difference of two estimates (N, N)."""
    variance_N = np.diag(covariance_NN)
    return np.sqrt(np.maximum(variance_N[:, None] + variance_N[None, :] - 2 * covariance_NN, 0.0))


def rank_interval(estimate_N: FloatArray, reach_NN: FloatArray) -> tuple[IntArray, IntArray]:
    """The best and the worst rank (from 1) that each entrant may have.

    Args:
        estimate_N: the more the better.
        reach_NN: half the 95 % interval of each difference; j is surely above i where it leads by more than that. An
            unknown one (NaN) separates nobody.

    Returns:
        (best_N, worst_N)
    """
    gap_NN = estimate_N[None, :] - estimate_N[:, None]  # [i, j]: how far j is above i
    tiny = 1e-9 * max(1.0, float(np.nanmax(np.abs(estimate_N), initial=0.0)))
    reach_NN = np.maximum(reach_NN, tiny)
    best = 1 + (gap_NN > reach_NN).sum(axis=1)
    worst = len(estimate_N) - (gap_NN < -reach_NN).sum(axis=1)
    return best, worst
