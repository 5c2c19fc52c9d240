"""The one pass over stored matches: from rows to :class:`leaderboards.table.Results`, a game each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from operator import attrgetter

import numpy as np

from leaderboards.arrays import TableError
from leaderboards.rows import EntrantLike, SeatLike, Source
from leaderboards.table import BLOCKS, Cells, Results, Totals

_SOURCE_STRIDE = 97  # equal deals of two stores are different chance: shift them apart before folding


def collect(*sources: Source) -> tuple[Results, ...]:
    """Sum the matches of one or more stores, game by game in the order in which games first appear.

    Entrants of the same name are the same player; every entrant of a store that played a game is in its results.

    Args:
        sources: stores, or anything that yields such rows.

    Raises:
        TableError: no finished match; a payoff is NaN or infinite; a name stands for two specs.
    """
    population = _population(sources)
    tallies: dict[str, _Tally] = {}
    for number, source in enumerate(sources):
        for _, group in groupby(source.seats(), key=attrgetter("match")):
            rows = list(group)
            game = rows[0].game
            if game not in tallies:
                tallies[game] = _Tally(game, rows[0].kind)
            tallies[game].add(rows, number)
    if not tallies:
        raise TableError("there is no finished match to rate; play some with `arena tournament`")
    return tuple(tally.freeze(population) for tally in tallies.values())


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
    """Running sums of one game: the only thing here that changes."""

    def __init__(self, game: str, kind: str) -> None:
        self.game, self.kind = game, kind
        self.matches = self.seats = 0
        self.cells: dict[tuple[str, str, int], list[float]] = defaultdict(lambda: [0.0] * 6)
        self.totals: dict[str, list[float]] = defaultdict(lambda: [0.0] * 6)
        self.measures: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))

    def add(self, rows: Sequence[SeatLike], source: int) -> None:
        """Count one match, given all its seats."""
        self.matches += 1
        self.seats = max(self.seats, len(rows))
        for row in rows:
            self._add_seat(row)
        names = {row.entrant for row in rows}
        for name in names:
            self.totals[name][0] += 1
        block = (rows[0].deal + _SOURCE_STRIDE * source) % BLOCKS
        for first, second in combinations(rows, 2):
            # Copies at a mixed table are company, not a self-match.
            if first.entrant != second.entrant or len(names) == 1:
                self._add_pair(first, second, block)

    def _add_seat(self, row: SeatLike) -> None:
        if not math.isfinite(row.payoff):
            raise TableError(
                f'the payoff of "{row.entrant}" in match {row.match} of {self.game} is {row.payoff}; '
                "a payoff must be a finite number: mend the game's rewards and play that match again"
            )
        total = self.totals[row.entrant]
        for place, amount in enumerate((row.turns, row.illegal, row.tokens, row.seconds, 1), start=1):
            total[place] += amount
        for name, value in row.measures.items():
            if value is not None and math.isfinite(value):
                measure = self.measures[name][row.entrant]
                measure[0] += value
                measure[1] += 1

    def _add_pair(self, first: SeatLike, second: SeatLike, block: int) -> None:
        cell = self.cells[first.entrant, second.entrant, block]
        draw = math.isclose(first.payoff, second.payoff, rel_tol=1e-9, abs_tol=1e-9)
        cell[0] += 1
        cell[1] += not draw and first.payoff > second.payoff
        cell[2] += draw
        cell[3] += first.payoff
        cell[4] += second.payoff
        cell[5] += first.rounds

    def freeze(self, population: dict[str, EntrantLike]) -> Results:
        """The sums as arrays, entrants in the order of the population."""
        names = [name for name in population if name in self.totals]
        names += [name for name in self.totals if name not in population]
        known = [population.get(name) for name in names]
        return Results(
            game=self.game,
            kind=self.kind,
            entrants=tuple(names),
            specs=tuple(name if e is None else e.spec for name, e in zip(names, known, strict=True)),
            kinds=tuple("" if e is None else e.kind for e in known),
            matches=self.matches,
            seats=self.seats,
            cells=self._cells({name: k for k, name in enumerate(names)}),
            totals=self._totals(names),
        )

    def _cells(self, place: dict[str, int]) -> Cells:
        keys = np.array([(place[a], place[b], block) for a, b, block in self.cells], dtype=np.int64).reshape(-1, 3)
        sums = np.array(list(self.cells.values())).reshape(-1, 6)
        return Cells(keys[:, 0], keys[:, 1], keys[:, 2], *(np.ascontiguousarray(column) for column in sums.T))

    def _totals(self, names: list[str]) -> Totals:
        matches, turns, illegal, tokens, seconds, seats = np.array([self.totals[name] for name in names]).T
        measures = {
            measure: np.array([sums[name][0] / sums[name][1] if name in sums else np.nan for name in names])
            for measure, sums in sorted(self.measures.items())
        }
        return Totals(matches, turns, illegal, tokens, seconds, seats, measures)
