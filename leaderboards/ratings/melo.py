"""Multidimensional Elo: ratings that can go in circles (Balduzzi et al. 2018, arXiv 1806.02643).

mElo_2k predicts sigmoid(r_i - r_j + c_iᵀ Ω c_j) with k pairs of cyclic coordinates. Sparse real data seldom support
them (arXiv 2502.10985): use it to look at cycles, not to rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError
from leaderboards.ratings.hodge import hodge


@dataclass(frozen=True)
class MElo:
    """A rating and 2k cyclic coordinates for each entrant, in natural (log-odds) units."""

    names: tuple[str, ...]
    rating: FloatArray
    """(N,), mean 0."""
    cyclic: FloatArray
    """(N, 2k); coordinates 2m and 2m+1 turn against each other."""

    def log_odds(self) -> FloatArray:
        """Predicted log-odds of row beating column (N, N)."""
        even, odd = self.cyclic[:, 0::2], self.cyclic[:, 1::2]
        turn: FloatArray = even @ odd.T - odd @ even.T
        return self.rating[:, None] - self.rating[None, :] + turn

    def probability(self) -> FloatArray:
        """Predicted probability of row beating column (N, N)."""
        half: FloatArray = 0.5 + 0.5 * np.tanh(self.log_odds() / 2)
        return half


def melo(table: ArrayLike, *, k: int = 1, names: Sequence[str] | None = None) -> MElo:
    """The best fit in squares to a complete table of log-odds: its divergence and the k largest turns of the rest.

    Args:
        table: (N, N), log-odds of row against column; its antisymmetric part is used.
        k: pairs of cyclic coordinates.
        names: of the entrants.

    Raises:
        TableError: a cell is NaN or infinite, the table isn't square, or k is negative.
    """
    if k < 0:
        raise TableError(f"k={k} pairs of coordinates make no sense; give 0 or more")
    split = hodge(table, names=names)
    # iM of a skew M is Hermitian: eigenvalues come in pairs ±σ, and √σ times the real and imaginary part of one of each
    # pair's vectors, scaled to length 1, are its two coordinates.
    sizes, vectors = np.linalg.eigh(1j * split.cyclic)
    cyclic = np.zeros((len(split.names), 2 * k))
    for place, column in enumerate(np.argsort(-sizes)[:k]):
        if sizes[column] > 1e-12:
            turn = np.sqrt(2 * sizes[column]) * vectors[:, column]
            cyclic[:, 2 * place], cyclic[:, 2 * place + 1] = turn.imag, turn.real
    return MElo(split.names, split.divergence, cyclic)


def melo_online(
    matches: Iterable[tuple[int, int, float]],
    n: int,
    *,
    k: int = 1,
    rate: float = 0.1,
    cyclic_rate: float = 0.1,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> MElo:
    """The online update, one match at a time; like Elo it depends on their order.

    Args:
        matches: (first, second, score of first between 0 and 1), entrants by number.
        n: how many entrants.
        k: pairs of cyclic coordinates.
        rate: step of the ratings.
        cyclic_rate: step of the coordinates.
        seed: of the small random coordinates that it starts from (at zero it would stay).
        names: of the entrants.
    """
    rating, cyclic = np.zeros(n), np.random.default_rng(seed).normal(0, 0.1, (n, 2 * k))
    for i, j, score in matches:
        turned = _turn(cyclic[j])
        odds = rating[i] - rating[j] + cyclic[i] @ turned
        surprise = score - (0.5 + 0.5 * np.tanh(odds / 2))
        back = _turn(cyclic[i])
        rating[i], rating[j] = rating[i] + rate * surprise, rating[j] - rate * surprise
        cyclic[i], cyclic[j] = cyclic[i] + cyclic_rate * surprise * turned, cyclic[j] - cyclic_rate * surprise * back
    return MElo(arrays.labels(names, n), rating - rating.mean(), cyclic)


def _turn(coordinates: FloatArray) -> FloatArray:
    """Ω c: each pair (x, y) becomes (y, -x)."""
    turned = np.empty_like(coordinates)
    turned[0::2], turned[1::2] = coordinates[1::2], -coordinates[0::2]
    return turned
