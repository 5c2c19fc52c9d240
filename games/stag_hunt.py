"""The repeated stag hunt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class StagHunt(MatrixGame):
    """Repeated stag hunt: the stag needs both hunters, the hare is safe."""

    family: ClassVar[Family] = Family(
        title="the stag hunt",
        moves=("stag", "hare"),
        symbols="RSTP",
        order="R>T>=P>S",
        table=("RS", "TP"),
        kind="social-dilemma",
        measure="stag",
        paper="Skyrms 2004, The Stag Hunt and the Evolution of Social Structure",
    )

    payoffs: tuple[float, ...] = (4.0, 0.0, 3.0, 2.0)
    """R/S/T/P with R>T>=P>S: both hunt the stag, stag alone, hare while the other hunts the stag, both hunt hares."""


GAME = StagHunt
