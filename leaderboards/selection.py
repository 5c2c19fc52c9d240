"""Part of a board, or the board in another order; ranks stay what they were."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from games.errors import unknown
from leaderboards.arrays import TableError
from leaderboards.board import Board, Section
from leaderboards.standing import NUMBERS, Standing

_ASCENDING = ("rank", "entrant", "kind", "illegal", "tokens", "seconds", "exploited")
_KEYS: dict[str, Callable[[Standing], float | str]] = {
    "entrant": lambda s: s.entrant,
    "kind": lambda s: s.kind,
    "wins": lambda s: float(s.wins),
    **NUMBERS,
    "worth": lambda s: s.payoff_per_1000_tokens,
    "welfare": lambda s: s.welfare,
    "exploited": lambda s: s.exploited,
    "exploits": lambda s: s.exploits,
    "gap": lambda s: s.coordination_gap,
}


def select(board: Board, *, sort: str = "", filter: str = "", kind: str = "", group: str = "") -> Board:
    """The lines that fit, in the order asked for; games in which nobody fits are left out.

    Args:
        board: from :func:`leaderboards.from_store`.
        sort: a column (``elo``, ``tokens``, ``cooperation``, …), best or least first; ``-elo`` turns it round.
        filter: text that the entrant's name or spec holds, or a pattern (``llm:*``); capitals don't matter.
        kind: only entrants of this kind (``script``, ``llm``, …).
        group: ``kind``: entrants of one kind follow each other, and a table sums up each kind.

    Raises:
        UnknownName: no such column, or nothing to group by.
        TableError: nobody fits.
    """
    if group and group != "kind":
        raise unknown("group", group, ("kind",))
    if not (sort or filter or kind or group):
        return board
    parts = (_select(section, sort, filter, kind, group) for section in board.sections)
    sections = tuple(part for part in parts if part.standings)
    if not sections:
        kinds = sorted({line.kind for section in board.sections for line in section.standings})
        raise TableError(f"nobody fits filter={filter!r} kind={kind!r}; there are kinds {', '.join(kinds)}")
    return Board(sections, None if filter or kind else board.overall)


def _select(section: Section, sort: str, pattern: str, kind: str, group: str) -> Section:
    kept = [
        k
        for k, line in enumerate(section.standings)
        if _fits(line, pattern.lower()) and (not kind or line.kind == kind)
    ]
    order = _sorted(section, kept, sort) if sort else kept
    if group:  # the kind of the best comes first; within a kind the order stays
        kinds = list(dict.fromkeys(section.standings[k].kind for k in order))
        order = sorted(order, key=lambda k: kinds.index(section.standings[k].kind))
    place = np.ix_(order, order)
    said = [*([f"sorted by {sort}"] if sort else []), *([f"grouped by {group}"] if group else [])]
    if len(order) < len(section.standings):
        said.append(f"{len(order)} of {len(section.standings)} entrants")
    return replace(
        section,
        standings=tuple(section.standings[k] for k in order),
        selected="; ".join(said),
        grouped=group,
        **{
            name: getattr(section, name)[place]
            for name in ("head_to_head", "head_to_head_half", "met", "wins", "draws")
        },
    )


def _fits(line: Standing, pattern: str) -> bool:
    texts = (line.entrant.lower(), line.spec.lower())
    return any(pattern in text or fnmatch.fnmatchcase(text, pattern) for text in texts)


def _sorted(section: Section, kept: list[int], sort: str) -> list[int]:
    """The places by a column, unknown values last."""
    name, turned = sort.removeprefix("-"), sort.startswith("-")
    values = [_value(section, section.standings[k], name) for k in kept]
    known = [k for k, value in zip(kept, values, strict=True) if value == value]
    column = dict(zip(kept, values, strict=True))
    known.sort(key=lambda k: column[k], reverse=turned != (name not in _ASCENDING))
    return known + [k for k in kept if k not in known]


def _value(section: Section, line: Standing, name: str) -> float | str:
    if name in _KEYS:
        return _KEYS[name](line)
    if name not in section.standings[0].measures:
        raise unknown("column", name, (*_KEYS, *section.standings[0].measures))
    return line.measures.get(name, math.nan)
