"""Negotiation: proposals and words without meaning, over a hidden number of turns (Cao et al. 2018, arXiv 1804.03980).

There are 0 to 5 items of each of three kinds; each seat values each kind at 0 to 10, not all at 0, privately. In turn a
seat proposes what it keeps and then utters a word of three symbols out of five, whose meaning the players have to find,
or accepts the other's last proposal. After 4 to 10 turns, Poisson with mean 7 cut to that range and told to nobody,
the talks end with nothing for either. Numbers are those of OpenSpiel's game of this name (the paper has six symbols and
words of up to six).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import ClassVar

from games import _negotiation_text as text
from games._bargaining import frontier
from games._checks import check_whole
from games._items import Bundle, bundle_moves, find_bundle, read_bundle, rest, split_payoffs, worth
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

KINDS = ("apple", "pear", "plum")
ACCEPT = "accept"
TURNS = tuple(range(4, 11))
_CHANCES = tuple(7.0**n / math.factorial(n) for n in TURNS)
_LETTERS = "abcdefghij"
Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The items, what they are worth, the hidden number of turns, and what was proposed and said in turn."""

    pool: Bundle
    values: tuple[Values, Values]
    turns: int
    proposals: tuple[Move, ...] = ()
    """What each turn's seat keeps; the last may be ``accept``."""
    words: tuple[str, ...] = ()

    @property
    def agreed(self) -> bool:
        """Whether a proposal was accepted."""
        return self.proposals[-1:] == (ACCEPT,)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """What each earns when the match ends like this."""
        if not self.agreed:
            return 0.0, 0.0
        kept, proposer = find_bundle(self.proposals[-2], KINDS), len(self.proposals) % 2
        assert kept is not None
        shares = (kept, rest(self.pool, kept)) if proposer == 0 else (rest(self.pool, kept), kept)
        return tuple(worth(share, values) for share, values in zip(shares, self.values, strict=True))


@dataclass(frozen=True)
class Negotiation(Game[State]):
    """Negotiation. An illegal proposal forfeits, and both get nothing; an illegal word counts as the first word."""

    items: int = 5
    """The most items that there can be of a kind."""
    top: int = 10
    """The most that an item can be worth."""
    symbols: int = 5
    """Letters that words are made of."""
    length: int = 3
    """Letters of a word; 0: nothing is said."""

    kinds: ClassVar[tuple[str, ...]] = KINDS

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range, or more than 1000 words.
        """
        check_whole(self.name, "items", self.items, 1, 9)
        check_whole(self.name, "top", self.top, 1, 1000)
        check_whole(self.name, "symbols", self.symbols, 2, len(_LETTERS))
        check_whole(self.name, "length", self.length, 0, 9)
        if self.symbols**self.length > 1000:
            wanted = "give fewer, so that there are at most 1000 words"
            raise BadOption(f"{self.name}: symbols={self.symbols}, length={self.length} is not allowed; {wanted}")

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by what an average pool is worth."""
        everything = bundle_moves((self.items,) * len(KINDS), KINDS).texts
        return GameInfo(
            name=self.name,
            version=0,
            summary="Negotiation: propose splits and utter words that mean nothing yet, until time runs out.",
            kind="mixed",
            seats=(2, 2),
            roles=("first", "second"),
            payoff_bounds=(0.0, float(len(KINDS) * self.items * self.top)),
            max_ticks=TURNS[-1] * (2 if self.length else 1),
            moves=(*everything, ACCEPT, *(self._words.texts if self.length else ())),
            unit=len(KINDS) * self.items * self.top / 4,
            paper="arXiv 1804.03980",
        )

    @property
    def letters(self) -> str:
        """What words are made of."""
        return _LETTERS[: self.symbols]

    @cached_property
    def _words(self) -> Moves:
        return Moves(tuple("".join(letters) for letters in product(self.letters, repeat=self.length)))

    def start(self, rng: Stream) -> State:
        """Draw the items, what they are worth to each, and the number of turns."""
        pool = tuple(rng.integers(self.items + 1) for _ in KINDS)
        return State(pool, (self._valued(rng), self._valued(rng)), rng.weighted(TURNS, _CHANCES))

    def _valued(self, rng: Stream) -> Values:
        while True:
            values = tuple(rng.integers(self.top + 1) for _ in KINDS)
            if any(values):
                return values

    def uttering(self, state: State) -> bool:
        """Whether a word is due."""
        return bool(self.length) and len(state.words) < len(state.proposals)

    def over(self, state: State) -> bool:
        """Whether a proposal was accepted, or the last turn is over."""
        return state.agreed or (len(state.proposals) == state.turns and not self.uttering(state))

    def to_move(self, state: State) -> tuple[int, ...]:
        """In turn, the first seat first."""
        if self.over(state):
            return ()
        return ((len(state.proposals) - self.uttering(state)) % 2,)

    def moves(self, state: State, seat: int) -> Moves:
        """A proposal (what to keep) or ``accept``, or a word."""
        if self.uttering(state):
            return self._words
        return bundle_moves(state.pool, KINDS, *((ACCEPT,) if state.proposals else ()))

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A proposal, ``accept`` or a word.

        Raises:
            IllegalMove: the reply names none, or several.
        """
        moves = self.moves(state, seat)
        return read_move(reply, moves) if self.uttering(state) else read_bundle(reply, moves, KINDS)

    def substitute(self, state: State, seat: int) -> Move | None:
        """The first word for a word; None (forfeit) for a proposal."""
        return self._words.texts[0] if self.uttering(state) else None

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Propose, accept or utter."""
        if self.uttering(state):
            return replace(state, words=(*state.words, moves[0])), (0.0, 0.0)
        after = replace(state, proposals=(*state.proposals, moves[0]))
        return after, after.payoffs

    def observe(self, state: State, seat: int) -> Observation:
        """First the items and their worth, then the other's proposal and word, at last what came of it."""
        offers = enumerate(find_bundle(text, KINDS) for text in state.proposals if text != ACCEPT)
        fields = {
            "pool": state.pool,
            "values": state.values[seat],
            "top": self.top,
            "symbols": self.letters,
            "length": self.length,
            "proposals": tuple((place % 2 == seat, bundle) for place, bundle in offers),
            "words": tuple((place % 2 == seat, word) for place, word in enumerate(state.words)),
            "phase": "over" if self.over(state) else "word" if self.uttering(state) else "proposal",
            "payoff": state.payoffs[seat],
        }
        return Observation(text.news(self, state, seat), fields)

    def key(self, state: State, seat: int) -> str:
        """The items, the own values, all that was proposed and said, and whether it is over."""
        return repr((self.over(state), state.pool, state.values[seat], state.proposals, state.words))

    def rules(self, seat: int) -> str:
        """The rules; they differ in who begins."""
        return text.rules(self, seat)

    def render(self, state: State, seat: int | None = None) -> str:
        """The items, the values that may be shown, every proposal and word."""
        return text.board(self, state, seat)

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self.over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all ways to split the items (:mod:`games._bargaining`)."""
        if not self.over(state):
            return {}
        possible = frontier(split_payoffs(state.pool, state.values), (0.0, 0.0))
        return {"agreement": (float(state.agreed),) * 2, **possible.measures(state.payoffs)}


GAME = Negotiation
