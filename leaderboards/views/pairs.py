"""The head-to-head table: row's payoff per round against column, columns by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.inert import inert_line
from leaderboards.board import Section
from leaderboards.views.cells import DASH, fixed

if TYPE_CHECKING:
    from rich.table import Table

_NAME = 24


def pairs_table(section: Section, width: int) -> tuple[Table, int]:
    """The table, and how many columns there was no room for."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    n = len(section.standings)
    most = max(1, width // 3)  # a column has two characters or more, and a space
    even = same_counts(section) is not None
    texts = [[_text(section, row, column, even) for column in range(min(n, most))] for row in range(n)]
    names = [f"{place + 1} {inert_line(line.entrant, 200)}" for place, line in enumerate(section.standings)]
    label = min(max(map(cell_len, names)), _NAME)
    cell = 1 + max(len(str(n)), max(len(text) for row in texts for text in row))
    shown = min(n, most, max(1, (width - label) // cell))
    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False, show_edge=False, header_style="bold")
    table.add_column(width=label, no_wrap=True, overflow="ellipsis")
    for place in range(shown):
        table.add_column(str(place + 1), justify="right", width=cell - 1, no_wrap=True)
    largest = float(np.nanmax(np.abs(section.head_to_head - section.head_to_head.T), initial=0.0))
    for row in range(n):
        cells = [Text(texts[row][column], _style(section, row, column, largest)) for column in range(shown)]
        table.add_row(Text(names[row]), *cells)
    return table, n - shown


def same_counts(section: Section) -> tuple[int, int] | None:
    """(matches of each pair, matches of each with itself) where they are the same for all, else None."""
    n = len(section.standings)
    found = [{int(k) for k in section.met[np.eye(n, dtype=bool) == own].tolist()} for own in (False, True)]
    if any(len(numbers) > 1 for numbers in found):
        return None
    return (found[0] or {0}).pop(), (found[1] or {0}).pop()


def pairs_legend(section: Section) -> str:
    """What a cell says, and how many matches are behind it."""
    even = same_counts(section)
    matches = "×: matches" if even is None else f"{even[0]} matches each, {even[1]} with itself"
    return f"green: row earned more than column, red: less; {matches}"


def _text(section: Section, row: int, column: int, even: bool) -> str:
    value = fixed(float(section.head_to_head[row, column]), 2)
    return value if even or value == DASH else f"{value}×{section.met[row, column]:.0f}"


def _style(section: Section, row: int, column: int, largest: float) -> str:
    """Green: row earned more of this pair than column; red: less; the deeper the more; dim: a self-match."""
    mine, theirs = section.head_to_head[row, column], section.head_to_head[column, row]
    if row == column or np.isnan(mine):
        return "dim"
    if abs(mine - theirs) < 0.005:
        return ""
    depth = round(2 * abs(mine - theirs) / largest)
    return f"black on {(_GREENS if mine > theirs else _REDS)[depth]}"


_GREENS = ("#e2f2e2", "#a6d8a8", "#4caf50")
_REDS = ("#fde4e1", "#f3a9a2", "#e2574c")
