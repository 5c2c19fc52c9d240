"""How past snapshots are picked as opponents: evenly, by how hard they are, or by their Nash equilibrium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

KEEP = 0.9  # how much of a snapshot's mean score each new match leaves
EXPLORE = 0.1  # share of matches against snapshots picked evenly, so that every score stays fresh
Floats = NDArray[np.float64]


@dataclass
class Scores:
    """The learner's mean score against each snapshot, and what earlier snapshots scored as learners: a payoff table.

    A score is a share of the game's payoff range, 0 to 1. Part of the checkpoint.
    """

    now: dict[str, float] = field(default_factory=dict)
    table: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, name: str, score: float) -> None:
        """One match of the learner against the snapshot ``name``."""
        self.now[name] = score if name not in self.now else KEEP * self.now[name] + (1 - KEEP) * score

    def freeze(self, name: str, owner: Scores | None = None) -> None:
        """A learner (this, or the ``owner``) becomes the snapshot ``name``, its latest scores that one's results."""
        self.table[name] = dict((owner or self).now)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"now": self.now, "table": self.table}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what a checkpoint holds."""
        self.now = dict(state.get("now", {}))
        self.table = {name: dict(row) for name, row in state.get("table", {}).items()}


def uniform(names: Sequence[str], _scores: Scores) -> Floats:
    """(N,) Every snapshot alike."""
    return np.full(len(names), 1 / len(names))


def prioritised(names: Sequence[str], scores: Scores) -> Floats:
    """(N,) in proportion to (1 − score)²: hard ones more often (AlphaStar's prioritised fictitious self-play, 2019)."""
    weights = np.array([(1 - scores.now.get(name, 0.0)) ** 2 for name in names])
    return uniform(names, scores) if weights.sum() <= 0 else _explored(weights / weights.sum())


def nash(names: Sequence[str], scores: Scores) -> Floats:
    """(N,) an equilibrium of the snapshots' payoff table (policy-space response oracles, arXiv 1711.00832).

    The table holds what each snapshot scored, while it was the learner, against those before it; it is made
    antisymmetric around one half, and pairs that never met count as even.
    """
    gain = np.zeros((len(names), len(names)))
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            if column in scores.table.get(row, {}):
                gain[i, j] = scores.table[row][column] - 0.5
                gain[j, i] = -gain[i, j]
    return _explored(maximin(gain))


def maximin(gain_NN: Floats) -> Floats:
    """(N,) the mixture whose worst case over columns is best, by linear programming."""
    n = len(gain_NN)
    solved = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.hstack([-gain_NN.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * n + [(None, None)],
    )
    mass = np.clip(solved.x[:n], 0, None)
    return np.asarray(mass / mass.sum())


def _explored(mass: Floats) -> Floats:
    return np.asarray((1 - EXPLORE) * mass + EXPLORE / len(mass))


WAYS = {"past:uniform": uniform, "past:prioritised": prioritised, "past:nash": nash}
"""Ways to pick past snapshots, by the name they have among the opponents."""
