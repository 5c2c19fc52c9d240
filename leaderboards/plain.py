"""Boards as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from leaderboards.board import Section


def section_json(board: Section) -> dict[str, Any]:
    """One game of a board; unknown numbers are None."""
    rating, nash = board.rating, board.nash
    return {
        "game": board.game,
        "kind": board.kind,
        "ranked_by": board.ranked_by,
        "matches": board.matches,
        "seats": board.seats,
        "standings": [{key: plain(value) for key, value in vars(line).items()} for line in board.standings],
        "head_to_head": {
            "entrants": list(board.names),
            "payoff": plain(board.head_to_head),
            "payoff_half": plain(board.head_to_head_half),
            "matches": plain(board.met),
            "wins": plain(board.wins),
        },
        "elo": {
            key: plain(getattr(rating, key))
            for key in ("ties", "nu", "prior_sd", "anchor", "interval", "clusters", "steps", "log_posterior")
        },
        "nash": {key: getattr(nash, key) for key in ("exploitability", "entropy", "temperature", "merge_copies")},
        "caption": list(board.caption),
        "notes": list(board.notes),
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
