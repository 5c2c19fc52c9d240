"""Progress of a stream of matches: a bar on a terminal, a line now and then elsewhere. It writes to standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


def watch(items: Iterator[T], total: int, before: int = 0, *, out: TextIO | None = None) -> Iterator[T]:
    """Yield ``items`` on, showing how many of ``total`` there are (``before`` of them done already)."""
    stream = sys.stderr if out is None else out
    return _bar(items, total, before, stream) if stream.isatty() else _lines(items, total, before, stream)


def _bar(items: Iterator[T], total: int, before: int, out: TextIO) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=out), transient=True) as progress:
        task = progress.add_task("matches", total=total, completed=before)
        for item in items:
            progress.advance(task)
            yield item


def _lines(items: Iterator[T], total: int, before: int, out: TextIO) -> Iterator[T]:
    start = last = time.monotonic()
    if before:
        print(f"{before} of {total} matches are finished already", file=out)
    for done, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - last >= EVERY:
            last = now
            print(_line(before + done, total, done / (now - start)), file=out, flush=True)


def _line(done: int, total: int, rate: float) -> str:
    left = (total - done) / rate
    return f"{done} of {total} matches, {rate:.1f} per second, about {left:.0f} s left"
