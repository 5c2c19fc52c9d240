"""What a store holds, row by row, and the SQLite schema behind it. Frozen; plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMAT = 1
"""Version of the schema; a store of a newer one is refused."""

APPLICATION_ID = 0x4152454E  # "AREN": tells a store from any other SQLite file

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version INTEGER NOT NULL,
    kind TEXT NOT NULL, roles TEXT NOT NULL, low REAL NOT NULL, high REAL NOT NULL, unit REAL NOT NULL,
    zero_sum INTEGER NOT NULL
);
CREATE TABLE entrants (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, kind TEXT NOT NULL);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, deal INTEGER NOT NULL,
    rounds INTEGER NOT NULL, ticks INTEGER NOT NULL, ending TEXT NOT NULL
);
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches, seat INTEGER NOT NULL, entrant INTEGER NOT NULL REFERENCES entrants,
    payoff REAL NOT NULL, turns INTEGER NOT NULL, illegal INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL, seconds REAL NOT NULL, measures TEXT NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE turns (match INTEGER PRIMARY KEY REFERENCES matches, record BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game that a run plays, options fixed, as it was when the run began."""

    spec: str
    name: str
    version: int
    kind: str
    """``competitive``, ``cooperative``, ``social-dilemma`` or ``mixed``."""
    roles: tuple[str, ...]
    payoff_bounds: tuple[float, float]
    unit: float
    zero_sum: bool


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A named policy of the population."""

    name: str
    spec: str
    kind: str
    """``script``, ``llm``, ``adapter``, ``api``, ``human`` or ``hosted``."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match."""

    id: int
    game: str
    """The game's spec."""
    kind: str
    """The kind of game."""
    deal: int
    entrants: tuple[str, ...]
    """The entrant in each seat."""
    payoffs: tuple[float, ...]
    """The payoff of each seat."""
    rounds: int
    ticks: int
    ending: str
    """``finished``, ``forfeit`` or ``truncated``."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a finished match: what ratings are made of."""

    match: int
    game: str
    """The game's spec."""
    kind: str
    """The kind of game."""
    deal: int
    seat: int
    role: str
    entrant: str
    payoff: float
    """Total reward of the seat in the match."""
    rounds: int
    """Rounds completed (at least 1)."""
    ending: str
    turns: int
    """Decisions the seat took."""
    illegal: int
    """How many of them were illegal."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    measures: Mapping[str, float] = field(default_factory=dict)
    """What this kind of match is also judged by (``cooperation``, …), for this seat."""

    @property
    def tokens(self) -> int:
        """Tokens this seat read and wrote."""
        return self.prompt_tokens + self.completion_tokens
