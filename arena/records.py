"""The complete record of a match: what every layer above the turn loop reads. Frozen; plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games import Game
from policies import Sample


@dataclass(frozen=True, slots=True)
class Match:
    """A match to be played: ``id`` is unique in its run; ``deal`` seeds its chance, compared matches share it."""

    id: int
    game: Game[Any]
    deal: int
    entrants: tuple[str, ...]
    """The entrant in each seat."""
    group: int = 0
    """Matches of one group are compared with each other (training)."""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One seat's decision as it was taken."""

    seat: int
    tick: int
    round: int
    observation: str
    reply: str
    move: str | None
    """What was played: canonical; for an illegal reply what it counted as, or None when it forfeited."""
    illegal: str = ""
    """Why the reply was refused; empty when it was legal."""
    thought: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    """Money, where the player knows its prices."""
    refused: tuple[tuple[str, str], ...] = ()
    """Earlier tries at this turn, each the reply and why it was refused, where the run lets players try again."""
    sample: Sample | None = None
    """Token ids and log-probabilities; in memory only, never stored."""

    @property
    def tries(self) -> int:
        """How often the player was asked."""
        return 1 + len(self.refused)


@dataclass(frozen=True, slots=True)
class Episode:
    """A match that was played."""

    match: Match
    turns: tuple[TurnRecord, ...]
    rewards: tuple[tuple[float, ...], ...]
    """For each tick, a reward for each seat."""
    payoffs: tuple[float, ...]
    """For each seat, the sum of its rewards."""
    rounds: int
    """Rounds completed (at least 1), what payoff per round divides by."""
    ending: str
    """``finished``, ``forfeit`` or ``truncated``."""
    measures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def ticks(self) -> int:
        """How many ticks the match had."""
        return len(self.rewards)

    def illegal(self, seat: int) -> int:
        """How many of this seat's turns were illegal."""
        return sum(1 for turn in self.turns if turn.seat == seat and turn.illegal)

    def retried(self, seat: int) -> int:
        """How many of this seat's turns were tried again after a refused reply."""
        return sum(1 for turn in self.turns if turn.seat == seat and turn.refused)

    def tokens(self, seat: int) -> int:
        """Tokens this seat read and wrote."""
        return sum(t.prompt_tokens + t.completion_tokens for t in self.turns if t.seat == seat)
