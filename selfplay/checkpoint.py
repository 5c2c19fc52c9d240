"""The full state of a run between two steps: it appears whole or not at all, and never unpickles."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from selfplay.advantages import Normaliser
from selfplay.learner import Learner

KEPT = 2  # the newest states; an older one is there should the newest be lost with the disk's cache


def save(folder: Path, step: int, learner: Learner, normaliser: Normaliser, extra: dict[str, Any]) -> None:
    """Write the state after ``step`` steps to ``folder/step-N`` and drop older ones."""
    target = folder / f"step-{step:06d}"
    if target.exists():
        return
    partial = folder / f".{target.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    save_file(learner.base.weights(learner.adapter), str(partial / "adapter.safetensors"))
    if learner.reference is not None:
        save_file(learner.base.weights(learner.reference), str(partial / "reference.safetensors"))
    save_file(_moments(learner), str(partial / "optimizer.safetensors"))
    about = {"step": step, "normaliser": normaliser.state(), **extra}
    (partial / "state.json").write_text(json.dumps(about), encoding="utf-8")
    os.replace(partial, target)
    for old in states(folder)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def states(folder: Path) -> list[Path]:
    """Complete states in ``folder``, oldest first."""
    return sorted(p for p in folder.glob("step-*") if (p / "state.json").is_file())


def restore(path: Path, learner: Learner, normaliser: Normaliser) -> dict[str, Any]:
    """Put a saved state back and return what else was saved with it."""
    learner.base.set_weights(learner.adapter, load_file(str(path / "adapter.safetensors")))
    if learner.reference is not None:
        learner.base.set_weights(learner.reference, load_file(str(path / "reference.safetensors")))
    tensors = load_file(str(path / "optimizer.safetensors"))
    for index, parameter in enumerate(learner.parameters):
        names = {n: tensors[f"{index}.{n}"] for n in ("step", "exp_avg", "exp_avg_sq") if f"{index}.{n}" in tensors}
        if names:
            learner.optimizer.state[parameter] = {n: t.clone() for n, t in names.items()}
    about: dict[str, Any] = json.loads((path / "state.json").read_text(encoding="utf-8"))
    normaliser.restore(about["normaliser"])
    return about


def _moments(learner: Learner) -> dict[str, torch.Tensor]:
    out = {}
    for index, parameter in enumerate(learner.parameters):
        for name, value in learner.optimizer.state.get(parameter, {}).items():
            out[f"{index}.{name}"] = value.detach().cpu().clone()
    return out
