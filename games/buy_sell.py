"""Buy and sell: a seller and a buyer name prices in turn until one accepts or rejects (NegotiationArena).

The item costs the seller ``cost`` and is worth ``value`` to the buyer, each moved by up to ``spread`` points from deal
to deal and known to that side alone; with ``spread=0`` it is the game of arXiv 2402.05863 (40, 60, ten turns). ``talk``
lets each side say something before every price.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from games._bargaining import Frontier, frontier
from games._checks import check_whole
from games._talk import message_form, plain, says
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


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a seat said, or did (then ``said`` is None)."""

    seat: int
    said: str | None
    move: Move = ""


def _events(state: State) -> list[Event]:
    """Everything said and done, in order."""
    events = []
    for place in range(max(len(state.done), len(state.messages))):
        events += [Event(place % 2, text) for text in state.messages[place : place + 1]]
        events += [Event(place % 2, None, move) for move in state.done[place : place + 1]]
    return events


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
            summary="agree on a price",
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

    def _over(self, state: State) -> bool:
        return state.done[-1:] in (("accept",), ("reject",))

    def _speaking(self, state: State) -> bool:
        return self.talk and len(state.messages) == len(state.done)

    def to_move(self, state: State) -> tuple[int, ...]:
        """Seller and buyer in turn."""
        return () if self._over(state) else (len(state.done) % 2,)

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
        return Observation(self._text(state, seat), fields)

    def _text(self, state: State, seat: int) -> str:
        events = _events(state)
        own = max((n for n, event in enumerate(events) if event.seat == seat), default=-1)
        parts = [] if own >= 0 else [self._worth(state, seat)]
        if own >= 0 and events[own].said == "":
            parts.append("You said nothing.")
        news = events[own:] if self._over(state) and own == len(events) - 1 else events[own + 1 :]
        return " ".join([*parts, *(self._told(event, state, seat) for event in news), self._question(state, seat)])

    def _worth(self, state: State, seat: int) -> str:
        return f"The item costs you {state.cost}." if seat == SELLER else f"The item is worth {state.value} to you."

    def _told(self, event: Event, state: State, seat: int) -> str:
        if event.said is not None:
            return says("They", event.said)
        if event.move in ANSWERS:
            price = "" if state.price is None else f" {state.price}"
            return f"{'You' if event.seat == seat else 'They'} {event.move}ed{price}."
        return f"They {'ask' if event.seat == SELLER else 'offer'} {event.move}."

    def _question(self, state: State, seat: int) -> str:
        if self._over(state):
            return f"You get {state.payoffs[seat]:g} points. The game is over."
        if seat not in self.to_move(state):
            return "Wait."
        if self._speaking(state):
            return "Your message?"
        named = [f"Your price, 0 to {self.top}"] if len(state.done) < self.turns - 1 else []
        choices = [*named, *(ANSWERS if state.done else ANSWERS[1:])]
        text = ", ".join(choices[:-1]) + f" or {choices[-1]}?"
        return text[0].upper() + text[1:]

    def key(self, state: State, seat: int) -> str:
        """The own worth, and everything said and named."""
        return repr(((state.cost, state.value)[seat], state.done, state.messages))

    def rules(self, seat: int) -> str:
        """The rules for seller or buyer."""
        own = "seller" if seat == SELLER else "buyer"
        known = f"you know what the item {'costs you' if seat == SELLER else 'is worth to you'}, they know their number"
        points = "the price minus what it costs you" if seat == SELLER else "what it is worth to you minus the price"
        return (
            f"Buy and sell: you are the {own} of one item; {known}. The seller begins; in turn each names a price from "
            f"0 to {self.top}, accepts the last price of the other, or rejects and ends the talks without a deal. "
            f"There are at most {self.turns} turns; in the last one only accept or reject is possible. "
            f"If a price is accepted, your points are {points}, which may be below 0. Without a deal both get 0. "
            f"Get as many points as you can.{self._talk_rule} Asked for a price, reply with one number, or with accept "
            "or reject, only. An illegal reply counts as reject."
        )

    @property
    def _talk_rule(self) -> str:
        if not self.talk:
            return ""
        longest = f"of at most {MESSAGE.max_length} characters"
        return f" Before each turn you send a message {longest}; asked for it, reply with the message only."

    def render(self, state: State, seat: int | None = None) -> str:
        """The worths that may be shown, and every word and price on a line."""
        worths = [("costs player_0", state.cost), ("is worth to player_1", state.value)]
        lines = [f"The item {text} {n if seat in (None, s) else '?'}." for s, (text, n) in enumerate(worths)]
        for event in _events(state):
            who = f"player_{event.seat}"
            lines.append(f"{who}: {event.move}" if event.said is None else says(who, event.said))
        return "\n".join(lines)

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self._over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all prices (:mod:`games._bargaining`).

        A deal at any price is worth the same to both together: ``efficiency`` is 1 with a deal where one pays.
        """
        if not self._over(state):
            return {}
        agreed = float(state.done[-1] == "accept")
        possible = prices(state.cost, state.value, self.top)
        return {"agreement": (agreed, agreed), **possible.measures(state.payoffs)}


GAME = BuySell
