"""Players of Kuhn poker: the exact equilibrium family, and players with one flaw each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from policies.policy import Script, Turn
from policies.registry import script

KUHN = ("kuhn-poker",)
_PAPER = "Kuhn 1950, A simplified two-person poker, doi 10.1515/9781400881727-010"
_BOLD = {"check": "bet", "fold": "call"}


class KuhnPlayer(Script):
    """A player that is a table: the probability to bet or call, by card and moves so far (0 where nothing is said)."""

    table: Mapping[tuple[str, str], float] = MappingProxyType({})

    def boldness(self, turn: Turn) -> float:
        """The probability to bet or call."""
        fields = turn.observation.fields
        return self.table.get((fields["card"], " ".join(fields["line"])), 0.0)

    def decide(self, turn: Turn) -> str:
        """Bet or call with the table's probability."""
        bold = self.boldness(turn)
        return _moves(turn)[bold == 1 or (bold > 0 and turn.rng.random() < bold)]

    def distribution(self, turn: Turn) -> dict[str, float]:
        """The table's probabilities."""
        meek, bold = _moves(turn)
        p = self.boldness(turn)
        return {meek: 1 - p, bold: p}


def _moves(turn: Turn) -> tuple[str, str]:
    """The meek and the bold move."""
    meek = "check" if "check" in turn.moves.texts else "fold"
    return meek, _BOLD[meek]


@script("kuhn-nash", games=KUHN, paper=_PAPER, arguments=":ALPHA")
class KuhnNash(KuhnPlayer):
    """Kuhn's equilibrium in which the first player bets the jack with probability ALPHA (0 to 1/3, by default 1/3)."""

    def __init__(self, alpha: str = "0.3333333333333333") -> None:
        a = float(alpha)
        if not 0 <= a <= 1 / 3:
            raise ValueError("the equilibria have ALPHA from 0 to 1/3")
        self.table = {
            ("jack", ""): a,
            ("king", ""): min(1.0, 3 * a),
            ("queen", "check bet"): a + 1 / 3,
            ("king", "check bet"): 1.0,
            ("jack", "check"): 1 / 3,
            ("king", "check"): 1.0,
            ("queen", "bet"): 1 / 3,
            ("king", "bet"): 1.0,
        }


@script("tight", games=KUHN)
class Tight(KuhnPlayer):
    """Bets and calls with the king only: never bluffs, never catches a bluff."""

    table = MappingProxyType({("king", line): 1.0 for line in ("", "check", "bet", "check bet")})


@script("always-bet", games=KUHN)
class AlwaysBet(KuhnPlayer):
    """Bets and calls with every card."""

    def boldness(self, turn: Turn) -> float:
        """1."""
        return 1.0


@script("always-call", games=KUHN)
class AlwaysCall(KuhnPlayer):
    """Never bets and never folds."""

    table = MappingProxyType({(card, line): 1.0 for card in ("jack", "queen", "king") for line in ("bet", "check bet")})


@script("bluffer", games=KUHN)
class Bluffer(KuhnPlayer):
    """Bets the jack and the king, calls with the king only: its bets are bluffs half of the time."""

    table = MappingProxyType({**Tight.table, ("jack", ""): 1.0, ("jack", "check"): 1.0})


@script("sensible", games=KUHN)
class Sensible(KuhnPlayer):
    """Makes no dominated move: bets and calls the king, folds the jack, calls a bet with the queen half of the time."""

    table = MappingProxyType({**Tight.table, ("queen", "bet"): 0.5, ("queen", "check bet"): 0.5})
