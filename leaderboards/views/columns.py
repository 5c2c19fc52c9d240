"""The leaderboard's columns, from which a view takes what it has room for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from games.inert import inert_line
from leaderboards.board import Section
from leaderboards.standing import Standing
from leaderboards.table import seat_names
from leaderboards.views.cells import DASH, amount, fixed, percent, seconds, signed, sparkline, with_error

MARK = {"prior-bound": "*", "preliminary": "°", "unplayed": "–"}
_SEATS_SHOWN = 4
_TREND = 8  # snapshots in a sparkline


@dataclass(frozen=True)
class Column:
    """One column: what it says wide and narrow, and when it goes."""

    key: str
    head: str
    """May have two lines."""
    short: str
    """The head where columns are scarce."""
    cell: Callable[[Standing, bool], str]
    """The text of a line's cell; the flag: whether there is room."""
    keep: int
    """Columns of least ``keep`` are dropped first."""
    right: bool = True
    """Whether numbers line up on the right."""

    @property
    def title(self) -> str:
        """The head on one line: ``payoff/round`` for ``per round`` over ``payoff``."""
        above, _, below = self.head.rpartition("\n")
        return f"{below}/{above.removeprefix('per ')}" if above.startswith("per ") else f"{above} {below}".strip()


def columns_of(section: Section) -> list[Column]:
    """All columns of a game, left to right; the one that it is ranked by is kept longest."""
    by_elo, shared = section.ranked_by == "elo", section.kind == "cooperative"
    found = [
        Column("rank", "#", "#", _either(lambda s: str(s.rank)), 100),
        Column("ranks", "ranks", "ranks", _either(_ranks), 46),
        Column("change", "change", "±#", _change, 48),
        Column("entrant", "entrant", "entrant", _either(lambda s: inert_line(s.entrant, 200)), 100, right=False),
        Column("kind", "kind", "kind", _either(lambda s: inert_line(s.kind, 12) or DASH), 60, right=False),
        Column("matches", "matches", "n", lambda s, wide: f"{s.matches:,}" if wide else amount(s.matches), 50),
        Column("payoff", "per round\npayoff", "payoff", _payoff, 80 if by_elo else 99),
        *_seat_columns(section),
        Column("wdl", "W/D/L", "W/D/L", _either(lambda s: f"{s.wins}/{s.draws}/{s.losses}"), 40 if shared else 75),
        Column("elo", "Elo", "Elo", _elo, 99 if by_elo else 45 if shared else 80),
        Column("trend", "trend", "trend", _either(lambda s: sparkline(s.history[-_TREND:])), 47, right=False),
        Column("mass", "Nash mass", "Nash", _mass, 70),
        Column("skill", "skill", "skill", _skill, 65),
        *_company_columns(section),
        *(_measure(name) for name in section.standings[0].measures),
        Column("illegal", "illegal", "ill.", lambda s, wide: percent(s.illegal_rate, 1 if wide else 0), 58),
        Column("tokens", "per match\ntokens", "tok.", _either(lambda s: amount(s.tokens)), 57),
        Column("worth", "per ktoken\npayoff", "/ktok", _either(lambda s: fixed(s.payoff_per_1000_tokens, 2)), 8),
        Column("seconds", "per match\ntime", "time", _either(lambda s: seconds(s.seconds)), 10),
    ]
    return [column for column in found if _says_something(column, section)]


def _says_something(column: Column, section: Section) -> bool:
    """Whether an optional column has anything to say of anybody."""
    optional = ("change", "trend", "worth", "self", "cross", "gap", "alone", "welfare", "exploited", "exploits")
    return column.key not in optional or any(column.cell(line, True) not in ("", DASH) for line in section.standings)


def _seat_columns(section: Section) -> list[Column]:
    """What each entrant earns in each seat, where there are few seats and they differ."""
    if not 2 <= section.seats <= _SEATS_SHOWN:
        return []
    spread = (max(line.by_seat) - min(line.by_seat) for line in section.standings)
    if not any(gap > 0.005 for gap in spread):
        return []
    return [_seat(number, role) for number, role in enumerate(seat_names(section.roles))]


def _seat(number: int, role: str) -> Column:
    head = inert_line(role, 10)
    return Column(f"seat {number}", f"as\n{head}", head[:6], _either(lambda s: fixed(s.by_seat[number], 2)), 18)


def _company_columns(section: Section) -> list[Column]:
    """What this kind of game asks of company: partners in cooperative games, welfare and exploitation in dilemmas."""
    gaps = section.collaboration_gap
    if section.kind == "cooperative":
        return [
            Column("self", "self-play", "self", _either(lambda s: fixed(s.self_play, 2)), 72),
            Column("cross", "cross-play", "cross", _either(lambda s: fixed(s.cross_play, 2)), 71),
            Column("gap", "gap", "gap", _either(lambda s: fixed(s.coordination_gap, 2)), 73),
            Column("alone", "solo −\npaired", "solo−", _either(lambda s: fixed(gaps.get(s.entrant, math.nan), 2)), 69),
        ]
    if section.kind == "competitive":
        return [
            Column("aggregate", "aggregate", "aggr.", _either(lambda s: fixed(s.aggregate, 2)), 7),
            Column("worst", "worst loss", "worst", _worst, 6),
            Column("nemesis", "nemesis", "nemesis", _either(lambda s: inert_line(s.nemesis, 16)), 5, right=False),
        ]
    return [
        Column("welfare", "welfare", "welf.", _either(lambda s: fixed(s.welfare, 2)), 28),
        Column("exploited", "exploited", "expl.", _either(lambda s: fixed(s.exploited, 2)), 27),
        Column("pareto", "Pareto", "Par.", _either(lambda s: percent(s.pareto)), 25),
        Column("exploits", "exploits", "takes", _either(lambda s: fixed(s.exploits, 2)), 26),
    ]


def _worst(line: Standing, wide: bool) -> str:
    """The greatest loss, and by how much noise alone makes it so great."""
    bias = "" if math.isnan(line.worst_bias) or not wide else f" (bias {fixed(line.worst_bias, 2)})"
    return fixed(line.worst, 2) + bias


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


def _change(line: Standing, wide: bool) -> str:
    """Ranks gained or lost since the board that this one is compared with."""
    if line.change is None:
        return ""
    arrow = "▲" if line.change > 0 else "▼" if line.change < 0 else "="
    places = f"{arrow}{abs(line.change)}" if line.change else arrow
    return f"{places} {signed(line.elo_change, 0)}" if wide and not math.isnan(line.elo_change) else places


def _payoff(line: Standing, wide: bool) -> str:
    return with_error(line.payoff, line.payoff_half, 2, wide)


def _elo(line: Standing, wide: bool) -> str:
    return with_error(line.elo, line.elo_half, 0, wide) + "".join(MARK[mark] for mark in line.marks)


def _mass(line: Standing, wide: bool) -> str:
    half = (line.nash_mass_high - line.nash_mass_low) / 2 if wide else math.nan
    return with_error(line.nash_mass, half, 2, wide)


def _skill(line: Standing, wide: bool) -> str:
    half = (line.nash_skill_high - line.nash_skill_low) / 2 if wide else math.nan
    return with_error(line.nash_skill, half, 2, wide)
