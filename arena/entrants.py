"""From what the user names to who sits down: entrants, their policies, and whether they can play the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import policies
from arena.tables import EntrantRow
from games import Game, UsageError
from policies import Policy

Named = str | Policy
"""A spec, ``NAME=SPEC``, or a policy object."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A named policy of a population."""

    name: str
    spec: str
    policy: Policy

    @property
    def identity(self) -> str:
        """What it plays like: the spec, and what else decides it where the policy says so (a hash of its weights)."""
        fingerprint = getattr(self.policy, "fingerprint", "")
        return f"{self.spec} #{fingerprint}" if fingerprint else self.spec

    @property
    def row(self) -> EntrantRow:
        """How a store keeps it."""
        return EntrantRow(self.name, self.spec, getattr(self.policy, "kind", "script"))


def seat_entrants(named: Iterable[Named] | Mapping[str, Named]) -> list[Entrant]:
    """The population behind what was named, every policy made.

    Args:
        named: specs, ``NAME=SPEC`` texts, policy objects, or a mapping from names to specs or objects.

    Raises:
        UsageError: two entrants share a name; or a spec that no policy has.
    """
    pairs = list(named.items()) if isinstance(named, Mapping) else [_split(item) for item in named]
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f'two entrants are called "{twice[0]}"; give one another name with NAME=SPEC')
    population = _Population(dict(pairs))
    return [_entrant(name, item, population[name]) for name, item in pairs]


def check_all(games: Iterable[Game[Any]], entrants: Sequence[Entrant]) -> None:
    """Refuse an entrant that can't play one of the games, before anything is played.

    Raises:
        UsageError: the message names the policy, the game and what it plays.
    """
    for game in games:
        for entrant in entrants:
            check = getattr(entrant.policy, "check", None)
            if check is not None and (reason := check(game)):
                raise UsageError(f"{entrant.name} can't play {game.spec}: {reason}")


def _split(item: Named) -> tuple[str, Named]:
    if isinstance(item, str):
        return policies.split_name(item)
    return item.name or type(item).__name__, item


def _entrant(name: str, item: Named, policy: Policy) -> Entrant:
    return Entrant(name, item if isinstance(item, str) else item.name or type(item).__name__, policy)


class _Population(Mapping[str, Policy]):
    """Policies by entrant name, each made when it is first asked for: combinators ask for others by name."""

    def __init__(self, named: Mapping[str, Named]) -> None:
        self._named = named
        self._made: dict[str, Policy] = {name: item for name, item in named.items() if not isinstance(item, str)}
        self._asked: list[str] = []

    def __getitem__(self, name: str) -> Policy:
        if name not in self._made:
            item = self._named[name]
            assert isinstance(item, str)
            if name in self._asked:
                raise UsageError(f'the entrant "{name}" is made of itself: {" of ".join([*self._asked, name])}')
            self._asked.append(name)
            self._made[name] = policies.make(item, self)
            self._asked.pop()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)
