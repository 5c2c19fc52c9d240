"""Players of buy and sell: which price each names, and which it accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.stream import Stream
from policies.policy import Script, Turn
from policies.registry import script

BUY_SELL = ("buy-sell",)
_WORDS = ("That is my price.", "I can't do better.", "Let us make a deal.", "Your price is too far from mine.")


class _Trader(Script):
    """A player that wants a gain: it accepts what brings that, else names the price that would."""

    def decide(self, turn: Turn) -> str:
        """A message, a price or an answer."""
        fields = turn.observation.fields
        if turn.moves.free is not None:
            return self.say(fields, turn.rng)
        side = 1 if fields["role"] == "seller" else -1
        wanted, offer = self.gain(fields), fields["price"]
        if offer is not None and side * (offer - fields["worth"]) >= self.least(fields):
            return "accept"
        price = min(max(fields["worth"] + side * wanted, 0), fields["top"])
        return str(price) if str(price) in turn.moves.texts else "reject"

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """Something to say."""
        return rng.choice(_WORDS)

    def gain(self, fields: Mapping[str, Any]) -> int:
        """The gain that the own price would bring."""
        raise NotImplementedError

    def least(self, fields: Mapping[str, Any]) -> int:
        """The least gain to accept: the one asked for, at the last turn any."""
        return 1 if fields["turn"] + 1 >= fields["turns"] else self.gain(fields)


@script("conceding-trader", games=BUY_SELL)
class ConcedingTrader(_Trader):
    """Wants a gain of 30 first, less every time, at last 1: two of them agree wherever there is a gain to share."""

    def gain(self, fields: Mapping[str, Any]) -> int:
        """Down to 1 at the last price that can be named."""
        last = int(fields["turns"]) - 2
        return 1 + round(29 * max(0, last - int(fields["turn"])) / max(1, last))


@script("firm-trader", games=BUY_SELL)
class FirmTrader(_Trader):
    """Wants a gain of 25 and waits for it to the end: two of them hardly ever agree."""

    def gain(self, fields: Mapping[str, Any]) -> int:
        """25."""
        return 25

    def least(self, fields: Mapping[str, Any]) -> int:
        """25, also at the last turn."""
        return 25


@script("eager-trader", games=BUY_SELL)
class EagerTrader(_Trader):
    """Wants a gain of 5 and accepts whatever loses nothing: easy to take advantage of."""

    def gain(self, fields: Mapping[str, Any]) -> int:
        """5."""
        return 5

    def least(self, fields: Mapping[str, Any]) -> int:
        """0."""
        return 0
