"""Repeated matching pennies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class MatchingPennies(MatrixGame):
    """Repeated matching pennies: the matcher wins on equal sides, the mismatcher on different ones."""

    family: ClassVar[Family] = Family(
        title="matching pennies",
        moves=("heads", "tails"),
        symbols="WL",
        order="W>L",
        table=("WL", "LW"),
        other=("LW", "WL"),
        roles=("matcher", "mismatcher"),
        paper="von Neumann 1928, doi 10.1007/BF01448847",
    )

    payoffs: tuple[float, ...] = (1.0, -1.0)
    """W/L with W>L: a won round and a lost one."""


GAME = MatchingPennies
