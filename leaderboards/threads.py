"""One thread for small matrices: a second one mostly waits, which costs up to fifty times as long on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

LARGE = 500
"""Rows from which a matrix is worth all threads."""


@contextmanager
def few_threads(rows: int) -> Iterator[None]:
    """Within it, linear algebra on matrices of so many rows uses one thread, unless they are large."""
    if rows >= LARGE:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """What sets the number of threads; it knows the libraries that are loaded when it is made, so load them first."""
    from threadpoolctl import ThreadpoolController

    import_module("scipy.linalg")
    return ThreadpoolController()
