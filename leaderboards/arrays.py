"""Array types, and the checks that every table passes before it is rated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from games.errors import ArenaError

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


class TableError(ArenaError):
    """A table of results that can't be rated; the message says where it is wrong and what to do."""


def matrix(what: str, table: ArrayLike, shape: tuple[int, int] | None = None) -> FloatArray:
    """The table as a two-dimensional array of finite numbers.

    Raises:
        TableError: it has another shape, or holds NaN or infinity; the message names the first such cell.
    """
    array = np.array(table, dtype=np.float64)
    if array.ndim != 2 or array.size == 0 or (shape is not None and array.shape != shape):
        wanted = "two-dimensional and not empty" if shape is None else f"of shape {shape}"
        raise TableError(f"{what} must be {wanted}, not of shape {array.shape}")
    if not np.isfinite(array).all():
        row, column = (int(k) for k in np.argwhere(~np.isfinite(array))[0])
        value = array[row, column]
        raise TableError(
            f"{what}[{row}, {column}] is {value}; only finite numbers can be rated: drop or mend that match"
        )
    return array


def square(what: str, table: ArrayLike, n: int | None = None) -> FloatArray:
    """The table as an (n, n) array of finite numbers, row against column.

    Raises:
        TableError: as for :func:`matrix`, or it is not square.
    """
    array = matrix(what, table, None if n is None else (n, n))
    if array.shape[0] != array.shape[1]:
        raise TableError(f"{what} must be square (row against column), not of shape {array.shape}")
    return array


def counts(what: str, table: ArrayLike, n: int | None = None) -> FloatArray:
    """The table as an (n, n) array of counts: finite and not negative.

    Raises:
        TableError: as for :func:`square`, or a count is negative.
    """
    array = square(what, table, n)
    if (array < 0).any():
        row, column = (int(k) for k in np.argwhere(array < 0)[0])
        raise TableError(f"{what}[{row}, {column}] is {array[row, column]:g}; a count can't be negative")
    return array


def labels(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """The names of n entrants; numbers from 0 where none are given.

    Raises:
        TableError: the number of names differs, or one occurs twice.
    """
    found = tuple(str(k) for k in range(n)) if names is None else tuple(names)
    if len(found) != n:
        raise TableError(f"{len(found)} names for {n} entrants; give each row of the table one name")
    if len(set(found)) != n:
        twice = next(name for name in found if found.count(name) > 1)
        raise TableError(f'two entrants are called "{twice}"; names must differ')
    return found


def sums(index: IntArray, weights: FloatArray, size: int) -> FloatArray:
    """The sum of the weights at each index below ``size``."""
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)


def table_of(row: IntArray, column: IntArray, weights: FloatArray, shape: tuple[int, int]) -> FloatArray:
    """A table of this shape with the weights summed at their (row, column)."""
    return sums(row * shape[1] + column, weights, shape[0] * shape[1]).reshape(shape)
