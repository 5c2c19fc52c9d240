"""How much of a table is a ranking and how much goes in circles (Jiang et al. 2011, arXiv 0811.1067)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray


@dataclass(frozen=True)
class Hodge:
    """An antisymmetric table as the sum of a ranking and a cyclic rest, which are orthogonal."""

    names: tuple[str, ...]
    divergence: FloatArray
    """The mean of each row (N,): uniform averaging, and the rating of the transitive part."""
    transitive: FloatArray
    """(N, N), row's divergence minus column's."""
    cyclic: FloatArray
    """(N, N), the rest."""
    transitive_share: float
    """Of the table's squared size; 0 for a table of zeros."""
    cyclic_share: float


def hodge(table: ArrayLike, *, names: Sequence[str] | None = None) -> Hodge:
    """Split a complete antisymmetric table into its transitive and its cyclic part.

    A single rating (Elo) describes a table of log-odds exactly when the cyclic share is 0.

    Args:
        table: (N, N), what row wins of column; its antisymmetric part is used.
        names: of the entrants.

    Raises:
        TableError: a cell is NaN or infinite, or the table isn't square.
    """
    given = arrays.square("the table", table)
    table_NN = (given - given.T) / 2
    divergence = table_NN.mean(axis=1)
    transitive = divergence[:, None] - divergence[None, :]
    cyclic = table_NN - transitive
    whole, part = float((table_NN**2).sum()), float((transitive**2).sum())
    share = part / whole if whole > 0 else 0.0
    title = arrays.labels(names, len(table_NN))
    return Hodge(title, divergence, transitive, cyclic, share, 1 - share if whole > 0 else 0.0)


def curl(table: ArrayLike, i: int, j: int, k: int) -> float:
    """What going round the three entrants i, j, k wins: 0 for every triangle of a transitive table."""
    table_NN = arrays.square("the table", table)
    return float(table_NN[i, j] + table_NN[j, k] - table_NN[i, k])


def cycles(table: ArrayLike, *, least: float = 0.0) -> list[tuple[int, int, int]]:
    """Triangles i beats j beats k beats i, each pair by more than ``least``, strongest weakest-link first.

    Args:
        table: (N, N), what row wins of column.
        least: what counts as beating.
    """
    table_NN = arrays.square("the table", table)
    beats_NN = table_NN > least
    found = []
    for i in range(len(table_NN)):
        for j in np.flatnonzero(beats_NN[i]):
            for k in np.flatnonzero(beats_NN[j] & beats_NN[:, i]):
                if i < min(j, k):
                    weakest = min(table_NN[i, j], table_NN[j, k], table_NN[k, i])
                    found.append((-float(weakest), (i, int(j), int(k))))
    return [triangle for _, triangle in sorted(found)]
