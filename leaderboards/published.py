"""A table of payoffs from a file, rated: a published benchmark, or anybody's results without their matches."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError
from leaderboards.plain import plain
from leaderboards.ratings.hodge import hodge
from leaderboards.ratings.nash_average import nash_average
from leaderboards.ratings.population import PopulationScore, population_score


@dataclass(frozen=True)
class PublishedLine:
    """One entrant's line, in units of the table."""

    rank: int
    entrant: str
    aggregate: float
    """Population return minus within-population exploitability: what is ranked by."""
    population_return: float
    """Mean over everybody, itself included."""
    exploitability: float
    """What the opponent that is worst for it wins."""
    noise_bias: float
    """By how much noise alone inflates that; NaN where no standard errors were given."""
    nemesis: str
    """Who that opponent is."""
    nash_mass: float
    nash_skill: float


@dataclass(frozen=True)
class PublishedBoard:
    """A rated table of payoffs; ``payoffs`` is in the order of ``lines``."""

    lines: tuple[PublishedLine, ...]
    payoffs: FloatArray
    """(N, N), row against column."""
    exploitability: float
    """Of the Nash average: its certificate."""
    transitive_share: float
    """Share of the table's antisymmetric part that strengths alone explain; the rest goes round in circles."""

    def to_json(self) -> dict[str, Any]:
        """The board as plain JSON values; unknown numbers are None."""
        return {
            "format": 1,
            "standings": [{key: plain(value) for key, value in vars(line).items()} for line in self.lines],
            "payoffs": plain(self.payoffs),
            "nash": {"exploitability": self.exploitability},
            "transitive_share": plain(self.transitive_share),
        }


def from_payoffs(path: str | Path, errors: str | Path | None = None) -> PublishedBoard:
    """Rate the zero-sum table of payoffs in a CSV file, by the aggregate score of Lanctot et al. (arXiv 2303.03196).

    Args:
        path: a corner cell and the names in the first row, then for each of the same names its payoffs against them.
        errors: a file of the same shape with standard errors, for the bias of the greatest of many noisy means.

    Raises:
        TableError: a file can't be read, isn't square, or holds something else than finite numbers.
    """
    names, table = read_payoffs(path)
    spread = None
    if errors is not None:
        named, spread = read_payoffs(errors)
        if named != names:
            raise TableError(f"{errors} names other entrants than {path}, or in another order; give one row for each")
    return _board(names, table, population_score(table, errors=spread, names=names))


def read_payoffs(path: str | Path) -> tuple[tuple[str, ...], FloatArray]:
    """The names and the (N, N) table of a CSV file.

    Raises:
        TableError: as for :func:`from_payoffs`.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TableError(f"can't read {path}: {reason}; name a CSV file of payoffs") from None
    if not rows:
        raise TableError(f"{path} is empty; its first row must name the entrants")
    names = tuple(rows[0][1:])
    if tuple(row[0] for row in rows[1:]) != names or any(len(row) != len(rows[0]) for row in rows):
        raise TableError(f"{path} must have a row for each of the {len(names)} columns, of the same name and order")
    numbers = [
        [_number(path, row[0], name, cell) for name, cell in zip(names, row[1:], strict=True)] for row in rows[1:]
    ]
    arrays.labels(names, len(names))
    return names, arrays.square(str(path), numbers)


def _number(path: str | Path, row: str, column: str, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise TableError(f'{path}: {row} against {column} is "{cell}"; every cell must be a finite number')
    return value


def _board(names: tuple[str, ...], table: FloatArray, scores: PopulationScore) -> PublishedBoard:
    nash = nash_average(table, names=names, merge_copies=True)
    order = sorted(range(len(names)), key=lambda k: (-float(scores.aggregate[k]), names[k]))
    lines = tuple(
        PublishedLine(
            rank=1 + int((scores.aggregate > scores.aggregate[k]).sum()),
            entrant=names[k],
            aggregate=float(scores.aggregate[k]),
            population_return=float(scores.population_return[k]),
            exploitability=float(scores.exploitability[k]),
            noise_bias=float(scores.noise_bias[k]),
            nemesis=scores.nemesis[k],
            nash_mass=float(nash.mass[k]),
            nash_skill=float(nash.skill[k]) + 0.0,
        )
        for k in order
    )
    return PublishedBoard(lines, table[order][:, order], nash.exploitability, hodge(table).transitive_share)
