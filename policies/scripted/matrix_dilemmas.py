"""Players of the repeated dilemmas, where move 0 is the cooperative one (cooperate, stag, swerve)."""

from __future__ import annotations

import numpy as np

from games.matrix import Floats, Ints
from policies.registry import script
from policies.scripted.matrix import DILEMMAS, Carry, DilemmaBot, MixedBot, View

_AXELROD = "Axelrod 1984, The Evolution of Cooperation"


@script("tit-for-tat", games=DILEMMAS, paper=_AXELROD)
class TitForTat(DilemmaBot):
    """Cooperates first, then does what the other did last."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The other's last move."""
        return view.other[:, -1] if view.round else view.full(0), None


@script("suspicious-tit-for-tat", games=DILEMMAS, paper="Boyd & Lorberbaum 1987, doi 10.1038/327058a0")
class SuspiciousTitForTat(DilemmaBot):
    """Tit-for-tat that defects first."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The other's last move."""
        return view.other[:, -1] if view.round else view.full(1), None


@script("tit-for-two-tats", games=DILEMMAS, paper=_AXELROD)
class TitForTwoTats(DilemmaBot):
    """Defects only after two defections in a row."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """1 where the other's last two moves were 1."""
        return view.other[:, -2:].min(axis=1) if view.round >= 2 else view.full(0), None


@script("generous-tit-for-tat", games=DILEMMAS, paper="Nowak & Sigmund 1992, doi 10.1038/355250a0", arguments=":MERCY")
class GenerousTitForTat(MixedBot, DilemmaBot):
    """Tit-for-tat that forgives a defection with probability MERCY (1/3)."""

    def __init__(self, mercy: str = "0.3333333333333333") -> None:
        super().__init__()
        self.mercy = float(mercy)
        if not 0 <= self.mercy <= 1:
            raise ValueError("the probability to forgive lies between 0 and 1")

    def mixture(self, view: View, carry: Carry) -> Floats:
        """Certain cooperation, or after a defection with probability ``mercy``."""
        wronged = view.other[:, -1] == 1 if view.round else np.zeros(view.size, np.bool_)
        cooperate = np.where(wronged, self.mercy, 1.0)
        return np.stack([cooperate, 1 - cooperate], axis=1)


@script("grim", games=DILEMMAS, paper="Friedman 1971, doi 10.2307/2296617")
class Grim(DilemmaBot):
    """Cooperates until the other defects once, then defects for good."""

    keeps = True

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """1 where the other ever played 1."""
        if carry is None:
            return view.full(0), {"wronged": np.zeros(view.size, np.bool_)}
        wronged = carry["wronged"] | (view.other[:, -1] == 1)
        return wronged.astype(np.int8), {"wronged": wronged}


@script("win-stay-lose-shift", games=DILEMMAS, paper="Nowak & Sigmund 1993, doi 10.1038/364056a0")
class WinStayLoseShift(DilemmaBot):
    """Cooperates first, and afterwards exactly when both did the same (Pavlov)."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """1 where the last moves differed."""
        return (view.own[:, -1] ^ view.other[:, -1]) if view.round else view.full(0), None


@script("always-cooperate", games=DILEMMAS)
class AlwaysCooperate(DilemmaBot):
    """Cooperates whatever happens."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """0."""
        return view.full(0), None


@script("always-defect", games=DILEMMAS)
class AlwaysDefect(DilemmaBot):
    """Defects whatever happens."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """1."""
        return view.full(1), None


@script("alternator", games=DILEMMAS)
class Alternator(DilemmaBot):
    """Cooperates in odd rounds and defects in even ones, from the first round on."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The parity of the rounds played."""
        return view.full(view.round % 2), None
