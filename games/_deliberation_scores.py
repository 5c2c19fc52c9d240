"""The score tables of Deliberation, and what can be reached with them.

The tables are our own: numbers found by search so that what is known of the published base game (arXiv 2309.17234,
recounted in arXiv 2502.16242) holds here, too. Each party has at most 100 points and the published least score; the
first party's best deal is A1 B1 C4 D1 E5; 55 deals can pass and 12 please all six (77 and 34 with the first party's 10
points more; 37 and 6 if the least scores had to be exceeded); 481 deals are Pareto-optimal, 51 of them among the 55;
the greatest sum, 412, is that of A2 B3 C1 D1 E1, which neither of the first two parties can accept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from games._bargaining import Frontier, Point, frontier

Deal = tuple[int, ...]
"""The number of the option (from 0) for each issue."""
Scores = tuple[tuple[int, ...], ...]
"""A party's points for each option of each issue."""


@dataclass(frozen=True, slots=True)
class Issue:
    """What is decided: a letter, a name, and the options in words."""

    letter: str
    name: str
    options: tuple[str, ...]


ISSUES = (
    Issue("A", "site", ("on the water", "half on the water", "on land")),
    Issue("B", "nature", ("some damage", "no damage", "improved")),
    Issue("C", "union jobs", ("all", "two thirds", "half", "none")),
    Issue("D", "federal loan", ("3 billion", "2 billion", "1 billion", "nothing")),
    Issue("E", "payment to other cities", ("600 million", "450 million", "300 million", "150 million", "nothing")),
)
PARTIES = ("SportCo", "Tourism", "Environment", "Union", "Cities", "Mayor")
LEAST = (55, 65, 55, 50, 31, 30)
"""The least score of each party, which it also gets without a deal."""
NEEDED = 5
"""Parties that must accept, the first two among them."""
DEALS: tuple[Deal, ...] = tuple(product(*(range(len(issue.options)) for issue in ISSUES)))

SCORES: tuple[Scores, ...] = (
    ((12, 4, 0), (28, 11, 0), (0, 8, 10, 11), (35, 29, 29, 0), (0, 5, 9, 11, 14)),  # SportCo
    ((0, 21, 6), (0, 18, 0), (11, 10, 10, 0), (17, 39, 17, 0), (11, 10, 2, 1, 0)),  # Tourism
    ((0, 7, 12), (0, 33, 36), (16, 3, 0, 0), (0, 4, 25, 15), (11, 10, 6, 5, 0)),  # Environment
    ((0, 0, 0), (0, 1, 7), (10, 9, 8, 0), (50, 22, 21, 0), (33, 22, 20, 20, 0)),  # Union
    ((0, 3, 15), (0, 0, 0), (9, 20, 0, 0), (0, 0, 19, 34), (31, 28, 22, 10, 0)),  # Cities
    ((0, 0, 0), (0, 1, 37), (24, 12, 8, 0), (14, 11, 1, 0), (25, 20, 9, 7, 0)),  # Mayor
)


def deal_text(deal: Deal) -> str:
    """``A1 B2 C3 D1 E4``."""
    return " ".join(f"{issue.letter}{option + 1}" for issue, option in zip(ISSUES, deal, strict=True))


def points_of(scores: Scores, deal: Deal) -> float:
    """The points of ``deal`` by a party's scores."""
    return float(sum(row[option] for row, option in zip(scores, deal, strict=True)))


def score(party: int, deal: Deal) -> float:
    """The points of ``deal`` for a party."""
    return points_of(SCORES[party], deal)


def scores(deal: Deal) -> Point:
    """The points of ``deal`` for every party."""
    return tuple(points_of(table, deal) for table in SCORES)


def acceptable(deal: Deal) -> tuple[bool, ...]:
    """Which parties get at least their least score."""
    return tuple(points >= least for points, least in zip(scores(deal), LEAST, strict=True))


def passable(deal: Deal) -> bool:
    """Whether enough parties, the first two among them, can accept ``deal``."""
    fine = acceptable(deal)
    return fine[0] and fine[1] and sum(fine) >= NEEDED


@lru_cache(maxsize=1)
def possible() -> Frontier:
    """What all deals offer."""
    return frontier([scores(deal) for deal in DEALS], tuple(map(float, LEAST)))


@lru_cache(maxsize=1)
def best_passable() -> float:
    """The greatest joint gain over the least scores among deals that can pass."""
    return max(sum(scores(deal)) for deal in DEALS if passable(deal)) - sum(LEAST)
