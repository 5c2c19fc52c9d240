"""Players of liar's dice: one that reckons with odds, one that believes everything, one that believes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from games.liars_dice import LIAR, read_bid
from policies.policy import Script, Turn
from policies.registry import script

LIARS_DICE = ("liars-dice",)


def odds(bid: str, fields: Mapping[str, Any]) -> float:
    """The probability that a bid holds, given the own dice, when the others' bids say nothing.

    A hidden die helps with probability 2 / sides (by its face or as the wild), 1 / sides where the bid is on the wild.
    """
    count, face = read_bid(bid)
    own = sum(die in (face, fields["sides"]) for die in fields["dice"])
    needed, hidden = count - own, fields["hidden"]
    p = (1 if face == fields["sides"] else 2) / fields["sides"]
    ways = (math.comb(hidden, k) * p**k * (1 - p) ** (hidden - k) for k in range(max(0, needed), hidden + 1))
    return math.fsum(ways)


class DicePlayer(Script):
    """A player that is a rule: the moves it chooses among, each alike."""

    def candidates(self, turn: Turn) -> list[str]:
        """The moves it chooses among."""
        raise NotImplementedError

    def decide(self, turn: Turn) -> str:
        """One of the candidates."""
        chosen = self.candidates(turn)
        return chosen[0] if len(chosen) == 1 else turn.rng.choice(chosen)

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Uniform over the candidates."""
        chosen = self.candidates(turn)
        return {move: (move in chosen) / len(chosen) for move in turn.moves.texts}


@script("dice-odds", games=LIARS_DICE)
class DiceOdds(DicePlayer):
    """Doubts what is less likely than not and less likely than any higher bid; else bids what is likeliest."""

    def candidates(self, turn: Turn) -> list[str]:
        """The higher bids most likely to hold, unless liar is more likely right."""
        fields = turn.observation.fields
        chances = {bid: odds(bid, fields) for bid in _bids(turn)}
        best = max(chances.values(), default=0.0)
        if fields["line"] and 1 - odds(fields["line"][-1], fields) >= best:
            return [LIAR]
        return [bid for bid, p in chances.items() if p == best]


@script("dice-believer", games=LIARS_DICE)
class DiceBeliever(DicePlayer):
    """Never calls a lie while a higher bid is left: makes the lowest one."""

    def candidates(self, turn: Turn) -> list[str]:
        """The lowest bid, or liar after the highest."""
        return [next(_bids(turn), LIAR)]


@script("dice-doubter", games=LIARS_DICE)
class DiceDoubter(DicePlayer):
    """Calls every bid a lie; first to bid, it names one of its own dice."""

    def candidates(self, turn: Turn) -> list[str]:
        """Liar, or a bid that holds for sure."""
        if LIAR in turn.moves.texts:
            return [LIAR]
        return [f"1 x {turn.observation.fields['dice'][0]}"]


def _bids(turn: Turn) -> Iterator[str]:
    """The legal bids, rising."""
    return (move for move in turn.moves.texts if move != LIAR)
