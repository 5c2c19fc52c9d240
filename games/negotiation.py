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

from games._bargaining import frontier
from games._checks import check_whole
from games._items import Bundle, bundle_moves, bundle_text, find_bundle, read_bundle, rest, split_payoffs, worth
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
            summary="propose splits and utter words that mean nothing yet",
            kind="mixed",
            seats=(2, 2),
            roles=("first", "second"),
            payoff_bounds=(0.0, float(len(KINDS) * self.items * self.top)),
            max_ticks=TURNS[-1] * (2 if self.length else 1),
            moves=(*everything, ACCEPT, *(self._words.texts if self.length else ())),
            unit=len(KINDS) * self.items * self.top / 4,
            paper="arXiv 1804.03980",
        )

    @cached_property
    def _words(self) -> Moves:
        return Moves(tuple("".join(letters) for letters in product(_LETTERS[: self.symbols], repeat=self.length)))

    def start(self, rng: Stream) -> State:
        """Draw the items, what they are worth to each, and the number of turns."""
        pool = tuple(rng.integers(self.items + 1) for _ in KINDS)
        return State(pool, (self._valued(rng), self._valued(rng)), rng.weighted(TURNS, _CHANCES))

    def _valued(self, rng: Stream) -> Values:
        while True:
            values = tuple(rng.integers(self.top + 1) for _ in KINDS)
            if any(values):
                return values

    def _uttering(self, state: State) -> bool:
        return bool(self.length) and len(state.words) < len(state.proposals)

    def _over(self, state: State) -> bool:
        return state.agreed or (len(state.proposals) == state.turns and not self._uttering(state))

    def to_move(self, state: State) -> tuple[int, ...]:
        """In turn, the first seat first."""
        if self._over(state):
            return ()
        return ((len(state.proposals) - self._uttering(state)) % 2,)

    def moves(self, state: State, seat: int) -> Moves:
        """A proposal (what to keep) or ``accept``, or a word."""
        if self._uttering(state):
            return self._words
        return bundle_moves(state.pool, KINDS, *((ACCEPT,) if state.proposals else ()))

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A proposal, ``accept`` or a word.

        Raises:
            IllegalMove: the reply names none, or several.
        """
        moves = self.moves(state, seat)
        return read_move(reply, moves) if self._uttering(state) else read_bundle(reply, moves, KINDS)

    def substitute(self, state: State, seat: int) -> Move | None:
        """The first word for a word; None (forfeit) for a proposal."""
        return self._words.texts[0] if self._uttering(state) else None

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Propose, accept or utter."""
        if self._uttering(state):
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
            "symbols": _LETTERS[: self.symbols],
            "length": self.length,
            "proposals": tuple((place % 2 == seat, bundle) for place, bundle in offers),
            "words": tuple((place % 2 == seat, word) for place, word in enumerate(state.words)),
            "phase": "over" if self._over(state) else "word" if self._uttering(state) else "proposal",
            "payoff": state.payoffs[seat],
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: State, seat: int) -> str:
        if self._over(state):
            return f"{self._ending(state, seat)} You get {state.payoffs[seat]:g} points. The game is over."
        parts = [] if len(state.proposals) > seat else [self._opening(state, seat)]
        parts += self._heard(state, seat)
        return " ".join([*parts, self._question(state, seat)])

    def _opening(self, state: State, seat: int) -> str:
        values = ", ".join(f"{kind} {value}" for kind, value in zip(KINDS, state.values[seat], strict=True))
        return f"There are {bundle_text(state.pool, KINDS)}. Worth to you: {values}."

    def _heard(self, state: State, seat: int) -> list[str]:
        """The other's last proposal and word, where they came after the own."""
        last = len(state.proposals) - 1
        if last < 0 or last % 2 == seat:
            return []
        words = [f"They say {word}." for word in state.words[last : last + 1]]
        return [f"They keep {state.proposals[last]}.", *words]

    def _question(self, state: State, seat: int) -> str:
        if seat not in self.to_move(state):
            return "Wait."
        if self._uttering(state):
            return f"Your word of {self.length} letters?"
        return "What do you keep?" if not state.proposals else "What do you keep, or accept?"

    def _ending(self, state: State, seat: int) -> str:
        if not state.agreed:
            return " ".join([*self._heard(state, seat), "The talks have ended without a deal."])
        return f"{'You' if (len(state.proposals) - 1) % 2 == seat else 'They'} accepted."

    def key(self, state: State, seat: int) -> str:
        """The items, the own values, all that was proposed and said, and whether it is over."""
        return repr((self._over(state), state.pool, state.values[seat], state.proposals, state.words))

    def rules(self, seat: int) -> str:
        """The rules; they differ in who begins."""
        first = "You begin" if seat == 0 else "They begin"
        word = (
            f" and then says a word of {self.length} of the letters {' '.join(_LETTERS[: self.symbols])}, such as "
            f"{_LETTERS[: self.symbols][-1] * self.length}, which means what you both make of it"
        )
        return (
            "Negotiation: you and another player divide some apples, pears and plums. What each kind is worth to you "
            f"they don't know, and the other way round; an item is worth 0 to {self.top} points. {first}. In turn each "
            f"proposes what to keep, leaving the rest to the other,{word if self.length else ''} or accepts the "
            "other's last proposal. If it is accepted, each gets the worth of the own items. After 4 to 10 turns, "
            "most likely 7, the talks end without warning and both get 0. Get as many points as you can. "
            f"Asked what you keep, reply with such as 2 apples 0 pears 1 plum, or with {ACCEPT}, only. "
            f"{'Asked for a word, reply with the word only. ' if self.length else ''}"
            "An illegal proposal ends the game with nothing for both."
        )

    def render(self, state: State, seat: int | None = None) -> str:
        """The items, the values that may be shown, every proposal and word."""
        lines = [f"There are {bundle_text(state.pool, KINDS)}."]
        for s in (0, 1):
            values = " ".join(str(v) if seat in (None, s) else "?" for v in state.values[s])
            lines.append(f"player_{s} values: {values}")
        for place, proposal in enumerate(state.proposals):
            said = "".join(f", says {word}" for word in state.words[place : place + 1])
            deed = "accepts" if proposal == ACCEPT else f"keeps {proposal}"
            lines.append(f"player_{place % 2} {deed}{said}")
        return "\n".join(lines)

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self._over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all ways to split the items (:mod:`games._bargaining`)."""
        if not self._over(state):
            return {}
        possible = frontier(split_payoffs(state.pool, state.values), (0.0, 0.0))
        return {"agreement": (float(state.agreed),) * 2, **possible.measures(state.payoffs)}


GAME = Negotiation
