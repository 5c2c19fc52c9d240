"""How sure Bradley–Terry ratings are: inverse information, and the sandwich over clusters of deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from leaderboards.arrays import BoolArray, FloatArray, IntArray
from leaderboards.intervals import NORMAL_95, clustered_covariance, deviation, difference_deviation, quantile
from leaderboards.ratings.counts import Counts
from leaderboards.ratings.davidson import Model, information, scores

Interval = Literal["guarded", "clustered", "wald"]


@dataclass(frozen=True)
class Errors:
    """How far off ratings and their differences may be, in natural units."""

    covariance: FloatArray
    half: FloatArray
    """Half-widths of the ratings' intervals (N,)."""
    reach: FloatArray
    """Half-widths of the intervals of their differences (N, N)."""
    clusters: int


def errors(
    model: Model, parameters: FloatArray, counts: Counts, merged: Counts, interval: Interval, bound_N: BoolArray
) -> Errors:
    """Intervals of the centred ratings, in natural units.

    Args:
        model: what was fitted.
        parameters: where.
        counts: the results, with their clusters.
        merged: the same, each pair once.
        interval: which kind.
        bound_N: whom only the prior bounds.
    """
    n = model.n
    centre = np.zeros((n, model.size))
    centre[:, :n] = np.eye(n) - 1 / n
    table = information(model, parameters, merged)
    inverse = np.linalg.pinv(table, hermitian=True) if model.precision == 0 else np.linalg.inv(table)
    wald = centre @ inverse @ centre.T
    half_N, reach_NN = NORMAL_95 * deviation(wald), NORMAL_95 * difference_deviation(wald)
    if counts.cluster is None or interval == "wald":
        return Errors(wald, half_N, reach_NN, 0)
    influence_GN = scores(model, parameters, counts, _dense(counts.cluster)) @ inverse @ centre.T
    clusters = len(influence_GN)
    robust, q = clustered_covariance(influence_GN, np.full(n, clusters)), float(quantile(np.array(clusters)))
    guard_N = np.where(bound_N, 1.0, 0.5) if interval == "guarded" else np.zeros(n)
    floor_N = guard_N if clusters >= 2 else np.ones(n)
    floor_NN = np.maximum(floor_N[:, None], floor_N[None, :])
    half_N, reach_NN = (
        np.fmax(q * deviation(robust), floor_N * half_N),
        np.fmax(q * difference_deviation(robust), floor_NN * reach_NN),
    )
    return Errors(robust, half_N, reach_NN, clusters)


def _dense(cluster_E: IntArray) -> IntArray:
    renumbered: IntArray = np.unique(cluster_E, return_inverse=True)[1]
    return renumbered
