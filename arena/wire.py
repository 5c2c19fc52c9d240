"""Matches and episodes as plain tuples, for other processes: sent much faster than records, and games but once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeAlias

import games
from arena.records import Episode, Match, TurnRecord
from games import ArenaError, Game

_NAMES = [f.name for f in fields(TurnRecord)]
assert _NAMES[-1] == "sample"
_WHOLE, _BARE = attrgetter(*_NAMES), attrgetter(*_NAMES[:-1])

Ticket: TypeAlias = tuple[int, int, int, tuple[str, ...], int]
"""A match with its game by number."""
Played: TypeAlias = tuple[
    tuple[tuple[Any, ...], ...], tuple[tuple[float, ...], ...], tuple[float, ...], int, str, Mapping[str, Any]
]
"""An episode without its match."""


def portable(game: Game[Any]) -> str | Game[Any]:
    """A game as it is sent: its spec, from which it is made there too, or the object where no spec makes it."""
    try:
        return game.spec if games.make(game.spec) == game else game
    except ArenaError:
        return game


def arrived(sent: str | Game[Any]) -> Game[Any]:
    """The game of what was sent."""
    return games.make(sent) if isinstance(sent, str) else sent


def ticket(match: Match, played: Sequence[Game[Any]]) -> Ticket:
    """A match on its way out; ``played`` are the games of the run, the very objects."""
    place = next(i for i, game in enumerate(played) if game is match.game)
    return match.id, place, match.deal, match.entrants, match.group


def admit(ticket: Ticket, played: Sequence[Game[Any]]) -> Match:
    """The match of a ticket, its game among those ``played``."""
    number, place, deal, entrants, group = ticket
    return Match(number, played[place], deal, entrants, group)


def pack(episode: Episode, *, samples: bool = False) -> Played:
    """An episode on its way back; token samples only where they are wanted, as in training."""
    row = _WHOLE if samples else _BARE
    turns = tuple([row(turn) for turn in episode.turns])
    return turns, episode.rewards, episode.payoffs, episode.rounds, episode.ending, episode.measures


def unpack(match: Match, played: Played) -> Episode:
    """The episode of a match that was sent out."""
    turns, rewards, payoffs, rounds, ending, measures = played
    records = tuple([TurnRecord(*values) for values in turns])
    return Episode(match, records, rewards, payoffs, rounds, ending, measures)
