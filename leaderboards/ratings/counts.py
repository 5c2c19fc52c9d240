"""Results of pairs as a list: who sat first, who second, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, IntArray, TableError, sums


@dataclass(frozen=True)
class Counts:
    """Results of E ordered pairs of entrants: ``first`` won, drew or lost so often; a pair may occur again."""

    n: int
    first: IntArray
    second: IntArray
    wins: FloatArray
    draws: FloatArray
    losses: FloatArray
    cluster: IntArray | None = None
    """The cluster (of deals) of each item, or None where all matches are independent."""

    @property
    def matches(self) -> FloatArray:
        """How often each ordered pair met."""
        return self.wins + self.draws + self.losses

    def merged(self) -> Counts:
        """The same results with every ordered pair once, clusters forgotten."""
        key, place_E = np.unique(self.first * self.n + self.second, return_inverse=True)
        wins, draws, losses = (sums(place_E, w, len(key)) for w in (self.wins, self.draws, self.losses))
        return Counts(self.n, key // self.n, key % self.n, wins, draws, losses)

    def halved(self) -> Counts:
        """The same results with every draw as half a win and half a loss."""
        half = self.draws / 2
        return Counts(self.n, self.first, self.second, self.wins + half, 0 * half, self.losses + half, self.cluster)

    def played(self) -> FloatArray:
        """How many matches each entrant had (N,)."""
        return sums(self.first, self.matches, self.n) + sums(self.second, self.matches, self.n)

    def scored(self) -> FloatArray:
        """How often row didn't lose to column (N, N)."""
        scored_NN = np.zeros((self.n, self.n))
        np.add.at(scored_NN, (self.first, self.second), self.wins + self.draws)
        np.add.at(scored_NN, (self.second, self.first), self.losses + self.draws)
        return scored_NN


def unordered(wins: ArrayLike, draws: ArrayLike | None) -> Counts:
    """From a table of wins of row against column and a symmetric one of draws.

    Raises:
        TableError: a cell is NaN, infinite or negative, or draws aren't symmetric.
    """
    wins_NN, draws_NN = _tables(wins, draws)
    if not np.allclose(draws_NN, draws_NN.T):
        raise TableError("draws must be symmetric: a draw of row with column is one of column with row")
    first, second = np.nonzero(np.triu(wins_NN + wins_NN.T + draws_NN, k=1))
    place = (first, second)
    return Counts(len(wins_NN), first, second, wins_NN[place], draws_NN[place], wins_NN.T[place])


def ordered(wins: ArrayLike, draws: ArrayLike | None, losses: ArrayLike) -> Counts:
    """From tables of how often row, sitting first, won, drew and lost against column.

    Raises:
        TableError: a cell is NaN, infinite or negative.
    """
    wins_NN, draws_NN = _tables(wins, draws)
    losses_NN = arrays.counts("losses", losses, len(wins_NN))
    first, second = np.nonzero((wins_NN + draws_NN + losses_NN) * (1 - np.eye(len(wins_NN))))
    place = (first, second)
    return Counts(len(wins_NN), first, second, wins_NN[place], draws_NN[place], losses_NN[place])


def _tables(wins: ArrayLike, draws: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    wins_NN = arrays.counts("wins", wins)
    n = len(wins_NN)
    return wins_NN, np.zeros((n, n)) if draws is None else arrays.counts("draws", draws, n)
