"""Any PettingZoo environment with numbered (or text) actions as a game: ``pettingzoo:classic/tictactoe-v3``.

Options of the environment follow the id, ``pettingzoo:classic/rps-v2:max_cycles=50``. A state is a seed and the moves
so far. What a seat reads is its own observation as text, never the rendered picture, which may show hidden things.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from gymnasium import spaces

from games.errors import BadOption, MissingExtra, unknown
from games.game import KINDS, FreeText, Game, GameInfo, Move, Moves, Observation, Rewards
from games.hosts._live import Cache, Live, LiveAtOnce, LiveTurns
from games.options import split_spec
from games.stream import Stream

APIS = ("aec", "parallel")
_LONGEST_RULES = 6_000
_CACHE = Cache()
_NOT_RULES = re.compile(r"\A\s*---.*?^---\s*$|^```\{.*?^```\s*$|^#+ Version History.*\Z", re.MULTILINE | re.DOTALL)


def make(rest: str, **options: Any) -> HostedGame:
    """The game of an environment id and options.

    Args:
        rest: ``classic/tictactoe-v3`` or ``classic/rps-v2:max_cycles=50``.
        options: options of :class:`HostedGame` (``kind``, ``max_ticks``, ``api``); all others go to the environment.

    Raises:
        UnknownName: there is no such environment; the message names the nearest.
        BadOption: the environment refuses its options, or its actions are neither numbers nor text.
        MissingExtra: a package that the environment needs is not installed.
    """
    env_id, texts = split_spec(rest)
    given = {**texts, **{key: str(value) for key, value in options.items()}}
    own = {key: given.pop(key) for key in ("api", "kind", "max_ticks") if key in given}
    if not own.get("max_ticks", "1").isdecimal():
        raise BadOption(f'{env_id}: max_ticks="{own["max_ticks"]}" is not a whole number')
    env_id, api = _find(env_id, own.get("api", ""))
    game = HostedGame(
        env_id, api, own.get("kind", "mixed"), int(own.get("max_ticks", 10_000)), tuple(sorted(given.items()))
    )
    _facts(game)
    return game


def _find(env_id: str, api: str) -> tuple[str, str]:
    """The full id and the kind of environment: Parallel where there is one and nothing else is asked for."""
    import pettingzoo
    from pettingzoo.env_registry.exceptions import PettingZooRegistryError

    if api not in ("", *APIS):
        raise BadOption(f'{env_id}: api="{api}" is not allowed; give {" or ".join(APIS)}')
    for kind in (api,) if api else ("parallel", "aec"):
        try:
            return pettingzoo.spec(kind, env_id).id, kind
        except PettingZooRegistryError:
            continue
    known = {*pettingzoo.parallel_registry, *pettingzoo.aec_registry}
    raise unknown("PettingZoo environment", env_id, known)


@dataclass(frozen=True, slots=True)
class Facts:
    """What an environment says of itself."""

    agents: tuple[str, ...]
    moves: tuple[Move, ...]
    free: FreeText | None
    ansi: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Position:
    """A state: the seed of the environment and the moves of each tick so far."""

    seed: int
    moves: tuple[tuple[Move, ...], ...] = ()


@dataclass(frozen=True)
class HostedGame(Game[Position]):
    """A PettingZoo environment as a game. Who forfeits gets -1, the others nothing more."""

    env_id: str
    """Id in PettingZoo's registry."""
    api: str = "aec"
    """``aec`` or ``parallel``."""
    kind: str = "mixed"
    """What a leaderboard ranks by; PettingZoo does not say."""
    max_ticks: int = 10_000
    """Ticks after which a match is cut off."""
    settings: tuple[tuple[str, str], ...] = ()
    """Options of the environment, as text."""

    def __post_init__(self) -> None:
        """Check the options and take the environment's name.

        Raises:
            BadOption: ``kind`` or ``max_ticks`` is not allowed.
        """
        if self.kind not in KINDS:
            raise BadOption(f'{self.env_id}: kind="{self.kind}" is not allowed; give {", ".join(KINDS)}')
        if self.max_ticks < 1:
            raise BadOption(f"{self.env_id}: max_ticks={self.max_ticks} is not allowed; give 1 or more")
        object.__setattr__(self, "name", f"pettingzoo:{self.env_id}")

    @property
    def spec(self) -> str:
        """The shortest string that makes this game."""
        own = [("api", self.api, _find(self.env_id, "")[1]), ("kind", self.kind, "mixed")]
        own.append(("max_ticks", str(self.max_ticks), "10000"))
        options = [f"{k}={v}" for k, v, default in own if v != default] + [f"{k}={v}" for k, v in self.settings]
        return f"{self.name}:{','.join(options)}" if options else self.name

    @property
    def info(self) -> GameInfo:
        """What is known of it; payoffs of a foreign environment have no known bounds."""
        facts = _facts(self)
        return GameInfo(
            name=self.name,
            version=int(self.env_id.rpartition("-v")[2] or 0),
            summary=f"{self.env_id} of PettingZoo",
            kind=self.kind,
            seats=(len(facts.agents), len(facts.agents)),
            roles=facts.agents,
            payoff_bounds=(float("-inf"), float("inf")),
            max_ticks=self.max_ticks,
            moves=facts.moves or None,
            free=facts.free,
            simultaneous=self.api == "parallel",
        )

    def start(self, rng: Stream) -> Position:
        """A seed for the environment, drawn."""
        return Position(rng.bits() >> 33)

    def to_move(self, state: Position) -> tuple[int, ...]:
        """The seats that must move now."""
        return self._live(state).movers()

    def moves(self, state: Position, seat: int) -> Moves:
        """The numbers that the mask allows, or text."""
        legal = self._live(state).sights[seat].legal
        return Moves(free=_facts(self).free) if legal is None else Moves(legal)

    def observe(self, state: Position, seat: int) -> Observation:
        """The seat's last observation as text, with the legal moves on its turn."""
        sight = self._live(state).sights[seat]
        asked = "\nYour turn." if sight.legal is None else f"\nLegal moves: {', '.join(sight.legal)}"
        asked = "" if sight.legal == () else asked
        return Observation(sight.text + asked, {"observation": sight.observation, "legal": sight.legal})

    def play(self, state: Position, moves: tuple[Move, ...], rng: Stream) -> tuple[Position, Rewards]:
        """Move the environment on; its chance comes from its seed."""
        live = _CACHE.take((self, state), lambda: self._replay(state))
        rewards = live.step(dict(zip(live.movers(), moves, strict=True)))
        after = Position(state.seed, (*state.moves, moves))
        _CACHE.file((self, after), live)
        return after, rewards

    def forfeit(self, state: Position, seats: tuple[int, ...]) -> Rewards:
        """-1 for who forfeits, as in PettingZoo's own classic environments."""
        return tuple(-1.0 if seat in seats else 0.0 for seat in range(self.seats))

    def key(self, state: Position, seat: int) -> str:
        """All that the seat read when it moved, its moves, and what it sees now."""
        return repr((*self._live(state).read[seat], self.observe(state, seat).text))

    def rules(self, seat: int) -> str:
        """How to answer, and the environment's own documentation."""
        facts = _facts(self)
        form = (
            "with a text" if facts.free else f"with the number of one legal move, {facts.moves[0]} to {facts.moves[-1]}"
        )
        return f"You are {facts.agents[seat]} in {self.env_id}. On your turn reply {form}.\n\n{facts.doc}".strip()

    def render(self, state: Position, seat: int | None = None) -> str:
        """The environment's text picture where it has one; for one seat, and else, what seats see."""
        live, facts = self._live(state), _facts(self)
        if seat is not None:
            return live.sights[seat].text
        if facts.ansi:
            return str(live.env.render())
        return "\n".join(f"{agent}: {sight.text}" for agent, sight in zip(facts.agents, live.sights, strict=True))

    def _live(self, state: Position) -> Live:
        return _CACHE.file((self, state), _CACHE.take((self, state), lambda: self._replay(state)))

    def _replay(self, state: Position) -> Live:
        live = _seat_at(self)
        live.begin(state.seed)
        for moves in state.moves:
            live.step(dict(zip(live.movers(), moves, strict=True)))
        return live


def _seat_at(game: HostedGame) -> Live:
    env = _environment(game, "ansi" if _facts(game).ansi else None)
    return LiveAtOnce(env) if game.api == "parallel" else LiveTurns(env)


def _environment(game: HostedGame, render_mode: str | None = None) -> Any:
    import pettingzoo
    from pettingzoo.env_registry.exceptions import FailedToImport

    settings = {key: _value(text) for key, text in game.settings}
    try:
        return pettingzoo.make(
            game.api, game.env_id, **settings, **({"render_mode": render_mode} if render_mode else {})
        )
    except (FailedToImport, ImportError) as error:
        missing = getattr(error.__cause__ or error, "name", None) or "a package"
        extra = f'pip install "pettingzoo[{game.env_id.partition("/")[0]}]"'
        raise MissingExtra(f"{game.env_id} needs {missing}, which is not installed; run: {extra}") from error
    except (TypeError, ValueError, AssertionError) as error:
        raise BadOption(f"{game.env_id} refuses its options {settings}: {error}") from error


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False}.get(text.lower(), text)


@cache
def _facts(game: HostedGame) -> Facts:
    env = _environment(game)
    agents = tuple(env.possible_agents)
    kinds = [env.action_space(agent) for agent in agents]
    for space in kinds:
        if not isinstance(space, spaces.Discrete | spaces.Text):
            raise BadOption(
                f"{game.env_id} has the actions {space}; only numbered (Discrete) and text actions can be played"
            )
    most = max((int(space.n) for space in kinds if isinstance(space, spaces.Discrete)), default=0)
    texts = [
        FreeText(space.max_length, min_length=space.min_length) for space in kinds if isinstance(space, spaces.Text)
    ]
    ansi = "ansi" in env.metadata.get("render_modes", ())
    doc = inspect.getmodule(type(env.unwrapped)).__doc__ or ""
    env.close()
    return Facts(agents, tuple(map(str, range(most))), texts[0] if texts else None, ansi, _rules_text(doc))


def _rules_text(doc: str) -> str:
    """The environment's documentation without its front matter, pictures and history."""
    return _NOT_RULES.sub("", doc).strip()[:_LONGEST_RULES]
