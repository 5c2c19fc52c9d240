"""Repeated rock-paper-scissors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class RockPaperScissors(MatrixGame):
    """Repeated rock-paper-scissors: nothing to win against a uniform player, much against a pattern."""

    family: ClassVar[Family] = Family(
        title="rock-paper-scissors",
        moves=("rock", "paper", "scissors"),
        symbols="WDL",
        order="W>D>L",
        table=("DLW", "WDL", "LWD"),
        digest="Rock beats scissors, paper beats rock, scissors beats paper. A win gives {W}, a draw {D}, a loss {L}.",
        paper="Lanctot et al. 2023, arXiv 2303.03196",
    )

    payoffs: tuple[float, ...] = (1.0, 0.0, -1.0)
    """W/D/L with W>D>L: a won round, a draw and a lost round."""


GAME = RockPaperScissors
