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
    seat_half: float
    """Half-width of the interval of the first seat's advantage; NaN where it isn't estimated."""
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
    contrast = _contrast(model)  # what is reported of the P parameters: centred ratings, then γ
    table = information(model, parameters, merged)
    inverse = np.linalg.pinv(table, hermitian=True) if model.precision == 0 else np.linalg.inv(table)
    wald = contrast @ inverse @ contrast.T
    half_C, reach_CC = NORMAL_95 * deviation(wald), NORMAL_95 * difference_deviation(wald)
    if counts.cluster is None or interval == "wald":
        return _errors(model, wald, half_C, reach_CC, 0)
    influence_GC = scores(model, parameters, counts, _dense(counts.cluster)) @ inverse @ contrast.T
    clusters = len(influence_GC)
    robust, q = (
        clustered_covariance(influence_GC, np.full(len(contrast), clusters)),
        float(quantile(np.array(clusters))),
    )
    floor_C = np.ones(len(contrast))
    if clusters >= 2:
        floor_C = np.full(len(contrast), 0.5 if interval == "guarded" else 0.0)
        floor_C[: model.n][bound_N] = 1.0 if interval == "guarded" else 0.0
    half_C = np.fmax(q * deviation(robust), floor_C * half_C)
    floor_CC = np.maximum(floor_C[:, None], floor_C[None, :])
    reach_CC = np.fmax(q * difference_deviation(robust), floor_CC * reach_CC)
    return _errors(model, robust, half_C, reach_CC, clusters)


def _contrast(model: Model) -> FloatArray:
    """The linear map from parameters to ratings around their mean and, where it is estimated, γ (C, P)."""
    contrast = np.zeros((model.n + model.seat, model.size))
    contrast[: model.n, : model.n] = np.eye(model.n) - 1 / model.n
    if model.seat:
        contrast[-1, -1] = 1.0
    return contrast


def _errors(model: Model, covariance: FloatArray, half_C: FloatArray, reach_CC: FloatArray, clusters: int) -> Errors:
    n = model.n
    return Errors(
        covariance[:n, :n], half_C[:n], reach_CC[:n, :n], float(half_C[-1]) if model.seat else np.nan, clusters
    )


def _dense(cluster_E: IntArray) -> IntArray:
    renumbered: IntArray = np.unique(cluster_E, return_inverse=True)[1]
    return renumbered
