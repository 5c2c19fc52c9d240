"""A leaderboard: for each game, who stands where, by what, and how sure that is. Frozen; plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from leaderboards.arrays import FloatArray
from leaderboards.bootstrap import REPLICATES, NashInterval, nash_bootstrap
from leaderboards.captions import caption, notes
from leaderboards.matrices import advantage
from leaderboards.overall import Overall, collaboration, overall
from leaderboards.payoffs import payoff_table
from leaderboards.plain import overall_json, section_json
from leaderboards.ratings.bradley_terry import Rating, rate
from leaderboards.ratings.nash_average import NashAverage, nash_average
from leaderboards.remarks import remarks
from leaderboards.rows import Source
from leaderboards.standing import Standing, standings
from leaderboards.table import Results
from leaderboards.tally import collect
from leaderboards.together import check_together

__all__ = ["Board", "Section", "Standing", "from_results", "from_store", "section"]

_BOOTSTRAP_MOST = 40
"""Entrants up to which a board bootstraps unless it is told otherwise: beyond, that takes seconds."""


@dataclass(frozen=True)
class Section:
    """The leaderboard of one game; tables are in the order of ``standings``."""

    game: str
    kind: str
    ranked_by: str
    """``elo`` or ``payoff``."""
    matches: int
    seats: int
    roles: tuple[str, ...]
    standings: tuple[Standing, ...]
    head_to_head: FloatArray
    """Row's payoff per round against column (N, N)."""
    head_to_head_half: FloatArray
    met: FloatArray
    """Matches of row with column (N, N)."""
    wins: FloatArray
    """Matches in which row had the higher payoff (N, N)."""
    draws: FloatArray
    """Matches in which both had the same payoff (N, N)."""
    caption: tuple[str, ...]
    """How to read it: what it ranks by, the Elo scale, the matrix behind Nash averaging, the intervals."""
    notes: tuple[str, ...]
    """What is wrong with the data, and what to play next."""
    rating: Rating
    nash: NashAverage
    nash_interval: NashInterval
    collaboration_gap: Mapping[str, float] = field(default_factory=dict)
    """Payoff of a match alone minus that of a match with a copy of itself, where both were played."""
    selected: str = ""
    """Which lines these are and in what order, where they are not all of them by rank."""
    grouped: str = ""
    """``kind`` where a table of the kinds of entrants is wanted too."""

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, best first."""
        return tuple(line.entrant for line in self.standings)


@dataclass(frozen=True)
class Board:
    """Leaderboards, one for each game, and one over all of them where there are several."""

    sections: tuple[Section, ...]
    overall: Overall | None = None

    def to_json(self) -> dict[str, Any]:
        """The board as plain JSON values; unknown numbers are None."""
        games = [section_json(section) for section in self.sections]
        return {"format": 1, "games": games, "overall": overall_json(self.overall)}


def from_store(
    *sources: str | Path | Source, temperature: float = 0.0, bootstrap: int | None = None, seed: int = 0
) -> Board:
    """The leaderboard of one or more stores; those of the same game are added up.

    Args:
        sources: paths of stores or of Parquet files made of them, or open ones.
        temperature: of Nash averaging, in units of its table; 0: the equilibrium itself.
        bootstrap: replicates behind the intervals of Nash mass and skill; None: 200 with up to 40 entrants, else none.
        seed: of the bootstrap.

    Raises:
        TableError: no match is finished, a payoff isn't finite, one name stands for two specs, or the runs can't be
            added up.
        ArenaError: a path holds no store.
    """
    opened = [_open(source) for source in sources]
    check_together(opened)
    results = collect(*opened)
    return from_results(results, temperature=temperature, bootstrap=bootstrap, seed=seed)


def from_results(
    results: Sequence[Results], *, temperature: float = 0.0, bootstrap: int | None = None, seed: int = 0
) -> Board:
    """The leaderboard of the results of several games; arguments as for :func:`from_store`."""
    gaps = collaboration(results)
    sections = tuple(section(r, temperature, bootstrap, seed, gaps.get(r.game, {})) for r in results)
    return Board(sections, overall(results, [part.standings for part in sections]))


def section(
    results: Results,
    temperature: float = 0.0,
    bootstrap: int | None = None,
    seed: int = 0,
    gaps: Mapping[str, float] | None = None,
) -> Section:
    """The leaderboard of one game; arguments as for :func:`from_store`, and its collaboration gaps."""
    competitive = results.kind == "competitive"
    payoffs, table = payoff_table(results), advantage(results)
    # In a dilemma a draw is what cooperation looks like; Davidson's model would read it as a sign of equal strength.
    rating = rate(
        results.counts(),
        names=results.entrants,
        ties="davidson" if competitive else "half-win",
        seat_advantage=competitive and results.seats == 2,
    )
    nash = nash_average(table.table, names=results.entrants, temperature=temperature, merge_copies=True)
    interval = nash_bootstrap(results, replicates=_replicates(bootstrap, results.n), seed=seed, temperature=temperature)
    ranked_by = results.ranked_by
    lines = tuple(standings(results, payoffs, rating, nash, interval, ranked_by))
    order = [results.entrants.index(line.entrant) for line in lines]
    place = np.ix_(order, order)
    return Section(
        game=results.game,
        kind=results.kind,
        ranked_by=ranked_by,
        matches=results.matches,
        seats=results.seats,
        roles=results.roles,
        standings=lines,
        head_to_head=payoffs.mean[place],
        head_to_head_half=payoffs.half[place],
        met=payoffs.met[place],
        wins=results.wins[place],
        draws=results.draws[place],
        caption=(
            *caption(results, ranked_by, rating, table, nash, interval),
            *remarks(results.kind, ranked_by, lines, gaps or {}),
        ),
        notes=tuple(notes(payoffs, rating, results)),
        rating=rating,
        nash=nash,
        nash_interval=interval,
        collaboration_gap=gaps or {},
    )


def _replicates(asked: int | None, n: int) -> int:
    return asked if asked is not None else REPLICATES if n <= _BOOTSTRAP_MOST else 0


def _open(source: str | Path | Source) -> Source:
    if isinstance(source, str | Path):
        from arena.parquet import opened

        return opened(source)
    return source
