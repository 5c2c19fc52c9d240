"""How a training run is watched: a live view on a terminal, a line now and then elsewhere. On standard error."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from arena.progress import EVERY

if TYPE_CHECKING:
    from rich.console import RenderableType

Metrics = Mapping[str, float]
Watch = Callable[[Metrics], None]
_BLOCKS = "▁▂▃▄▅▆▇█"

_SHOWN = (
    ("payoff", "payoff/round", "{:.2f}"),
    ("cooperation", "cooperation", "{:.0%}"),
    ("entropy", "entropy", "{:.3f}"),
    ("kl", "KL", "{:.3f}"),
    ("illegal", "illegal", "{:.1%}"),
    ("tokens_per_second", "tokens/s", "{:,.0f}"),
    ("memory", "MB", "{:,.0f}"),
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

    history: list[Metrics] = []

    def _update(metrics: Metrics) -> None:
        history.append(metrics)
        live.update(_panel(history, steps))

    with Live(console=Console(file=stream), refresh_per_second=4) as live:
        yield _update


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


def sparkline(values: Sequence[float], width: int = 24) -> str:
    """The latest values as a line of blocks, the least and the greatest of them at its bounds."""
    shown = [v for v in values if math.isfinite(v)][-width:]
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    if high - low <= 1e-9 * max(1.0, abs(high)):
        return _BLOCKS[3] * len(shown)
    return "".join(_BLOCKS[round((v - low) / (high - low) * (len(_BLOCKS) - 1))] for v in shown)


def groups(metrics: Metrics) -> list[str]:
    """Payoff by role, game and member, and whom the learner met, a line each; what a run doesn't have is left out."""
    members = [_member(k.split("/")[1], metrics) for k in metrics if k.startswith("member/") and k.endswith("/payoff")]
    metrics = {k: v for k, v in metrics.items() if not k.startswith("member/")}
    roles = [f"{k.removeprefix('payoff/')} {v:.2f}" for k, v in metrics.items() if k.startswith("payoff/")]
    played = [f"{k.removesuffix('/payoff')} {v:.2f}" for k, v in metrics.items() if k.endswith("/payoff")]
    met = [f"{k.removeprefix('met/')} {v:.0%}" for k, v in metrics.items() if k.startswith("met/")]
    lines = {
        "payoff by role": [r for r in roles if not r.startswith("self ")],
        "by game": played,
        "by member": members,
        "met": met,
    }
    return [f"{name}: " + ", ".join(parts) for name, parts in lines.items() if parts]


def _member(name: str, metrics: Metrics) -> str:
    """Payoff of one learner of several; of an exploiter its share of wins and its age."""
    own = {k.removeprefix(f"member/{name}/"): v for k, v in metrics.items() if k.startswith(f"member/{name}/")}
    exploits = f" (wins {own['won']:.0%}, step {own['age']:.0f})" if "won" in own else ""
    return f"{name} {own['payoff']:.2f}{exploits}"


def _panel(history: Sequence[Metrics], steps: int) -> RenderableType:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    metrics = history[-1]
    table = Table(box=None, pad_edge=False, header_style="dim")
    shown = cells(metrics, steps)
    for name, _ in shown:
        table.add_column(name, justify="right", min_width=7)
    table.add_row(*(text for _, text in shown))
    curves = Table.grid(padding=(0, 2))
    for key, label, form in _SHOWN[:4]:
        values = [m[key] for m in history if key in m]
        if len(values) > 1:
            curves.add_row(label, sparkline(values), form.format(values[-1]))
    about = [Text(line, style="dim") for line in groups(metrics)]
    return Group(ProgressBar(total=steps, completed=metrics["step"]), table, curves, *about)
