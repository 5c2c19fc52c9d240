"""The repeated game of chicken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class Chicken(MatrixGame):
    """Repeated chicken: going straight wins unless both do."""

    family: ClassVar[Family] = Family(
        title="chicken",
        moves=("swerve", "straight"),
        symbols="RSTP",
        order="T>R>S>P",
        table=("RS", "TP"),
        kind="social-dilemma",
        measure="swerve",
        paper="Rapoport & Chammah 1966, doi 10.1177/000276426601000303",
    )

    payoffs: tuple[float, ...] = (3.0, 1.0, 5.0, 0.0)
    """R/S/T/P with T>R>S>P: both swerve, swerve alone, go straight alone, both go straight."""


GAME = Chicken
