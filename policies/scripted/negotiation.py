"""Players of Negotiation: what each keeps, what it accepts, and what its words say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games._items import Bundle, bundle_text, rest, worth
from games.negotiation import ACCEPT, KINDS
from games.stream import Stream
from policies.policy import Script, Turn
from policies.registry import script
from policies.scripted._splits import fair_split, modest_demand, product_of_worths, wanted, welfare_split

NEGOTIATION = ("negotiation",)
_FAIR = 0.7  # of the greatest product of worths: what still counts as fair


def encode(values: Sequence[int], top: int, letters: str) -> str:
    """A letter for each value, the first for 0 and the last for ``top``."""
    return "".join(letters[round(value * (len(letters) - 1) / top)] for value in values)


def decode(word: str, top: int, letters: str) -> list[int]:
    """The values that :func:`encode` may have had."""
    return [round(letters.index(letter) * top / (len(letters) - 1)) for letter in word]


class _Negotiator(Script):
    """A player that proposes, accepts and utters."""

    def decide(self, turn: Turn) -> str:
        """A proposal, ``accept`` or a word, whichever is asked for."""
        fields = turn.observation.fields
        if fields["phase"] == "word":
            return self.utter(fields, turn.rng)
        offer = _offer(fields)
        if offer is not None and self.accepts(fields, offer):
            return ACCEPT
        return bundle_text(self.keep(fields), KINDS)

    def keep(self, fields: Mapping[str, Any]) -> Bundle:
        """What to propose to keep."""
        raise NotImplementedError

    def accepts(self, fields: Mapping[str, Any], offer: Bundle) -> bool:
        """Whether to accept what the other leaves."""
        return worth(offer, fields["values"]) >= self.least(fields)

    def least(self, fields: Mapping[str, Any]) -> float:
        """The least worth to accept."""
        raise NotImplementedError

    def utter(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """A word: letters at random."""
        return "".join(rng.choice(fields["symbols"]) for _ in range(fields["length"]))


def _offer(fields: Mapping[str, Any]) -> Bundle | None:
    """What the other's last proposal leaves to oneself."""
    theirs = [bundle for own, bundle in fields["proposals"] if not own]
    return rest(fields["pool"], theirs[-1]) if theirs else None


def _all(fields: Mapping[str, Any]) -> float:
    return worth(fields["pool"], fields["values"])


@script("open-negotiator", games=NEGOTIATION)
class OpenNegotiator(_Negotiator):
    """Spells its values in letters, reads the other's so, and wants the greatest sum among splits that are fair."""

    def keep(self, fields: Mapping[str, Any]) -> Bundle:
        """The greatest sum of worths where their product is near the greatest, guessing what was not said."""
        return welfare_split(fields["pool"], fields["values"], self.guess(fields), _FAIR)

    def guess(self, fields: Mapping[str, Any]) -> Sequence[int]:
        """The other's values by its last word."""
        words = [word for own, word in fields["words"] if not own]
        if not words or len(words[-1]) != len(KINDS):
            return [max(1, fields["top"] // 2)] * len(KINDS)
        return decode(words[-1], fields["top"], fields["symbols"])

    def accepts(self, fields: Mapping[str, Any], offer: Bundle) -> bool:
        """Whether the product of both worths is near the greatest."""
        pool, mine, theirs = fields["pool"], fields["values"], self.guess(fields)
        best = fair_split(pool, mine, theirs)
        return product_of_worths(pool, offer, mine, theirs) >= _FAIR * product_of_worths(pool, best, mine, theirs)

    def utter(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The own values, where a word has a letter for each kind."""
        if fields["length"] != len(KINDS):
            return super().utter(fields, rng)
        return encode(fields["values"], fields["top"], fields["symbols"])


@script("stubborn-negotiator", games=NEGOTIATION)
class StubbornNegotiator(_Negotiator):
    """Keeps everything that is worth something to it and accepts no less: two of them get nothing."""

    def keep(self, fields: Mapping[str, Any]) -> Bundle:
        """Everything of worth."""
        return wanted(fields["pool"], fields["values"])

    def least(self, fields: Mapping[str, Any]) -> float:
        """All that there is to gain."""
        return max(1.0, _all(fields))


@script("conceding-negotiator", games=NEGOTIATION)
class ConcedingNegotiator(_Negotiator):
    """Wants nine tenths of all at first and a fifth less each turn, down to three tenths; its words say nothing."""

    def keep(self, fields: Mapping[str, Any]) -> Bundle:
        """The fewest items that are worth as much."""
        return modest_demand(fields["pool"], fields["values"], self.least(fields))

    def least(self, fields: Mapping[str, Any]) -> float:
        """The part of everything that it wants now."""
        made = sum(1 for own, _ in fields["proposals"] if own)
        return max(0.3, 0.9 - 0.2 * made) * _all(fields)
