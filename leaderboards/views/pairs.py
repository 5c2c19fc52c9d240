"""The head-to-head table: row's payoff per round against column, columns by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.inert import inert_line
from leaderboards.board import Section
from leaderboards.views.cells import fixed

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
    texts = [[fixed(float(value), 2) for value in row[:most]] for row in section.head_to_head]
    names = [f"{place + 1} {inert_line(line.entrant, 200)}" for place, line in enumerate(section.standings)]
    label = min(max(map(cell_len, names)), _NAME)
    cell = 1 + max(len(str(n)), max(len(text) for row in texts for text in row))
    shown = min(n, most, max(1, (width - label) // cell))
    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False, show_edge=False, header_style="bold")
    table.add_column(width=label, no_wrap=True, overflow="ellipsis")
    for place in range(shown):
        table.add_column(str(place + 1), justify="right", width=cell - 1, no_wrap=True)
    for row in range(n):
        cells = [Text(texts[row][column], _style(section, row, column)) for column in range(shown)]
        table.add_row(Text(names[row]), *cells)
    return table, n - shown


def _style(section: Section, row: int, column: int) -> str:
    """Green: row earned more of this pair than column; red: less; dim: a self-match."""
    mine, theirs = section.head_to_head[row, column], section.head_to_head[column, row]
    if row == column or np.isnan(mine):
        return "dim"
    if abs(mine - theirs) < 0.005:
        return ""
    return "green" if mine > theirs else "red"
