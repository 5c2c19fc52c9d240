"""Bidders: how much of its value each is ready to pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policies.policy import Script, Turn
from policies.registry import script

AUCTION = ("auction",)
_VICKREY = "Vickrey 1961, doi 10.1111/j.1540-6261.1961.tb02789.x"


class _Bidder(Script):
    """A player with a limit: its bid where bids are sealed; open ones it raises by the least step up to there."""

    def decide(self, turn: Turn) -> str:
        """A bid, or none."""
        fields = turn.observation.fields
        limit = min(int(self.limit(fields)), fields["top"])
        if limit < fields["least"]:
            return "pass"
        return str(fields["least"] if fields["format"] == "ascending" else limit)

    def limit(self, fields: Mapping[str, Any]) -> float:
        """The most to pay."""
        raise NotImplementedError


@script("truthful-bidder", games=AUCTION, paper=_VICKREY)
class TruthfulBidder(_Bidder):
    """Is ready to pay its value: the best there is, but earns nothing at first price."""

    def limit(self, fields: Mapping[str, Any]) -> float:
        """The value."""
        return float(fields["value"])


@script("equilibrium-bidder", games=AUCTION, paper=_VICKREY)
class EquilibriumBidder(_Bidder):
    """Bids its value times (n - 1) / n at first price, else its value: the equilibrium of n bidders alike."""

    def limit(self, fields: Mapping[str, Any]) -> float:
        """The equilibrium bid of uniform values."""
        n = fields["seats"]
        shade = (n - 1) / n if fields["format"] == "first-price" else 1.0
        return shade * float(fields["value"])


@script("overbidder", games=AUCTION)
class Overbidder(_Bidder):
    """Is ready to pay a third more than its value: wins often and loses by it."""

    def limit(self, fields: Mapping[str, Any]) -> float:
        """Four thirds of the value."""
        return float(fields["value"]) * 4 / 3


@script("low-bidder", games=AUCTION)
class LowBidder(_Bidder):
    """Is ready to pay half of its value: cheap lots for all who do so, few against others."""

    def limit(self, fields: Mapping[str, Any]) -> float:
        """Half of the value."""
        return float(fields["value"]) / 2
