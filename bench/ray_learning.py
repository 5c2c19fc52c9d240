"""Learning with Ray's rollout actors: the prisoner's dilemma contrast in as many steps as in one process.

Trains `ipd-selfish` and `ipd-aligned` with two actors, at the recipe's number of steps, synchronously and with adapters
one step stale, and prints cooperation along the way beside that of one process (which bench/learning.py trains).

    python bench/ray_learning.py                                  # both recipes, seed 0, staleness 0 and 1
    python bench/ray_learning.py ipd-aligned --staleness 1
    python bench/ray_learning.py --in-process                     # train those of one process too, where missing
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from selfplay.log import read_metrics
from selfplay.recipes import recipe

FOLDER = Path("runs/learning")
MARKS = (1, 10, 20, 30, 40, 50, 60)
TASKS = ("ipd-selfish", "ipd-aligned")


def trained(task: str, seed: int, name: str, **settings: Any) -> Path:
    """The folder of a run, trained in a process of its own where it isn't there."""
    folder = FOLDER / f"{task}-{seed}{name}"
    settings = {**recipe(task), "seed": seed, "threads": 1, "samples_every": 0, **settings, "out": str(folder)}
    code = f"import selfplay; selfplay.train(selfplay.TrainConfig(**{settings!r}))"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
    return folder


def line(folder: Path) -> str:
    """Cooperation at some steps, and what a step took."""
    metrics = read_metrics(folder)
    shown = [f"{metrics[mark - 1]['cooperation']:6.1%}" for mark in MARKS if mark <= len(metrics)]
    last = np.mean([m["cooperation"] for m in metrics[-5:]])
    seconds = np.median([m["seconds"] for m in metrics])
    return f"{' '.join(shown)}   last five {last:6.1%}   {seconds:.1f} s a step"


def main() -> None:
    """Train what is missing and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--staleness", type=int, nargs="+", default=[0, 1])
    parser.add_argument(
        "--in-process", action="store_true", help="train the runs of one process where they are missing"
    )
    arguments = parser.parse_args()
    print(f"cooperation after step {', '.join(map(str, MARKS))}; seconds are wall clock of this machine")
    for task in arguments.tasks:
        if arguments.in_process:
            trained(task, arguments.seed, "")
        for folder in sorted(FOLDER.glob(f"{task}-[0-9]")):
            print(f"{folder.name:<24} {line(folder)}", flush=True)
        for stale in arguments.staleness:
            folder = trained(task, arguments.seed, f"-ray{stale}", workers="ray", actors=2, staleness=stale)
            print(f"{folder.name:<24} {line(folder)}", flush=True)


if __name__ == "__main__":
    main()
