"""All games in one table: one rating, percentiles and the rank in each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.inert import inert_line
from leaderboards.overall import Overall, OverallStanding
from leaderboards.views.cells import DASH, fixed, percent, with_error
from leaderboards.views.columns import MARK
from leaderboards.views.fit import clip

if TYPE_CHECKING:
    from rich.table import Table

_NAME = 24
_GAME = 14


def overall_rows(overall: Overall) -> tuple[list[str], list[list[str]]]:
    """(heads, rows) of the whole table as text."""
    levels = [f"p{level:g}" for level in overall.levels]
    rated = ["Elo"] if overall.rating is not None else []
    games = [inert_line(game, 60) for game in overall.games]
    heads = ["#", "entrant", "kind", "percentile", *levels, "played", *rated, *games]
    return heads, [_row(line, bool(rated)) for line in overall.standings]


def overall_table(overall: Overall, width: int) -> tuple[Table, int]:
    """The table, and how many games there was no room for."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    heads, rows = overall_rows(overall)
    first = len(heads) - len(overall.games)
    heads = [*heads[:first], *(clip(head, _GAME) for head in heads[first:])]
    rows = [[row[0], clip(row[1], _NAME), *row[2:]] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    shown = len(heads)
    while shown > first and sum(widths[:shown]) + shown - 1 > width:
        shown -= 1
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for head in heads[:shown]:
        table.add_column(Text(head), justify="left" if head in ("entrant", "kind") else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row[:shown]))
    return table, len(heads) - shown


def overall_legend(overall: Overall) -> list[str]:
    """How to read it."""
    levels = ", ".join(f"p{level:g}" for level in overall.levels)
    lines = [
        "Ranked by percentile: the mean, over the games played, of the share of the others who score less (Elo in "
        f"competitive games, payoff per round in all others); {levels}: the weak end over games. Games: rank in each."
    ]
    if overall.rating is not None:
        lines.append(f"Elo: one Bradley–Terry fit over {len(overall.rated)} competitive games, each weighing the same.")
    return lines


def _row(line: OverallStanding, rated: bool) -> list[str]:
    elo = with_error(line.elo, line.elo_half, 0, True) + "".join(MARK[mark] for mark in line.marks)
    return [
        str(line.rank),
        inert_line(line.entrant, 200),
        inert_line(line.kind, 12) or DASH,
        fixed(line.percentile, 1),
        *(fixed(value, 0) for value in line.quantiles),
        percent(line.participation),
        *([elo] if rated else []),
        *(DASH if rank is None else str(rank) for rank in line.ranks),
    ]
