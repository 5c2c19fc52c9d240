"""From the name of a schedule to the episodes that it plays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.records import Episode, Match
from arena.schedule import count, gauntlet, gauntlet_count, missing, round_robin
from arena.store import Store
from games import Game, UsageError
from games.errors import unknown

if TYPE_CHECKING:
    from arena.active import Active

KINDS = ("round-robin", "gauntlet", "swiss", "active")
Play = Callable[[Iterator[Match]], Iterator[Episode]]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Schedule:
    """How matches are chosen.

    Raises:
        UsageError: no such kind, or a number out of range.
    """

    kind: str = "round-robin"
    """``round-robin`` (everybody meets everybody), ``gauntlet`` (some meet everybody), ``swiss`` or ``active``."""
    rounds: int = 0
    """Of ``swiss``; 0: as many as tell the first from the rest, log2 of the number of entrants and one more."""
    confidence: float = 0.95
    """At which ``active`` stops: the share of pairs of entrants that are expected to stand in the right order."""
    focus: tuple[str, ...] = ()
    """Who runs the ``gauntlet``; nobody named: the entrant named first."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown("schedule", self.kind, KINDS)
        if self.rounds < 0:
            raise UsageError(f"rounds={self.rounds} is not allowed; give 0 (enough to find the first) or more")
        if not 0.5 <= self.confidence < 1:
            raise UsageError(f"confidence={self.confidence:g} is not allowed; give 0.5 or more and less than 1")

    def settings(self) -> dict[str, Any]:
        """What a store keeps of it; nothing of a round-robin."""
        own: dict[str, dict[str, Any]] = {
            "gauntlet": {"focus": sorted(self.focus)},
            "swiss": {"rounds": self.rounds},
            "active": {"confidence": self.confidence},
        }
        return {} if self.kind == "round-robin" else {"schedule": self.kind, **own[self.kind]}


@dataclass(frozen=True)
class Pairings:
    """What a tournament plays: the games, who takes part, and how many deals a full round-robin would have."""

    games: Sequence[Game[Any]]
    names: Sequence[str]
    deals: int


def episodes_of(
    schedule: Schedule, pairings: Pairings, store: Store, play: Play, say: Say | None = None
) -> tuple[Iterator[Episode], int]:
    """The episodes that are still to be played, and how many matches there are at most, finished ones included.

    Args:
        schedule: how matches are chosen.
        pairings: games, entrants, and deals; ``active`` plays no more than so large a round-robin.
        store: what is finished.
        play: plays matches.
        say: told in a sentence how sure an ``active`` tournament is at its end.

    Raises:
        UsageError: the schedule doesn't fit the entrants.
    """
    games, names, deals = pairings.games, pairings.names, pairings.deals
    if schedule.kind == "round-robin":
        return play(missing(round_robin(games, names, deals), store.finished())), count(games, names, deals)
    if schedule.kind == "gauntlet":
        planned = gauntlet(games, names, schedule.focus, deals)
        return play(missing(planned, store.finished())), gauntlet_count(games, names, schedule.focus, deals)
    return _adaptive(schedule, pairings, store, play, say)


def _adaptive(
    schedule: Schedule, pairings: Pairings, store: Store, play: Play, say: Say | None
) -> tuple[Iterator[Episode], int]:
    from arena.active import Active
    from arena.adaptive import play_plan
    from arena.swiss import Swiss

    games, names, deals = pairings.games, pairings.names, pairings.deals
    round_robin(games, names, deals)  # checks them
    if len(names) < 2:
        raise UsageError(f"a {schedule.kind} tournament needs two entrants or more; name another")
    results = _results(store)
    if schedule.kind == "swiss":
        rounds = schedule.rounds or math.ceil(math.log2(len(names))) + 1
        total = rounds * deals * (len(names) // 2) * sum(_tables(game) for game in games)
        return play_plan(Swiss(games, names, rounds, deals), results, total, _eager(play)), total
    total, plan = count(games, names, deals), Active(games, names, schedule.confidence)
    return _told(play_plan(plan, results, total, _eager(play)), plan, results, total, say), total


def _told(
    episodes: Iterator[Episode], plan: Active, results: dict[int, tuple[float, ...]], total: int, say: Say | None
) -> Iterator[Episode]:
    yield from episodes
    if say is None:
        return
    for spec, confidence in plan.confidence().items():
        say(
            f"{spec}: {confidence:.1%} of the pairs are expected to stand in the right order"
            f" ({len(results)} of at most {total} matches)"
        )


def _results(store: Store) -> dict[int, tuple[float, ...]]:
    found: dict[int, tuple[float, ...]] = {}
    for row in store.seats():
        found[row.match] = (*found.get(row.match, ()), row.payoff)
    return found


def _tables(game: Game[Any]) -> int:
    """Matches of one meeting: each of the two takes each seat among copies of the other."""
    from arena.adaptive import tables

    return len(tables("a", "b", game.seats))


def _eager(play: Play) -> Callable[[list[Match]], Iterator[Episode]]:
    return lambda matches: play(iter(matches))
