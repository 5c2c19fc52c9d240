"""Boards as CSV for programs and as Markdown for people."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from typing import Any

from games.inert import inert_line
from leaderboards.board import Board, Section
from leaderboards.overall import Overall
from leaderboards.published import PublishedBoard
from leaderboards.standing import Standing
from leaderboards.views.columns import columns_of
from leaderboards.views.overall import overall_legend, overall_rows
from leaderboards.views.published import published_legend, published_rows

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&])")


def csv_text(board: Board) -> str:
    """One row for each entrant of each game, with every number at full precision; unknown ones are empty.

    A text that a spreadsheet would take for a formula gets a leading apostrophe.
    """
    measures = sorted({name for section in board.sections for line in section.standings for name in line.measures})
    seats = max((section.seats for section in board.sections), default=0)
    rows = [_csv_row(section, line, measures, seats) for section in board.sections for line in section.standings]
    return _csv(rows)


def markdown_text(board: Board) -> str:
    """Every game's table with all its columns, and how to read it."""
    parts = [_markdown_section(section) for section in board.sections]
    if board.overall is not None:
        parts.append(_markdown_overall(board.overall))
    return "\n".join(parts)


def published_csv(board: PublishedBoard) -> str:
    """A rated table of payoffs, one row for each entrant."""
    return _csv([dict(vars(line)) for line in board.lines])


def published_markdown(board: PublishedBoard) -> str:
    """A rated table of payoffs, and how to read it."""
    heads, rows = published_rows(board)
    return _table(heads, rows, ("entrant", "nemesis")) + "\n" + _list(published_legend(board))


def _csv_row(section: Section, line: Standing, measures: Sequence[str], seats: int) -> dict[str, Any]:
    scalars = {name: value for name, value in vars(line).items() if isinstance(value, int | float | str)}
    payoffs = dict(enumerate(line.by_seat))
    return {
        "game": section.game,
        "game_kind": section.kind,
        "ranked_by": section.ranked_by,
        **scalars,
        "change": line.change,
        "coordination_gap": line.coordination_gap,
        "marks": " ".join(line.marks),
        **{f"payoff as seat {seat}": payoffs.get(seat) for seat in range(seats)},
        **{f"measure {name}": line.measures.get(name) for name in measures},
    }


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _csv_cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _csv_cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        text = inert_line(value)
        return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
    return value


def _markdown_section(section: Section) -> str:
    columns = columns_of(section)
    rows = [[column.cell(line, True) for column in columns] for line in section.standings]
    left = [column.title for column in columns if not column.right]
    title = f"## {_escaped(inert_line(section.game, 200))} ({section.kind}, {section.matches:,} matches)"
    said = [section.selected] if section.selected else []
    legend = _list([*said, *section.caption, *(f"Note: {note}" for note in section.notes)])
    return f"{title}\n\n{_table([column.title for column in columns], rows, left)}\n{legend}"


def _markdown_overall(overall: Overall) -> str:
    heads, rows = overall_rows(overall)
    title = f"## All {len(overall.games)} games"
    return f"{title}\n\n{_table(heads, rows, ('entrant', 'kind'))}\n{_list(overall_legend(overall))}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> str:
    rules = [":--" if head in left else "--:" for head in heads]
    lines = [[_escaped(head) for head in heads], rules, *([_escaped(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _list(sentences: Sequence[str]) -> str:
    return "".join(f"- {_escaped(inert_line(sentence, 2000))}\n" for sentence in sentences)


def _escaped(text: str) -> str:
    """Text that Markdown and the HTML in it leave as it is."""
    return _SPECIAL.sub(r"\\\1", text)
