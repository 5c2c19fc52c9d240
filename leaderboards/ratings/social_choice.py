"""Entrants as candidates and tasks (or judges) as voters: rules that need no common scale of scores.

For language agents: "Evaluating Agents using Social Choice Theory" (Lanctot et al. 2023, arXiv 2312.03121).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError
from leaderboards.ratings.nash_average import NashAverage, nash_average

MOST_KEMENY = 15
"""Entrants for which Kemeny's rule is solved: its cost doubles with each."""
T = TypeVar("T")


@dataclass(frozen=True)
class Ranking:
    """Entrants with a number each, and in order."""

    names: tuple[str, ...]
    score: FloatArray
    """(N,), the more the better."""
    rule: str

    @property
    def order(self) -> tuple[str, ...]:
        """Names, best first; equals in the order given."""
        return tuple(self.names[k] for k in np.argsort(-self.score, kind="stable"))


def preferences(votes: Sequence[Sequence[T]], candidates: Sequence[T]) -> FloatArray:
    """How many votes put row above column (N, N); who isn't on a ballot is below all who are.

    Raises:
        TableError: a ballot names somebody twice or somebody unknown.
    """
    place = {candidate: k for k, candidate in enumerate(candidates)}
    above_NN = np.zeros((len(place), len(place)))
    for vote in votes:
        if len(set(vote)) != len(vote) or not set(vote) <= set(place):
            raise TableError(f"the ballot {list(vote)!r} names somebody twice or somebody unknown")
        for rank, candidate in enumerate(vote):
            above_NN[place[candidate], [place[c] for c in place if c not in vote[: rank + 1]]] += 1
    return above_NN


def preferences_from_scores(scores: ArrayLike) -> FloatArray:
    """How many tasks put row above column (N, N), from scores (N, M); a tie counts half for both, NaN not at all."""
    score_NM = np.asarray(scores, dtype=np.float64)
    difference = score_NM[:, None, :] - score_NM[None, :, :]
    above_NN: FloatArray = (difference > 0).sum(axis=2) + 0.5 * (difference == 0).sum(axis=2)
    np.fill_diagonal(above_NN, 0.0)
    return above_NN


def borda(above: ArrayLike, *, names: Sequence[str] | None = None) -> Ranking:
    """Points for each entrant below oneself on each ballot (de Borda 1781): row sums of the preferences."""
    above_NN = arrays.counts("preferences", above)
    return Ranking(arrays.labels(names, len(above_NN)), above_NN.sum(axis=1), "borda")


def copeland(above: ArrayLike, *, names: Sequence[str] | None = None) -> Ranking:
    """Majorities won plus half of those tied (Copeland 1951)."""
    above_NN = arrays.counts("preferences", above)
    majority = (above_NN > above_NN.T) + 0.5 * (above_NN == above_NN.T)
    return Ranking(arrays.labels(names, len(above_NN)), majority.sum(axis=1) - 0.5, "copeland")


def kemeny(above: ArrayLike, *, names: Sequence[str] | None = None) -> Ranking:
    """The order that disagrees with the fewest pairwise preferences (Kemeny 1959), exactly; scores N - 1 down to 0.

    Raises:
        TableError: more than 15 entrants: the cost doubles with each.
    """
    above_NN = arrays.counts("preferences", above)
    n = len(above_NN)
    if n > MOST_KEMENY:
        raise TableError(
            f"Kemeny's rule is exact up to {MOST_KEMENY} entrants, not {n}; take copeland or soft_condorcet"
        )
    score = np.zeros(n)
    for place, candidate in enumerate(_best_order(above_NN)):
        score[candidate] = n - 1 - place
    return Ranking(arrays.labels(names, n), score, "kemeny")


def maximal_lottery(above: ArrayLike, *, names: Sequence[str] | None = None) -> NashAverage:
    """The most even lottery that no other beats in expected majority margin (Fishburn 1984): an equilibrium.

    Copies of a candidate change nobody else's chances.
    """
    above_NN = arrays.counts("preferences", above)
    return nash_average(above_NN - above_NN.T, names=names, merge_copies=True)


def _best_order(above_NN: FloatArray) -> list[int]:
    """Held and Karp's recursion over sets: the best order of a set ends with one of its members."""
    n = len(above_NN)
    best, last = np.zeros(1 << n), np.zeros(1 << n, dtype=np.int64)
    members = [[k for k in range(n) if group >> k & 1] for group in range(1 << n)]
    for group in range(1, 1 << n):
        # With k last, everyone else of the group stands above it.
        worth = [best[group ^ 1 << k] + above_NN[members[group], k].sum() for k in members[group]]
        place = int(np.argmax(worth))
        best[group], last[group] = worth[place], members[group][place]
    order, group = [], (1 << n) - 1
    while group:
        order.append(int(last[group]))
        group ^= 1 << order[-1]
    return order[::-1]
