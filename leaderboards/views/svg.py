"""The leaderboard as a picture: the terminal output, drawn by rich."""

from __future__ import annotations

import io
import re
from pathlib import Path

from leaderboards.board import Board

_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def export_svg(board: Board, path: str | Path, width: int = 110, title: str = "arena leaderboard") -> None:
    """Write the board as an SVG picture; arguments as for :func:`svg_text`, and the file to write."""
    Path(path).write_text(svg_text(board, width, title), encoding="utf-8")


def svg_text(board: Board, width: int = 110, title: str = "arena leaderboard") -> str:
    """The board as an SVG picture; the same board gives the same bytes, whatever the terminal.

    The picture fetches nothing: it names fonts that a reader may have instead of linking to them.

    Args:
        board: from :func:`leaderboards.from_store`.
        width: columns of the imagined terminal.
        title: shown in the frame.
    """
    from rich.console import Console

    from leaderboards.views.terminal import show

    console = Console(
        record=True,
        width=width,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
        _environ={},
    )
    show(board, console)
    return _FACE.sub("", console.export_svg(title=title, unique_id="arena"))
