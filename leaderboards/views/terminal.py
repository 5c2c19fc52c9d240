"""The leaderboard in a terminal: fits 80 columns, uses 160; colour only adds to what the text says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.inert import inert_line
from leaderboards.board import Board, Section
from leaderboards.overall import Overall
from leaderboards.views.columns import MARK
from leaderboards.views.fit import Layout, fit
from leaderboards.views.groups import groups_table
from leaderboards.views.overall import overall_legend, overall_table
from leaderboards.views.pairs import pairs_legend, pairs_table
from leaderboards.views.words import story

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

WIDEST = 160
_MEANING = {
    "prior-bound": "won or lost everything (or all against the rest): only the prior bounds it",
    "preliminary": "fewer than 10 matches",
    "unplayed": "met nobody else",
}
_KIND_STYLE = {"llm": "cyan", "adapter": "magenta", "api": "cyan", "human": "yellow"}


def show(board: Board, console: Console | None = None) -> None:
    """Print a board. ``NO_COLOR``, pipes and narrow terminals are respected; names are shown inert.

    Args:
        board: from :func:`leaderboards.from_store`.
        console: where to; standard output if not given.
    """
    from rich.console import Console

    console = console or Console(markup=False, emoji=False, highlight=False)
    width = max(20, min(WIDEST, console.width))
    for part in board_parts(board, width):
        console.print(part, width=width, markup=False, emoji=False, highlight=False)


def board_parts(board: Board, width: int) -> Iterator[RenderableType]:
    """Everything that is printed of a board, within ``width`` columns."""
    for section in board.sections:
        yield from parts(section, width)
    if board.overall is not None:
        yield from _overall(board.overall, width)


def _overall(overall: Overall, width: int) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(f"All {len(overall.games)} games", "bold")
    table, missing = overall_table(overall, width)
    yield table
    more = [f"no room for the ranks in {missing} of the games: use a wider terminal or --json"] if missing else []
    yield Text("\n".join([*overall_legend(overall), *more, ""]), "dim")


def parts(section: Section, width: int) -> Iterator[RenderableType]:
    """What is printed of one game, from top to bottom, within ``width`` columns."""
    from rich.text import Text

    layout = fit(section, width)
    title = f"{inert_line(section.game, 200)} · {section.kind} · {section.matches:,} matches"
    yield Text(title, "bold")
    yield _table(section, layout)
    yield Text("\n".join(_legend(section, layout)), "dim")
    if section.grouped:
        yield Text("\nBy kind: means over its entrants", "bold")
        yield groups_table(section)
    table, missing = pairs_table(section, width)
    yield Text("\nHead to head: payoff per round of row against column", "bold")
    yield table
    more = f"; {missing} columns more in a wider terminal or with --json" if missing else ""
    yield Text(f"{pairs_legend(section)}{more}\n", "dim")
    if not section.selected:
        yield from (Text(sentence) for sentence in story(section))
    yield Text("")


def _table(section: Section, layout: Layout) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, layout.gap, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for column, head in zip(layout.columns, layout.heads, strict=True):
        ranked = column.key == section.ranked_by
        title = _styled(head, "bold underline" if ranked else "bold")
        table.add_column(title, justify="right" if column.right else "left", no_wrap=True)
    for line, row in zip(section.standings, layout.rows, strict=True):
        styles = (_style(section, column.key, line.rank, line.kind) for column in layout.columns)
        table.add_row(*(_styled(cell, style) for cell, style in zip(row, styles, strict=True)))
    return table


def _style(section: Section, key: str, rank: int, kind: str) -> str:
    """Bold: the first, and what is ranked by; colour: who isn't a script."""
    if key == "kind":
        return _KIND_STYLE.get(kind, "")
    if key == section.ranked_by or (key == "entrant" and rank == 1):
        return "bold"
    return ""


def _styled(text: str, style: str) -> Text:
    from rich.text import Text

    return Text(text, style, no_wrap=True, overflow="ellipsis")


def _legend(section: Section, layout: Layout) -> list[str]:
    lines = [section.selected] if section.selected else []
    lines += section.caption
    found = {mark for line in section.standings for mark in line.marks}
    lines += [f"{MARK[mark]} {mark}: {_MEANING[mark]}" for mark in MARK if mark in found]
    if not layout.wide:
        lines.append("n: matches; ill.: illegal moves; tok.: tokens a match")
    lines += [f"! {inert_line(note, 400)}" for note in section.notes]
    if layout.dropped:
        lines.append(f"no room for: {', '.join(layout.dropped)}")
    return lines
