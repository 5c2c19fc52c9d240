"""Schedules that look at results before they say who meets next: rounds of meetings, each a function of those before.

A meeting of two entrants is one deal on which each takes every seat among copies of the other. Rounds are numbered
through, so a run that was killed plays the round it was in to its end and goes on as if nothing had happened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.records import Episode, Match
from arena.schedule import seatings
from games import Game

Results = dict[int, tuple[float, ...]]
"""Payoffs of finished matches, by number."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a meeting came to: matches played and, for either of the two, mean payoff and share of the wins."""

    game: str
    first: str
    second: str
    matches: int
    payoffs: tuple[float, float]
    score: float
    """Wins plus half the draws of ``first``, as a share of the matches."""


class Plan(Protocol):
    """Says who meets next: the one thing here that changes while a tournament is played."""

    def next(self) -> Sequence[tuple[Game[Any], str, str, int]]:
        """The next round as (game, first, second, deal); none: the tournament is over."""

    def learn(self, meetings: Sequence[Meeting]) -> None:
        """Take in the results of the round."""


def tables(first: str, second: str, seats: int) -> list[tuple[str, ...]]:
    """The tables of one meeting; of an entrant with itself, one."""
    return [table for table in seatings([first, second], seats) if len(set(table)) > 1 or first == second]


def play_plan(
    plan: Plan, results: Results, limit: int, play: Callable[[list[Match]], Iterator[Episode]]
) -> Iterator[Episode]:
    """Play a plan to its end, or until the next meeting would be more than ``limit`` matches.

    Args:
        plan: who meets next.
        results: what is finished already; what is played is added.
        limit: the most matches, those finished before included.
        play: plays matches and yields their episodes.
    """
    first = 1
    while planned := plan.next():
        meetings = _within(planned, limit - first + 1)
        matches = [match for meeting in _numbered(meetings, first) for match in meeting]
        for episode in play([match for match in matches if match.id not in results]):
            results[episode.match.id] = episode.payoffs
            yield episode
        plan.learn([_meeting(found, results) for found in _numbered(meetings, first)])
        if len(meetings) < len(planned):
            return
        first += len(matches)


def _within(planned: Sequence[tuple[Game[Any], str, str, int]], left: int) -> list[tuple[Game[Any], str, str, int]]:
    """As many whole meetings as there is room for."""
    kept = []
    for meeting in planned:
        left -= len(tables(meeting[1], meeting[2], meeting[0].seats))
        if left < 0:
            break
        kept.append(meeting)
    return kept


def _numbered(meetings: Sequence[tuple[Game[Any], str, str, int]], number: int) -> Iterator[list[Match]]:
    for game, first, second, deal in meetings:
        seated = tables(first, second, game.seats)
        yield [Match(number + k, game, deal, table) for k, table in enumerate(seated)]
        number += len(seated)


def _meeting(matches: Sequence[Match], results: Results) -> Meeting:
    first = matches[0].entrants[0]
    second = next((name for name in matches[0].entrants if name != first), first)
    earned: dict[str, list[float]] = defaultdict(list)
    score = 0.0
    for match in matches:
        mine = _means(match.entrants, results[match.id])
        for name, payoff in mine.items():
            earned[name].append(payoff)
        score += _won(mine[first], mine[second])
    means = tuple(sum(earned[name]) / len(earned[name]) for name in (first, second))
    return Meeting(matches[0].game.spec, first, second, len(matches), (means[0], means[1]), score / len(matches))


def _means(table: tuple[str, ...], payoffs: tuple[float, ...]) -> dict[str, float]:
    """Each entrant's mean payoff over the seats that it took."""
    found: dict[str, list[float]] = defaultdict(list)
    for name, payoff in zip(table, payoffs, strict=True):
        found[name].append(payoff)
    return {name: sum(values) / len(values) for name, values in found.items()}


def _won(mine: float, theirs: float) -> float:
    if abs(mine - theirs) <= 1e-9 * max(1.0, abs(mine), abs(theirs)):
        return 0.5
    return 1.0 if mine > theirs else 0.0
