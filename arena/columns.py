"""Finished matches as columns: what ratings read of a million matches in seconds.

SQLite joins the values of a column to one text, which numpy parses: about ten times as fast as a row at a time, and
outside Python's lock, so that several threads read at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.database import MEMORY, connect

CHUNK = 100_000
"""Matches read at once: it bounds memory, not what can be read."""
THREADS = min(4, os.cpu_count() or 1)
"""Threads that read chunks at once."""
_MAPPED = 1 << 32  # bytes of the file that are read without being copied first
# Rows of a table without rowid come in the order of its key: by match, then by seat.
_COLUMN = "SELECT group_concat({}) FROM {} WHERE {} BETWEEN ? AND ?"
# Three columns in one number, which halves the time. Where one didn't fit, or had a fraction, its sum comes out less.
_PACKED = """
SELECT group_concat((entrant * 4096 + turns) * 65536 + CAST(payoff AS INTEGER) + 32768), total(turns),
       total(abs(payoff)), max(illegal + prompt_tokens + completion_tokens + seconds + (measures <> '{}'))
FROM seats WHERE match BETWEEN ? AND ?
"""
_TOO_MUCH = 2.0**40  # SQLite's whole numbers would overflow
_PACKED_MATCHES = """
SELECT group_concat(deal * 65536 + rounds), total(rounds), count(*) FROM matches WHERE id BETWEEN ? AND ?
"""
_EXTRA = {"illegal": "illegal", "tokens": "prompt_tokens + completion_tokens", "seconds": "seconds"}
_WHICH = f"""
SELECT {", ".join(f"max({value})" for value in _EXTRA.values())}, max(measures <> '{{}}')
FROM seats WHERE match BETWEEN ? AND ?
"""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Columns:
    """M matches of one game with K seats each."""

    game: str
    """The game's spec."""
    kind: str
    roles: tuple[str, ...]
    """The role of each of the K seats."""
    names: tuple[str, ...]
    """The entrants that ``entrant`` points to."""
    match: NDArray[np.int64]
    """Numbers of the matches (M,)."""
    deal: NDArray[np.int64]
    """(M,)"""
    rounds: NDArray[np.int64]
    """Rounds completed (M,)."""
    entrant: NDArray[np.int64]
    """Who sat in each seat (M, K)."""
    payoff: Array
    """Total reward (M, K), to 15 digits."""
    turns: Array
    """Decisions taken (M, K)."""
    illegal: Array
    """Illegal decisions (M, K)."""
    tokens: Array
    """Tokens read and written (M, K)."""
    seconds: Array
    """Time spent deciding (M, K)."""
    measures: Mapping[str, Array]
    """What this kind of match is also judged by (M, K), NaN where a seat lacks it."""


def read(db: sqlite3.Connection, path: Path, before: int | None = None) -> Iterator[Columns]:
    """The finished matches of a store, games in the order of their first match within each chunk.

    Args:
        db: the open store.
        path: where it lies, for threads to open it too.
        before: only matches with lower numbers; None: all.
    """
    low, high = db.execute("SELECT min(id), max(id) FROM matches").fetchone()
    if low is None:
        return
    end = high + 1 if before is None else min(before, high + 1)
    spans = [(start, min(start + CHUNK, end) - 1) for start in range(low, end, CHUNK)]
    known = {row[0]: row[1:] for row in db.execute("SELECT id, spec, kind, roles FROM games")}
    # Entrants are numbered from 1 in the order given.
    names = tuple(name for (name,) in db.execute("SELECT name FROM entrants ORDER BY id"))
    for chunk in _chunks(db, path, spans, known):
        if len(chunk.game):
            yield from _by_game(chunk, known, names)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Matches of all games as they were read; the columns of seats by match and seat."""

    match: NDArray[np.int64]
    game: NDArray[np.int64]
    deal: NDArray[np.int64]
    rounds: NDArray[np.int64]
    seats: Mapping[str, Array]
    measures: Mapping[str, Array]


def _chunks(
    db: sqlite3.Connection, path: Path, spans: Sequence[tuple[int, int]], known: Mapping[int, Any]
) -> Iterator[_Chunk]:
    """One chunk for each span, in order; of a file with several, a few at a time."""
    if len(spans) < 2 or str(path) == MEMORY:
        yield from (_chunk(db, span, known) for span in spans)
        return

    def _open(span: tuple[int, int]) -> _Chunk:
        with closing(connect(path, "ro")) as own:
            own.execute(f"PRAGMA mmap_size = {_MAPPED}")
            return _chunk(own, span, known)

    with ThreadPoolExecutor(THREADS) as pool:
        for start in range(0, len(spans), 2 * THREADS):
            yield from pool.map(_open, spans[start : start + 2 * THREADS])


def _chunk(db: sqlite3.Connection, span: tuple[int, int], known: Mapping[int, Any]) -> _Chunk:
    db.execute("BEGIN")  # matches that another process adds meanwhile stay out of sight
    try:
        low, high = span
        text, total, count = db.execute(_PACKED_MATCHES, span).fetchone()
        deal, rounds = np.divmod(_parsed(text), 65536)
        if rounds.sum() != total:
            deal, rounds = _whole(db, "deal", span), _whole(db, "rounds", span)
        match = np.arange(low, high + 1) if count == high - low + 1 else _whole(db, "id", span)
        game = np.full(count, next(iter(known))) if len(known) == 1 else _whole(db, "game", span)
        return _Chunk(match, game, deal, rounds, *_seats(db, span))
    finally:
        db.rollback()


def _seats(db: sqlite3.Connection, span: tuple[int, int]) -> tuple[dict[str, Array], dict[str, Array]]:
    """The seats' columns and their measures; what is zero throughout isn't read."""
    text, turns, payoff, extras = db.execute(_PACKED, span).fetchone()
    values = _unpacked(_parsed(text)) if payoff < _TOO_MUCH else {}
    if not values or values["turns"].sum() != turns or np.abs(values["payoff"]).sum() != payoff:
        values = {name: _numbers(db, name, span) for name in ("entrant", "turns", "payoff")}
    *some, measured = db.execute(_WHICH, span).fetchone() if extras else (0, 0, 0, 0)
    for (name, value), needed in zip(_EXTRA.items(), some, strict=True):
        values[name] = _numbers(db, value, span) if needed else np.zeros(len(values["payoff"]))
    if not measured:
        return values, {}
    return values, measure_columns(_text(db, "measures, char(10)", "seats", "match", span).split("\n"))


def _unpacked(packed: NDArray[np.int64]) -> dict[str, Array]:
    """Three columns that were read as one: whole numbers of a limited size."""
    rest, payoff = packed >> 16, (packed & 0xFFFF) - 32768
    whole = {"entrant": rest >> 12, "turns": rest & 0xFFF, "payoff": payoff}
    return {name: column.astype(np.float64) for name, column in whole.items()}


def measure_columns(texts: Sequence[str]) -> dict[str, Array]:
    """The measures of seats, each a JSON object, as a column for each name; equal texts are parsed once."""
    distinct = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    place = np.array(list(map(distinct.__getitem__, texts)), dtype=np.int64)
    parsed = [json.loads(text) for text in distinct]
    names = sorted({name for values in parsed for name in values})
    return {name: np.array([_number(values.get(name)) for values in parsed])[place] for name in names}


def _by_game(chunk: _Chunk, known: Mapping[int, Sequence[str]], names: tuple[str, ...]) -> Iterator[Columns]:
    roles = {number: tuple(json.loads(row[2])) for number, row in known.items()}
    size_M = np.array([len(roles.get(number, ())) for number in range(max(roles) + 1)])[chunk.game]
    first_M = np.cumsum(size_M) - size_M
    for number in dict.fromkeys(chunk.game.tolist()) if len(roles) > 1 else roles:
        here, shape = chunk.game == number, (-1, len(roles[number]))
        rows = slice(None) if here.all() else (first_M[here][:, None] + np.arange(shape[1])).ravel()
        extra = {name: column[rows].reshape(shape) for name, column in chunk.measures.items()}
        seats: dict[str, Any] = {name: column[rows].reshape(shape) for name, column in chunk.seats.items()}
        seats["entrant"] = seats["entrant"].astype(np.int64) - 1
        yield Columns(
            game=known[number][0],
            kind=known[number][1],
            roles=roles[number],
            names=names,
            match=chunk.match[here],
            deal=chunk.deal[here],
            rounds=chunk.rounds[here],
            measures={name: column for name, column in extra.items() if not np.isnan(column).all()},
            **seats,
        )


def _text(db: sqlite3.Connection, value: str, table: str, key: str, span: tuple[int, int]) -> str:
    return db.execute(_COLUMN.format(value, table, key), span).fetchone()[0] or ""


def _numbers(db: sqlite3.Connection, value: str, span: tuple[int, int]) -> Array:
    return np.fromstring(_text(db, value, "seats", "match", span), dtype=np.float64, sep=",")


def _whole(db: sqlite3.Connection, value: str, span: tuple[int, int]) -> NDArray[np.int64]:
    return _parsed(_text(db, value, "matches", "id", span))


def _parsed(text: str | None) -> NDArray[np.int64]:
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
