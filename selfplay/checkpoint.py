"""The full state of a run between two steps: it appears whole or not at all, and never unpickles."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

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


def restore(path: Path, members: Sequence[Member]) -> int:
    """Put a saved state back and return the steps done."""
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
