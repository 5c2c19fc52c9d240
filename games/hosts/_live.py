"""Foreign PettingZoo environments while they run: one face for AEC and Parallel, and the cache of live ones.

An environment can only go forward, a game's states are values. So a live environment is filed under the state it stands
at and moves on with it; a state that none stands at is replayed from its seed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from games.game import Move, Rewards

_SHOWN_WHOLE = 64  # entries of an array shown one by one; of a larger one, those that are not zero
_KEPT = 64  # live environments


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees: text, plain values, and its legal moves (None: free text)."""

    text: str = "Nothing to see yet."
    observation: Any = None
    legal: tuple[Move, ...] | None = ()


class Live(Protocol):
    """An environment in progress; seats are places in ``possible_agents``."""

    env: Any
    sights: list[Sight]
    read: list[tuple[str, ...]]
    """For each seat, the texts it read when it moved and its moves, in turn."""

    def begin(self, seed: int) -> None:
        """Reset."""

    def movers(self) -> tuple[int, ...]:
        """The seats that must move now."""

    def step(self, moves: Mapping[int, Move]) -> Rewards:
        """Play one tick."""


class _Face:
    """What both kinds share: the agents, their spaces, what they saw last."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: list[Any] = list(env.possible_agents)
        self.sights = [Sight() for _ in self.agents]
        self.read: list[tuple[str, ...]] = [() for _ in self.agents]

    def _look(self, agent: Any, observation: Any, info: Mapping[str, Any], asked: bool) -> None:
        mask = observation.get("action_mask") if isinstance(observation, dict) else None
        mask = info.get("action_mask") if mask is None else mask
        legal = legal_moves(self.env.action_space(agent), mask) if asked else ()
        shown = {k: v for k, v in observation.items() if k != "action_mask"} if isinstance(observation, dict) else None
        seen = observation if shown is None else next(iter(shown.values())) if len(shown) == 1 else shown
        self.sights[self.agents.index(agent)] = Sight(describe(seen), plain(seen), legal)

    def _note(self, moves: Mapping[int, Move]) -> None:
        for seat, move in moves.items():
            self.read[seat] = (*self.read[seat], self.sights[seat].text, move)

    def _action(self, agent: Any, move: Move) -> Any:
        space = self.env.action_space(agent)
        return move if isinstance(space, spaces.Text) else int(move) + int(space.start)

    def _rewards(self, rewards: Mapping[Any, Any]) -> Rewards:
        return tuple(float(rewards.get(agent, 0.0)) for agent in self.agents)


class LiveTurns(_Face):
    """An AEC environment in progress: one seat a tick; agents that are out are stepped away."""

    def begin(self, seed: int) -> None:
        """Reset."""
        self.env.reset(seed=seed)
        self._see()

    def movers(self) -> tuple[int, ...]:
        """The selected agent's seat."""
        return (self.agents.index(self.env.agent_selection),) if self.env.agents else ()

    def step(self, moves: Mapping[int, Move]) -> Rewards:
        """The selected agent acts."""
        self._note(moves)
        agent = self.env.agent_selection
        self.env.step(self._action(agent, moves[self.agents.index(agent)]))
        rewards = self._rewards(self.env.rewards)
        self._see()
        return rewards

    def _see(self) -> None:
        env = self.env
        before = {agent: (env.observe(agent), env.infos.get(agent, {})) for agent in env.agents}
        while env.agents and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            env.step(None)
        for agent, (observation, info) in before.items():
            asked = bool(env.agents) and agent == env.agent_selection
            self._look(agent, env.observe(agent) if asked else observation, info, asked)


class LiveAtOnce(_Face):
    """A Parallel environment in progress: every live agent whose mask allows something moves."""

    def begin(self, seed: int) -> None:
        """Reset."""
        self._see(*self.env.reset(seed=seed))

    def movers(self) -> tuple[int, ...]:
        """The live seats that have something to do."""
        seats = (self.agents.index(agent) for agent in self.env.agents)
        return tuple(sorted(seat for seat in seats if self.sights[seat].legal != ()))

    def step(self, moves: Mapping[int, Move]) -> Rewards:
        """All move; live agents that have nothing to do get their space's first action."""
        self._note(moves)
        actions = {}
        for agent in self.env.agents:
            idle = "" if isinstance(self.env.action_space(agent), spaces.Text) else "0"
            actions[agent] = self._action(agent, moves.get(self.agents.index(agent), idle))
        observations, rewards, _, _, infos = self.env.step(actions)
        self._see(observations, infos)
        return self._rewards(rewards)

    def _see(self, observations: Mapping[Any, Any], infos: Mapping[Any, Any]) -> None:
        for agent, observation in observations.items():
            self._look(agent, observation, infos.get(agent, {}), agent in self.env.agents)


class Cache:
    """Live environments, filed under the states they stand at; the least recently used are closed.

    Several may stand at one state: matches that go the same way each keep their own.
    """

    def __init__(self, size: int = _KEPT) -> None:
        self.size = size
        self._live: OrderedDict[Hashable, list[Live]] = OrderedDict()

    def take(self, key: Hashable, replay: Callable[[], Live]) -> Live:
        """An environment that stands at ``key``, replayed where there is none; it is no longer filed."""
        standing = self._live.pop(key, [])
        live = standing.pop() if standing else replay()
        if standing:
            self._live[key] = standing
        return live

    def file(self, key: Hashable, live: Live) -> Live:
        """File ``live`` under ``key``."""
        self._live.setdefault(key, []).append(live)
        self._live.move_to_end(key)
        while len(self) > self.size:
            for old in self._live.popitem(last=False)[1]:
                old.env.close()
        return live

    def __len__(self) -> int:
        return sum(map(len, self._live.values()))


def legal_moves(space: Any, mask: Any) -> tuple[Move, ...] | None:
    """The numbers (from 0) of the actions that a mask allows, as text; None where actions are free text."""
    if isinstance(space, spaces.Text):
        return None
    return tuple(str(n) for n in range(int(space.n)) if mask is None or mask[n])


def plain(value: Any) -> Any:
    """Arrays and numpy numbers as ordinary lists and numbers, also inside mappings and sequences."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def describe(value: Any) -> str:
    """An observation as text: small arrays whole, row by row; of larger ones where they are not zero."""
    if isinstance(value, Mapping):
        return "\n".join(f"{key}: {describe(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(describe(inner) for inner in value)
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return str(value)
    if 0 < value.size <= _SHOWN_WHOLE:
        return _rows(value.tolist())
    places = (f"{','.join(map(str, place))}={value[place]}" for place in _nonzero(value))
    return f"shape {'x'.join(map(str, value.shape))}, not zero at: {' '.join(places)}"


def _rows(value: list[Any]) -> str:
    """An array of any shape: a line for each row, what is deeper in brackets."""
    lines = value if isinstance(value[0], list) else [value]
    return "\n".join(" ".join(map(_cell, line)) for line in lines)


def _cell(value: Any) -> str:
    return f"[{' '.join(map(_cell, value))}]" if isinstance(value, list) else str(value)


def _nonzero(value: Any) -> Iterable[tuple[int, ...]]:
    return zip(*(axis.tolist() for axis in np.nonzero(value)), strict=True)
