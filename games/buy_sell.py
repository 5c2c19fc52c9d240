"""Buy and sell: a seller and a buyer name prices in turn until one accepts or rejects (NegotiationArena).

The item costs the seller ``cost`` and is worth ``value`` to the buyer, each moved by up to ``spread`` points from deal
to deal and known to that side alone; with ``spread=0`` it is the game of arXiv 2402.05863 (40, 60, ten turns). ``talk``
lets each side say something before every price.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from games import _buy_sell_text as text
from games._bargaining import Frontier, frontier
from games._checks import check_whole
from games._talk import message_form, plain
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

SELLER, BUYER = 0, 1
ANSWERS = ("accept", "reject")
MESSAGE = message_form(300)


@dataclass(frozen=True, slots=True)
class State:
    """What the item is worth to both, and what was done in turn, the seller first."""

    cost: int
    value: int
    done: tuple[Move, ...] = ()
    messages: tuple[str, ...] = ()
    """What was said before each of these, and before the next where it has been said; empty without talk."""

    @property
    def price(self) -> int | None:
        """The last price named."""
        return next((int(move) for move in reversed(self.done) if move not in ANSWERS), None)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """What the last move pays."""
        if self.done[-1:] != ("accept",) or self.price is None:
            return 0.0, 0.0
        return float(self.price - self.cost), float(self.value - self.price)


@lru_cache(maxsize=4096)
def prices(cost: int, value: int, top: int) -> Frontier:
    """What seller and buyer could reach."""
    return frontier([(float(p - cost), float(value - p)) for p in range(top + 1)], (0.0, 0.0))


@dataclass(frozen=True)
class BuySell(Game[State]):
    """Buy and sell. An illegal reply counts as ``reject``, an overlong message as silence."""

    cost: int = 40
    """What the item costs the seller."""
    value: int = 60
    """What the item is worth to the buyer."""
    spread: int = 10
    """How far both move from deal to deal, up and down."""
    turns: int = 10
    """Prices and answers that there can be, of both together; the last is an answer."""
    top: int = 100
    """The greatest price that can be named."""
    talk: bool = False
    """Whether each side may say something before every price or answer."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range, or worths that no price covers.
        """
        check_whole(self.name, "top", self.top, 1, 1000)
        check_whole(self.name, "cost", self.cost, 0, self.top)
        check_whole(self.name, "value", self.value, 0, self.top)
        check_whole(self.name, "turns", self.turns, 2, 100)
        check_whole(self.name, "spread", self.spread, 0, self.top)
        room = min(self.cost, self.value, self.top - self.cost, self.top - self.value)
        if self.spread > room:
            wanted = f"give 0 to {room}, so that cost and value stay between 0 and top={self.top}"
            raise BadOption(f"{self.name}: spread={self.spread} is not allowed; {wanted}")

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by what there is to share, at most."""
        low = min(-(self.cost + self.spread), self.value - self.spread - self.top)
        high = max(self.top - self.cost + self.spread, self.value + self.spread)
        return GameInfo(
            name=self.name,
            version=0,
            summary="Buy and sell: seller and buyer agree on a price, or on none.",
            kind="mixed",
            seats=(2, 2),
            roles=("seller", "buyer"),
            payoff_bounds=(float(low), float(high)),
            max_ticks=self.turns * (2 if self.talk else 1),
            moves=(*self._prices, *ANSWERS),
            free=MESSAGE if self.talk else None,
            unit=float(max(1, self.value - self.cost + 2 * self.spread)),
            deterministic=self.spread == 0,
            paper="arXiv 2402.05863",
        )

    @cached_property
    def _prices(self) -> tuple[Move, ...]:
        return tuple(str(n) for n in range(self.top + 1))

    def start(self, rng: Stream) -> State:
        """Draw what the item is worth to both."""
        return State(self._drawn(self.cost, rng), self._drawn(self.value, rng))

    def _drawn(self, middle: int, rng: Stream) -> int:
        return middle - self.spread + rng.integers(2 * self.spread + 1) if self.spread else middle

    def starts(self) -> Iterable[tuple[float, State]]:
        """Each pair of worths, equally likely."""
        moved = range(-self.spread, self.spread + 1)
        return [(1 / len(moved) ** 2, State(self.cost + a, self.value + b)) for a in moved for b in moved]

    def over(self, state: State) -> bool:
        """Whether somebody accepted or rejected."""
        return state.done[-1:] in (("accept",), ("reject",))

    def _speaking(self, state: State) -> bool:
        return self.talk and len(state.messages) == len(state.done)

    def to_move(self, state: State) -> tuple[int, ...]:
        """Seller and buyer in turn."""
        return () if self.over(state) else (len(state.done) % 2,)

    def moves(self, state: State, seat: int) -> Moves:
        """A message, or a price or an answer; no answer before the first price, no price at the last turn."""
        if self._speaking(state):
            return Moves(free=MESSAGE)
        named = self._prices if len(state.done) < self.turns - 1 else ()
        return Moves((*named, *(ANSWERS if state.done else ANSWERS[1:])))

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A message on one line, or a price or an answer.

        Raises:
            IllegalMove: the message is too long, or the reply names no legal move.
        """
        moves = self.moves(state, seat)
        move = read_move(reply, moves)
        return plain(move) if moves.free else move

    def substitute(self, state: State, seat: int) -> Move | None:
        """Silence for a message, else ``reject``."""
        return "" if self._speaking(state) else "reject"

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Say the message, name the price, or end the match."""
        if self._speaking(state):
            return replace(state, messages=(*state.messages, moves[0])), (0.0, 0.0)
        after = replace(state, done=(*state.done, moves[0]))
        return after, after.payoffs

    def observe(self, state: State, seat: int) -> Observation:
        """First what the item is worth, then what the other said and named, at last what came of it."""
        fields = {
            "role": self.info.roles[seat],
            "worth": (state.cost, state.value)[seat],
            "price": state.price,
            "prices": tuple(int(move) for move in state.done if move not in ANSWERS),
            "turn": len(state.done),
            "turns": self.turns,
            "top": self.top,
            "messages": state.messages,
        }
        return Observation(text.news(self, state, seat), fields)

    def key(self, state: State, seat: int) -> str:
        """The own worth, and everything said and named."""
        return repr(((state.cost, state.value)[seat], state.done, state.messages))

    def rules(self, seat: int) -> str:
        """The rules for seller or buyer."""
        return text.rules(self, seat)

    def render(self, state: State, seat: int | None = None) -> str:
        """The worths that may be shown, and every word and price on a line."""
        return text.board(state, seat)

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self.over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all prices (:mod:`games._bargaining`).

        A deal at any price is worth the same to both together: ``efficiency`` is 1 with a deal where one pays.
        """
        if not self.over(state):
            return {}
        agreed = float(state.done[-1] == "accept")
        possible = prices(state.cost, state.value, self.top)
        return {"agreement": (agreed, agreed), **possible.measures(state.payoffs)}


GAME = BuySell
