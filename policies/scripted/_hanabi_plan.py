"""Planning in small games of Hanabi for two: a convention for hints, what it tells, and every hand there may be.

Convention: a hint is the one after which a literal listener, who plays what most likely fits, would do best. Both can
work out, for any hand, which hint that is, so a hint tells far more than what it touches: hands that would have been
given another hint are ruled out. Nothing is read from how somebody plays, so a player may choose its plays freely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

from games._hanabi_cards import COLOURS, Card, Known, Setup, touches

Hand = tuple[Card, ...]
Counts = tuple[tuple[Card, int], ...]
"""How many of each card nobody has shown, cards that are all shown left out."""
Built = tuple[int, ...]

_BOLD = 0.5
"""From this probability to fit on, the habit is to play a card."""


class Clue(NamedTuple):
    """A hint that a seat was given, and all that was open when it was given."""

    word: str
    names: tuple[int, ...]
    """Which cards the seat held; every card is named by its place in the deal."""
    known: tuple[Known, ...]
    counts: Counts
    built: Built


class Open(NamedTuple):
    """What both seats know of a position."""

    setup: Setup
    names: tuple[tuple[int, ...], ...]
    known: tuple[tuple[Known, ...], ...]
    clues: tuple[tuple[Clue, ...], ...]
    seen: tuple[tuple[int, Card], ...]
    """The cards that were played or discarded, by name."""
    counts: Counts
    built: Built
    hints: int
    lives: int
    deck: int
    turns_left: int
    turn: int

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not (self.lives and self.turns_left) or sum(self.built) == self.setup.most

    @property
    def score(self) -> int:
        """What was built, or 0 without lives."""
        return sum(self.built) if self.lives else 0


def opening(setup: Setup) -> Open:
    """The position before the first move."""
    cards = tuple(sorted(Counter(setup.deck).items()))
    blank = (setup.unknown,) * setup.hand
    names = (tuple(range(setup.hand)), tuple(range(setup.hand, 2 * setup.hand)))
    deck = setup.cards - 2 * setup.hand
    nothing = (0,) * setup.colours
    return Open(setup, names, (blank,) * 2, ((), ()), (), cards, nothing, setup.hints, setup.lives, deck, 2, 0)


def position(fields: Mapping[str, Any]) -> Open:
    """The position that an observation's fields tell of."""
    now = opening(fields["setup"])
    for event in fields["log"]:
        if event.card is None:
            touched = tuple(n in event.slots for n in range(1, len(now.names[event.target]) + 1))
            now = hinted(now, event.move.split()[-1], touched)
        else:
            action, slot = event.move.split()
            now = shown(now, int(slot) - 1, event.card, action)
    return now


def hinted(now: Open, word: str, touched: tuple[bool, ...]) -> Open:
    """The position after a hint to the seat that is not to move."""
    seat = 1 - now.turn % 2
    clue = Clue(word, now.names[seat], now.known[seat], now.counts, now.built)
    known = tuple(k.after(word, t) for k, t in zip(now.known[seat], touched, strict=True))
    return now._replace(
        known=_put(now.known, seat, known),
        clues=_put(now.clues, seat, (*now.clues[seat], clue)),
        hints=now.hints - 1,
        turns_left=now.turns_left - (not now.deck),
        turn=now.turn + 1,
    )


def shown(now: Open, slot: int, card: Card, action: str) -> Open:
    """The position after a card was played or discarded and another drawn."""
    seat, setup = now.turn % 2, now.setup
    drawn = setup.cards - now.deck
    new = bool(now.deck)
    fits = action == "play" and card.rank == now.built[card.colour] + 1
    back = action == "discard" or (fits and card.rank == setup.ranks)
    return now._replace(
        names=_put(now.names, seat, _without(now.names[seat], slot) + (drawn,) * new),
        known=_put(now.known, seat, _without(now.known[seat], slot) + (setup.unknown,) * new),
        seen=(*now.seen, (now.names[seat][slot], card)),
        counts=_less(now.counts, (card,)),
        built=_put(now.built, card.colour, card.rank) if fits else now.built,
        hints=min(setup.hints, now.hints + back),
        lives=now.lives - (action == "play" and not fits),
        deck=now.deck - new,
        turns_left=now.turns_left - (not now.deck),
        turn=now.turn + 1,
    )


def best_hint(now: Open, hand: Hand) -> str:
    """The hint that the convention gives to the seat that is not to move, which holds ``hand``."""
    return _convention(now.setup, now.known[1 - now.turn % 2], hand, now.counts, now.built)


def best_move(now: Open, other: Hand) -> int | None:
    """The slot to play, or None for a hint: what scores most on average over all own hands there may be.

    The rest of each match is played by habit, see :func:`habit`. In its first turn a seat hints, while cards are drawn.
    """
    if now.turn < 2 and now.hints and now.deck:
        return None
    return _planned(now, other)


@lru_cache(maxsize=20_000)
def _planned(now: Open, other: Hand) -> int | None:
    worlds = list(_worlds(now, other))
    hands = _possible(now, other)
    chances = _chances(hands, now.built)
    moves: list[int | None] = [slot for slot, p in enumerate(chances) if p > 0] or [0]
    if now.hints and now.turns_left > 1:
        moves.append(None)
    return max(moves, key=lambda move: sum(w * _rest(now, own, other, deck, move) for own, deck, w in worlds))


def _worlds(now: Open, other: Hand) -> Iterator[tuple[Hand, Hand, float]]:
    """Each own hand and deck there may be, with its weight."""
    for own, weight in _possible(now, other):
        left = [card for card, n in _less(now.counts, own + other) for _ in range(n)]
        decks = sorted(set(permutations(left)))
        yield from ((own, deck, weight / len(decks)) for deck in decks)


def _rest(now: Open, own: Hand, other: Hand, deck: Hand, move: int | None) -> int:
    """The score when this move is made in this world and the rest is played by habit."""
    hands = (own, other)  # of who is to move, of the other
    while True:
        if move is None:
            word = best_hint(now, hands[1])
            now = hinted(now, word, tuple(touches(card, word) for card in hands[1]))
        else:
            card = hands[0][move]
            hands = (_without(hands[0], move) + deck[:1], hands[1])
            now, deck = shown(now, move, card, "play"), deck[1:]
        if now.over:
            return now.score
        hands = (hands[1], hands[0])
        move = habit(now, hands[1])


@lru_cache(maxsize=30_000)
def habit(now: Open, other: Hand) -> int | None:
    """The card that most likely fits where that is likely enough or no hint can help, else None for a hint."""
    chances = _chances(_possible(now, other), now.built)
    best = max(range(len(chances)), key=lambda slot: (chances[slot], -slot))
    return best if chances[best] >= _BOLD or not (now.hints and now.deck) else None


def _possible(now: Open, other: Hand) -> Sequence[tuple[Hand, int]]:
    """The hands that the seat to move may hold, with weights: all hints it was given are what the convention gives."""
    seat = now.turn % 2
    hands = _hands(now.known[seat], _less(now.counts, other))
    told = [(hand, weight) for hand, weight in hands if _explains(now, seat, hand)]
    return told or hands  # the other heeds no convention


def _explains(now: Open, seat: int, hand: Hand) -> bool:
    cards = dict(now.seen) | dict(zip(now.names[seat], hand, strict=True))
    return all(
        _convention(now.setup, clue.known, tuple(cards[n] for n in clue.names), clue.counts, clue.built) == clue.word
        for clue in now.clues[seat]
    )


@lru_cache(maxsize=30_000)
def _convention(setup: Setup, known: tuple[Known, ...], hand: Hand, counts: Counts, built: Built) -> str:
    words = (*map(str, range(1, setup.ranks + 1)), *COLOURS[: setup.colours])  # of equals the first is given
    legal = [word for word in words if any(touches(card, word) for card in hand)]

    def gain(word: str) -> float:
        after = tuple(k.after(word, touches(card, word)) for k, card in zip(known, hand, strict=True))
        return _listened(after, hand, counts, built, 2)

    return max(legal, key=gain)


@lru_cache(maxsize=20_000)
def _listened(known: tuple[Known, ...], hand: Hand, counts: Counts, built: Built, plays: int) -> float:
    """How many plays fit when a literal listener plays what most likely fits, and a bit for how sure it is."""
    if not (plays and hand):
        return 0.0
    chances = _chances(_hands(known, counts), built)
    slot = max(range(len(hand)), key=lambda n: (chances[n], -n))
    card = hand[slot]
    fits = card.rank == built[card.colour] + 1
    after = _put(built, card.colour, card.rank) if fits else built
    rest = _listened(_without(known, slot), _without(hand, slot), _less(counts, (card,)), after, plays - 1)
    return rest + (1 + chances[slot] / 100) * fits


@lru_cache(maxsize=30_000)
def _hands(known: tuple[Known, ...], counts: Counts) -> tuple[tuple[Hand, int], ...]:
    """All hands that fit what is known, out of these cards; the weight is in how many ways they can be drawn."""
    if not known:
        return (((), 1),)
    return tuple(
        ((card, *rest), n * weight)
        for card, n in counts
        if known[0].allows(card)
        for rest, weight in _hands(known[1:], _less(counts, (card,)))
    )


def _chances(hands: Sequence[tuple[Hand, int]], built: Built) -> list[float]:
    """For each slot the probability that its card fits."""
    total = sum(weight for _, weight in hands)
    slots = range(len(hands[0][0]))
    return [sum(w for hand, w in hands if hand[s].rank == built[hand[s].colour] + 1) / total for s in slots]


@lru_cache(maxsize=30_000)
def _less(counts: Counts, cards: Hand) -> Counts:
    """``counts`` without these cards."""
    gone = Counter(cards)
    return tuple((card, n - gone[card]) for card, n in counts if n > gone[card])


def _without(items: tuple[Any, ...], slot: int) -> tuple[Any, ...]:
    return items[:slot] + items[slot + 1 :]


def _put(items: tuple[Any, ...], place: int, new: Any) -> tuple[Any, ...]:
    return (*items[:place], new, *items[place + 1 :])
