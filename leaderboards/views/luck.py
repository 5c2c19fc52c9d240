"""Payoffs with the luck of the deal taken out, as text and as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.inert import inert_line
from leaderboards.luck import LuckFree
from leaderboards.plain import plain
from leaderboards.views.cells import fixed, with_error

HEADS = ("entrant", "deals", "payoff", "luck-free", "worth")


def luck_rows(part: LuckFree) -> list[list[str]]:
    """A row for each entrant, best first; worth: how many times the matches its interval would take otherwise."""
    best = np.where(np.isnan(part.free), part.payoff, part.free)
    return [
        [
            inert_line(part.names[k], 40),
            str(part.deals[k]),
            with_error(float(part.payoff[k]), float(part.half[k]), 3, True),
            with_error(float(part.free[k]), float(part.free_half[k]), 3, True),
            fixed(float(part.worth[k]), 1),
        ]
        for k in np.argsort(-best, kind="stable").tolist()
    ]


def luck_json(part: LuckFree) -> dict[str, Any]:
    """Everything as plain JSON values."""
    fields = {name: plain(value) for name, value in vars(part).items() if name not in ("game", "note")}
    return {"game": part.game, "note": part.note, **fields, "worth": plain(part.worth)}
