"""``make demo``: train two adapters on the prisoner's dilemma, pit them against everybody, read the leaderboard.

Each step is a command of the arena, printed before it runs; what is done already is not done again.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence

from arena.cli import main

GAME = "prisoners-dilemma:rounds=10"
FOLDER = "runs/demo"
SCRIPTS = ("tit-for-tat", "grim", "win-stay-lose-shift", "always-cooperate", "always-defect", "random")

SELFISH = ("train", "--recipe", "ipd-selfish", "--game", GAME, "--out", f"{FOLDER}/selfish")
ALIGNED = ("train", "--recipe", "ipd-aligned", "--game", GAME, "--out", f"{FOLDER}/aligned")
TOURNAMENT = (
    *("tournament", GAME, *SCRIPTS, "tiny=llm:tiny"),
    f"selfish=llm:tiny+{FOLDER}/selfish/adapter",
    f"aligned=llm:tiny+{FOLDER}/aligned/adapter",
    *("--deals", "10", "--store", f"{FOLDER}/arena.sqlite"),
)


def run(commands: Sequence[Sequence[str]] = (SELFISH, ALIGNED, TOURNAMENT)) -> int:
    """Run the commands one after the other until one fails; returns the last exit code."""
    start = time.monotonic()
    for words in commands:
        print(f"\n$ arena {shlex.join(words)}", flush=True)
        if code := main(words):
            return code
    print(f"\nDone in {(time.monotonic() - start) / 60:.1f} minutes. A match turn by turn:")
    print(f"  arena replay {FOLDER}/arena.sqlite 1")
    return 0


if __name__ == "__main__":
    sys.exit(run())
