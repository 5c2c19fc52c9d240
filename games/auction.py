"""Auctions of single lots with private values: sealed first-price, sealed second-price, open ascending.

Each lot is worth something else to every bidder, drawn anew and known to it alone (Vickrey 1961,
doi 10.1111/j.1540-6261.1961.tb02789.x). The winner gains its value minus the price, also where that is below 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games import _auction_text as auction_text
from games._bargaining import gini
from games._checks import check_choice, check_whole
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

FORMATS = ("first-price", "second-price", "ascending")
PASS = "pass"


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot: what it is worth to each seat, what was bid, and who led after that."""

    values: tuple[int, ...]
    bids: tuple[tuple[int, ...], ...] = ()
    """The bids of each tick, by seat; 0 for none."""
    calls: tuple[tuple[int, int], ...] = ()
    """After each tick who leads (-1: nobody), and at which price."""

    @property
    def leader(self) -> int:
        """Who leads, or won; -1: nobody."""
        return self.calls[-1][0] if self.calls else -1

    @property
    def price(self) -> int:
        """The leader's price."""
        return self.calls[-1][1] if self.calls else 0

    def payoff(self, seat: int) -> float:
        """What the lot brings ``seat`` when it is sold like this."""
        return float(self.values[seat] - self.price) if seat == self.leader else 0.0


@dataclass(frozen=True, slots=True)
class State:
    """The lots that are sold, and the one on sale (the last one stays when all are sold)."""

    sold: tuple[Lot, ...]
    now: Lot


@dataclass(frozen=True)
class Auction(Game[State]):
    """An auction of several lots. An illegal reply counts as no bid."""

    seats: int = 3
    """Bidders."""
    format: str = "first-price"
    """``first-price``, ``second-price`` (both sealed) or ``ascending``."""
    lots: int = 3
    """Lots sold one after the other."""
    top: int = 100
    """The greatest value and bid; values are drawn from 1 to it."""
    step: int = 5
    """By how much a bid must exceed the leading one, in the ascending auction."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "seats", self.seats, 2, 8)
        check_choice(self.name, "format", self.format, FORMATS)
        check_whole(self.name, "lots", self.lots, 1, 1000)
        check_whole(self.name, "top", self.top, 1, 1000)
        check_whole(self.name, "step", self.step, 1, self.top)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by the greatest value."""
        ticks = self.top // self.step + 1 if self.open else 1
        return GameInfo(
            name=self.name,
            version=0,
            summary="Auction: bid for lots whose worth only you know, sealed or open.",
            kind="mixed",
            seats=(2, 8),
            roles=("bidder",) * self.seats,
            payoff_bounds=(float(-self.lots * (self.top - 1)), float(self.lots * self.top)),
            max_ticks=self.lots * ticks,
            moves=(*self._bids, PASS),
            unit=float(self.top),
            simultaneous=True,
            paper="doi 10.1111/j.1540-6261.1961.tb02789.x",
        )

    @property
    def open(self) -> bool:
        """Whether bids are called out rather than sealed."""
        return self.format == "ascending"

    @cached_property
    def _bids(self) -> tuple[Move, ...]:
        return tuple(str(n) for n in range(1, self.top + 1))

    def least(self, lot: Lot) -> int:
        """The least bid now."""
        return lot.price + self.step if self.open else 1

    def start(self, rng: Stream) -> State:
        """Draw what the first lot is worth."""
        return State((), self._drawn(rng))

    def _drawn(self, rng: Stream) -> Lot:
        return Lot(tuple(1 + rng.integers(self.top) for _ in range(self.seats)))

    def over(self, state: State) -> bool:
        """Whether every lot is sold."""
        return len(state.sold) == self.lots

    def to_move(self, state: State) -> tuple[int, ...]:
        """All; in the ascending auction all but the leader."""
        if self.over(state):
            return ()
        return tuple(seat for seat in range(self.seats) if not self.open or seat != state.now.leader)

    def moves(self, state: State, seat: int) -> Moves:
        """A bid, or none."""
        return self._moves_from[self.least(state.now)]

    @cached_property
    def _moves_from(self) -> Mapping[int, Moves]:
        return {least: Moves((*self._bids[least - 1 :], PASS)) for least in range(1, self.top + 1)}

    def substitute(self, state: State, seat: int) -> Move | None:
        """No bid."""
        return PASS

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Take the bids; sell the lot where they are sealed or nobody bid more, and draw the next."""
        bids = [0] * self.seats
        for seat, move in zip(self.to_move(state), moves, strict=True):
            bids[seat] = 0 if move == PASS else int(move)
        call = self._call(state.now, bids, rng)
        lot = replace(state.now, bids=(*state.now.bids, tuple(bids)), calls=(*state.now.calls, call))
        if self.open and any(bids) and self.least(lot) <= self.top:
            return replace(state, now=lot), (0.0,) * self.seats
        rewards = tuple(lot.payoff(seat) for seat in range(self.seats))
        sold = (*state.sold, lot)
        return State(sold, lot if len(sold) == self.lots else self._drawn(rng)), rewards

    def _call(self, lot: Lot, bids: Sequence[int], rng: Stream) -> tuple[int, int]:
        """Who leads after these bids, and at which price; among equal bids the leader is drawn."""
        best = max(bids)
        if best == 0:
            return lot.leader, lot.price
        leaders = [seat for seat, bid in enumerate(bids) if bid == best]
        leader = rng.choice(leaders) if len(leaders) > 1 else leaders[0]
        second = max(bid for seat, bid in enumerate(bids) if seat != leader)
        return leader, second if self.format == "second-price" else best

    def observe(self, state: State, seat: int) -> Observation:
        """How the last lot went, what this one is worth, who leads."""
        lot = state.now
        fields = {
            "lot": min(len(state.sold) + 1, self.lots),
            "lots": self.lots,
            "format": self.format,
            "seats": self.seats,
            "value": lot.values[seat],
            "leader": lot.leader,
            "price": lot.price,
            "least": self.least(lot),
            "top": self.top,
            "history": tuple((past.values[seat], past.leader, past.price) for past in state.sold),
        }
        return Observation(auction_text.news(self, state, seat), fields)

    def key(self, state: State, seat: int) -> str:
        """The own values and bids, and who led or won at which price, lot by lot."""
        lots = state.sold if self.over(state) else (*state.sold, state.now)
        return repr([(lot.values[seat], lot.calls, tuple(bids[seat] for bids in lot.bids)) for lot in lots])

    def rules(self, seat: int) -> str:
        """The rules; only the own name differs."""
        return auction_text.rules(self, seat)

    def render(self, state: State, seat: int | None = None) -> str:
        """Every lot on a line: values as far as they may be shown, and the sale."""
        lots = state.sold if self.over(state) else (*state.sold, state.now)
        return "\n".join(auction_text.line(n, lot, seat) for n, lot in enumerate(lots, 1))

    def round(self, state: State) -> int:
        """Lots sold."""
        return len(state.sold)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """What the lots brought, against what they could have.

        ``efficiency``: the winners' values over the greatest values; ``pareto``: the share of lots won by who values
        them most, so that no resale is better for all; ``revenue``: prices over the greatest values. Among the bidders,
        lotteries allowed and the price 0, both the Nash and the Kalai–Smorodinsky point of a lot give each bidder its
        value over the number of bidders: ``nash`` and ``kalai_smorodinsky`` are the own gain over the sum of those.
        ``gini``: inequality of the gains, where nobody lost.
        """
        if not state.sold:
            return {}
        n, best = self.seats, sum(max(lot.values) for lot in state.sold)
        won = [lot for lot in state.sold if lot.leader >= 0]
        gains = [sum(lot.payoff(seat) for lot in state.sold) for seat in range(n)]
        fair = tuple(gains[s] * n / sum(lot.values[s] for lot in state.sold) for s in range(n))
        found: dict[str, tuple[float, ...]] = {
            "efficiency": (sum(lot.values[lot.leader] for lot in won) / best,) * n,
            "pareto": (sum(lot.values[lot.leader] == max(lot.values) for lot in won) / len(state.sold),) * n,
            "revenue": (sum(lot.price for lot in won) / best,) * n,
            "nash": fair,
            "kalai_smorodinsky": fair,
        }
        return found if min(gains) < 0 else {**found, "gini": (gini(gains),) * n}


GAME = Auction
