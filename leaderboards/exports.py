"""Boards as files: CSV, Markdown, SVG, HTML."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from games.errors import unknown
from leaderboards.arrays import TableError
from leaderboards.board import Board
from leaderboards.published import PublishedBoard

STANDARD_OUTPUT = "-"


def export(board: Board, form: str, path: str | Path, *, stores: Sequence[str | Path] = ()) -> None:
    """Write a board.

    Args:
        board: from :func:`leaderboards.from_store`.
        form: ``csv``, ``markdown``, ``svg`` or ``html``.
        path: the file, ``-`` for standard output.
        stores: whose matches an HTML page shows; none: a page without matches.

    Raises:
        UnknownName: no such form.
        TableError: the file can't be written.
    """
    from leaderboards.views.svg import svg_text
    from leaderboards.views.text import csv_text, markdown_text

    if form == "html":
        from leaderboards.html.page import html_text

        write(path, html_text(board, stores))
        return
    forms = {"csv": csv_text, "markdown": markdown_text, "svg": svg_text}
    if form not in forms:
        raise unknown("form", form, (*forms, "html"))
    write(path, forms[form](board))


def export_published(board: PublishedBoard, form: str, path: str | Path) -> None:
    """Write a rated table of payoffs as ``csv`` or ``markdown``; the rest as for :func:`export`."""
    from leaderboards.views.text import published_csv, published_markdown

    forms = {"csv": published_csv, "markdown": published_markdown}
    if form not in forms:
        raise unknown("form of a rated table", form, forms)
    write(path, forms[form](board))


def write(path: str | Path, text: str) -> None:
    """The text in a file or on standard output.

    Raises:
        TableError: the file can't be written.
    """
    if str(path) == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise TableError(f"can't write {path}: {error.strerror}") from None
