"""OpenSpiel's states as values: what was played by name, what each seat read, never changed once made."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.game import Move
from games.parsing import _normal

CHANCE = -1
"""The player of chance, in OpenSpiel and in a log."""
MOST_OUTCOMES = 5_000
_KEPT = 512  # states


@dataclass(frozen=True, slots=True)
class Live:
    """A state of OpenSpiel, which is copied before anything is played on it."""

    state: Any
    log: tuple[tuple[int, str], ...] = ()
    """Every event so far: (player, its name for the action)."""
    since: tuple[int, ...] = ()
    """For each seat, how much of the log there was when it last moved."""
    read: tuple[tuple[str, ...], ...] = ()
    """For each seat, what it read when it moved and its moves, in turn."""

    def movers(self) -> tuple[int, ...]:
        """The seats that must move now."""
        if self.state.is_terminal():
            return ()
        if not self.state.is_simultaneous_node():
            return (int(self.state.current_player()),)
        return tuple(seat for seat in range(len(self.since)) if self.state.legal_actions(seat))

    def tick(self, actions: tuple[int, ...], names: tuple[Move, ...], texts: tuple[str, ...]) -> Live:
        """After the movers' actions, called ``names``; ``texts`` is what each of them has just read."""
        state, movers = self.state.clone(), self.movers()
        if self.state.is_simultaneous_node():
            chosen = dict(zip(movers, actions, strict=True))
            state.apply_actions([chosen.get(seat, 0) for seat in range(len(self.since))])
        else:
            state.apply_action(actions[0])
        log = (*self.log, *zip(movers, names, strict=True))
        read, since = list(self.read), list(self.since)
        for seat, text, name in zip(movers, texts, names, strict=True):
            read[seat], since[seat] = (*read[seat], text, name), len(log)
        return Live(state, log, tuple(since), tuple(read))

    def chance(self, action: int) -> Live:
        """After an outcome of chance."""
        state = self.state.clone()
        name = str(state.action_to_string(CHANCE, action))
        state.apply_action(action)
        return replace(self, state=state, log=(*self.log, (CHANCE, name)))


def begin(game: Any) -> Live:
    """The state before anything, chance included."""
    nothing: tuple[str, ...] = ()
    seats = game.num_players()
    return Live(game.new_initial_state(), since=(0,) * seats, read=(nothing,) * seats)


def settle(live: Live, draw: Callable[[list[int], list[float]], int]) -> tuple[Live, tuple[int, ...]]:
    """Let chance act until a seat must move or all is over; ``draw`` chooses an outcome from outcomes and odds."""
    drawn: tuple[int, ...] = ()
    while live.state.is_chance_node():
        outcomes, odds = zip(*live.state.chance_outcomes(), strict=True)
        action = draw(list(outcomes), list(odds))
        live, drawn = live.chance(action), (*drawn, action)
    return live, drawn


def outcomes(live: Live, p: float = 1.0, drawn: tuple[int, ...] = ()) -> Iterator[tuple[float, Live, tuple[int, ...]]]:
    """Everything that :func:`settle` can give, with its probability."""
    if not live.state.is_chance_node():
        yield p, live, drawn
        return
    for action, odds in live.state.chance_outcomes():
        if odds > 0:
            yield from outcomes(live.chance(action), p * odds, (*drawn, action))


def legal(state: Any, seat: int) -> dict[Move, int]:
    """The actions of a seat by name; names that read alike, or as nothing, carry the action's number."""
    actions = state.legal_actions(seat)
    names = [" ".join(state.action_to_string(seat, action).split()) for action in actions]
    alike = Counter(map(_normal, names))
    unclear = [not _normal(name) or alike[_normal(name)] > 1 for name in names]
    return {
        f"{name} #{action}".strip() if also else name: action
        for name, action, also in zip(names, actions, unclear, strict=True)
    }


def names_of(live: Live, actions: tuple[int, ...]) -> tuple[Move, ...]:
    """The names of the movers' actions."""
    pairs = zip(live.movers(), actions, strict=True)
    known = [(legal(live.state, seat), action) for seat, action in pairs]
    return tuple(next(name for name, number in names.items() if number == action) for names, action in known)


class Kept:
    """The states used last, by position."""

    def __init__(self, size: int = _KEPT) -> None:
        self.size = size
        self._lives: OrderedDict[Hashable, Live] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Live]) -> Live:
        """The state filed under ``key``, made where there is none."""
        live = self._lives.pop(key, None)
        return self.put(key, make() if live is None else live)

    def put(self, key: Hashable, live: Live) -> Live:
        """File a state; the one used least recently makes room."""
        self._lives[key] = live
        if len(self._lives) > self.size:
            self._lives.popitem(last=False)
        return live
