"""Elo's online update: for live views and learning curves. It depends on the order of the matches."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from leaderboards.arrays import TableError


@dataclass(frozen=True)
class EloRating:
    """Ratings after the last match, in the order in which the entrants first played."""

    names: tuple[str, ...]
    ratings: tuple[float, ...]
    matches: int
    k: float
    initial: float
    scale: float

    def __getitem__(self, name: str) -> float:
        """The rating of an entrant."""
        return self.ratings[self.names.index(name)]


def expected_score(rating: float, opponent: float, *, scale: float = 400.0) -> float:
    """The score, between 0 and 1, that Elo expects against an opponent (0.5 between equals)."""
    return 0.5 + 0.5 * math.tanh((rating - opponent) / scale * math.log(10.0) / 2)


def elo(
    matches: Iterable[tuple[str, str, float]], *, k: float = 32.0, initial: float = 1500.0, scale: float = 400.0
) -> EloRating:
    """Ratings by Elo (1978), *The Rating of Chessplayers, Past and Present*: one update a match, in order.

    A fixed pool deserves :func:`leaderboards.bradley_terry`, which doesn't depend on the order and has intervals.

    Args:
        matches: (first, second, score of first), the score 1 for a win, 0.5 for a draw, 0 for a loss.
        k: how far one match moves a rating.
        initial: everybody's first rating.
        scale: points at which the odds are 10 to 1.

    Raises:
        TableError: a score isn't between 0 and 1.
    """
    ratings: dict[str, float] = {}
    played = 0
    for first, second, score in matches:
        if not 0.0 <= score <= 1.0:
            raise TableError(f"the score of {first} against {second} is {score}; it must lie between 0 and 1")
        a, b = ratings.setdefault(first, initial), ratings.setdefault(second, initial)
        step = k * (score - expected_score(a, b, scale=scale))
        played += 1
        if first != second:
            ratings[first], ratings[second] = a + step, b - step
    return EloRating(tuple(ratings), tuple(ratings.values()), played, k, initial, scale)
