"""Any text game of TextArena (arXiv 2504.11442): ``textarena:TicTacToe-v0``, ``textarena:Poker-v0:players=4``.

Moves are free text, which TextArena reads, and judges, itself. A state is a seed and the texts so far. Games whose
words or judges must be downloaded can't be made without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from games.errors import BadOption, MissingExtra, unknown
from games.game import KINDS, FreeText, Game, GameInfo, Move, Moves, Observation, Rewards
from games.hosts._live import Cache
from games.hosts._textarena_live import Live, chance_kept
from games.options import split_spec
from games.stream import Stream

LONGEST = 4_000
_SEATS: tuple[int, ...] = (2, 1, *range(3, 16))
_CACHE: Any = Cache()
_REFUSALS = (
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    SyntaxError,  # some are written for a later Python
    TypeError,
    ValueError,
)
"""What an environment that can't be made raises: wrong numbers of players, words or keys that are missing."""


def make(rest: str, **options: Any) -> HostedGame:
    """The game of an environment id and options.

    Args:
        rest: ``TicTacToe-v0`` or ``Poker-v0:players=4``.
        options: ``players``, ``kind`` and ``max_ticks`` of :class:`HostedGame`.

    Raises:
        MissingExtra: TextArena is not installed.
        UnknownName: it has no such game; the message names the nearest.
        BadOption: an option that is not allowed, or a game that can't be made here.
    """
    env_id, texts = split_spec(rest)
    given = {**texts, **{key: str(value) for key, value in options.items()}}
    for key in given:
        if key not in ("players", "kind", "max_ticks"):
            raise unknown(f"option of {env_id}", key, ("players", "kind", "max_ticks"))
    _check_id(env_id)
    numbers = {key: _whole(env_id, key, given[key]) for key in ("players", "max_ticks") if key in given}
    game = HostedGame(env_id, kind=given.get("kind", "mixed"), **numbers)
    if not game.players:
        object.__setattr__(game, "players", _players(env_id))
    _begin(env_id, game.players, 0)
    return game


@dataclass(frozen=True, slots=True)
class Position:
    """A state: the seed of the environment and the moves so far."""

    seed: int
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class HostedGame(Game[Position]):
    """A game of TextArena. A text that is too long forfeits; what TextArena thinks of the others is its own matter."""

    env_id: str
    """Id in TextArena's registry."""
    players: int = 0
    """Seats; 0: two where the game can be played by two, else the least."""
    kind: str = "mixed"
    """What a leaderboard ranks by; TextArena does not say."""
    max_ticks: int = 1_000
    """Ticks after which a match is cut off."""

    def __post_init__(self) -> None:
        """Check the options and take the environment's name.

        Raises:
            BadOption: ``kind`` is not allowed.
        """
        if self.kind not in KINDS:
            raise BadOption(f'{self.env_id}: kind="{self.kind}" is not allowed; give {", ".join(KINDS)}')
        object.__setattr__(self, "name", f"textarena:{self.env_id}")

    @property
    def spec(self) -> str:
        """The string that makes this game."""
        own = [("players", self.players, _players(self.env_id)), ("kind", self.kind, "mixed")]
        own.append(("max_ticks", self.max_ticks, 1_000))
        options = ",".join(f"{key}={value}" for key, value, default in own if value != default)
        return f"{self.name}:{options}" if options else self.name

    @property
    def info(self) -> GameInfo:
        """What is known of it; payoffs have no known bounds."""
        return GameInfo(
            name=self.name,
            version=int(self.env_id.partition("-v")[2][:1] or 0),
            summary=f"{self.env_id} of TextArena",
            kind=self.kind,
            seats=(self.players, self.players),
            roles=tuple(f"Player {seat}" for seat in range(self.players)),
            payoff_bounds=(float("-inf"), float("inf")),
            max_ticks=self.max_ticks,
            moves=None,
            free=_FREE,
            paper="arXiv 2504.11442",
        )

    def start(self, rng: Stream) -> Position:
        """A seed for the environment, drawn."""
        return Position(rng.bits() >> 33)

    def to_move(self, state: Position) -> tuple[int, ...]:
        """The seat that must move now."""
        return self._live(state).movers()

    def moves(self, state: Position, seat: int) -> Moves:
        """Any text."""
        return Moves(free=_FREE)

    def observe(self, state: Position, seat: int) -> Observation:
        """The messages since the seat last moved; the first ones are the rules."""
        return Observation(self._live(state).text(seat), {"player": seat})

    def play(self, state: Position, moves: tuple[Move, ...], rng: Stream) -> tuple[Position, Rewards]:
        """Move the environment on; its chance comes from its seed."""
        live: Live = _CACHE.take((self, state), lambda: self._replay(state))
        rewards = live.step(moves[0])
        after = Position(state.seed, (*state.moves, moves[0]))
        _CACHE.file((self, after), live)
        return after, rewards

    def forfeit(self, state: Position, seats: tuple[int, ...]) -> Rewards:
        """-1 for who forfeits, as TextArena gives for an illegal move."""
        return tuple(-1.0 if seat in seats else 0.0 for seat in range(self.seats))

    def key(self, state: Position, seat: int) -> str:
        """All that the seat read when it moved, its moves, and what is new to it."""
        live = self._live(state)
        return repr((*live.read[seat], live.text(seat)))

    def rules(self, seat: int) -> str:
        """How to answer; the game's own rules are the first thing that a seat reads."""
        return (
            f"You are Player {seat} of {self.players} in {self.env_id} of TextArena. The game tells you its rules and "
            "what happens. On your turn reply with your action only, in the form that the rules ask for, at most "
            f"{LONGEST} characters."
        )

    def render(self, state: Position, seat: int | None = None) -> str:
        """What seats have read last."""
        live = self._live(state)
        if seat is not None:
            return live.text(seat)
        return "\n".join(f"[Player {pid}] {live.text(pid)}" for pid in range(self.players))

    def _live(self, state: Position) -> Live:
        live: Live = _CACHE.take((self, state), lambda: self._replay(state))
        _CACHE.file((self, state), live)
        return live

    def _replay(self, state: Position) -> Live:
        live = _begin(self.env_id, self.players, state.seed)
        for move in state.moves:
            live.step(move)
        return live


_FREE = FreeText(LONGEST)


def _whole(env_id: str, key: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise BadOption(f'{env_id}: {key}="{text}" is not allowed; give a whole number of at least 1')
    return int(text)


def _registry() -> Any:
    try:
        with chance_kept():
            from textarena.envs.registration import ENV_REGISTRY
    except ImportError as error:
        line = "pip install 'selfplay-arena[textarena]'"
        raise MissingExtra(f"TextArena is not installed; run: {line}") from error
    return ENV_REGISTRY


def _check_id(env_id: str) -> None:
    known = _registry()
    if f"{env_id}-raw" not in known:
        raise unknown("game of TextArena", env_id, [name[:-4] for name in known if name.endswith("-raw")])


def _begin(env_id: str, players: int, seed: int) -> Live:
    wrappers = [wrapper.__name__ for wrapper in _registry()[env_id].default_wrappers or ()]
    try:
        with chance_kept():
            import textarena

            env = textarena.make(f"{env_id}-raw")
        live = Live(env, players, "ActionFormattingWrapper" in wrappers)
        live.begin(seed)
    except _REFUSALS as error:
        reason = " ".join(str(error).split())[:200]
        raise BadOption(f"{env_id} can't be played by {players} here: {reason or type(error).__name__}") from error
    return live


@cache
def _players(env_id: str) -> int:
    """Two where two can play, else the least number."""
    refused: BadOption | None = None
    for players in _SEATS:
        try:
            _begin(env_id, players, 0)
        except BadOption as error:
            refused = refused or error
        else:
            return players
    assert refused is not None
    raise refused
