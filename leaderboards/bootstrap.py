"""How much Nash averaging would change with other deals: a bootstrap over blocks of deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leaderboards.arrays import FloatArray, TableError
from leaderboards.intervals import LEVEL
from leaderboards.matrices import advantage
from leaderboards.ratings.nash_average import NashAverage, nash_average
from leaderboards.table import BLOCKS, Results

REPLICATES = 200
_CELL_SUMS = ("matches", "wins", "draws", "payoff_first", "payoff_second", "rounds")


@dataclass(frozen=True)
class NashInterval:
    """95 % percentile intervals of N entrants; NaN where nothing was resampled. With thin data they are too narrow."""

    mass_low: FloatArray
    mass_high: FloatArray
    skill_low: FloatArray
    skill_high: FloatArray
    supports: int
    """Different supports among the replicates: 1 where the equilibrium is stable, many where it jumps."""
    replicates: int
    seed: int
    """Of the resampling: the same seed gives the same intervals."""


def nash_bootstrap(
    results: Results,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    temperature: float = 0.0,
    merge_copies: bool = True,
) -> NashInterval:
    """Intervals of Nash mass and skill from blocks of deals drawn anew (Efron 1979, Annals of Statistics 7).

    Assumes that deals are independent. With a single block of deals nothing is known: the intervals are NaN.

    Args:
        results: of one game.
        replicates: how often deals are drawn, each time as many as there are, with replacement.
        seed: fixes the draws.
        temperature: as for :func:`leaderboards.nash_average`.
        merge_copies: as for :func:`leaderboards.nash_average`.

    Raises:
        TableError: fewer than 0 replicates.
    """
    if replicates < 0:
        raise TableError(f"bootstrap={replicates} is not allowed; give 0 (none) or more replicates")
    tables = (advantage(drawn).table for drawn in resampled(results, replicates, seed))
    found = [nash_average(table, temperature=temperature, merge_copies=merge_copies) for table in tables]
    return _interval(found, results.n, seed)


def resampled(results: Results, replicates: int, seed: int = 0) -> Iterator[Results]:
    """The results as other deals might have given them; none where there is only one block of deals."""
    blocks = np.unique(results.cells.block)
    rng = np.random.default_rng(seed)
    for _ in range(replicates if len(blocks) > 1 else 0):
        weight_B = np.zeros(BLOCKS)
        weight_B[blocks] = rng.multinomial(len(blocks), np.full(len(blocks), 1 / len(blocks)))
        weight_C = weight_B[results.cells.block]
        sums = {name: weight_C * getattr(results.cells, name) for name in _CELL_SUMS}
        yield replace(results, cells=replace(results.cells, **sums))


def _interval(found: Sequence[NashAverage], n: int, seed: int) -> NashInterval:
    mass_low, mass_high = _percentiles([nash.mass for nash in found], n)
    skill_low, skill_high = _percentiles([nash.skill for nash in found], n)
    supports = len({nash.support.tobytes() for nash in found})
    return NashInterval(mass_low, mass_high, skill_low, skill_high, supports, len(found), seed)


def _percentiles(values: Iterable[FloatArray], n: int) -> tuple[FloatArray, FloatArray]:
    table_RN = np.array(list(values)).reshape(-1, n)
    if not len(table_RN):
        return np.full(n, np.nan), np.full(n, np.nan)
    low, high = np.quantile(table_RN, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high
