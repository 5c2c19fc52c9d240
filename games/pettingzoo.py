"""Any game as a PettingZoo environment, turn by turn (AEC) or all seats at once (Parallel).

from games.pettingzoo import aec_env, parallel_env
env = aec_env("kuhn-poker")                                  # or pettingzoo.make("aec", "arena/kuhn-poker-v0")
env = parallel_env("prisoners-dilemma", max_cycles=20, rounds=100)

Where every move of a game is finite, actions are numbers into ``env.game.info.moves`` and observations hold an
``action_mask``; where some are free text, actions are text. An illegal action counts as the game says (its substitute,
else the seat forfeits), and the reason stands in ``infos[agent]["illegal"]``.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gymnasium import logger, spaces
from pettingzoo import AECEnv, ParallelEnv

import games
from games._spaces import Actions
from games.errors import BadOption, IllegalMove
from games.game import Game, Move, Rewards
from games.inert import inert
from games.stream import CHANCE, Stream

RENDER_MODES = ["human", "ansi"]

Agent = str
Sight = dict[str, Any]
Infos = dict[Agent, dict[str, Any]]


def aec_env(
    game: str | Game[Any], render_mode: str | None = None, max_cycles: int | None = None, **options: Any
) -> TurnByTurn:
    """A game as an AEC environment.

    Args:
        game: a game or its spec string.
        render_mode: ``human`` prints, ``ansi`` returns text, None does nothing.
        max_cycles: ticks after which a match is cut off (truncated); None: the game's own longest match.
        options: options of the game, where ``game`` is a string.

    Raises:
        UnknownName: no such game or option.
        BadOption: an option or a render mode that is not allowed.
    """
    return TurnByTurn(_made(game, options), render_mode, max_cycles)


def parallel_env(
    game: str | Game[Any], render_mode: str | None = None, max_cycles: int | None = None, **options: Any
) -> AllAtOnce:
    """A game as a Parallel environment; arguments and errors as for :func:`aec_env`.

    In a tick all agents stay live; actions of those that are not to move are ignored, their masks are all zeros.
    """
    return AllAtOnce(_made(game, options), render_mode, max_cycles)


def _made(game: str | Game[Any], options: dict[str, Any]) -> Game[Any]:
    if isinstance(game, str):
        return games.make(game, **options)
    if options:
        raise BadOption(f"{', '.join(options)}: options go with a spec string; this game is made already")
    return game


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tick did: rewards by seat, why actions were illegal, whether the match ended or was cut off."""

    rewards: Rewards
    illegal: Mapping[int, str]
    ended: bool
    cut: bool


class Table:
    """What both kinds of environment share: a game, a match of it in progress, and the spaces."""

    def __init__(self, game: Game[Any], render_mode: str | None, max_cycles: int | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption(f"render_mode={render_mode!r} is not allowed; give None, {' or '.join(RENDER_MODES)}")
        info = game.info
        self.game, self.render_mode = game, render_mode
        self.max_cycles = info.max_ticks if max_cycles is None else max_cycles
        self.metadata = {"name": f"{info.name}-v{info.version}", "render_modes": RENDER_MODES}
        self.possible_agents: list[Agent] = [f"player_{seat}" for seat in range(game.seats)]
        self.agents: list[Agent] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = Actions(game)
        self.observation_spaces = {agent: self._actions.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._actions.action_space() for agent in self.possible_agents}
        self._seed: int | None = None
        self._deal = 0

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """The observation space of ``agent``, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """The action space of ``agent``, the same object at every call."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The match as text (``ansi``), or printed (``human``)."""
        if self.render_mode is None:
            logger.warn("render() without a render_mode does nothing; make the environment with one")
            return None
        shown = inert(self.game.render(self._state))
        if self.render_mode == "ansi":
            return shown
        print(shown)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _begin(self, seed: int | None) -> None:
        """Deal: a seed starts a stream of matches, None goes on with it."""
        if seed is not None or self._seed is None:
            self._seed, self._deal = secrets.randbits(63) if seed is None else seed, -1
        self._deal += 1
        self._tick = 0
        self._state = self.game.start(Stream(self._seed, CHANCE, self._deal, 0))
        self._movers = self.game.to_move(self._state)
        self.agents = self.possible_agents[:]

    def _see(self, seat: int, asked: bool) -> Sight:
        """What ``seat`` observes; the mask is all zeros unless it is asked for an action."""
        sight: Sight = {"text": self.game.observe(self._state, seat).text}
        if not self._actions.free:
            legal = self.game.moves(self._state, seat).texts if asked and seat in self._movers else ()
            sight["action_mask"] = self._actions.mask(legal)
        return sight

    def _play(self, actions: Mapping[int, Any]) -> Outcome:
        """One tick from the actions of the seats that must move: all are read before anything is forfeited."""
        moves: list[Move | None] = []
        illegal: dict[int, str] = {}
        for seat in self._movers:
            try:
                moves.append(self._actions.read(self._state, seat, actions.get(seat)))
            except IllegalMove as error:
                illegal[seat] = str(error)
                moves.append(self.game.substitute(self._state, seat))
        rewards = self._advance(moves)
        self._tick += 1
        ended = not self._movers
        return Outcome(rewards, illegal, ended, not ended and self._tick >= self.max_cycles)

    def _advance(self, moves: list[Move | None]) -> Rewards:
        """The rewards of these moves; after a None, which forfeits, nobody moves any more."""
        if None in moves:
            out = tuple([seat for seat, move in zip(self._movers, moves, strict=True) if move is None])
            self._movers = ()
            return tuple(map(float, self.game.forfeit(self._state, out)))
        chance = Stream(self._seed or 0, CHANCE, self._deal, self._tick + 1)
        self._state, rewards = self.game.play(self._state, tuple([m for m in moves if m is not None]), chance)
        self._movers = self.game.to_move(self._state)
        return tuple(map(float, rewards))


class TurnByTurn(Table, AECEnv[Agent, Any, Any]):  # type: ignore[misc]
    """A game as an AEC environment. Seats that move at once are asked one after the other and move at the last."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match."""
        self._begin(seed)
        self._pending: dict[int, Any] = {}
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._movers[0]]

    def observe(self, agent: Agent) -> Sight:
        """What ``agent`` observes now."""
        asked = agent in self.agents and agent == self.agent_selection and not self._dead(agent)
        return self._see(self._seats[agent], asked)

    def _dead(self, agent: Agent) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def step(self, action: Any) -> None:
        """Take the action of the selected agent; the tick is played when all that must move have acted."""
        agent = self.agent_selection
        if self._dead(agent):
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.infos[agent] = {}
        self._pending[self._seats[agent]] = action
        waiting = [seat for seat in self._movers if seat not in self._pending]
        if not waiting:
            waiting = self._settle()
        self.agent_selection = self.possible_agents[waiting[0]] if waiting else self.agents[0]
        if self._dead(agent):  # all end together
            self._deads_step_first()

    def _settle(self) -> list[int]:
        """Play the tick; returns the seats to ask next."""
        outcome = self._play(self._pending)
        self._pending = {}
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = outcome.rewards[seat]
            self.terminations[agent], self.truncations[agent] = outcome.ended, outcome.cut
            self.infos[agent].update(_info(outcome, seat))
        self._accumulate_rewards()
        return list(self._movers)


class AllAtOnce(Table, ParallelEnv[Agent, Any, Any]):  # type: ignore[misc]
    """A game as a Parallel environment."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[Agent, Sight], Infos]:
        """Start a match; returns observations and infos of all agents."""
        self._begin(seed)
        return self._sights(asked=True), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[Agent, Any]
    ) -> tuple[dict[Agent, Sight], dict[Agent, float], dict[Agent, bool], dict[Agent, bool], Infos]:
        """One tick: observations, rewards, terminations, truncations and infos of all agents."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        outcome = self._play({seat: actions.get(agent) for seat, agent in enumerate(self.possible_agents)})
        live = self.agents
        self.agents = [] if outcome.ended or outcome.cut else live
        rewards = dict(zip(live, outcome.rewards, strict=True))
        infos = {agent: _info(outcome, seat) for seat, agent in enumerate(live)}
        ended, cut = dict.fromkeys(live, outcome.ended), dict.fromkeys(live, outcome.cut)
        return self._sights(asked=bool(self.agents)), rewards, ended, cut, infos

    def _sights(self, asked: bool) -> dict[Agent, Sight]:
        return {agent: self._see(seat, asked) for seat, agent in enumerate(self.possible_agents)}


def _info(outcome: Outcome, seat: int) -> dict[str, Any]:
    return {"illegal": outcome.illegal[seat]} if seat in outcome.illegal else {}
