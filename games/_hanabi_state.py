"""A match of Hanabi in progress, and what a move does to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from games._hanabi_cards import COLOURS, Card, Known, Setup, touches
from games.game import Move, Moves

T = TypeVar("T")


class Event(NamedTuple):
    """A move and what came of it."""

    seat: int
    move: Move
    target: int
    """The seat whose cards it is about."""
    card: Card | None = None
    """The card that was played or discarded; None for a hint."""
    fits: bool = False
    drew: Card | None = None
    """The card drawn; hidden from the seat that drew it."""
    slots: tuple[int, ...] = ()
    """The cards that a hint touched, from 1."""

    @property
    def wrong(self) -> bool:
        """Whether a card was played that did not fit."""
        return self.card is not None and not self.fits and self.move.startswith("play")

    def seen_by(self, seat: int) -> Event:
        """The event without what ``seat`` can't see."""
        return self._replace(drew=None) if seat == self.seat else self

    @property
    def brief(self) -> str:
        """The event in short, for information-state keys."""
        what = f"={self.card}>{self.drew}" if self.card else f"@{self.target}:{self.slots}"
        return f"{self.seat} {self.move}{what}"


@dataclass(frozen=True, slots=True)
class Fireworks:
    """A match in progress."""

    hands: tuple[tuple[Card, ...], ...]
    """The cards of each seat, oldest first."""
    knowledge: tuple[tuple[Known, ...], ...]
    """What hints tell of each of these cards."""
    deck: tuple[Card, ...]
    """The cards still to be drawn, the next one first."""
    built: tuple[int, ...]
    """The highest card of each colour, 0 for none."""
    hints: int
    lives: int
    turns_left: int
    """Turns left once the deck is empty."""
    discards: tuple[Card, ...] = ()
    log: tuple[Event, ...] = ()
    """All moves so far and what came of them, oldest first."""

    @property
    def score(self) -> int:
        """What was built, or 0 once the last life is lost."""
        return sum(self.built) if self.lives else 0


def dealt(deck: tuple[Card, ...], setup: Setup) -> Fireworks:
    """The start with these cards, in the order in which they are dealt, seat by seat."""
    size = setup.hand
    hands = tuple(deck[seat * size : (seat + 1) * size] for seat in range(setup.players))
    knowledge = ((setup.unknown,) * size,) * setup.players
    left = deck[setup.players * size :]
    return Fireworks(hands, knowledge, left, (0,) * setup.colours, setup.hints, setup.lives, setup.players)


def hint_move(seat: int | None, word: str) -> Move:
    """The text of a hint: ``hint red``, or ``hint player_2 red`` where there are several to tell."""
    return f"hint {word}" if seat is None else f"hint player_{seat} {word}"


@lru_cache(maxsize=10_000)
def legal(hands: tuple[tuple[Card, ...], ...], seat: int, discard: bool, hint: bool) -> Moves:
    """The moves of a seat, where it may discard or not, and hint or not."""
    slots = range(1, len(hands[seat]) + 1)
    texts = [f"play {n}" for n in slots] + [f"discard {n}" for n in slots if discard]
    for other, hand in enumerate(hands):
        if hint and other != seat:
            texts += [hint_move(other if len(hands) > 2 else None, word) for word in _words(hand)]
    return Moves(tuple(texts))


def _words(hand: tuple[Card, ...]) -> list[str]:
    """The colours, then the ranks, that are in a hand."""
    colours, ranks = sorted({card.colour for card in hand}), sorted({card.rank for card in hand})
    return [*(COLOURS[colour] for colour in colours), *map(str, ranks)]


def moved(state: Fireworks, move: Move, setup: Setup) -> Fireworks:
    """The state after a legal move of the seat that is to move."""
    seat = len(state.log) % setup.players
    action, *rest = move.split()
    if action == "hint":
        target = int(rest[0].removeprefix("player_")) if len(rest) > 1 else 1 - seat
        after = _hinted(state, Event(seat, move, target), rest[-1])
    else:
        after = _shown(state, move, int(rest[0]) - 1, setup)
    return after if state.deck else replace(after, turns_left=state.turns_left - 1)


def _hinted(state: Fireworks, event: Event, word: str) -> Fireworks:
    """A hint spent, and what the seat it is for now knows."""
    touched = [touches(card, word) for card in state.hands[event.target]]
    known = tuple(k.after(word, t) for k, t in zip(state.knowledge[event.target], touched, strict=True))
    slots = tuple(n for n, t in enumerate(touched, 1) if t)
    return replace(
        state,
        hints=state.hints - 1,
        knowledge=_with(state.knowledge, event.target, known),
        log=(*state.log, event._replace(slots=slots)),
    )


def _shown(state: Fireworks, move: Move, slot: int, setup: Setup) -> Fireworks:
    """A card played or discarded: on its firework, or away for a life or a hint."""
    seat, play = len(state.log) % setup.players, move.startswith("play")
    card = state.hands[seat][slot]
    fits = play and card.rank == state.built[card.colour] + 1
    after = _replaced(state, slot, setup, Event(seat, move, seat, card, fits, next(iter(state.deck), None)))
    if fits:
        back = card.rank == setup.ranks  # a finished colour gives a hint back
        hints = min(setup.hints, state.hints + back)
        return replace(after, built=_with(state.built, card.colour, card.rank), hints=hints)
    after = replace(after, discards=(*state.discards, card))
    return replace(after, lives=state.lives - 1) if play else replace(after, hints=state.hints + 1)


def _replaced(state: Fireworks, slot: int, setup: Setup, event: Event) -> Fireworks:
    """A card taken from a hand, the next of the deck added as the newest."""
    new, seat = state.deck[:1], event.seat
    hand, known = state.hands[seat], state.knowledge[seat]
    return replace(
        state,
        hands=_with(state.hands, seat, (*hand[:slot], *hand[slot + 1 :], *new)),
        knowledge=_with(state.knowledge, seat, (*known[:slot], *known[slot + 1 :], *(setup.unknown for _ in new))),
        deck=state.deck[1:],
        log=(*state.log, event),
    )


def _with(items: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    """``items`` with one of them changed."""
    return (*items[:place], new, *items[place + 1 :])
