"""What results are read from: the rows of a store, described by shape so that anything like them will do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol


class SeatLike(Protocol):
    """One seat of a finished match (``arena.tables.SeatRow`` is one)."""

    @property
    def match(self) -> int:
        """The match; rows of one match follow each other."""

    @property
    def game(self) -> str:
        """The game's spec."""

    @property
    def kind(self) -> str:
        """The kind of game: what is ranked by."""

    @property
    def deal(self) -> int:
        """The seed of the match's chance, shared by matches that are compared."""

    @property
    def seat(self) -> int:
        """The place at the table, from 0."""

    @property
    def role(self) -> str:
        """The role of that place."""

    @property
    def entrant(self) -> str:
        """Who sat there."""

    @property
    def payoff(self) -> float:
        """Total reward of the seat in the match."""

    @property
    def rounds(self) -> int:
        """Rounds completed (at least 1)."""

    @property
    def illegal(self) -> int:
        """Illegal decisions."""

    @property
    def turns(self) -> int:
        """Decisions taken."""

    @property
    def tokens(self) -> int:
        """Tokens read and written."""

    @property
    def seconds(self) -> float:
        """Time spent deciding."""

    @property
    def measures(self) -> Mapping[str, float]:
        """What this kind of match is also judged by (``cooperation``, …)."""


class EntrantLike(Protocol):
    """A named policy of the population (``arena.tables.EntrantRow`` is one)."""

    @property
    def name(self) -> str:
        """Its name on the leaderboard."""

    @property
    def spec(self) -> str:
        """The spec string that makes it."""

    @property
    def kind(self) -> str:
        """``script``, ``llm``, ``adapter``, ``api``, ``human`` or ``hosted``."""


class Source(Protocol):
    """Where results come from (``arena.Store`` is one).

    A source that also has ``columns()``, yielding :class:`arena.columns.Columns`, is read by that: much faster.
    """

    def seats(self) -> Iterable[SeatLike]:
        """Every seat of every finished match, by match and seat."""

    def entrants(self) -> Iterable[EntrantLike]:
        """The population."""
