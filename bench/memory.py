"""Memory over 200 training steps: growth after warm-up, against how much it moves anyway.

python bench/memory.py [STEPS] [OPPONENT ...]

The resident memory of this process after each step of the recipe ``ipd-selfish``, made small; past selves among the
opponents (``python bench/memory.py 200 self past:uniform``) are loaded beside the learner, twenty at most.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import selfplay
from selfplay.recipes import recipe

WARM = 50  # steps that are not looked at
SMALL = {"game": "prisoners-dilemma:rounds=4", "matches": 8, "threads": 1, "samples_every": 0, "snapshot_every": 5}


def resident() -> float:
    """Megabytes that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(held: np.ndarray) -> tuple[float, float]:
    """(megabytes per 100 steps by a line through all, and its 95 % half-width from means of ten steps)."""
    tens = held[: len(held) // 10 * 10].reshape(-1, 10).mean(axis=1)
    x = np.arange(len(tens)) * 10.0
    slope, level = np.polyfit(x, tens, 1)
    rest = tens - (slope * x + level)
    error = np.sqrt((rest**2).sum() / max(1, len(x) - 2) / ((x - x.mean()) ** 2).sum())
    return float(100 * slope), float(196 * error)


def main(steps: int, opponents: tuple[str, ...]) -> None:
    """Train and look at the memory after every step."""
    held: list[float] = []

    def watch(_: dict[str, float]) -> None:
        gc.collect()
        held.append(resident())

    with TemporaryDirectory() as folder:
        settings = {**recipe("ipd-selfish"), **SMALL, "steps": steps, "opponents": opponents, "out": f"{folder}/run"}
        selfplay.train(selfplay.TrainConfig(**settings), watch)
    for step in range(25, steps + 1, 25):
        print(f"  step {step}: {held[step - 1]:.0f} MB")
    per_hundred, give = growth(np.array(held[WARM:]))
    last, first = np.mean(held[-25:]), np.mean(held[WARM : WARM + 25])
    print(f"memory, {' '.join(opponents)}: {per_hundred:+.2f} ± {give:.2f} MB in 100 steps")
    print(f"  {last - first:+.1f} MB from steps {WARM} to {WARM + 25} to the last 25, of {last:.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, tuple(sys.argv[2:]) or ("self",))
