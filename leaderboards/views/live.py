"""A leaderboard that follows a tournament while it is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from leaderboards.board import Board
from leaderboards.changes import changed, remembered
from leaderboards.views.terminal import WIDEST, board_parts

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

EVERY = 2.0
"""Seconds between two looks at the store."""


def follow(
    load: Callable[[], Board | None], console: Console, *, every: float = EVERY, looks: int | None = None
) -> None:
    """Show a board anew whenever it has changed; changes are since the first look. Ctrl-C ends it.

    On a terminal the picture is replaced in place, elsewhere boards follow each other.

    Args:
        load: reads the board; None while there is nothing to rate yet.
        console: where to.
        every: seconds between two looks.
        looks: how many; None: until interrupted.
    """
    try:
        if console.is_terminal:
            _replaced(load, console, every, looks)
        else:
            for board in _changes(load, every, looks):
                console.print(_picture(board, console), markup=False, emoji=False, highlight=False)
    except KeyboardInterrupt:
        return


def _replaced(load: Callable[[], Board | None], console: Console, every: float, looks: int | None) -> None:
    from rich.live import Live

    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for board in _changes(load, every, looks):
            live.update(_picture(board, console), refresh=True)


def _changes(load: Callable[[], Board | None], every: float, looks: int | None) -> Iterator[Board]:
    """Each board that has more matches than the one before."""
    first, seen, look = None, -1, 0
    while looks is None or look < looks:
        if look:
            time.sleep(every)
        look += 1
        board = load()
        matches = sum(section.matches for section in board.sections) if board is not None else -1
        if board is not None and matches > seen:
            first, seen = first or remembered(board), matches
            yield changed(board, first)


def _picture(board: Board, console: Console) -> RenderableType:
    from rich.console import Group

    return Group(*board_parts(board, max(20, min(WIDEST, console.width))))
