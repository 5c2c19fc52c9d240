"""Players of Trust-and-Split: what each says about its hand, and what it claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.stream import Stream
from games.trust_and_split import HANDS, Seen, beats
from policies.policy import Script, Turn
from policies.registry import script

STATEMENTS = (
    "I have {}.",
    "My hand is {}.",
    "I hold {}.",
    "I got {} this round.",
    "Mine is {}.",
    "I have {}. What do you have?",
    "My hand is {}. Let us give the coins to the upper hand.",
)
SMALL_TALK = (
    "Good luck.",
    "Let us both do well.",
    "I would like all the coins.",
    "What do you have?",
)
_HAND = re.compile(r"\b(rock|paper|scissors?)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(no|not|never|neither|nor|without)\b|n['’]t\b", re.IGNORECASE)


def stated_hand(message: str | None) -> str | None:
    """The one hand that ``message`` states; None where it names none, several, or says that it is not one."""
    named = {"scissors" if w.lower().startswith("sc") else w.lower() for w in _HAND.findall(message or "")}
    if len(named) != 1 or _NOT.search(message or ""):
        return None
    return named.pop()


def state_hand(hand: str, rng: Stream) -> str:
    """A sentence that states ``hand``."""
    return rng.choice(STATEMENTS).format(hand)


def winner_over(hand: str) -> str:
    """The hand that beats ``hand``."""
    return next(h for h in HANDS if beats(h, hand))


def loser_to(hand: str) -> str:
    """The hand that ``hand`` beats."""
    return next(h for h in HANDS if beats(hand, h))


def trusting_claim(fields: Mapping[str, Any]) -> int:
    """All coins with the hand that wins, none with the one that loses, half where the other's word settles nothing."""
    hand, theirs = fields["hand"], stated_hand(fields["their_message"])
    if theirs is None or theirs == hand:
        return int(fields["coins"]) // 2
    return int(fields["coins"]) if beats(hand, theirs) else 0


def lied(seen: Seen) -> bool:
    """Whether the other stated a hand that it did not have."""
    stated = stated_hand(seen.their_message)
    return stated is not None and stated != (winner_over if seen.their_rank == "upper" else loser_to)(seen.hand)


def offended(history: Sequence[Seen], coins: int) -> bool:
    """Whether the last round that tells something was an offence: a lie, or more than half with the lower hand.

    A truthful round with the upper hand tells nothing: claiming everything is right there.
    """
    for seen in reversed(history):
        if lied(seen):
            return True
        if seen.their_rank == "lower":
            return 2 * seen.their_claim > coins
    return False


class _Splitter(Script):
    """A player with something to say and something to claim."""

    def decide(self, turn: Turn) -> str:
        """A message or a claim, whichever is asked for."""
        fields = turn.observation.fields
        return self.say(fields, turn.rng) if turn.moves.free is not None else str(self.claim(fields))

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The message of this round: the true hand."""
        return state_hand(fields["hand"], rng)

    def claim(self, fields: Mapping[str, Any]) -> int:
        """The coins to claim."""
        raise NotImplementedError


@script("honest-cooperative", games=("trust-and-split",), paper="arXiv 2511.19405")
class HonestCooperative(_Splitter):
    """Tells its hand, believes the other's, and leaves every coin to the upper hand."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """All, nothing or half by what the other said."""
        return trusting_claim(fields)


@script("greedy", games=("trust-and-split",), paper="arXiv 2511.19405")
class Greedy(_Splitter):
    """Tells its hand, chats, and claims every coin."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The true hand, half of the time with some small talk."""
        words = state_hand(fields["hand"], rng)
        return words if rng.random() < 0.5 else f"{words} {rng.choice(SMALL_TALK)}"

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Everything."""
        return int(fields["coins"])


@script("always-half", games=("trust-and-split",))
class AlwaysHalf(_Splitter):
    """Tells its hand and claims half of the coins."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Half."""
        return int(fields["coins"]) // 2


@script("liar", games=("trust-and-split",))
class Liar(_Splitter):
    """Says whatever makes its hand look upper, and claims every coin."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """The hand that beats the one the other stated; speaking first, the false hand that may look upper."""
        theirs = stated_hand(fields["their_message"])
        return state_hand(winner_over(theirs) if theirs else loser_to(fields["hand"]), rng)

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Everything."""
        return int(fields["coins"])


@script("reciprocal", games=("trust-and-split",))
class Reciprocal(_Splitter):
    """Honest and cooperative; claims everything while the other last took too much or lied, then forgives."""

    def claim(self, fields: Mapping[str, Any]) -> int:
        """Everything after an offence that was not made good, else as the honest cooperator."""
        coins = int(fields["coins"])
        return coins if offended(fields["history"], coins) else trusting_claim(fields)
