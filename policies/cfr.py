"""``cfr:N``: plays the average strategy of N iterations of CFR+ (Tammelin 2014, arXiv 1407.5042).

Solved once per process, when it is first asked: Leduc poker takes about a second for 1,000 iterations. In two-seat
zero-sum games the average approaches an equilibrium; elsewhere it is a strategy without regret, and no more is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import Game
from games.errors import BadOption, UsageError
from policies._regrets import cfr
from policies._sequences import sequence_form
from policies.policy import Script, Turn
from policies.strategies import check_keys, key_of

MOST = 1_000_000


class CFR(Script):
    """The average strategy of CFR+ in games of two seats whose chance can be listed."""

    def __init__(self, iterations: int) -> None:
        self.iterations = iterations

    def check(self, game: Game[Any]) -> str:
        """Why this game can't be solved, or an empty string."""
        try:
            sequence_form(game)
            check_keys(game)
        except UsageError as error:
            return str(error)
        return ""

    def decide(self, turn: Turn) -> str:
        """A move drawn from the average strategy."""
        odds = self._odds(turn)
        return turn.rng.weighted(list(odds), list(odds.values()))

    def distribution(self, turn: Turn) -> dict[str, float]:
        """The average strategy's probabilities."""
        return dict(self._odds(turn))

    def _odds(self, turn: Turn) -> Mapping[str, float]:
        return cfr(turn.game, self.iterations)[turn.seat][key_of(turn)]


def make(rest: str) -> CFR:
    """The policy of ``cfr:N``; N is 1,000 where it is left out.

    Raises:
        BadOption: N is no whole number from 1 to a million.
    """
    text = rest or "1000"
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise BadOption(f'"cfr:{rest}": write cfr:N with N from 1 to {MOST} iterations, as in cfr:1000')
    return CFR(int(text))
