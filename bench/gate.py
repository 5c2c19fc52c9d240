"""Snapshots promoted and refused: the same training judged by a suite it improves at, and by one it gets worse at.

python bench/gate.py [STEPS]

Ordinary self-play on the prisoner's dilemma learns to defect. That is no loss against always-defect, so snapshots are
promoted; against tit-for-tat it costs, so all but the first are refused and the run ends with the first one's adapter.
"""

from __future__ import annotations

import json
import sys
from tempfile import TemporaryDirectory

import selfplay
from selfplay.log import read_metrics
from selfplay.recipes import recipe

SMALL = {"game": "prisoners-dilemma:rounds=5", "matches": 24, "threads": 1, "samples_every": 0, "snapshot_every": 6}


def main(steps: int) -> None:
    """Train under both suites and print every verdict."""
    for suite in ("always-defect", "tit-for-tat"):
        with TemporaryDirectory() as folder:
            settings = {**recipe("ipd-selfish"), **SMALL, "steps": steps, "gate": (suite,), "gate_matches": 64}
            result = selfplay.train(selfplay.TrainConfig(**settings, out=f"{folder}/run"))
            print(f"judged against {suite}:")
            for line in read_metrics(result.folder):
                if "promoted" in line:
                    verdict = "promoted" if line["promoted"] else "refused"
                    change, low = line[f"gate/{suite}"], line[f"gate/{suite}/low"]
                    bounds = f"change {change:+.3f} of the payoff range, at least {low:+.3f}"
                    print(f"  step {line['step']}: {verdict}, {bounds}; cooperation {line['cooperation']:.0%}")
            refused = json.loads(max((result.folder / "state").glob("step-*/state.json")).read_text())["refused"]
            print(f"  refused {refused}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
