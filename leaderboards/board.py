"""A leaderboard: for each game, who stands where, by what, and how sure that is. Frozen; plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from leaderboards.arrays import FloatArray
from leaderboards.captions import caption, notes
from leaderboards.matrices import payoff_advantage, win_advantage
from leaderboards.payoffs import PayoffTable, payoff_table
from leaderboards.plain import section_json
from leaderboards.ratings.bradley_terry import Rating, rate
from leaderboards.ratings.counts import Counts
from leaderboards.ratings.nash_average import NashAverage, nash_average
from leaderboards.rows import Source
from leaderboards.table import Results
from leaderboards.tally import collect


@dataclass(frozen=True)
class Standing:
    """One entrant's line. Numbers are NaN where nothing is known."""

    rank: int
    best_rank: int
    worst_rank: int
    entrant: str
    spec: str
    kind: str
    matches: int
    payoff: float
    """Per round, self-matches included, every opponent weighted equally."""
    payoff_half: float
    """Half the 95 % interval."""
    wins: int
    draws: int
    losses: int
    elo: float
    elo_half: float
    nash_mass: float
    nash_skill: float
    illegal_rate: float
    tokens: float
    """Per match and seat."""
    seconds: float
    """Per match and seat."""
    measures: Mapping[str, float]
    marks: tuple[str, ...]
    """Why the Elo is less certain than it looks: ``prior-bound``, ``preliminary``, ``unplayed``."""


@dataclass(frozen=True)
class Section:
    """The leaderboard of one game; tables are in the order of ``standings``."""

    game: str
    kind: str
    ranked_by: str
    """``elo`` or ``payoff``."""
    matches: int
    seats: int
    standings: tuple[Standing, ...]
    head_to_head: FloatArray
    """Row's payoff per round against column (N, N)."""
    head_to_head_half: FloatArray
    met: FloatArray
    """Matches of row with column (N, N)."""
    wins: FloatArray
    """Matches in which row had the higher payoff (N, N)."""
    caption: tuple[str, ...]
    """How to read it: what it ranks by, the Elo scale, the matrix behind Nash averaging, the intervals."""
    notes: tuple[str, ...]
    """What is wrong with the data, and what to play next."""
    rating: Rating
    nash: NashAverage

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, best first."""
        return tuple(line.entrant for line in self.standings)


@dataclass(frozen=True)
class Board:
    """Leaderboards, one for each game."""

    sections: tuple[Section, ...]

    def to_json(self) -> dict[str, Any]:
        """The board as plain JSON values; unknown numbers are None."""
        return {"format": 1, "games": [section_json(section) for section in self.sections]}


def from_store(*sources: str | Path | Source) -> Board:
    """The leaderboard of one or more stores; those of the same game are added up.

    Args:
        sources: paths of stores, or open ones.

    Raises:
        TableError: no match is finished, a payoff isn't finite, or one name stands for two specs.
        ArenaError: a path holds no store.
    """
    return Board(tuple(section(results) for results in collect(*(_open(source) for source in sources))))


def section(results: Results) -> Section:
    """The leaderboard of one game."""
    competitive = results.kind == "competitive"
    payoffs = payoff_table(results)
    # In a dilemma a draw is what cooperation looks like; Davidson's model would read it as a sign of equal strength.
    rating = rate(_counts(results), names=results.entrants, ties="davidson" if competitive else "half-win")
    advantage = win_advantage(results) if competitive else payoff_advantage(payoffs.mean)
    nash = nash_average(advantage.table, names=results.entrants, merge_copies=True)
    ranked_by = "elo" if competitive else "payoff"
    standings = tuple(_standings(results, payoffs, rating, nash, ranked_by))
    order = [results.entrants.index(line.entrant) for line in standings]
    place = np.ix_(order, order)
    return Section(
        game=results.game,
        kind=results.kind,
        ranked_by=ranked_by,
        matches=results.matches,
        seats=results.seats,
        standings=standings,
        head_to_head=payoffs.mean[place],
        head_to_head_half=payoffs.half[place],
        met=payoffs.met[place],
        wins=results.wins[place],
        caption=tuple(caption(results, ranked_by, rating, advantage)),
        notes=tuple(notes(payoffs, rating, results)),
        rating=rating,
        nash=nash,
    )


def _open(source: str | Path | Source) -> Source:
    if isinstance(source, str | Path):
        from arena.store import Store

        return Store(source)
    return source


def _counts(results: Results) -> Counts:
    """What Bradley–Terry reads: pairs of different entrants, clustered by blocks of deals."""
    cells = results.cells
    other = cells.first != cells.second
    columns = (cells.first, cells.second, cells.wins, cells.draws, cells.losses, cells.block)
    first, second, wins, draws, losses, block = (column[other] for column in columns)
    return Counts(results.n, first, second, wins, draws, losses, block)


def _standings(
    results: Results, payoffs: PayoffTable, rating: Rating, nash: NashAverage, ranked_by: str
) -> list[Standing]:
    value = rating.elo if ranked_by == "elo" else np.nan_to_num(payoffs.per_round, nan=-np.inf)
    best, worst = (
        (rating.best_rank, rating.worst_rank) if ranked_by == "elo" else (payoffs.best_rank, payoffs.worst_rank)
    )
    order = sorted(range(results.n), key=lambda k: (-round(float(value[k]), 9), results.entrants[k]))
    return [
        Standing(
            rank=1 + int((value > value[k] + 1e-9).sum()),
            best_rank=int(best[k]),
            worst_rank=int(worst[k]),
            entrant=results.entrants[k],
            spec=results.specs[k],
            kind=results.kinds[k],
            matches=int(results.totals.matches[k]),
            payoff=float(payoffs.per_round[k]),
            payoff_half=float(payoffs.per_round_half[k]),
            wins=int(payoffs.wins[k]),
            draws=int(payoffs.draws[k]),
            losses=int(payoffs.losses[k]),
            elo=float(rating.elo[k]),
            elo_half=float(rating.half[k]),
            nash_mass=float(nash.mass[k]),
            nash_skill=float(nash.skill[k]) + 0.0,
            illegal_rate=float(payoffs.illegal_rate[k]),
            tokens=float(payoffs.tokens[k]),
            seconds=float(payoffs.seconds[k]),
            measures={name: float(values[k]) for name, values in results.totals.measures.items()},
            marks=rating.marks[k],
        )
        for k in order
    ]
