"""How a training run is watched: a live view on a terminal, a line now and then elsewhere. On standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from arena.progress import EVERY

if TYPE_CHECKING:
    from rich.console import RenderableType

Metrics = Mapping[str, float]
Watch = Callable[[Metrics], None]

_SHOWN = (
    ("payoff", "payoff/round", "{:.2f}"),
    ("cooperation", "cooperation", "{:.0%}"),
    ("entropy", "entropy", "{:.3f}"),
    ("kl", "KL", "{:.3f}"),
    ("illegal", "illegal", "{:.1%}"),
    ("tokens_per_second", "tokens/s", "{:,.0f}"),
)
"""Metric, its name on the screen, its form; what a run doesn't have is left out."""


@contextmanager
def watching(steps: int, *, out: TextIO | None = None) -> Iterator[Watch]:
    """A function to call with each step's metrics, for as long as the training runs.

    Args:
        steps: how many there will be.
        out: where to; standard error if not given.
    """
    stream = sys.stderr if out is None else out
    if not stream.isatty():
        yield _lines(steps, stream)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(file=stream), refresh_per_second=4) as live:
        yield lambda metrics: live.update(_panel(metrics, steps))


def cells(metrics: Metrics, steps: int) -> list[tuple[str, str]]:
    """(name, text) of what is shown of one step, from the step to the time left."""
    step = int(metrics["step"])
    shown = [(label, form.format(metrics[key])) for key, label, form in _SHOWN if key in metrics]
    left = metrics.get("seconds", 0.0) * (steps - step)
    return [("step", f"{step}/{steps}"), *shown, ("left", f"{int(left) // 60}:{int(left) % 60:02d}")]


def _lines(steps: int, out: TextIO) -> Watch:
    last = 0.0

    def _show(metrics: Metrics) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY or metrics["step"] >= steps:
            last = time.monotonic()
            print("  ".join(f"{name} {text}" for name, text in cells(metrics, steps)), file=out, flush=True)

    return _show


def _panel(metrics: Metrics, steps: int) -> RenderableType:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    shown = cells(metrics, steps)
    for name, _ in shown:
        table.add_column(name, justify="right", min_width=7)
    table.add_row(*(text for _, text in shown))
    return Group(ProgressBar(total=steps, completed=metrics["step"]), table)
