"""The full state of a run between two steps: it appears whole or not at all, and never unpickles."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from games.errors import ArenaError
from games.inert import inert_line
from selfplay.learner import Learner
from selfplay.member import Member

KEPT = 2  # the newest states; an older one is there should the newest be lost with the disk's cache


def save(folder: Path, step: int, members: Sequence[Member]) -> None:
    """Write the state after ``step`` steps to ``folder/step-N`` and drop older ones.

    A single learner's files lie in the folder itself, those of several in a folder each, by name.
    """
    target = folder / f"step-{step:06d}"
    if target.exists():
        return
    partial = folder / f".{target.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    for member in members:
        _save_tensors(partial / member.folder, member.learner)
    alone = not members[0].folder
    rest = members[0].state() if alone else {"members": {m.name: m.state() for m in members}}
    (partial / "state.json").write_text(json.dumps({"step": step, **rest}), encoding="utf-8")
    os.replace(partial, target)
    for old in states(folder)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def states(folder: Path) -> list[Path]:
    """Complete states in ``folder``, oldest first."""
    return sorted(p for p in folder.glob("step-*") if (p / "state.json").is_file())


def resume(folder: Path, members: Sequence[Member]) -> int:
    """Put the newest state in ``folder`` that is whole back, and return the steps done; 0 where there is none.

    Raises:
        ArenaError: there are states, and every one is damaged.
    """
    found = states(folder)
    for path in reversed(found):
        try:
            return _restore(path, members)
        except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
            print(f"{path} is damaged ({inert_line(str(error))[:100]}): the one before it is taken", file=sys.stderr)
    if found:
        raise ArenaError(f"every state in {folder} is damaged; remove that folder to train again from the start")
    return 0


def discard(folder: Path, step: int) -> None:
    """Set states of later steps than ``step`` aside; what they should have held is computed again."""
    for path in folder.glob("step-*"):
        if path.name > f"step-{step:06d}":
            aside = path.with_name(f".{path.name}.damaged")
            shutil.rmtree(aside, ignore_errors=True)
            os.replace(path, aside)


def _restore(path: Path, members: Sequence[Member]) -> int:
    about: dict[str, Any] = json.loads((path / "state.json").read_text(encoding="utf-8"))
    for member in members:
        _restore_tensors(path / member.folder, member.learner)
        member.restore(about["members"][member.name] if member.folder else about)
    return int(about["step"])


def _save_tensors(folder: Path, learner: Learner) -> None:
    folder.mkdir(parents=True)
    save_file(learner.base.weights(learner.adapter), str(folder / "adapter.safetensors"))
    if learner.reference is not None:
        save_file(learner.base.weights(learner.reference), str(folder / "reference.safetensors"))
    save_file(_moments(learner), str(folder / "optimizer.safetensors"))


def _restore_tensors(folder: Path, learner: Learner) -> None:
    learner.base.set_weights(learner.adapter, load_file(str(folder / "adapter.safetensors")))
    if learner.reference is not None:
        learner.base.set_weights(learner.reference, load_file(str(folder / "reference.safetensors")))
    tensors = load_file(str(folder / "optimizer.safetensors"))
    for index, parameter in enumerate(learner.parameters):
        names = {n: tensors[f"{index}.{n}"] for n in ("step", "exp_avg", "exp_avg_sq") if f"{index}.{n}" in tensors}
        if names:
            learner.optimizer.state[parameter] = {n: t.clone() for n, t in names.items()}


def _moments(learner: Learner) -> dict[str, torch.Tensor]:
    out = {}
    for index, parameter in enumerate(learner.parameters):
        for name, value in learner.optimizer.state.get(parameter, {}).items():
            out[f"{index}.{name}"] = value.detach().cpu().clone()
    return out
