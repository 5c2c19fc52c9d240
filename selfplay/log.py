"""Metrics: JSON lines and TensorBoard on disk, cut back to the resumed step so that no step stands there twice.

Where it is asked for, a tracker with a web page gets them too (Weights & Biases or Trackio).
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from games.errors import BadOption, MissingExtra, UsageError

TRACKERS = ("wandb", "trackio")
PROJECT = "selfplay-arena"


class MetricLog:
    """Appends one line per step to ``metrics.jsonl`` and the same numbers to TensorBoard's events."""

    def __init__(
        self, folder: Path, step: int, trackers: Sequence[str] = (), config: Mapping[str, Any] | None = None
    ) -> None:
        self._trackers = [tracker(name) for name in trackers]
        for each in self._trackers:
            each.init(project=PROJECT, name=folder.name, config=dict(config or {}))
        self._path = folder / "metrics.jsonl"
        self.last = _cut(self._path, step)
        self._file = self._path.open("a", encoding="utf-8")
        self._board: Any = None
        self._folder, self._step = folder / "tensorboard", step

    def __enter__(self) -> MetricLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()
        for each in self._trackers:
            each.finish()

    def write(self, metrics: dict[str, float]) -> None:
        """Write one step's numbers; the line is on disk whole, or torn and cut off at the next start."""
        self.last = metrics
        self._file.write(json.dumps({k: _short(v) for k, v in metrics.items()}) + "\n")
        self._file.flush()
        if self._board is None:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(self._folder), purge_step=self._step)
        numbers, step = {k: v for k, v in metrics.items() if k != "step"}, int(metrics["step"])
        for name, value in numbers.items():
            self._board.add_scalar(name, value, step)
        for each in self._trackers:
            each.log(numbers, step=step)


class NoLog:
    """Where nothing is logged: on every rank but the first."""

    def __init__(self) -> None:
        self.last: dict[str, float] = {}

    def __enter__(self) -> NoLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def write(self, metrics: dict[str, float]) -> None:
        """Keep the numbers, and write nothing."""
        self.last = metrics


def tracker(name: str) -> Any:
    """The module of a tracker; both have the same three functions: init, log and finish.

    Raises:
        BadOption: there is no such tracker.
        MissingExtra: it is not installed.
    """
    if name not in TRACKERS:
        raise BadOption(f'track="{name}" is unknown; use {" or ".join(TRACKERS)}')
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingExtra(f"{name} is not installed; run: pip install 'selfplay-arena[{name}]'") from error


def read_metrics(folder: Path) -> list[dict[str, float]]:
    """Every whole line of a run's ``metrics.jsonl``."""
    path = folder / "metrics.jsonl"
    return _whole(path) if path.is_file() else []


def _whole(path: Path) -> list[dict[str, float]]:
    """The whole lines of a file of metrics.

    Raises:
        UsageError: one of them is no object with a step.
    """
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")[:-1]
    return [_metrics(line, f"{path}: line {number}") for number, line in enumerate(lines, 1)]


def _metrics(line: str, where: str) -> dict[str, float]:
    try:
        found: dict[str, float] = json.loads(line)
        int(found["step"])
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"{where} is damaged; remove that line, and the run goes on") from None
    return found


def _cut(path: Path, step: int) -> dict[str, float]:
    """Drop the lines after ``step`` and a torn last one; returns the last line kept."""
    if not path.is_file():
        return {}
    kept = [m for m in _whole(path) if m["step"] <= step]
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(m) + "\n" for m in kept), encoding="utf-8")
    os.replace(partial, path)
    return kept[-1] if kept else {}


def _short(value: float) -> float:
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else float(f"{value:.9g}")
