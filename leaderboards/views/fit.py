"""Which columns a width has room for, and how short names get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leaderboards.board import Section
from leaderboards.views.columns import Column, columns_of

NAME_LEAST = 14
"""Characters of an entrant's name that are kept before columns are dropped."""
NAME_MOST = 40
_WANTED = 50  # columns of less ``keep`` are extras: they go before heads get short


@dataclass(frozen=True)
class Layout:
    """The columns that fit, as text."""

    columns: tuple[Column, ...]
    wide: bool
    gap: int
    rows: tuple[tuple[str, ...], ...]
    """For each standing its cells."""
    dropped: tuple[str, ...]
    """Heads of columns left out."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads, as long as there is room for."""
        return tuple(column.head if self.wide else column.short for column in self.columns)


def fit(section: Section, width: int) -> Layout:
    """The widest layout within ``width``: long heads, then short ones and names, then ever fewer columns."""
    columns = columns_of(section)
    for wide, gap in ((True, 2), (False, 2), (False, 1)):
        for shown in _fewer(columns):
            layout = _layout(section, shown, wide, gap)
            if _width(layout) <= width:
                return _with_dropped(layout, columns)
    shown = [column for column in columns if column.keep >= _WANTED]
    while _width(layout := _shortened(_layout(section, shown, False, 1), width, NAME_LEAST)) > width:
        least = min(column.keep for column in shown)
        if least >= 99:  # nothing left to drop: names give way
            layout = _shortened(layout, width, 3)
            break
        shown = [column for column in shown if column.keep > least]
    return _with_dropped(layout, columns)


def _fewer(columns: Sequence[Column]) -> list[list[Column]]:
    """The columns, then without ever more of the extras."""
    extras = sorted({column.keep for column in columns if column.keep < _WANTED})
    return [[column for column in columns if column.keep >= least] for least in (0, *(k + 1 for k in extras))]


def _layout(section: Section, columns: Sequence[Column], wide: bool, gap: int) -> Layout:
    rows = tuple(tuple(column.cell(line, wide) for column in columns) for line in section.standings)
    return _clipped(Layout(tuple(columns), wide, gap, rows, ()), NAME_MOST)


def _shortened(layout: Layout, width: int, least: int) -> Layout:
    """Names cut to what is left of the width, but not below ``least``."""
    from rich.cells import cell_len

    names = max(cell_len(row[_name_place(layout)]) for row in layout.rows)
    return _clipped(layout, max(min(least, names), names - max(0, _width(layout) - width)))


def _clipped(layout: Layout, limit: int) -> Layout:
    place = _name_place(layout)
    rows = tuple((*row[:place], clip(row[place], limit), *row[place + 1 :]) for row in layout.rows)
    return replace(layout, rows=rows)


def clip(name: str, limit: int) -> str:
    """A name cut to so many terminal cells."""
    from rich.cells import cell_len, set_cell_size

    return name if cell_len(name) <= limit else set_cell_size(name, limit - 1).rstrip() + "…"


def _name_place(layout: Layout) -> int:
    return next(k for k, column in enumerate(layout.columns) if column.key == "entrant")


def _width(layout: Layout) -> int:
    from rich.cells import cell_len

    heads = (tuple(head.split("\n")) for head in layout.heads)
    cells = zip(*layout.rows, strict=True)
    widths = [max(map(cell_len, (*head, *column))) for head, column in zip(heads, cells, strict=True)]
    return sum(widths) + layout.gap * (len(widths) - 1)


def _with_dropped(layout: Layout, columns: Sequence[Column]) -> Layout:
    shown = {column.key for column in layout.columns}
    return replace(layout, dropped=tuple(column.title for column in columns if column.key not in shown))
