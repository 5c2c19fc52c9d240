"""Results of one game as arrays: summed in a single pass, so that nothing afterwards depends on how many matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from leaderboards.arrays import FloatArray, IntArray, table_of
from leaderboards.ratings.counts import Counts

BLOCKS = 256
"""Deals are folded into at most this many blocks, which keeps tables small: blocks are as independent as deals."""


@dataclass(frozen=True)
class Cells:
    """Sums over the matches of one pair of seated entrants within one block of deals; C cells.

    ``first`` sat before ``second``. A match of more than two seats counts once for each pair of its seats; pairs of
    copies at a table where others sit too are left out.
    """

    first: IntArray
    second: IntArray
    block: IntArray
    matches: FloatArray
    wins: FloatArray
    """Matches in which ``first`` had the higher payoff."""
    draws: FloatArray
    payoff_first: FloatArray
    payoff_second: FloatArray
    rounds: FloatArray

    @property
    def losses(self) -> FloatArray:
        """Matches in which ``second`` had the higher payoff."""
        return self.matches - self.wins - self.draws


@dataclass(frozen=True)
class Totals:
    """What each of the N entrants did over all its seats, self-matches included."""

    matches: FloatArray
    """Matches with the entrant in them; a self-match counts once."""
    turns: FloatArray
    illegal: FloatArray
    tokens: FloatArray
    seconds: FloatArray
    seats: FloatArray
    """Seats taken: what tokens and seconds per match divide by."""
    rounds: FloatArray
    """Rounds completed, summed over the seats taken."""
    payoff: FloatArray
    """Summed over the seats taken."""
    joint: FloatArray
    """The mean payoff of a table's seats, summed over the seats taken there."""
    measures: Mapping[str, FloatArray]
    """For each measure its mean over the seats that have it, NaN where none has."""
    by_seat: FloatArray
    """Payoff per round in each seat (N, S), NaN where never seated."""


@dataclass(frozen=True)
class Results:
    """Everything that ratings of one game are made of."""

    game: str
    kind: str
    entrants: tuple[str, ...]
    specs: tuple[str, ...]
    kinds: tuple[str, ...]
    """The kind of each entrant (``script``, ``llm``, …)."""
    matches: int
    seats: int
    """The most seats that a match had."""
    roles: tuple[str, ...]
    """The role of each of these seats."""
    cells: Cells
    totals: Totals

    @property
    def n(self) -> int:
        """How many entrants there are."""
        return len(self.entrants)

    @cached_property
    def wins(self) -> FloatArray:
        """How often row had a higher payoff than column; never against itself."""
        cells = self.cells
        wins = self._sum(cells.first, cells.second, cells.wins)
        return _without_self(wins + self._sum(cells.second, cells.first, cells.losses))

    @cached_property
    def draws(self) -> FloatArray:
        """How often row and column had the same payoff; symmetric, never against itself."""
        draws = self._sum(self.cells.first, self.cells.second, self.cells.draws)
        return _without_self(draws + draws.T)

    @cached_property
    def met(self) -> FloatArray:
        """How often row met column; on the diagonal, self-matches."""
        met_NN = self._sum(self.cells.first, self.cells.second, self.cells.matches)
        return met_NN + met_NN.T - np.diag(np.diag(met_NN))

    @cached_property
    def payoff(self) -> FloatArray:
        """Row's summed payoff in matches with column; on the diagonal, both seats of self-matches."""
        cells = self.cells
        return self._sum(cells.first, cells.second, cells.payoff_first) + self._sum(
            cells.second, cells.first, cells.payoff_second
        )

    @cached_property
    def rounds(self) -> FloatArray:
        """Rounds that ``payoff`` was earned in; on the diagonal each round counts for both seats."""
        rounds = self._sum(self.cells.first, self.cells.second, self.cells.rounds)
        return rounds + rounds.T

    @cached_property
    def stakes(self) -> bool:
        """Whether a competitive game of two is won by more or less: payoffs that wins and losses don't explain."""
        if self.kind != "competitive" or self.seats != 2:
            return False
        return bool((np.abs(_without_self(self.payoff) - (self.wins - self.wins.T)) > 1e-9).any())

    @property
    def ranked_by(self) -> str:
        """``elo`` where a match is won or lost and that is all, else ``payoff``."""
        return "elo" if self.kind == "competitive" and not self.stakes else "payoff"

    def counts(self) -> Counts:
        """What Bradley–Terry reads: pairs of different entrants, clustered by blocks of deals."""
        cells = self.cells
        other = cells.first != cells.second
        columns = (cells.first, cells.second, cells.wins, cells.draws, cells.losses, cells.block)
        first, second, wins, draws, losses, block = (column[other] for column in columns)
        return Counts(self.n, first, second, wins, draws, losses, block)

    def _sum(self, row_C: IntArray, column_C: IntArray, value_C: FloatArray) -> FloatArray:
        return table_of(row_C, column_C, value_C, (self.n, self.n))


def seat_names(roles: Sequence[str]) -> list[str]:
    """What each seat is called: its role where all differ, else its number."""
    return list(roles) if len(set(roles)) == len(roles) else [f"seat {number}" for number in range(len(roles))]


def _without_self(table_NN: FloatArray) -> FloatArray:
    np.fill_diagonal(table_NN, 0.0)
    return table_NN
