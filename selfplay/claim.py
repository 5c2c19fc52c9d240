"""Whose a run's folder is: one configuration's, and one process's at a time."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from games.errors import UsageError
from selfplay.config import TrainConfig

FREE_TO_CHANGE = (
    "out",
    "steps",
    "live",
    "sampler",
    "chunk_tokens",
    "threads",
    "checkpoint_every",
    "samples_every",
    "track",
    "workers",
    "actors",
    "gradient_checkpointing",
    "shard",
)
"""Settings that a resumed run may change."""
LOCK = ".lock"
"""Held in a run's folder by the process that trains there."""


def claim(folder: Path, config: TrainConfig, held: ExitStack) -> None:
    """Make the folder this configuration's and this process's, or check that it is.

    Raises:
        UsageError: it is another run's, or no folder can be there, or another process trains in it.
    """
    path = folder / "config.json"
    wanted = json.loads(json.dumps(asdict(config)))
    if path.is_file():
        there = {**asdict(TrainConfig()), **_saved(path)}  # a setting that is younger than the run stood at its default
        changed = [k for k in wanted if k not in FREE_TO_CHANGE and there[k] != wanted[k]]
        if changed:
            listed = ", ".join(f"{k} ({there[k]} there, {wanted[k]} asked)" for k in changed)
            raise UsageError(f"{folder} holds a run of another configuration: {listed}; name another folder with --out")
    elif folder.is_dir() and any(entry.name not in (LOCK, "config.partial") for entry in folder.iterdir()):
        raise UsageError(f"{folder} is not empty and holds no training run; name another folder with --out")
    _hold(folder, held)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, path)


def _hold(folder: Path, held: ExitStack) -> None:
    """Make the folder if it isn't there, and keep other processes out of it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise UsageError(f"{folder} can't be made: {error.strerror}; name another folder with --out") from None
    try:
        held.enter_context(FileLock(folder / LOCK, blocking=False))
    except Timeout:
        raise UsageError(
            f"another process trains in {folder}; wait for it, or name another folder with --out"
        ) from None


def _saved(path: Path) -> dict[str, Any]:
    """The configuration that a run was started with."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        raise UsageError(f"{path} is damaged; name another folder with --out") from None
