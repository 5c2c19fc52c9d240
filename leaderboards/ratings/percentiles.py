"""Scores over many games on one scale: what share of a reference population each result reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError


@dataclass(frozen=True)
class PercentileScore:
    """How N entrants do over M games, as percentiles of those who played each."""

    names: tuple[str, ...]
    games: tuple[str, ...]
    percentile: FloatArray
    """(N, M), 0 to 100; NaN where the entrant didn't play."""
    mean: FloatArray
    """Over the games played (N,)."""
    levels: tuple[float, ...]
    quantiles: FloatArray
    """(N, len(levels)): the weak end over the games played, so that one strong game can't hide many weak ones."""
    participation: FloatArray
    """Share of the games played (N,)."""


def percentile_score(
    scores: ArrayLike,
    *,
    reference: ArrayLike | None = None,
    levels: Sequence[float] = (10, 20, 50),
    names: Sequence[str] | None = None,
    games: Sequence[str] | None = None,
) -> PercentileScore:
    """Percentiles of scores within each game, and their quantiles over games.

    A percentile is the share of the others who score less, those who score the same counting half.

    Args:
        scores: (N, M), NaN where an entrant didn't play a game.
        reference: (R, M), whom to compare with; the entrants themselves if not given.
        levels: which quantiles over games are reported, in percent.
        names: of the entrants.
        games: their names.

    Raises:
        TableError: the shapes don't fit, or a score is infinite.
    """
    score_NM = np.array(scores, dtype=np.float64)
    against = score_NM if reference is None else np.array(reference, dtype=np.float64)
    if score_NM.ndim != 2 or against.ndim != 2 or score_NM.shape[1] != against.shape[1] or np.isinf(score_NM).any():
        raise TableError(f"scores {score_NM.shape} and reference {against.shape} must be tables of the same games")
    percentile = _percentiles(score_NM, against, oneself=reference is None)
    known = ~np.isnan(percentile)
    quantiles = np.array(
        [
            np.percentile(row[k], levels) if k.any() else np.full(len(levels), np.nan)
            for row, k in zip(percentile, known, strict=True)
        ]
    )
    mean = np.nansum(percentile, axis=1) / np.maximum(known.sum(axis=1), 1)
    return PercentileScore(
        names=arrays.labels(names, len(score_NM)),
        games=arrays.labels(games, score_NM.shape[1]),
        percentile=percentile,
        mean=np.where(known.any(axis=1), mean, np.nan),
        levels=tuple(levels),
        quantiles=quantiles,
        participation=(~np.isnan(score_NM)).mean(axis=1),
    )


def _percentiles(score_NM: FloatArray, against_RM: FloatArray, oneself: bool) -> FloatArray:
    below = (score_NM[:, None, :] > against_RM[None, :, :]).sum(axis=1)
    same = (score_NM[:, None, :] == against_RM[None, :, :]).sum(axis=1) - float(oneself)
    others = (~np.isnan(against_RM)).sum(axis=0) - float(oneself)
    share = np.where(others > 0, (below + same / 2) / np.maximum(others, 1), 0.5)
    return np.where(np.isnan(score_NM), np.nan, 100 * share)
