"""Parties of Deliberation: what each tells of its points, which deal it proposes, and what it accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games._deliberation_scores import DEALS, ISSUES, NEEDED, PARTIES, Deal, Scores, deal_text, points_of
from games.stream import Stream
from policies.policy import Script, Turn
from policies.registry import script

DELIBERATION = ("deliberation",)
_ROW = re.compile(r"\b([A-E])((?:\s\d{1,3}){3,5})\b")
_LEAST = re.compile(r"at least (\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a party says of itself."""

    scores: Scores
    least: int


def tell(claim: Claim) -> str:
    """A message with all points: ``My points: A 14 8 0, B …; I need at least 55.``."""
    rows = zip(ISSUES, claim.scores, strict=True)
    listed = ", ".join(f"{issue.letter} {' '.join(map(str, row))}" for issue, row in rows)
    return f"My points: {listed}; I need at least {claim.least}."


def told(message: str) -> Claim | None:
    """What :func:`tell` told, or None."""
    rows = {letter: tuple(map(int, numbers.split())) for letter, numbers in _ROW.findall(message)}
    least = _LEAST.search(message)
    full = all(len(rows.get(issue.letter, ())) == len(issue.options) for issue in ISSUES)
    return Claim(tuple(rows[issue.letter] for issue in ISSUES), int(least[1])) if full and least else None


def claims(messages: Sequence[tuple[int, str]]) -> dict[int, Claim]:
    """What each party told first."""
    found: dict[int, Claim] = {}
    for seat, message in messages:
        claim = told(message)
        if claim is not None:
            found.setdefault(seat, claim)
    return found


@lru_cache(maxsize=256)
def _points(scores: Scores) -> tuple[float, ...]:
    """The points of every deal."""
    return tuple(points_of(scores, deal) for deal in DEALS)


@lru_cache(maxsize=4096)
def best_for_all(known: tuple[tuple[int, Claim], ...], own: int) -> Deal:
    """The deal with the greatest sum of the points told, among those that most parties would accept.

    A deal that the own party can accept comes first, then one that enough can (the first two among them), then one that
    all who told can; among these the greatest sum, then what is best for oneself.

    Args:
        known: seats and what they told, the own party's too.
        own: the own seat.
    """

    def merit(place: int) -> tuple[float, ...]:
        fine = {seat: _points(claim.scores)[place] >= claim.least for seat, claim in known}
        refusing = {seat for seat, accepts in fine.items() if not accepts}
        enough = len(refusing) <= len(PARTIES) - NEEDED and not refusing & {0, 1}
        total = sum(_points(claim.scores)[place] for _, claim in known)
        return fine[own], enough, not refusing, total, _points(dict(known)[own].scores)[place]

    return DEALS[max(range(len(DEALS)), key=merit)]


class _Party(Script):
    """A party that talks, proposes and votes."""

    def decide(self, turn: Turn) -> str:
        """A message, the final deal or a vote, whichever is asked for."""
        fields = turn.observation.fields
        if fields["phase"] == "vote":
            return "accept" if self.fine(fields, fields["deal"]) else "reject"
        return deal_text(self.deal(fields, turn.seat)) if fields["phase"] == "deal" else self.say(fields, turn)

    def say(self, fields: Mapping[str, Any], turn: Turn) -> str:
        """First the points, then a proposal."""
        if not any(seat == turn.seat for seat, _ in fields["messages"]):
            return tell(self.claim(fields))
        return self.propose(self.deal(fields, turn.seat), turn.rng)

    def propose(self, deal: Deal, rng: Stream) -> str:
        """A message that proposes ``deal``."""
        return rng.choice(("I propose {}.", "Let us agree on {}.", "I could accept {}.")).format(deal_text(deal))

    def claim(self, fields: Mapping[str, Any]) -> Claim:
        """What to tell of oneself: the truth."""
        return Claim(fields["scores"], fields["least"])

    def deal(self, fields: Mapping[str, Any], seat: int) -> Deal:
        """The deal to propose: the best for all by what was told."""
        known = {**claims(fields["messages"]), seat: self.claim(fields)}
        return best_for_all(tuple(sorted(known.items())), seat)

    def fine(self, fields: Mapping[str, Any], deal: Deal) -> bool:
        """Whether to accept ``deal``: it gives at least the least score."""
        return points_of(fields["scores"], deal) >= float(fields["least"])


@script("open-party", games=DELIBERATION)
class OpenParty(_Party):
    """Tells its points, proposes what is best for all, accepts whatever reaches its least score."""


@script("lying-party", games=DELIBERATION)
class LyingParty(_Party):
    """Says that only what it wants most counts and that it needs 90 of 100 points."""

    def claim(self, fields: Mapping[str, Any]) -> Claim:
        """All points on the best option of each issue."""
        best = tuple(tuple(max(row) if points == max(row) else 0 for points in row) for row in fields["scores"])
        return Claim(best, 90)


@script("greedy-party", games=DELIBERATION)
class GreedyParty(_Party):
    """Tells nothing, proposes its best deal only, and accepts no less than 85 points."""

    def say(self, fields: Mapping[str, Any], turn: Turn) -> str:
        """The best deal for itself, again and again."""
        return self.propose(self.deal(fields, turn.seat), turn.rng)

    def deal(self, fields: Mapping[str, Any], seat: int) -> Deal:
        """The own best deal."""
        points = _points(fields["scores"])
        return DEALS[points.index(max(points))]

    def fine(self, fields: Mapping[str, Any], deal: Deal) -> bool:
        """85 points or more."""
        return points_of(fields["scores"], deal) >= 85
