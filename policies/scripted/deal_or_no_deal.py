"""Players of Deal or No Deal: what each says, which proposals it agrees to, and what it selects."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games._items import Bundle, bundle_text, find_bundle, rest, worth
from games.deal_or_no_deal import DEAL, KINDS, NO_DEAL
from games.stream import Stream
from policies.policy import Script, Turn
from policies.registry import script
from policies.scripted._splits import fair_split, modest_demand, wanted

DEALS = ("deal-or-no-deal",)
_OFFERS = ("I take {}.", "I would like {}.", "Give me {} and you get the rest.")
_VALUE = re.compile(r"\b(book|hat|ball)s?\s+(?:is |are )?(?:worth )?(\d+)", re.IGNORECASE)
_YOU = re.compile(r"^\W*you\b", re.IGNORECASE)

Talk = Sequence[tuple[bool, str]]
"""Messages in order, each with whether it is one's own."""


def proposed(messages: Talk, pool: Bundle) -> Bundle | None:
    """What the last proposal leaves to oneself, whoever made it; None where none was made that can be."""
    for own, text in reversed(messages):
        bundle = find_bundle(text, KINDS)
        if bundle is not None and all(k <= n for k, n in zip(bundle, pool, strict=True)):
            speaker_takes = not _YOU.match(text)
            return bundle if own == speaker_takes else rest(pool, bundle)
    return None


def values_told(messages: Talk, own: bool) -> tuple[int, ...] | None:
    """The values that were told by oneself (``own``) or by the other, or None."""
    for mine, text in messages:
        told = {kind.lower(): int(value[:4]) for kind, value in _VALUE.findall(text)}
        if mine == own and len(told) == len(KINDS):
            return tuple(told[kind] for kind in KINDS)
    return None


def tell_values(values: Sequence[int]) -> str:
    """A sentence that tells what each kind is worth."""
    book, hat, ball = values
    return f"To me a book is worth {book}, a hat {hat}, a ball {ball}."


class _Dealer(Script):
    """A player that talks, and selects what the last proposal gives it."""

    def decide(self, turn: Turn) -> str:
        """A message or a selection, whichever is asked for."""
        fields = turn.observation.fields
        return self.say(fields, turn.rng) if turn.moves.free is not None else self.select(fields)

    def select(self, fields: Mapping[str, Any]) -> str:
        """What was proposed last."""
        bundle = proposed(fields["messages"], fields["pool"])
        return NO_DEAL if bundle is None else bundle_text(bundle, KINDS)

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The next message."""
        raise NotImplementedError

    def demand(self, bundle: Bundle, rng: Stream) -> str:
        """A sentence that proposes to take ``bundle``."""
        return rng.choice(_OFFERS).format(bundle_text(bundle, KINDS))


def _offer(fields: Mapping[str, Any]) -> Bundle | None:
    """What the other's last proposal leaves to oneself, where it made one in its last message."""
    last = fields["messages"][-1:]
    return proposed(last, fields["pool"])


@script("open-dealer", games=DEALS)
class OpenDealer(_Dealer):
    """Tells its values, proposes the Nash split of the values told, agrees to what gives it as much."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """Agree, tell the values, or propose."""
        offer, goal = _offer(fields), self.goal(fields)
        if offer is not None and worth(offer, fields["values"]) >= worth(goal, fields["values"]):
            return DEAL
        if values_told(fields["messages"], own=True) is None:
            return tell_values(fields["values"])
        return self.demand(goal, rng)

    def goal(self, fields: Mapping[str, Any]) -> Bundle:
        """The Nash split; where the other told nothing, the fewest items worth six points."""
        theirs = values_told(fields["messages"], own=False)
        if theirs is None:
            return modest_demand(fields["pool"], fields["values"], 6)
        return fair_split(fields["pool"], fields["values"], theirs)


@script("greedy-dealer", games=DEALS)
class GreedyDealer(_Dealer):
    """Asks for everything that is worth something to it, and selects that whatever was said."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The same demand again."""
        return self.demand(wanted(fields["pool"], fields["values"]), rng)

    def select(self, fields: Mapping[str, Any]) -> str:
        """The demand."""
        return bundle_text(wanted(fields["pool"], fields["values"]), KINDS)


@script("conceding-dealer", games=DEALS)
class ConcedingDealer(_Dealer):
    """Asks for nine points first and one less each time, down to four; agrees to what is worth as much."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """Agree or propose."""
        spoken = sum(own for own, _ in fields["messages"])
        least, offer = max(4, 9 - spoken), _offer(fields)
        if offer is not None and worth(offer, fields["values"]) >= least:
            return DEAL
        return self.demand(modest_demand(fields["pool"], fields["values"], least), rng)


@script("double-crosser", games=DEALS)
class DoubleCrosser(ConcedingDealer):
    """Talks as the conceding dealer does, then selects everything it values: the lie that costs both."""

    def select(self, fields: Mapping[str, Any]) -> str:
        """Everything that is worth something."""
        return bundle_text(wanted(fields["pool"], fields["values"]), KINDS)
