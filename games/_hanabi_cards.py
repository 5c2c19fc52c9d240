"""What Hanabi is played with: cards, presets, and what hints tell of a card."""

from __future__ import annotations

from typing import NamedTuple

COLOURS = ("red", "yellow", "green", "white", "blue")


class Card(NamedTuple):
    """A card: its colour as a number in ``COLOURS``, and its rank from 1."""

    colour: int
    rank: int

    def __str__(self) -> str:
        return f"{COLOURS[self.colour]} {self.rank}"


class Known(NamedTuple):
    """What hints tell of a card: the colours and ranks it may have."""

    colours: frozenset[int]
    ranks: frozenset[int]

    def after(self, hint: str, touched: bool) -> Known:
        """What is known once a hint (``red`` or ``2``) has touched the card or not."""
        if hint.isdigit():
            rank = frozenset({int(hint)})
            return Known(self.colours, self.ranks & rank if touched else self.ranks - rank)
        colour = frozenset({COLOURS.index(hint)})
        return Known(self.colours & colour if touched else self.colours - colour, self.ranks)

    def allows(self, card: Card) -> bool:
        """Whether it may be this card."""
        return card.colour in self.colours and card.rank in self.ranks

    def __str__(self) -> str:
        colour = COLOURS[min(self.colours)] if len(self.colours) == 1 else "?"
        return f"{colour} {min(self.ranks) if len(self.ranks) == 1 else '?'}"


class Setup(NamedTuple):
    """The options of a game, all decided."""

    players: int
    colours: int
    ranks: int
    hand: int
    hints: int
    lives: int

    @property
    def most(self) -> int:
        """The best score."""
        return self.colours * self.ranks

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return self.colours * sum(map(self.copies, range(1, self.ranks + 1)))

    @property
    def deck(self) -> list[Card]:
        """All cards, sorted."""
        ranks = range(1, self.ranks + 1)
        return [Card(c, r) for c in range(self.colours) for r in ranks for _ in range(self.copies(r))]

    @property
    def unknown(self) -> Known:
        """What is known of a card that no hint was about."""
        return Known(frozenset(range(self.colours)), frozenset(range(1, self.ranks + 1)))

    def copies(self, rank: int) -> int:
        """How often a rank is there in each colour: the 1 three times, the highest once, the others twice."""
        return 3 if rank == 1 else 1 if rank == self.ranks else 2


PRESETS = {"mini": Setup(2, 2, 2, 3, 3, 3), "full": Setup(2, 5, 5, 5, 8, 3)}
"""``mini`` has 8 cards and a best score of 4; ``full`` is the published game (hands of 4 with four players or five)."""


def touches(card: Card, hint: str) -> bool:
    """Whether a hint (``red`` or ``2``) is about this card."""
    return hint == (str(card.rank) if hint.isdigit() else COLOURS[card.colour])
