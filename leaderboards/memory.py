"""What a board looked like when it was last printed, kept beside its store so that changes can be shown."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from leaderboards.arrays import TableError
from leaderboards.board import Board
from leaderboards.changes import read_board, remembered

SUFFIX = ".seen.json"
"""What is added to the name of the first store."""


def recall(stores: Sequence[str | Path]) -> dict[str, Any] | None:
    """The board of the same stores as it was last printed; None where none was, or what is kept is damaged."""
    try:
        found = read_board(_place(stores))
    except TableError:
        return None
    return found if found.get("stores") == _names(stores) and isinstance(found.get("games"), list) else None


def remember(stores: Sequence[str | Path], board: Board) -> None:
    """Keep the board for the next time; where the folder can't be written, nothing is kept."""
    kept = {**remembered(board), "stores": _names(stores)}
    with contextlib.suppress(OSError):
        _place(stores).write_text(json.dumps(kept), encoding="utf-8")


def _place(stores: Sequence[str | Path]) -> Path:
    return Path(f"{stores[0]}{SUFFIX}")


def _names(stores: Sequence[str | Path]) -> list[str]:
    return [str(Path(store).resolve()) for store in stores]
