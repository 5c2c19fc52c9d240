"""The tables of a page as HTML: every text in them is escaped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

import numpy as np

from games.inert import inert_line
from leaderboards.arrays import FloatArray
from leaderboards.board import Section
from leaderboards.overall import Overall
from leaderboards.standing import NUMBERS, Standing
from leaderboards.views.cells import fixed
from leaderboards.views.columns import Column, columns_of
from leaderboards.views.overall import overall_legend, overall_rows
from leaderboards.views.words import story

_STEPS = 8
HEAT_MOST = 60
"""Entrants that a heat map shows at most."""
_VALUES: dict[str, Callable[[Standing], float]] = {
    **NUMBERS,
    "ranks": lambda s: s.best_rank,
    "change": lambda s: math.nan if s.change is None else s.change,
    "wdl": lambda s: s.wins,
}


def section_html(section: Section) -> str:
    """One game: its board, how to read it, what happened, and the heat map."""
    title = f"{text(section.game)} · {text(section.kind)} · {section.matches:,} matches"
    words = "" if section.selected else "".join(f"<p>{text(sentence)}</p>" for sentence in story(section))
    return f"<section><h2>{title}</h2>{_board(section)}{words}{_legend(section)}{_heat(section)}</section>"


def overall_html(overall: Overall) -> str:
    """All games in one table."""
    heads, rows = overall_rows(overall)
    left = ("entrant", "kind")
    top = "".join(_head(head, head in left, head == "percentile", up=head == "#") for head in heads)
    body = "".join(
        "<tr>" + "".join(_cell(cell, None, head in left) for head, cell in zip(heads, row, strict=True)) + "</tr>"
        for row in rows
    )
    return (
        f"<section><h2>All {len(overall.games)} games</h2>{_table(top, body)}{_list(overall_legend(overall))}</section>"
    )


def text(value: str, limit: int = 2_000) -> str:
    """A text of anybody's as HTML that shows it, character by character, and obeys nothing in it."""
    return escape(inert_line(value, limit))


def _board(section: Section) -> str:
    columns = columns_of(section)
    ascending = ("rank", "ranks", "entrant", "kind", "illegal", "tokens", "seconds")
    top = "".join(_head(c.title, not c.right, c.key == section.ranked_by, up=c.key in ascending) for c in columns)
    body = "".join(
        f'<tr class="{"first" if line.rank == 1 else "rest"}">{"".join(_value_cell(c, line) for c in columns)}</tr>'
        for line in section.standings
    )
    return _table(top, body)


def _table(top: str, body: str) -> str:
    return f'<div class="wide"><table class="board"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _head(title: str, left: bool, ranked: bool, up: bool) -> str:
    classes = " ".join(name for name, holds in (("text", left), ("ranked", ranked)) if holds)
    first = ' data-up="1"' if up else ""
    return f'<th scope="col" class="{classes}"{first}><button type="button">{text(title)}</button></th>'


def _value_cell(column: Column, line: Standing) -> str:
    value = _VALUES[column.key](line) if column.key in _VALUES else None
    return _cell(column.cell(line, True), value, not column.right)


def _cell(shown: str, value: float | None, left: bool) -> str:
    """What is shown, and the number behind it that is sorted by; of a plain number, percentage or dash, itself."""
    if value is None and not left:
        value = _number(shown)
    key = "" if left else f' data-v="{"" if value is None or math.isnan(value) else repr(float(value))}"'
    name = ' class="text"' if left else ""
    return f"<td{name}{key}>{text(shown)}</td>"


def _number(shown: str) -> float:
    try:
        return float(shown.split(" ")[0].replace("%", "").replace(",", ""))
    except ValueError:
        return math.nan


def _legend(section: Section) -> str:
    said = [section.selected] if section.selected else []
    return _list([*said, *section.caption], section.notes)


def _list(sentences: Iterable[str], notes: Sequence[str] = ()) -> str:
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return f'<ul class="legend">{items}{"".join(f"<li class=note>{text(note)}</li>" for note in notes)}</ul>'


def _heat(section: Section) -> str:
    """Row's payoff per round against column, coloured by who gets the better of whom, with the number of matches."""
    shown = min(len(section.standings), HEAT_MOST)
    names = [text(line.entrant, 40) for line in section.standings[:shown]]
    shade = _shades(section.head_to_head[:shown, :shown])
    top = "".join(f'<th scope="col" title="{name}">{place + 1}</th>' for place, name in enumerate(names))
    rows = "".join(
        f'<tr><th scope="row" class="text">{row + 1} {names[row]}</th>'
        + "".join(_heat_cell(section, row, column, shade[row][column]) for column in range(shown))
        + "</tr>"
        for row in range(shown)
    )
    more = "" if shown == len(section.standings) else f"<p>The first {shown} of {len(section.standings)} entrants.</p>"
    return (
        "<h3>Head to head: payoff per round of row against column, and matches; choose a cell to read them</h3>"
        f'{more}<div class="wide"><table class="heat"><thead><tr><th></th>{top}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _heat_cell(section: Section, row: int, column: int, shade: str) -> str:
    mine = section.head_to_head[row, column]
    one, other = (text(section.standings[k].entrant) for k in (row, column))
    return (
        f'<td class="{shade}"><button type="button" class="cell" '
        f'data-game="{text(section.game)}" data-row="{one}" data-column="{other}" title="{one} against {other}">'
        f"{fixed(float(mine), 2)}<small>{section.met[row, column]:.0f}</small></button></td>"
    )


def _shades(table: FloatArray) -> list[list[str]]:
    """From h0 (column gets the better of row) to h8 (row of column); the greatest lead of the table is the end."""
    lead = table - table.T
    largest = float(np.nanmax(np.abs(lead), initial=0.0))
    step = np.rint((lead / (largest or 1.0) + 1) / 2 * _STEPS)
    return [["h-none" if math.isnan(value) else f"h{value:.0f}" for value in row] for row in step.tolist()]
