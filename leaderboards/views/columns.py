"""The leaderboard's columns, and which of them a width has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from games.inert import inert_line
from leaderboards.board import Section, Standing
from leaderboards.views.cells import DASH, amount, fixed, percent, seconds, with_error

NAME_LEAST = 14
"""Characters of an entrant's name that are kept before columns are dropped."""
NAME_MOST = 40
MARK = {"prior-bound": "*", "preliminary": "°", "unplayed": "–"}


@dataclass(frozen=True)
class Column:
    """One column: what it says wide and narrow, and when it goes."""

    key: str
    head: str
    short: str
    """The head where columns are scarce."""
    cell: Callable[[Standing, bool], str]
    """The text of a line's cell; the flag: whether there is room."""
    keep: int
    """Columns of least ``keep`` are dropped first."""
    right: bool = True
    """Whether numbers line up on the right."""


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


def columns_of(section: Section) -> list[Column]:
    """All columns of a game, left to right; the one that it is ranked by is kept longest."""
    by_elo = section.ranked_by == "elo"
    measures = [_measure(name) for name in section.standings[0].measures]
    return [
        Column("rank", "#", "#", _either(lambda s: str(s.rank)), 100),
        Column("ranks", "ranks", "ranks", _either(_ranks), 20),
        Column("entrant", "entrant", "entrant", _either(lambda s: inert_line(s.entrant, 200)), 100, right=False),
        Column("kind", "kind", "kind", _either(lambda s: inert_line(s.kind, 12) or DASH), 60, right=False),
        Column("matches", "matches", "n", lambda s, wide: f"{s.matches:,}" if wide else amount(s.matches), 50),
        Column("payoff", "payoff/round", "payoff", _payoff, 80 if by_elo else 99),
        Column("wdl", "W/D/L", "W/D/L", _either(lambda s: f"{s.wins}/{s.draws}/{s.losses}"), 75),
        Column("elo", "Elo", "Elo", _elo, 99 if by_elo else 80),
        Column("mass", "Nash mass", "Nash", _either(lambda s: fixed(s.nash_mass, 2)), 70),
        Column("skill", "skill", "skill", _either(lambda s: fixed(s.nash_skill, 2)), 65),
        *measures,
        Column("illegal", "illegal", "ill.", lambda s, wide: percent(s.illegal_rate, 1 if wide else 0), 58),
        Column("tokens", "tokens/match", "tok.", _either(lambda s: amount(s.tokens)), 57),
        Column("seconds", "time/match", "time", _either(lambda s: seconds(s.seconds)), 10),
    ]


def fit(section: Section, width: int) -> Layout:
    """The widest layout within ``width``: long heads, then short ones and names, then ever fewer columns."""
    columns = columns_of(section)
    for wide, gap, extra in ((True, 2, True), (True, 2, False), (False, 2, False), (False, 1, False)):
        shown = [column for column in columns if extra or column.keep >= 50]
        layout = _layout(section, shown, wide, gap)
        if _width(layout) <= width:
            return _with_dropped(layout, columns)
    while _width(layout := _shortened(_layout(section, shown, False, 1), width, NAME_LEAST)) > width:
        least = min(column.keep for column in shown)
        if least >= 99:  # nothing left to drop: names give way
            layout = _shortened(layout, width, 3)
            break
        shown = [column for column in shown if column.keep > least]
    return _with_dropped(layout, columns)


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
    rows = tuple((*row[:place], _clip(row[place], limit), *row[place + 1 :]) for row in layout.rows)
    return replace(layout, rows=rows)


def _clip(name: str, limit: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return name if cell_len(name) <= limit else set_cell_size(name, limit - 1).rstrip() + "…"


def _name_place(layout: Layout) -> int:
    return next(k for k, column in enumerate(layout.columns) if column.key == "entrant")


def _width(layout: Layout) -> int:
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip(layout.heads, *layout.rows, strict=True)]
    return sum(widths) + layout.gap * (len(widths) - 1)


def _with_dropped(layout: Layout, columns: Sequence[Column]) -> Layout:
    shown = {column.key for column in layout.columns}
    return replace(layout, dropped=tuple(column.head for column in columns if column.key not in shown))


def _measure(name: str) -> Column:
    head = inert_line(name, 16)

    def cell(line: Standing) -> str:
        value = line.measures.get(name, float("nan"))
        return percent(value) if 0 <= value <= 1 else fixed(value, 2)

    return Column(f"measure {name}", head, head[:5], _either(cell), 30)


def _either(cell: Callable[[Standing], str]) -> Callable[[Standing, bool], str]:
    """A cell that says the same wide and narrow."""
    return lambda line, _wide: cell(line)


def _ranks(line: Standing) -> str:
    return str(line.rank) if line.best_rank == line.worst_rank else f"{line.best_rank}–{line.worst_rank}"


def _payoff(line: Standing, wide: bool) -> str:
    return with_error(line.payoff, line.payoff_half, 2, wide)


def _elo(line: Standing, wide: bool) -> str:
    return with_error(line.elo, line.elo_half, 0, wide) + "".join(MARK[mark] for mark in line.marks)
