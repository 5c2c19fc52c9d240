"""Players of Split: what each claims of a kind, by what it is worth to both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.split import Seen
from policies.policy import Script, Turn
from policies.registry import script

SPLIT = ("split",)
_PAPER = "arXiv 2511.19405"


def welfare_claim(fields: Mapping[str, Any]) -> int:
    """All of a kind that is worth more to oneself, nothing of one worth less, half of a tie."""
    mine, theirs = fields["values"][fields["place"]], fields["their_values"][fields["place"]]
    copies = int(fields["copies"])
    return copies if mine > theirs else 0 if mine < theirs else copies // 2


def overclaimed(history: Sequence[Seen], copies: int) -> bool:
    """Whether the other claimed more than half of a kind worth less to it, in the last round."""
    if not history:
        return False
    last = history[-1]
    kinds = zip(last.their_values, last.values, last.their_claims, strict=True)
    return any(theirs < mine and 2 * claim > copies for theirs, mine, claim in kinds)


class _Claimer(Script):
    """A player that decides kind by kind."""

    def decide(self, turn: Turn) -> str:
        """The number to claim."""
        return str(self.claim(turn.observation.fields))

    def claim(self, fields: Mapping[str, Any]) -> int:
        """How many items of the kind asked for to claim."""
        raise NotImplementedError


@script("greedy-split", games=SPLIT, paper=_PAPER)
class GreedySplit(_Claimer):
    """Claims every item."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Everything."""
        return int(fields["copies"])


@script("welfare-max", games=SPLIT, paper=_PAPER)
class WelfareMax(_Claimer):
    """Claims all of what is worth more to itself, nothing of what is worth less, half of ties."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """All, nothing or half."""
        return welfare_claim(fields)


@script("equal-split", games=SPLIT)
class EqualSplit(_Claimer):
    """Claims half of every kind."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Half."""
        return int(fields["copies"]) // 2


@script("reciprocal-split", games=SPLIT)
class ReciprocalSplit(_Claimer):
    """Claims as welfare-max does, but everything in the round after the other claimed too much."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Everything after an offence, else what is best for both."""
        copies = int(fields["copies"])
        return copies if overclaimed(fields["history"], copies) else welfare_claim(fields)
