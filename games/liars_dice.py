"""Liar's dice: bid on everybody's dice, or call the last bid a lie.

The rules are those of OpenSpiel's ``liars_dice`` with its ``reset-face`` bids: a bid must name more dice, or as many
with a higher face, and the highest face is wild: it counts as every face. OpenSpiel seats two; with more, seats take
turns, the last bidder and who says liar settle the match between them, and the others get nothing.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_loosely
from games.stream import Stream

LIAR = "liar"
FACES = ("one", "two", "three", "four", "five", "six")
_MOST_STARTS = 100_000
_WORD = "|".join(FACES)
_LOOSE_BID = re.compile(rf"\b(\d+|{_WORD})(?: *[x×*] *| +(?:(?:x|of|times) +)?)(\d|{_WORD})(?:e?s)?\b", re.IGNORECASE)

Hand = tuple[int, ...]
"""Faces of a seat's dice, rising."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match in progress."""

    hands: tuple[Hand, ...]
    line: tuple[Move, ...] = ()
    """The bids so far, oldest first, and ``liar`` at the end."""


@dataclass(frozen=True)
class LiarsDice(Game[Table]):
    """Liar's dice: bid on all dice, most of them hidden, or call the last bid a lie."""

    players: int = 2
    """Seats."""
    dice: int = 1
    """Dice of each player."""
    sides: int = 6
    """Faces of a die; the highest is wild."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        for option, (low, high) in {"players": (2, 6), "dice": (1, 5), "sides": (2, 6)}.items():
            value = getattr(self, option)
            if not low <= value <= high:
                raise BadOption(f"liars-dice: {option}={value} is not allowed; give {low} to {high}")

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options."""
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 6),
            roles=("first", "second", "third", "fourth", "fifth", "sixth")[: self.players],
            payoff_bounds=(-1.0, 1.0),
            max_ticks=len(self.bids) + 1,
            moves=(*self.bids, LIAR),
            zero_sum=True,
            paper="Ferguson & Ferguson 1991, Models for the game of liar's dice, doi 10.1007/978-94-011-3760-7_3",
        )

    @cached_property
    def bids(self) -> tuple[Move, ...]:
        """Every bid, rising from ``1 x 1``."""
        counts = range(1, self.players * self.dice + 1)
        return tuple(f"{count} x {face}" for count in counts for face in range(1, self.sides + 1))

    @cached_property
    def _legal(self) -> Mapping[Move | None, Moves]:
        """What may follow each bid; None: the first move."""
        bids = self.bids
        return {None: Moves(bids)} | {bid: Moves((*bids[n:], LIAR)) for n, bid in enumerate(bids, 1)}

    def start(self, rng: Stream) -> Table:
        """Everybody rolls."""
        rolls = [[1 + rng.integers(self.sides) for _ in range(self.dice)] for _ in range(self.players)]
        return Table(tuple(tuple(sorted(roll)) for roll in rolls))

    def starts(self) -> Iterable[tuple[float, Table]]:
        """Every roll with its probability, where there are at most 100,000."""
        hands = list(itertools.combinations_with_replacement(range(1, self.sides + 1), self.dice))
        if len(hands) ** self.players > _MOST_STARTS:
            return super().starts()
        chances = [_ways(hand) / self.sides**self.dice for hand in hands]
        rolls = itertools.product(zip(chances, hands, strict=True), repeat=self.players)
        return [(math.prod(p for p, _ in roll), Table(tuple(hand for _, hand in roll))) for roll in rolls]

    def to_move(self, state: Table) -> tuple[int, ...]:
        """Seats in turn, until somebody says liar."""
        return () if state.line[-1:] == (LIAR,) else (len(state.line) % self.players,)

    def moves(self, state: Table, seat: int) -> Moves:
        """The higher bids, and liar once there is a bid."""
        return self._legal[state.line[-1] if state.line else None]

    def parse(self, state: Table, seat: int, reply: str) -> Move:
        """A bid or liar; a bid also as ``2x5``, ``two fives`` or ``2 of 5``.

        Raises:
            IllegalMove: the reply names no legal move, or several.
        """
        return read_loosely(reply, self.moves(state, seat), lambda said: _LOOSE_BID.sub(_canonical, said))

    def play(self, state: Table, moves: tuple[Move, ...], rng: Stream) -> tuple[Table, Rewards]:
        """The bid stands, or the dice are laid open: the last bidder and the one who doubts it win 1 and lose 1."""
        after = Table(state.hands, (*state.line, moves[0]))
        if moves[0] != LIAR:
            return after, (0.0,) * self.players
        winner, loser = self._settled(after)
        return after, tuple(1.0 if s == winner else -1.0 if s == loser else 0.0 for s in range(self.players))

    def _settled(self, state: Table) -> tuple[int, int]:
        """Winner and loser of a finished match."""
        caller = (len(state.line) - 1) % self.players
        bidder = (len(state.line) - 2) % self.players
        return (bidder, caller) if self.holds(state.hands, state.line[-2]) else (caller, bidder)

    def holds(self, hands: tuple[Hand, ...], bid: Move) -> bool:
        """Whether a bid is true of these hands."""
        count, face = read_bid(bid)
        return sum(die in (face, self.sides) for hand in hands for die in hand) >= count

    def observe(self, state: Table, seat: int) -> Observation:
        """The own dice, then the bids of the others; all dice at the end."""
        over = not self.to_move(state)
        fields = {
            "dice": state.hands[seat],
            "seat": seat,
            "line": state.line,
            "hidden": (self.players - 1) * self.dice,
            "sides": self.sides,
            "shown": state.hands if over else None,
        }
        return Observation(" ".join(self._sentences(state, seat)), fields)

    def _sentences(self, state: Table, seat: int) -> Iterator[str]:
        """What is new to ``seat`` since it last acted, and what is asked."""
        own = [n for n in range(len(state.line)) if n % self.players == seat]
        if not own:
            yield f"You rolled {_shown(state.hands[seat])}."
        for n in range(own[-1] + 1 if own else 0, len(state.line)):
            yield self._told(n, state.line[n])
        if not self.to_move(state):
            yield from self._ending(state, seat)
        elif self.to_move(state) == (seat,):
            legal = self.moves(state, seat).texts
            yield (
                "Your bid?" if not state.line else "A higher bid, or liar?" if len(legal) > 1 else "Only liar is left."
            )
        else:
            yield "Wait for your turn."

    def _told(self, turn: int, move: Move) -> str:
        """A move of another seat in words."""
        said = "liar" if move == LIAR else move
        if self.players == 2:
            return f"They {'say' if move == LIAR else 'bid'} {said}."
        return f"player_{turn % self.players} {'says' if move == LIAR else 'bids'} {said}."

    def _ending(self, state: Table, seat: int) -> Iterator[str]:
        for other, hand in enumerate(state.hands):
            if other != seat:
                yield f"{'They' if self.players == 2 else f'player_{other}'} rolled {_shown(hand)}."
        yield f"The bid {state.line[-2]} {'holds' if self.holds(state.hands, state.line[-2]) else 'does not hold'}."
        winner, loser = self._settled(state)
        yield "You win." if seat == winner else "You lose." if seat == loser else "You neither win nor lose."

    def key(self, state: Table, seat: int) -> str:
        """The own dice and the moves so far, as in ``3 5|1 x 4, liar``; at the end everybody's dice."""
        seen = [_shown(state.hands[seat]), ", ".join(state.line)]
        return "|".join(seen if self.to_move(state) else [*seen, *map(_shown, state.hands)])

    def rules(self, seat: int) -> str:
        """The whole game in fewer than 150 words."""
        many, total = self.players > 2, self.players * self.dice
        others = f"{self.players - 1} other players" if many else "one other player"
        order = f"You are player_{seat}; player_0 bids first." if many else f"You bid {'second' if seat else 'first'}."
        own = f"{self.dice} dice" if self.dice > 1 else "one die"
        return (
            f"You play liar's dice with {others}. Each player rolls {own} with {self.sides} faces, hidden from the "
            f"others. {order} A bid such as 1 x 2 says: among all {total} dice at least 1 shows the face 2. "
            f"The face {self.sides} is wild: it counts as every face. In turn each player makes a higher bid or says "
            "liar. A higher bid names more dice, or as many with a higher face. "
            "When somebody says liar, all dice are shown. If the last bid holds, its bidder wins 1 and who said liar "
            f"loses 1; if not, the other way round.{' Nobody else wins or loses.' if many else ''}\n"
            f"Answer with a bid such as 1 x 2, from 1 x 1 to {self.bids[-1]}, or liar."
        )

    def render(self, state: Table, seat: int | None = None) -> str:
        """Everybody's dice and bids; the others' dice hidden from ``seat`` until the end."""
        over, lines = not self.to_move(state), []
        for s, hand in enumerate(state.hands):
            dice = _shown(hand) if over or seat in (None, s) else " ".join("?" * self.dice)
            lines.append(f"player_{s} [{dice}]: {', '.join(state.line[s :: self.players]) or '-'}")
        return "\n".join([*lines, f"player_{self._settled(state)[0]} wins"] if over else lines)


def read_bid(bid: Move) -> tuple[int, int]:
    """How many dice a bid names, and their face."""
    count, _, face = bid.partition(" x ")
    return int(count), int(face)


def _canonical(found: re.Match[str]) -> Move:
    """A bid in other words, such as ``two fives``, as ``2 x 5``."""
    count, face = (FACES.index(w) + 1 if (w := word.lower()) in FACES else int(w) for word in found.groups())
    return f"{count} x {face}"


def _ways(hand: Hand) -> int:
    """In how many orders these dice can fall."""
    return math.factorial(len(hand)) // math.prod(math.factorial(n) for n in Counter(hand).values())


def _shown(hand: Hand) -> str:
    return " ".join(map(str, hand))


GAME = LiarsDice
