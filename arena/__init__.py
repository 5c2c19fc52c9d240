"""The arena: seats policies at games, plays many matches at once and stores every one.

import arena
[episode] = arena.play("prisoners-dilemma", ["tit-for-tat", "random"])
store = arena.tournament("prisoners-dilemma", ["tit-for-tat", "grim", "random"], deals=5)
for seat in store.seats():
    print(seat.entrant, seat.payoff)

The names are looked up when they are used: ``import arena`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.match import run_matches
    from arena.plans import Schedule
    from arena.records import Episode, Match, TurnRecord
    from arena.schedule import round_robin
    from arena.store import Store
    from arena.tables import EntrantRow, GameRow, MatchRow, SeatRow
    from arena.tournaments import play, tournament

_HOMES = {
    "EntrantRow": "tables",
    "Episode": "records",
    "GameRow": "tables",
    "Match": "records",
    "MatchRow": "tables",
    "Schedule": "plans",
    "SeatRow": "tables",
    "Store": "store",
    "TurnRecord": "records",
    "play": "tournaments",
    "round_robin": "schedule",
    "run_matches": "match",
    "tournament": "tournaments",
}

__all__ = [
    "EntrantRow",
    "Episode",
    "GameRow",
    "Match",
    "MatchRow",
    "Schedule",
    "SeatRow",
    "Store",
    "TurnRecord",
    "play",
    "round_robin",
    "run_matches",
    "tournament",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"arena.{_HOMES[name]}"), name)
