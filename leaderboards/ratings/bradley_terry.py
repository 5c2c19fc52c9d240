"""Bradley–Terry ratings on the Elo scale, with Davidson's ties, a weak prior and honest intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, IntArray, TableError
from leaderboards.graph import advice, bounded, groups
from leaderboards.intervals import rank_interval
from leaderboards.ratings.counts import Counts, ordered, unordered
from leaderboards.ratings.davidson import Model, log_likelihood, maximise
from leaderboards.ratings.errors import Interval, errors
from leaderboards.threads import few_threads

SCALE = 400 / math.log(10)
"""Elo points per natural unit: 400 points are odds of 10 to 1."""
ANCHOR = 1500.0
"""The mean rating of the entrants."""

Ties = Literal["davidson", "half-win"]


@dataclass(frozen=True)
class Rating:
    """Ratings of N entrants and everything that went into them. Elo points throughout."""

    names: tuple[str, ...]
    elo: FloatArray
    low: FloatArray
    """Lower end of the 95 % interval of the rating against the mean of the pool."""
    high: FloatArray
    covariance: FloatArray
    """Of the centred ratings (N, N): the sandwich where clusters are known, else Wald's."""
    best_rank: IntArray
    """From the covariance of differences: the ranks that can't be ruled out."""
    worst_rank: IntArray
    matches: FloatArray
    marks: tuple[tuple[str, ...], ...]
    """For each entrant, what makes its number less than it seems: ``prior-bound``, ``preliminary``, ``unplayed``."""
    notes: tuple[str, ...]
    """What is wrong with the pool as a whole, with what to play next."""
    ties: str
    nu: float
    """Davidson's ν; 0 where there is no draw or a draw counts as half a win."""
    seat_advantage: float
    """What sitting first is worth; 0 unless it was asked for."""
    seat_advantage_half: float
    """Half the width of its 95 % interval; NaN unless it was asked for."""
    prior_sd: float
    """Standard deviation of the normal prior around the anchor; infinite: maximum likelihood."""
    anchor: float
    interval: str
    clusters: int
    """Independent clusters of deals; 0: every match on its own."""
    steps: int
    log_posterior: float

    @property
    def half(self) -> FloatArray:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def bradley_terry(
    wins: ArrayLike,
    draws: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    *,
    names: Sequence[str] | None = None,
    ties: Ties = "davidson",
    prior_sd: float = 1000.0,
    anchor: float = ANCHOR,
    preliminary: int = 10,
) -> Rating:
    """Ratings from a table of wins and a table of draws.

    The cost depends on the number of entrants, not of matches. Assumes that results of a pair are independent and
    depend on one strength each; cycles and copies are for :func:`leaderboards.nash_average`.

    Args:
        wins: (N, N), how often row beat column; the diagonal is ignored.
        draws: (N, N), how often they drew; symmetric, unless losses are given.
        losses: (N, N), how often row lost. Given, rows are who sat first, and what that is worth is estimated.
        names: of the entrants.
        ties: ``davidson`` estimates how likely draws are; ``half-win`` counts a draw as half a win for both, which
            keeps the order but shrinks the scale.
        prior_sd: standard deviation of a normal prior on every rating (and, in the same units, on log ν), in Elo
            points. Weak at its default; it alone bounds an undefeated entrant. ``math.inf``: maximum likelihood.
        anchor: the mean rating.
        preliminary: entrants with fewer matches are marked so.

    Raises:
        TableError: a cell is NaN, infinite or negative; draws aren't symmetric; or there is no prior and no finite
            maximum (the message says what to play).
    """
    table = unordered(wins, draws) if losses is None else ordered(wins, draws, losses)
    return rate(
        table,
        names=names,
        ties=ties,
        seat_advantage=losses is not None,
        prior_sd=prior_sd,
        anchor=anchor,
        preliminary=preliminary,
    )


def rate(
    counts: Counts,
    *,
    names: Sequence[str] | None = None,
    ties: Ties = "davidson",
    seat_advantage: bool = False,
    prior_sd: float = 1000.0,
    anchor: float = ANCHOR,
    interval: Interval = "guarded",
    preliminary: int = 10,
) -> Rating:
    """Ratings from a list of results of ordered pairs, which may tell seats and clusters of deals apart.

    Args:
        counts: who sat first, who second, and how it ended, for each pair and perhaps each cluster.
        names: of the entrants.
        ties: as for :func:`bradley_terry`.
        seat_advantage: whether the first seat's advantage is estimated too.
        prior_sd: as for :func:`bradley_terry`.
        anchor: the mean rating.
        interval: ``wald`` (inverse information; always used where no clusters are known), ``clustered`` (sandwich over
            clusters of deals, Student's t), or ``guarded``: clustered, but at least half of Wald's, and all of it for
            the prior-bound, since results that repeat exactly are no proof of certainty. A single cluster: Wald's.
        preliminary: entrants with fewer matches are marked so.

    Raises:
        TableError: as for :func:`bradley_terry`.
    """
    title = arrays.labels(names, counts.n)
    merged = counts.merged()
    if ties == "half-win":
        counts, merged = counts.halved(), merged.halved()
    precision = (SCALE / prior_sd) ** 2
    model = Model(counts.n, bool(merged.draws.any()), seat_advantage, precision)
    notes, marks = _inspect(merged, title, precision, preliminary)
    bound_N = np.array(["prior-bound" in mark for mark in marks])
    with few_threads(counts.n):
        parameters, steps = maximise(model, merged)
        sure = errors(model, parameters, counts, merged, interval, bound_N)
    elo_N, half_N = anchor + SCALE * parameters[: counts.n], SCALE * sure.half
    best, worst = rank_interval(elo_N, SCALE * sure.reach)
    return Rating(
        names=title,
        elo=elo_N,
        low=elo_N - half_N,
        high=elo_N + half_N,
        covariance=SCALE**2 * sure.covariance,
        best_rank=best,
        worst_rank=worst,
        matches=merged.played(),
        marks=marks,
        notes=notes,
        ties=ties,
        nu=model.nu(parameters),
        seat_advantage=SCALE * model.advantage(parameters),
        seat_advantage_half=SCALE * sure.seat_half,
        prior_sd=prior_sd,
        anchor=anchor,
        interval=interval if sure.clusters else "wald",
        clusters=sure.clusters,
        steps=steps,
        log_posterior=log_likelihood(model, parameters, merged),
    )


def _inspect(
    merged: Counts, names: tuple[str, ...], precision: float, preliminary: int
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """What is wrong with the pool, and what with each entrant."""
    scored_NN = merged.scored()
    group_N, inside_N, played_N = groups(scored_NN + scored_NN.T), bounded(scored_NN), merged.played()
    notes = _pool_notes(merged, names, group_N)
    if precision == 0 and (len(set(group_N.tolist())) > 1 or not inside_N.all()):
        free = [name for name, inside in zip(names, inside_N, strict=True) if not inside]
        reason = notes[0] if group_N.any() else f"nothing bounds {', '.join(free[:5])}, who won or lost everything"
        raise TableError(f"without a prior these ratings are infinite: {reason}; or give prior_sd, 1000 say")
    marks = (
        [("unplayed", not played), ("prior-bound", played and not inside), ("preliminary", 0 < played < preliminary)]
        for played, inside in zip(played_N, inside_N, strict=True)
    )
    return notes, tuple(tuple(mark for mark, holds in found if holds) for found in marks)


def _pool_notes(merged: Counts, names: tuple[str, ...], group_N: IntArray) -> tuple[str, ...]:
    notes = []
    separate = len(set(group_N.tolist()))
    if separate > 1:
        notes.append(f"unconnected: {separate} groups; {advice(names, group_N)}")
    if merged.draws.sum() == merged.matches.sum() > 0:
        notes.append("all draws: nothing tells these entrants apart")
    return tuple(notes)
