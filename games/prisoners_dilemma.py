"""The repeated prisoner's dilemma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.matrix import Family, MatrixGame


@dataclass(frozen=True)
class PrisonersDilemma(MatrixGame):
    """Repeated prisoner's dilemma: defecting pays more in a round, cooperating together pays more in a match."""

    family: ClassVar[Family] = Family(
        title="the prisoner's dilemma",
        moves=("cooperate", "defect"),
        symbols="RSTP",
        order="T>R>P>S",
        table=("RS", "TP"),
        kind="social-dilemma",
        measure="cooperation",
        paper="Axelrod & Hamilton 1981, doi 10.1126/science.7466396",
    )

    payoffs: tuple[float, ...] = (3.0, 0.0, 5.0, 1.0)
    """R/S/T/P with T>R>P>S: both cooperate, cooperate against a defector, defect against a cooperator, both defect."""


GAME = PrisonersDilemma
