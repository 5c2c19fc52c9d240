"""``llm:smollm2`` on the prisoner's dilemma: cooperation with itself before and after 20 steps of both presets.

python bench/smollm2.py [STEPS] [PRESET ...]      (arena pull smollm2; finished runs are not run again)

Few and short matches keep a step within seconds on two idle cores; the greatest resident memory is printed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import torch

import arena
import policies
import selfplay
from games.errors import UsageError
from selfplay.log import read_metrics
from selfplay.metrics import memory

GAME = "prisoners-dilemma:rounds=3"
FOLDER = Path("runs/smollm2")
BASE = "llm:smollm2"
PRESETS = {"reinforce": {}, "advantage-alignment": {"beta": 2.0}}
SETTINGS = {"gamma": 0.9, "matches": 6, "learning_rate": 5e-4, "lora_rank": 8, "entropy": 0.02, "snapshot_every": 10,
            "chunk_tokens": 2048, "checkpoint_every": 2}  # fmt: skip
MATCHES = 12


def cooperation(model: str) -> float:
    """Share of cooperative moves of the model with itself."""
    episodes = arena.play(GAME, [model, model], matches=MATCHES, seed=77)
    return float(np.mean([c for e in episodes for c in e.measures["cooperation"]]))


def main(steps: int, presets: tuple[str, ...]) -> None:
    """Train what is missing and print before and after."""
    try:
        policies.make(BASE)
    except UsageError as error:  # not fetched: the other benches go on
        print(error)
        return
    threads = torch.get_num_threads()
    print(f"{BASE}, {GAME}, {threads} threads; before: cooperation {cooperation(BASE):.0%}", flush=True)
    for preset in presets:
        settings = {**SETTINGS, **PRESETS[preset], "game": GAME, "base": BASE, "preset": preset, "steps": steps}
        config = selfplay.TrainConfig(**settings, threads=threads, out=str(FOLDER / f"{preset}-{steps}"))
        result = selfplay.train(config, lambda m: print(f"  step {m['step']}: {m['seconds']:.0f} s", flush=True))
        steps_s = [m["seconds"] for m in read_metrics(result.folder)]
        after = cooperation(f"{BASE}+{result.adapter}")
        played = [m["cooperation"] for m in read_metrics(result.folder)]
        print(f"{preset}: {steps} steps of {np.median(steps_s):.0f} s, {sum(steps_s) / 60:.1f} min; cooperation after "
              f"{after:.0%}, in the first and last step {played[0]:.0%}, {played[-1]:.0%}")  # fmt: skip
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    print(f"greatest resident memory {memory() / 1e3:.1f} GB of {total:.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, tuple(sys.argv[2:]) or tuple(PRESETS))
