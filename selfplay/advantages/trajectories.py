"""Trajectories: what one seat did in one match, and formulas that give a whole one a single advantage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from selfplay.advantages.parts import Floats, Ints
from selfplay.table import TurnTable

GROUP = ("game", "deal", "seat", "entrant", "others")
"""Trajectories with these in common answer the same prompt: they differ by what was sampled alone."""


@dataclass(frozen=True)
class Trajectories:
    """K trajectories of a table of N turns."""

    of_turn: Ints
    """(N,) the trajectory of each turn."""
    first: Ints
    """(K,) its first turn."""
    total: Floats
    """(K,) its undiscounted return, in units."""
    group: Ints
    """(K,) the group it is compared in."""
    match: Ints
    """(K,) its match."""

    def sum(self, x: Floats) -> Floats:
        """(K,) sums of a column over the turns of each trajectory."""
        return np.bincount(self.of_turn, x, len(self.first)).astype(np.float64)


def trajectories(table: TurnTable, group: tuple[str, ...] = GROUP) -> Trajectories:
    """The trajectories of a table, grouped by what ``group`` names."""
    of_turn = table.keys("match", "seat")
    first = np.unique(of_turn, return_index=True)[1]
    total = np.bincount(of_turn, table.reward, len(first)).astype(np.float64)
    return Trajectories(of_turn, first, total, table.keys(*group)[first], table.match[first])


def per_trajectory(table: TurnTable, formula: Callable[[Trajectories], Floats]) -> Floats:
    """(N,) every turn gets what ``formula`` gives its trajectory (K,)."""
    found = trajectories(table)
    return formula(found)[found.of_turn]
