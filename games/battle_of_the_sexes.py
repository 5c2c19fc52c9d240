"""The repeated battle of the sexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class BattleOfTheSexes(MatrixGame):
    """Repeated battle of the sexes: both want to meet, each at its own favourite."""

    family: ClassVar[Family] = Family(
        title="battle of the sexes",
        moves=("opera", "football"),
        symbols="FOA",
        order="F>O>A",
        table=("FA", "AO"),
        other=("OA", "AF"),
        roles=("opera fan", "football fan"),
        kind="cooperative",
        measure="agreement",
        paper="Luce & Raiffa 1957, Games and Decisions",
    )

    payoffs: tuple[float, ...] = (3.0, 2.0, 0.0)
    """F/O/A with F>O>A: together at one's own favourite, together at the other's, apart."""


GAME = BattleOfTheSexes
