"""A rated table of payoffs in a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from games.inert import inert_line
from leaderboards.published import PublishedBoard, PublishedLine
from leaderboards.views.cells import fixed
from leaderboards.views.fit import clip

if TYPE_CHECKING:
    from rich.console import Console

_NAME = 24


def published_rows(board: PublishedBoard) -> tuple[list[str], list[list[str]]]:
    """(heads, rows) of the table as text; the column of the bias only where it is known."""
    biased = any(not math.isnan(line.noise_bias) for line in board.lines)
    heads = ["#", "entrant", "aggregate", "return", "exploit.", *(["bias"] if biased else []), "nemesis"]
    return [*heads, "Nash", "skill"], [_row(line, biased) for line in board.lines]


def show_published(board: PublishedBoard, console: Console | None = None) -> None:
    """Print it; names are shown inert."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = console or Console(markup=False, emoji=False, highlight=False)
    heads, rows = published_rows(board)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for head in heads:
        table.add_column(Text(head), justify="left" if head in ("entrant", "nemesis") else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    console.print(Text("\n".join(published_legend(board)), "dim"))


def published_legend(board: PublishedBoard) -> list[str]:
    """How to read it."""
    lines = [
        f"{len(board.lines)} entrants, ranked by aggregate: the mean return over all of them, itself included, minus "
        "what its worst opponent wins (exploit.; nemesis: who that is).",
        "Nash: mass and skill by maximum-entropy Nash averaging of (M−Mᵀ)/2, exploitability "
        f"{board.exploitability:.0e}; {board.transitive_share:.0%} of it is transitive.",
    ]
    if any(not math.isnan(line.noise_bias) for line in board.lines):
        return [*lines, "bias: by how much noise alone inflates exploit., the greatest of many noisy means."]
    return [
        *lines,
        "exploit. is the greatest of many means: noise inflates it; give their standard errors to see how much.",
    ]


def _row(line: PublishedLine, biased: bool) -> list[str]:
    bias = [fixed(line.noise_bias, 2)] if biased else []
    return [
        str(line.rank),
        clip(inert_line(line.entrant, 200), _NAME),
        fixed2(line.aggregate),
        fixed2(line.population_return),
        fixed2(line.exploitability),
        *bias,
        clip(inert_line(line.nemesis, 200), _NAME),
        fixed(line.nash_mass, 3),
        fixed(line.nash_skill, 2),
    ]


def fixed2(value: float) -> str:
    """A score with two decimals however large, as published tables have them."""
    return f"{value:.2f}"
