"""Who learns in a run, and which seats each learner may take: one adapter for all, one per seat, members, a league."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games import Game
from games.errors import BadOption

LEARNER = "learner"
MAIN = "main"
KINDS = "shared, per-seat, members:N or league:EXPLOITERS"


@dataclass(frozen=True, slots=True)
class Population:
    """The learners of a run by name, each with an adapter of its own.

    Args:
        names: of the learners.
        fixed: whether each keeps to its seats. With m the smaller of learners and seats, learner k takes the seats s
            with k ≡ s (mod m): its own seat where there is one for each; a single learner takes the first.
        league: whether the first is the main agent and the others its exploiters (Vinyals et al., Nature 575, 2019,
            simplified): an exploiter meets nobody but the main agent as it is now, and only it learns from that.
    """

    names: tuple[str, ...]
    fixed: bool = False
    league: bool = False

    def focal(self, group: int, seats: int) -> tuple[str, int]:
        """Whose turn it is to be matched in a group of matches, and its seat; seats rotate, as far as they may."""
        k, turn = group % len(self.names), group // len(self.names)
        mine = self._seats_of(k, seats)
        return self.names[k], mine[turn % len(mine)]

    def selves(self, name: str, seat: int, seats: int) -> tuple[str, ...]:
        """Who is meant by ``self`` in another seat: the learner itself or, where it may not sit there, who may."""
        able = self.able(seat, seats)
        return (name,) if name in able or not able else able

    def others(self, name: str, seat: int, seats: int) -> tuple[str, ...]:
        """The other members that may take a seat."""
        return tuple(n for n in self.able(seat, seats) if n != name)

    def able(self, seat: int, seats: int) -> tuple[str, ...]:
        """The learners that may take a seat."""
        return tuple(n for k, n in enumerate(self.names) if seat in self._seats_of(k, seats))

    def exploits(self, name: str) -> bool:
        """Whether this learner is an exploiter."""
        return self.league and name != MAIN

    def learns(self, name: str, group: int, entrants: Sequence[str]) -> bool:
        """Whether a learner learns from a match of ``group``: where it sits; in a league, if the match is its own."""
        return name in entrants and (not self.league or name == self.names[group % len(self.names)])

    def _seats_of(self, k: int, seats: int) -> tuple[int, ...]:
        if not self.fixed:
            return tuple(range(seats))
        if len(self.names) == 1:
            return (0,)
        smaller = min(len(self.names), seats)
        return tuple(s for s in range(seats) if s % smaller == k % smaller)


def population(adapters: str, roles: str, games: Sequence[Game[Any]]) -> Population:
    """The population of a configuration.

    Args:
        adapters: ``shared``, ``per-seat``, ``members:N`` or ``league:EXPLOITERS``.
        roles: ``swapped`` or ``fixed``; with an adapter per seat they are fixed.
        games: that are played.

    Raises:
        BadOption: ``adapters`` names no population, or one that these games can't have.
    """
    kind, _, number = adapters.partition(":")
    if kind == "shared" and not number:
        return Population((LEARNER,), roles == "fixed")
    if kind == "per-seat" and not number:
        return Population(tuple(f"seat-{s}" for s in range(max(g.seats for g in games))), fixed=True)
    count = int(number) if number.isdecimal() else 0
    if kind == "members" and count >= 2:
        return Population(tuple(f"member-{k}" for k in range(count)), roles == "fixed")
    if kind == "league" and count >= 1:
        return _league(count, roles, games)
    raise BadOption(f'adapters="{adapters}" is unknown; use {KINDS}, N at least 2, EXPLOITERS at least 1')


def _league(exploiters: int, roles: str, games: Sequence[Game[Any]]) -> Population:
    if roles == "fixed":
        raise BadOption("in a league main agent and exploiters take every seat; leave roles at swapped")
    if alone := [g.spec for g in games if g.seats < 2]:
        raise BadOption(f"a league needs opponents; {alone[0]} has one seat")
    return Population((MAIN, *(f"exploiter-{k}" for k in range(exploiters))), league=True)
