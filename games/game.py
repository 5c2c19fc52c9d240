"""The contract of a game: frozen state and pure functions.

A game file is ``games/<name>.py`` with a frozen dataclass deriving from :class:`Game`, bound to ``GAME``; its fields
are the options. Nothing is listed elsewhere. A game draws only from the stream it is handed, keeps nothing between
calls and does no I/O.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar

from games.errors import IllegalMove
from games.parsing import read_move
from games.stream import NoChance, Stream

S = TypeVar("S")
Move = str
Rewards = tuple[float, ...]

KINDS = ("competitive", "cooperative", "social-dilemma", "mixed")


@dataclass(frozen=True, slots=True)
class FreeText:
    """A free-form move: any text within these bounds is legal."""

    max_length: int
    """Characters a move may have at most."""
    characters: str = "any printable Unicode text"
    """The character set, in words."""
    min_length: int = 0
    """Characters a move must have at least."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What a seat may do now: canonical texts, or a described free form (then ``texts`` is empty)."""

    texts: tuple[Move, ...] = ()
    free: FreeText | None = None

    def describe(self) -> str:
        """What is legal, in words, for error messages."""
        if self.free is not None:
            return f"a text of {self.free.min_length} to {self.free.max_length} characters ({self.free.characters})"
        shown = ", ".join(self.texts[:40])
        return f"one of: {shown}" + (", …" if len(self.texts) > 40 else "")


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat sees: ``text``, only what is new since it last acted, and ``fields``, all it knows, for programs."""

    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What is true of a game, its options fixed."""

    name: str
    version: int
    summary: str
    """One line for lists."""
    kind: str
    """One of ``KINDS``; decides what a leaderboard ranks by."""
    seats: tuple[int, int]
    """Smallest and largest number of seats the family allows."""
    roles: tuple[str, ...]
    """The role of each seat of this instance (``len(roles)`` is the number of seats)."""
    payoff_bounds: tuple[float, float]
    """Least and greatest payoff of a seat over one match."""
    max_ticks: int
    """Ticks of the longest match."""
    moves: tuple[Move, ...] | None
    """Every finite move there can be, or None when every move is free text."""
    free: FreeText | None = None
    """The free form, where some moves are free text."""
    unit: float = 1.0
    """What returns are divided by, so that learning rates and β mean the same in every game."""
    zero_sum: bool = False
    simultaneous: bool = False
    """Whether some tick has several seats moving at once."""
    perfect_information: bool = False
    deterministic: bool = False
    """No chance at all: every deal is the same match."""
    paper: str = ""

    @property
    def win_or_lose(self) -> bool:
        """Whether a match is won or lost and that is all, as in tic-tac-toe; not where more may be won, as in poker."""
        return self.kind == "competitive" and self.payoff_bounds[0] >= -1 and self.payoff_bounds[1] <= 1


@dataclass(frozen=True)
class Game(ABC, Generic[S]):
    """A game with its options fixed. ``S`` is its frozen state type.

    Subclasses are frozen dataclasses; a string under a field becomes its help. Options are checked in ``__post_init__``
    and raise :class:`games.errors.BadOption` with the values that are allowed.
    """

    name: ClassVar[str] = ""  # set from the file name when the game is loaded

    @property
    @abstractmethod
    def info(self) -> GameInfo:
        """What is true of this game with these options."""

    @abstractmethod
    def start(self, rng: Stream) -> S:
        """The state before the first move; chance is drawn from ``rng``."""

    @abstractmethod
    def to_move(self, state: S) -> tuple[int, ...]:
        """The seats that must move now, ascending; empty when the match is over."""

    @abstractmethod
    def moves(self, state: S, seat: int) -> Moves:
        """What ``seat`` may do now (only asked of seats that must move)."""

    @abstractmethod
    def observe(self, state: S, seat: int) -> Observation:
        """What ``seat`` sees; any seat, at any time, also off turn and after the end."""

    @abstractmethod
    def play(self, state: S, moves: tuple[Move, ...], rng: Stream) -> tuple[S, Rewards]:
        """The next state and a reward for each seat; ``moves`` aligned with ``to_move`` and already parsed."""

    @abstractmethod
    def key(self, state: S, seat: int) -> str:
        """Information-state key: equal exactly where ``seat`` can't tell the states apart."""

    @abstractmethod
    def rules(self, seat: int) -> str:
        """All that a newcomer in ``seat`` must know to play, as a system prompt."""

    @abstractmethod
    def render(self, state: S, seat: int | None = None) -> str:
        """The state for people watching (all of it), or as ``seat`` may see it."""

    def parse(self, state: S, seat: int, reply: str) -> Move:
        """The canonical move that ``reply`` means.

        Raises:
            IllegalMove: the reply names no legal move, or more than one; the message says what was legal.
        """
        return read_move(reply, self.moves(state, seat))

    def substitute(self, state: S, seat: int) -> Move | None:
        """What an illegal reply counts as; None (the default): the seat forfeits the match."""
        return None

    def forfeit(self, state: S, seats: tuple[int, ...]) -> Rewards:
        """Everybody's reward when ``seats`` forfeit: by default they get the lowest payoff, the others nothing more.

        In a zero-sum game the others share what the forfeiting seats lose.
        """
        lost = min(self.info.payoff_bounds[0], 0.0)
        others = self.seats - len(seats)
        gain = -lost * len(seats) / others if self.info.zero_sum and others else 0.0
        return tuple(lost if seat in seats else gain for seat in range(self.seats))

    def starts(self) -> Iterable[tuple[float, S]]:
        """Every start with its probability, for small games; by default the one start of a game without chance."""
        return [(1.0, self.start(NoChance()))]

    def outcomes(self, state: S, moves: tuple[Move, ...]) -> Iterable[tuple[float, S, Rewards]]:
        """Every outcome of a tick: (probability, state, rewards); by default the one of a tick without chance."""
        return [(1.0, *self.play(state, moves, NoChance()))]

    def round(self, state: S) -> int:
        """Rounds completed so far (the game's own unit: a hand, a month, one split)."""
        return 0 if self.to_move(state) else 1

    def measures(self, state: S) -> Mapping[str, tuple[float, ...]]:
        """What this kind of match is also judged by, a number for each seat (``{"cooperation": (0.3, 0.7)}``)."""
        return {}

    @property
    def seats(self) -> int:
        """How many seats this instance has."""
        return len(self.info.roles)

    @property
    def spec(self) -> str:
        """The shortest string that makes this game: its name and the options that differ from their defaults."""
        changed = [f for f in fields(self) if getattr(self, f.name) != f.default]
        options = ",".join(f"{f.name}={_option_text(getattr(self, f.name))}" for f in changed)
        return f"{self.name}:{options}" if options else self.name


def _option_text(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(_option_text(v) for v in value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


__all__ = ["KINDS", "FreeText", "Game", "GameInfo", "IllegalMove", "Move", "Moves", "Observation", "Rewards"]
