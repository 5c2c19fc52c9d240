"""What each part of a preset is worth: the full one, and it without one part, on two games.

python bench/ablation.py [--games ipd kuhn] [--seeds 1] [--minutes 5] [--steps 0] [--jobs 1]

Full: agent-specific normalisation, turn-level credit, and three tenths of the opponents past selves. A cell trains from
``llm:tiny`` with one thread until its minutes (of its own processor) are over, or for ``--steps``; all cells of a game
have the same settings otherwise. Finished cells are not run again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

import arena
import games
import policies
from arena.exploitability import exploitability
from selfplay.log import read_metrics
from selfplay.recipes import recipe

FOLDER = Path("runs/ablation")
PAST = ("self", "0.3*past:uniform")
VARIANTS: Mapping[str, Mapping[str, str]] = {
    "full": {},
    "without agent-specific normalisation": {"norm": "batch"},
    "without turn-level credit": {"credit": "match"},
    "without past opponents": {"opponents": "self"},
}
RECIPES = {"ipd": "ipd-aligned", "kuhn": "kuhn-regularised"}
STEPS = {"ipd": 60, "kuhn": 150}  # at most; schedules end there
CELL = """
import time, selfplay
class Over(Exception): pass
def watch(metrics):
    if time.process_time() > {seconds}: raise Over
config = selfplay.TrainConfig(**{settings!r})
try: selfplay.train(config, watch)
except Over: pass
"""
"""A cell's process. What it leaves at the end of its time is its newest checkpoint."""


def settings_of(game: str, variant: str, seed: int, steps: int) -> dict[str, Any]:
    """The configuration of a cell."""
    changed = VARIANTS[variant]
    options = ",".join(f"{name}={value}" for name, value in changed.items() if name != "opponents")
    start = recipe(RECIPES[game])
    preset = f"{start['preset']}:{options}" if options else start["preset"]
    opponents = (changed["opponents"],) if "opponents" in changed else PAST
    fewer = {"matches": 256} if game == "kuhn" else {}
    name = variant.replace(" ", "-")
    out = str(FOLDER / f"{game}-{name}-{seed}-{steps or STEPS[game]}")
    own = {"preset": preset, "opponents": opponents, "steps": steps or STEPS[game], "seed": seed, "out": out}
    return {**start, **fewer, **own, "threads": 1, "snapshot_every": 5, "samples_every": 0}


def figures(game: str, folder: Path) -> dict[str, float]:
    """What came out, measured with the newest snapshot or the finished adapter."""
    spec = str(recipe(RECIPES[game])["game"])
    done = folder / "adapter"
    model = f"llm:tiny+{done if done.is_dir() else max((folder / 'snapshots').glob('step-*'))}"
    if game == "kuhn":
        return {"exploitability": exploitability(games.make(spec), policies.make(model))}
    own = arena.play(spec, [model, model], matches=32, seed=77)
    met = arena.play(spec, [model, "always-defect"], matches=16, seed=78)
    return {
        "cooperation": float(np.mean([c for e in own for c in e.measures["cooperation"]])),
        "against always-defect": float(np.mean([e.payoffs[0] / e.rounds for e in met])),
    }


def main() -> None:
    """Train what is missing, measure everything, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(RECIPES), choices=list(RECIPES))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time a cell")
    parser.add_argument("--steps", type=int, default=0, help="fewer steps, to try it")
    parser.add_argument("--jobs", type=int, default=1, help="cells side by side, one thread each")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cells = [(g, v, s) for g in asked.games for v in VARIANTS for s in range(asked.seeds)]
    with ThreadPoolExecutor(asked.jobs) as pool:
        list(pool.map(lambda cell: _train(settings_of(*cell, asked.steps), asked.minutes), cells))
    for game in asked.games:
        _print(game, asked.seeds, asked.steps)


def _train(settings: dict[str, Any], minutes: float) -> None:
    if not (Path(settings["out"]) / "done").exists():
        code = CELL.format(seconds=60 * minutes, settings=settings)
        subprocess.run([sys.executable, "-c", code], check=True)
        (Path(settings["out"]) / "done").touch()


def _print(game: str, seeds: int, steps: int) -> None:
    print(f"\n{game} ({recipe(RECIPES[game])['game']}, recipe {RECIPES[game]})")
    for variant in VARIANTS:
        folders = [Path(settings_of(game, variant, seed, steps)["out"]) for seed in range(seeds)]
        found = [figures(game, folder) for folder in folders]
        done = "/".join(str(read_metrics(folder)[-1]["step"]) for folder in folders)
        cells = [f"{name} " + ", ".join(f"{f[name]:.3f}" for f in found) for name in found[0]]
        print(f"  {variant:<38} {done} steps   {'   '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
