"""Rows of seats as columns: the slow way into the one tally, for sources that have no columns of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import numpy as np

from arena.columns import Columns
from leaderboards.arrays import FloatArray, IntArray
from leaderboards.rows import SeatLike


def pack(rows: Iterable[SeatLike]) -> Iterator[Columns]:
    """Matches of one game and size together, in the order in which they first appear.

    Args:
        rows: every seat of every finished match, by match and seat.
    """
    tables: dict[tuple[str, int], list[list[SeatLike]]] = {}
    for _, group in groupby(rows, key=attrgetter("match")):
        seats = list(group)
        tables.setdefault((seats[0].game, len(seats)), []).append(seats)
    return map(_columns, tables.values())


def _columns(matches: Sequence[Sequence[SeatLike]]) -> Columns:
    heads = [seats[0] for seats in matches]
    place = {name: k for k, name in enumerate(dict.fromkeys(row.entrant for seats in matches for row in seats))}
    return Columns(
        game=heads[0].game,
        kind=heads[0].kind,
        roles=tuple(row.role for row in matches[0]),
        names=tuple(place),
        match=_whole([row.match for row in heads]),
        deal=_whole([row.deal for row in heads]),
        rounds=_whole([row.rounds for row in heads]),
        entrant=np.array([[place[row.entrant] for row in seats] for seats in matches], dtype=np.int64),
        payoff=_table(matches, "payoff"),
        turns=_table(matches, "turns"),
        illegal=_table(matches, "illegal"),
        tokens=_table(matches, "tokens"),
        seconds=_table(matches, "seconds"),
        measures=_measures(matches),
    )


def _measures(matches: Sequence[Sequence[SeatLike]]) -> dict[str, FloatArray]:
    names = sorted({name for seats in matches for row in seats for name in row.measures})
    return {name: np.array([[_number(row.measures.get(name)) for row in seats] for seats in matches]) for name in names}


def _table(matches: Sequence[Sequence[SeatLike]], field: str) -> FloatArray:
    return np.array([[getattr(row, field) for row in seats] for seats in matches], dtype=np.float64)


def _whole(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
