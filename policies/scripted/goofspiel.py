"""Players of goofspiel: bids by the prize, and bids that look at nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policies.policy import Script, Turn
from policies.registry import script

GOOFSPIEL = ("goofspiel",)


class Bidder(Script):
    """A player that bids the card of its hand nearest to what it wishes, the higher of two."""

    def wish(self, fields: Mapping[str, Any]) -> float:
        """The card that it would like to bid."""
        raise NotImplementedError

    def decide(self, turn: Turn) -> str:
        """The nearest card."""
        wished = self.wish(turn.observation.fields)
        hand = turn.observation.fields["hand"]
        return str(min(hand, key=lambda card: (abs(card - wished), -card)))


@script("goof-match", games=GOOFSPIEL, paper="Ross 1971, doi 10.2307/3212187")
class GoofMatch(Bidder):
    """Bids the card of the prize's number: the best answer to a player that bids at random."""

    def wish(self, fields: Mapping[str, Any]) -> float:
        """The prize."""
        return float(fields["prize"])


@script("goof-over", games=GOOFSPIEL)
class GoofOver(Bidder):
    """Bids one more than the prize, and its 1 for the greatest: beats who matches the prize."""

    def wish(self, fields: Mapping[str, Any]) -> float:
        """One more than the prize, or 1 for a prize that no card is greater than."""
        most = len(fields["hand"]) + len(fields["bids"])
        return float(fields["prize"] % most + 1)


@script("goof-high", games=GOOFSPIEL)
class GoofHigh(Bidder):
    """Bids its highest card whatever the prize is: wins early, has nothing left for what comes later."""

    def wish(self, fields: Mapping[str, Any]) -> float:
        """The highest card."""
        return float(fields["hand"][-1])
