"""Boards as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from leaderboards.board import Section
    from leaderboards.overall import Overall


_SEAT = ("seat_advantage", "seat_advantage_half")


def section_json(board: Section) -> dict[str, Any]:
    """One game of a board; unknown numbers are None."""
    rating, nash = board.rating, board.nash
    return {
        "game": board.game,
        "kind": board.kind,
        "ranked_by": board.ranked_by,
        "matches": board.matches,
        "seats": board.seats,
        "roles": list(board.roles),
        "standings": [{key: plain(value) for key, value in vars(line).items()} for line in board.standings],
        "head_to_head": {
            "entrants": list(board.names),
            "payoff": plain(board.head_to_head),
            "payoff_half": plain(board.head_to_head_half),
            "matches": plain(board.met),
            "wins": plain(board.wins),
            "draws": plain(board.draws),
        },
        "elo": {
            key: plain(getattr(rating, key))
            for key in ("ties", "nu", "prior_sd", "anchor", "interval", "clusters", "steps", "log_posterior", *_SEAT)
        },
        "nash": {
            **{key: getattr(nash, key) for key in ("exploitability", "entropy", "temperature", "merge_copies")},
            "bootstrap": {key: getattr(board.nash_interval, key) for key in ("replicates", "seed", "supports")},
        },
        "collaboration_gap": plain(board.collaboration_gap),
        "caption": list(board.caption),
        "notes": list(board.notes),
    }


def overall_json(overall: Overall | None) -> dict[str, Any] | None:
    """All games together, None where there is one."""
    if overall is None:
        return None
    return {
        "games": list(overall.games),
        "rated": list(overall.rated),
        "levels": list(overall.levels),
        "standings": [{key: plain(value) for key, value in vars(line).items()} for line in overall.standings],
    }


def plain(value: Any) -> Any:
    """JSON's own types, NaN and infinity as None."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
