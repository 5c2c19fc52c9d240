"""Who meets whom: a round-robin (or, of newcomers, a gauntlet) whose comparisons share their luck.

Every entrant meets every other on the same deals, in both orders, and meets itself:

* two seats: all ordered pairs (A, B), (B, A), (A, A), …: n² matches per deal, so that each pair is played with seats
  swapped on the same cards and no seat is worth more to one entrant than to another;
* more seats: for each ordered pair (F, O) the focal entrant F takes each seat in turn and copies of O fill the others,
  and a table of copies for each entrant. Who is better then shows as focal payoff against the same company.

A match's number follows from the deal and from the place of its entrants in alphabetical order, deals counting slowest:
the order in which entrants are named, matches are played or a run is interrupted changes nothing, and a run stopped
early has played whole deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from arena.records import Match
from games import Game, UsageError


def seatings(entrants: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every table of a round-robin, in a fixed order.

    Args:
        entrants: names, any order.
        seats: seats of the game.
    """
    names = sorted(set(entrants))
    tables: dict[tuple[str, ...], None] = {}
    for focal in names:
        for other in names:
            for place in range(seats):
                tables[tuple(focal if seat == place else other for seat in range(seats))] = None
    return list(tables)


def round_robin(games: Sequence[Game[Any]], entrants: Sequence[str], deals: int) -> Iterator[Match]:
    """The matches of a tournament, numbered from 1.

    Args:
        games: the games played; each on the same deals.
        entrants: names of the population.
        deals: how many deals each table plays.

    Raises:
        UsageError: fewer than one deal, game or entrant.
    """
    _check(games, entrants, deals)
    tables = [(game, table) for game in games for table in seatings(entrants, game.seats)]
    return _matches(tables, deals)


def gauntlet(games: Sequence[Game[Any]], entrants: Sequence[str], focus: Sequence[str], deals: int) -> Iterator[Match]:
    """The matches of :func:`round_robin` in which somebody of ``focus`` sits: newcomers against everybody.

    Raises:
        UsageError: as for :func:`round_robin`, or ``focus`` names nobody of the entrants.
    """
    _check(games, entrants, deals)
    if not focus or not set(focus) <= set(entrants):
        strangers = ", ".join(sorted(set(focus) - set(entrants))) or "nobody"
        raise UsageError(f"a gauntlet needs entrants to run it, not {strangers}; name some of {', '.join(entrants)}")
    return _matches(_gauntlet_tables(games, entrants, focus), deals)


def gauntlet_count(games: Sequence[Game[Any]], entrants: Sequence[str], focus: Sequence[str], deals: int) -> int:
    """How many matches :func:`gauntlet` gives."""
    return deals * len(_gauntlet_tables(games, entrants, focus))


def _gauntlet_tables(
    games: Sequence[Game[Any]], entrants: Sequence[str], focus: Sequence[str]
) -> list[tuple[Game[Any], tuple[str, ...]]]:
    wanted = set(focus)
    return [(game, table) for game in games for table in seatings(entrants, game.seats) if wanted & set(table)]


def count(games: Sequence[Game[Any]], entrants: Sequence[str], deals: int) -> int:
    """How many matches :func:`round_robin` gives."""
    return deals * sum(len(seatings(entrants, game.seats)) for game in games)


def missing(matches: Iterable[Match], finished: set[int]) -> Iterator[Match]:
    """The matches that are not finished yet."""
    return (match for match in matches if match.id not in finished)


def _matches(tables: Sequence[tuple[Game[Any], tuple[str, ...]]], deals: int) -> Iterator[Match]:
    for deal in range(deals):
        for place, (game, table) in enumerate(tables):
            yield Match(id=1 + deal * len(tables) + place, game=game, deal=deal, entrants=table)


def _check(games: Sequence[Game[Any]], entrants: Sequence[str], deals: int) -> None:
    if not games:
        raise UsageError("no game to play; name at least one, as in `arena tournament kuhn-poker random`")
    if not entrants:
        raise UsageError("nobody to play; name at least one entrant, as in `arena tournament kuhn-poker random`")
    if deals < 1:
        raise UsageError(f"deals={deals} is not allowed; give 1 or more")
