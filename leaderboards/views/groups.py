"""What each kind of entrant does on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from games.inert import inert_line
from leaderboards.board import Section
from leaderboards.standing import Standing
from leaderboards.views.cells import DASH, amount, fixed, percent

if TYPE_CHECKING:
    from rich.table import Table

HEADS = ("kind", "entrants", "best", "payoff", "Elo", "won", "ill.", "tok.")


def groups_rows(section: Section) -> list[list[str]]:
    """A row for each kind, in the order in which the section lists them."""
    kinds = dict.fromkeys(line.kind for line in section.standings)
    return [_row(kind, [line for line in section.standings if line.kind == kind]) for kind in kinds]


def groups_table(section: Section) -> Table:
    """The rows as a table."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for head in HEADS:
        table.add_column(head, justify="left" if head == "kind" else "right", no_wrap=True)
    for row in groups_rows(section):
        table.add_row(*(Text(cell) for cell in row))
    return table


def _row(kind: str, lines: Sequence[Standing]) -> list[str]:
    met = sum(line.wins + line.draws + line.losses for line in lines)
    return [
        inert_line(kind, 12) or DASH,
        str(len(lines)),
        str(min(line.rank for line in lines)),
        fixed(_mean([line.payoff for line in lines]), 2),
        fixed(_mean([line.elo for line in lines]), 0),
        percent(sum(line.wins for line in lines) / met if met else float("nan")),
        percent(_mean([line.illegal_rate for line in lines])),
        amount(_mean([line.tokens for line in lines])),
    ]


def _mean(values: Sequence[float]) -> float:
    known = np.array([value for value in values if value == value])
    return float(known.mean()) if len(known) else float("nan")
