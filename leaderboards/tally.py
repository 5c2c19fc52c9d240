"""The one pass over stored matches: from columns to :class:`leaderboards.table.Results`, a game each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from arena.columns import Columns
from leaderboards.arrays import FloatArray, IntArray, TableError, sums, table_of
from leaderboards.pack import pack
from leaderboards.rows import EntrantLike, Source
from leaderboards.table import BLOCKS, Cells, Results, Totals

_SOURCE_STRIDE = 97  # equal deals of two stores are different chance: shift them apart before folding


def collect(*sources: Source) -> tuple[Results, ...]:
    """Sum the matches of one or more stores, game by game in the order in which games first appear.

    Entrants of the same name are the same player; every entrant of a store that played a game is in its results.

    Args:
        sources: stores, or anything that yields such rows (or, much faster, such columns).

    Raises:
        TableError: no finished match; a payoff is NaN or infinite; a name stands for two specs.
    """
    population = _population(sources)
    tallies: dict[str, _Tally] = {}
    for number, source in enumerate(sources):
        for columns in _columns(source):
            if columns.game not in tallies:
                tallies[columns.game] = _Tally(columns, population)
            tallies[columns.game].add(columns, number)
    if not tallies:
        raise TableError("there is no finished match to rate; play some with `arena tournament`")
    return tuple(tally.freeze() for tally in tallies.values())


def _columns(source: Source) -> Iterable[Columns]:
    found: Iterable[Columns] = source.columns() if hasattr(source, "columns") else pack(source.seats())
    return found


def _population(sources: Iterable[Source]) -> dict[str, EntrantLike]:
    known: dict[str, EntrantLike] = {}
    for source in sources:
        for entrant in source.entrants():
            before = known.setdefault(entrant.name, entrant)
            if before.spec != entrant.spec:
                raise TableError(
                    f'"{entrant.name}" is {before.spec} in one store and {entrant.spec} in another; '
                    "rate them apart, or name one of them anew with NAME=SPEC"
                )
    return known


class _Tally:
    """Running sums of one game over the whole population of P: the only thing here that changes."""

    def __init__(self, columns: Columns, population: dict[str, EntrantLike]) -> None:
        self.game, self.kind, self.roles = columns.game, columns.kind, columns.roles
        self.population = dict(population)
        self.place = {name: k for k, name in enumerate(population)}
        self.matches = 0
        self.pairs: list[tuple[IntArray, FloatArray]] = []
        self.waiting = self.folded = 0  # cells that wait to be folded, and cells after the last time
        self.seats: dict[str, FloatArray] = {}

    def add(self, columns: Columns, source: int) -> None:
        """Count some matches of this game."""
        _check(columns)
        known = np.array([self.place.setdefault(name, len(self.place)) for name in columns.names], dtype=np.int64)
        entrant_MK = known[columns.entrant]
        self.matches += len(columns.match)
        self.roles = max(self.roles, columns.roles, key=len)
        block_M = (columns.deal + _SOURCE_STRIDE * source) % BLOCKS
        for first, second in _pairs(columns.entrant.shape[1]):
            self.pairs.append(_folded(_pair(columns, entrant_MK, block_M, first, second)))
            self.waiting += len(self.pairs[-1][0])
        if self.waiting > max(_PATIENCE, self.folded):
            self._fold()
        for name, sum_P in _seat_sums(columns, entrant_MK, len(self.place)).items():
            self.seats[name] = _grown(self.seats.get(name, np.zeros(0)), len(self.place)) + sum_P

    def freeze(self) -> Results:
        """The sums as arrays, who played in the order of the population."""
        sums_P = {name: _grown(values, len(self.place)) for name, values in self.seats.items()}
        playing = np.flatnonzero(sums_P["seats"])
        names = [list(self.place)[k] for k in playing]
        known = [self.population.get(name) for name in names]
        return Results(
            game=self.game,
            kind=self.kind,
            entrants=tuple(names),
            specs=tuple(name if e is None else e.spec for name, e in zip(names, known, strict=True)),
            kinds=tuple("" if e is None else e.kind for e in known),
            matches=self.matches,
            seats=len(self.roles),
            roles=self.roles,
            cells=self._cells(playing),
            totals=_totals({name: values[playing] for name, values in sums_P.items()}, len(self.roles)),
        )

    def _fold(self) -> None:
        """Add up equal cells: memory grows with pairs and blocks of deals, not with matches."""
        keys, tables = zip(*self.pairs, strict=True)
        self.pairs = [_folded((np.concatenate(keys), np.concatenate(tables, axis=1)))]
        self.waiting, self.folded = 0, len(self.pairs[0][0])

    def _cells(self, playing: IntArray) -> Cells:
        self._fold()
        [(key, rows)] = self.pairs
        number = np.zeros(len(self.place), dtype=np.int64)
        number[playing] = np.arange(len(playing))
        first, second, block = key // BLOCKS >> _BITS, key // BLOCKS & ((1 << _BITS) - 1), key % BLOCKS
        return Cells(number[first], number[second], block, *rows)


_PATIENCE = 500_000  # cells that may wait, where few are folded already
_BITS = 24  # of an entrant's number within the key of a cell


def _pairs(seats: int) -> list[tuple[int, int]]:
    """Pairs of seats; a lone seat is its own company, so that solo games have payoffs too."""
    return list(combinations(range(seats), 2)) if seats > 1 else [(0, 0)]


def _pair(
    columns: Columns, entrant_MK: IntArray, block_M: IntArray, first: int, second: int
) -> tuple[IntArray, FloatArray]:
    """(keys, sums) of the matches for one pair of their seats: M items, a row for each sum."""
    a_M, b_M, p_M, q_M = (
        entrant_MK[:, first],
        entrant_MK[:, second],
        columns.payoff[:, first],
        columns.payoff[:, second],
    )
    # Copies at a mixed table are company, not a self-match.
    counted = (a_M != b_M) | (entrant_MK == entrant_MK[:, :1]).all(axis=1)
    draw_M = np.abs(p_M - q_M) <= np.maximum(1e-9, 1e-9 * np.maximum(np.abs(p_M), np.abs(q_M)))
    win_M = ~draw_M & (p_M > q_M)
    table = np.stack([np.ones(len(p_M)), win_M, draw_M, p_M, q_M, columns.rounds])
    key = ((a_M << _BITS) + b_M) * BLOCKS + block_M
    return (key, table) if counted.all() else (key[counted], table[:, counted])


def _folded(items: tuple[IntArray, FloatArray]) -> tuple[IntArray, FloatArray]:
    """Items of equal key summed."""
    key, place = np.unique(items[0], return_inverse=True)
    return key, np.stack([sums(place, row, len(key)) for row in items[1]])


def _check(columns: Columns) -> None:
    """Refuse a payoff that is no number."""
    if np.isfinite(columns.payoff).all():
        return
    match, seat = np.argwhere(~np.isfinite(columns.payoff))[0]
    raise TableError(
        f'the payoff of "{columns.names[columns.entrant[match, seat]]}" in match {columns.match[match]} of '
        f"{columns.game} is {columns.payoff[match, seat]}; a payoff must be a finite number: mend the game's rewards "
        "and play that match again"
    )


def _seat_sums(columns: Columns, entrant_MK: IntArray, size: int) -> dict[str, FloatArray]:
    """Sums over the seats of each of ``size`` entrants."""
    seats = entrant_MK.shape[1]
    repeated_MK = np.stack([(entrant_MK[:, :k] == entrant_MK[:, k : k + 1]).any(axis=1) for k in range(seats)], axis=1)
    rounds_MK = np.repeat(columns.rounds[:, None], seats, axis=1).astype(np.float64)
    joint_MK = np.repeat(columns.payoff.mean(axis=1, keepdims=True), seats, axis=1)
    weights: dict[str, FloatArray] = {
        "matches": (~repeated_MK).astype(np.float64),
        "seats": np.ones(entrant_MK.shape),
        "rounds": rounds_MK,
        "joint": joint_MK,
        **{name: getattr(columns, name) for name in ("turns", "illegal", "tokens", "seconds", "payoff")},
    }
    for name, value_MK in columns.measures.items():
        finite = np.isfinite(value_MK)
        weights[f"measure {name}"] = np.where(finite, value_MK, 0.0)
        weights[f"number {name}"] = finite.astype(np.float64)
    found = {name: sums(entrant_MK.ravel(), w.ravel(), size) for name, w in weights.items()}
    seat_MK = np.broadcast_to(np.arange(seats), entrant_MK.shape).ravel()
    for name, w in (("payoff", columns.payoff), ("rounds", rounds_MK)):
        table = table_of(seat_MK, entrant_MK.ravel(), w.ravel(), (seats, size))
        found |= {f"seat {k} {name}": table[k] for k in range(seats)}
    return found


def _totals(sums_N: dict[str, FloatArray], seats: int) -> Totals:
    plain = ("matches", "turns", "illegal", "tokens", "seconds", "seats", "rounds", "payoff", "joint")
    nothing = np.zeros(len(sums_N["seats"]))
    per_seat = [[sums_N.get(f"seat {k} {name}", nothing) for k in range(seats)] for name in ("payoff", "rounds")]
    names = [name.removeprefix("measure ") for name in sums_N if name.startswith("measure ")]
    with np.errstate(invalid="ignore"):
        measures = {name: sums_N[f"measure {name}"] / sums_N[f"number {name}"] for name in sorted(names)}
        by_seat = np.stack(per_seat[0], axis=1) / np.stack(per_seat[1], axis=1)
    return Totals(**{name: sums_N[name] for name in plain}, measures=measures, by_seat=by_seat)


def _grown(values: FloatArray, size: int) -> FloatArray:
    return np.concatenate([values, np.zeros(size - len(values))])
