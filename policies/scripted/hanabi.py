"""Players of Hanabi: a pair that plans by a convention, a cautious one, and partners that let the others down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games import Game
from games._hanabi_cards import Card, Known, Setup, touches
from policies.policy import Script, Turn
from policies.registry import script
from policies.scripted._hanabi_plan import best_hint, best_move, position

HANABI = ("hanabi",)
_MOST_PLANNED = 10  # cards; the hands there may be grow fast


@script("hanabi-convention", games=HANABI)
class HanabiConvention(Script):
    """Plans over all hands it may hold; its hints follow a convention that its partner reads (small games)."""

    def check(self, game: Game[Any]) -> str:
        """Why this game is too large to plan, or an empty string."""
        setup: Setup | None = getattr(game, "setup", None)
        if game.name in HANABI and setup and (setup.players > 2 or setup.cards > _MOST_PLANNED):
            return f'"{self.name}" plans games of two seats and at most {_MOST_PLANNED} cards; try hanabi-cautious'
        return super().check(game)

    def decide(self, turn: Turn) -> str:
        """What scores most on average."""
        fields = turn.observation.fields
        now, other = position(fields), fields["hands"][1 - fields["seat"]]
        slot = best_move(now, other)
        return f"hint {best_hint(now, other)}" if slot is None else f"play {slot + 1}"


class HanabiPlayer(Script):
    """A player that plays what it knows to fit; what it does else is its character."""

    def decide(self, turn: Turn) -> str:
        """A card that fits for sure, the newest first, else :meth:`otherwise`."""
        fields = turn.observation.fields
        for slot in reversed(range(len(fields["knowledge"][fields["seat"]]))):
            if all(_fits(card, fields) for card in possible(fields, slot)):
                return f"play {slot + 1}"
        return self.otherwise(turn, fields)

    def otherwise(self, turn: Turn, fields: Mapping[str, Any]) -> str:
        """What it does when no card fits for sure."""
        raise NotImplementedError


@script("hanabi-cautious", games=HANABI)
class HanabiCautious(HanabiPlayer):
    """Plays only what fits for sure, else hints at a card that fits, else discards what is useless or oldest."""

    def otherwise(self, turn: Turn, fields: Mapping[str, Any]) -> str:
        """A hint, a discard, or in need the oldest card."""
        hints = _helpful(turn, fields)
        if hints:
            return max(hints, key=hints.__getitem__)
        useless = [n for n in _slots(fields) if all(_useless(card, fields) for card in possible(fields, n))]
        untold = [n for n in _slots(fields) if len(fields["knowledge"][fields["seat"]][n].ranks) > 1]
        slot = (useless or untold or [0])[0]
        return _allowed(turn, [f"discard {slot + 1}", *(m for m in turn.moves.texts if m.startswith("hint"))])


@script("hanabi-lazy", games=HANABI)
class HanabiLazy(HanabiPlayer):
    """Leaves all hints to the others: discards its oldest card, plays it blindly where nothing may be discarded."""

    def otherwise(self, turn: Turn, fields: Mapping[str, Any]) -> str:
        """The oldest card."""
        return _allowed(turn, ["discard 1"])


@script("hanabi-reckless", games=HANABI)
class HanabiReckless(Script):
    """Plays its newest card, whatever it is: soon the last life is lost and with it every point."""

    def decide(self, turn: Turn) -> str:
        """The newest card."""
        fields = turn.observation.fields
        return f"play {len(fields['knowledge'][fields['seat']])}"


def possible(fields: Mapping[str, Any], slot: int) -> list[Card]:
    """The cards that an own card may be: those that hints allow and that are not all in sight."""
    known: Known = fields["knowledge"][fields["seat"]][slot]
    setup: Setup = fields["setup"]
    sight = Counter(card for hand in fields["hands"] for card in hand)
    sight.update(fields["discards"])
    sight.update(Card(colour, rank) for colour, top in enumerate(fields["built"]) for rank in range(1, top + 1))
    cards = (Card(colour, rank) for colour in known.colours for rank in known.ranks)
    return [card for card in cards if sight[card] < setup.copies(card.rank)]


def _slots(fields: Mapping[str, Any]) -> range:
    return range(len(fields["knowledge"][fields["seat"]]))


def _fits(card: Card, fields: Mapping[str, Any]) -> bool:
    return bool(card.rank == fields["built"][card.colour] + 1)


def _useless(card: Card, fields: Mapping[str, Any]) -> bool:
    return bool(card.rank <= fields["built"][card.colour])


def _helpful(turn: Turn, fields: Mapping[str, Any]) -> dict[str, float]:
    """The hints that tell something new of a card that fits, and how much they tell."""
    found: dict[str, float] = {}
    for move in turn.moves.texts:
        if move.startswith("hint"):
            target, word = _read_hint(move, fields["seat"])
            gains = list(_gains(fields, fields["hands"][target], fields["knowledge"][target], word))
            if any(gains):
                found[move] = sum(gains)
    return found


def _read_hint(move: str, seat: int) -> tuple[int, str]:
    """The seat that a hint is for, and its colour or rank."""
    *target, word = move.split()[1:]
    return (int(target[0].removeprefix("player_")) if target else 1 - seat), word


def _gains(fields: Mapping[str, Any], hand: Sequence[Card], known: Sequence[Known], word: str) -> Iterator[float]:
    """For each card that fits, the share of what it might have been that a hint rules out."""
    for card, before in zip(hand, known, strict=True):
        if _fits(card, fields) and touches(card, word):
            after = before.after(word, True)
            yield 1 - len(after.colours) * len(after.ranks) / (len(before.colours) * len(before.ranks))


def _allowed(turn: Turn, wishes: Sequence[str]) -> str:
    """The first wish that is legal, or the oldest card."""
    return next((wish for wish in wishes if wish in turn.moves.texts), "play 1")
