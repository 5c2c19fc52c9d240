"""Goofspiel, the game of pure strategy: bid for prizes with equal hands of cards.

The rules are those of OpenSpiel's ``goofspiel`` for two players with everything in sight: a prize that both bid alike
for is discarded, and the last cards, which leave no choice, are played by themselves. ``payoff=win`` pays as its
``win_loss``; ``payoff=points`` pays the whole difference of points, where its ``point_difference`` pays half of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

ORDERS = ("random", "descending", "ascending")
PAYOFFS = ("points", "win")


@dataclass(frozen=True, slots=True)
class Bidding:
    """The prizes so far, the one bid for now included, and the bids of each finished round by seat."""

    prizes: tuple[int, ...]
    bids: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Goofspiel(Game[Bidding]):
    """Goofspiel: both bid a card at once for each prize, the higher bid wins it."""

    cards: int = 5
    """Cards in each hand, 1 to this number; the prizes are the same numbers."""
    order: str = "random"
    """How the prizes come: random, descending or ascending."""
    payoff: str = "points"
    """points: own points less the other's; win: 1, 0 or -1."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option has a value that is not allowed.
        """
        if not 2 <= self.cards <= 13:
            raise BadOption(f"goofspiel: cards={self.cards} is not allowed; give 2 to 13")
        if self.order not in ORDERS:
            raise BadOption(f'goofspiel: order="{self.order}" is not allowed; give {", ".join(ORDERS)}')
        if self.payoff not in PAYOFFS:
            raise BadOption(f'goofspiel: payoff="{self.payoff}" is not allowed; give {" or ".join(PAYOFFS)}')

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options.

        At most all but the 1 is won, and the 1 lost: whoever outbids the other somewhere is outbid elsewhere.
        """
        most = sum(self._numbers) - 2.0 if self.payoff == "points" else 1.0
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 2),
            roles=("player", "player"),
            payoff_bounds=(-most, most),
            max_ticks=self.cards - 1,
            moves=tuple(map(str, self._numbers)),
            unit=most,
            zero_sum=True,
            simultaneous=True,
            deterministic=self.order != "random",
            paper="Ross 1971, Goofspiel: the game of pure strategy, doi 10.2307/3212187",
        )

    @property
    def _numbers(self) -> range:
        return range(1, self.cards + 1)

    def start(self, rng: Stream) -> Bidding:
        """The first prize, drawn where the order is random."""
        first = self._next(())
        return Bidding((first[0] if len(first) == 1 else rng.choice(first),))

    def starts(self) -> Iterable[tuple[float, Bidding]]:
        """Every first prize there can be."""
        first = self._next(())
        return [(1 / len(first), Bidding((prize,))) for prize in first]

    def _next(self, prizes: tuple[int, ...]) -> tuple[int, ...]:
        """The prizes that may come after these, all equally likely."""
        left = tuple(n for n in self._numbers if n not in prizes)
        return {"random": left, "descending": left[-1:], "ascending": left[:1]}[self.order]

    def to_move(self, state: Bidding) -> tuple[int, ...]:
        """Both, until every card is played."""
        return () if len(state.bids) == self.cards else (0, 1)

    def moves(self, state: Bidding, seat: int) -> Moves:
        """The cards that the seat still has."""
        return Moves(tuple(map(str, self._hand(state, seat))))

    def _hand(self, state: Bidding, seat: int) -> tuple[int, ...]:
        played = {bids[seat] for bids in state.bids}
        return tuple(n for n in self._numbers if n not in played)

    def play(self, state: Bidding, moves: tuple[Move, ...], rng: Stream) -> tuple[Bidding, Rewards]:
        """Both bids are laid open and the next prize comes; points are paid at once, a win at the end."""
        after = self._bid(state, moves)
        following = self._next(after.prizes)
        prize = following[0] if len(following) == 1 else rng.choice(following)
        return self._turned(after, prize), self._rewards(state, self._turned(after, prize))

    def outcomes(self, state: Bidding, moves: tuple[Move, ...]) -> Iterable[tuple[float, Bidding, Rewards]]:
        """One outcome for each prize that may come next."""
        after = self._bid(state, moves)
        following = self._next(after.prizes)
        turned = [self._turned(after, prize) for prize in following]
        return [(1 / len(following), one, self._rewards(state, one)) for one in turned]

    def _bid(self, state: Bidding, moves: tuple[Move, ...]) -> Bidding:
        return Bidding(state.prizes, (*state.bids, (int(moves[0]), int(moves[1]))))

    def _turned(self, state: Bidding, prize: int) -> Bidding:
        """The state with the next prize; for the last one the last cards are bid."""
        after = Bidding((*state.prizes, prize), state.bids)
        if len(after.prizes) < self.cards:
            return after
        return Bidding(after.prizes, (*after.bids, (self._hand(after, 0)[0], self._hand(after, 1)[0])))

    def _rewards(self, before: Bidding, after: Bidding) -> Rewards:
        if self.payoff == "win":
            over = len(after.bids) == self.cards
            lead = _lead(after) if over else 0
            won = float((lead > 0) - (lead < 0))
        else:
            won = float(_lead(after) - _lead(before))
        return won, 0.0 - won

    def observe(self, state: Bidding, seat: int) -> Observation:
        """How the last prize went, the next one and the cards left."""
        own, other = points(state, seat), points(state, 1 - seat)
        fields = {
            "prize": state.prizes[-1] if self.to_move(state) else None,
            "hand": self._hand(state, seat),
            "their_hand": self._hand(state, 1 - seat),
            "points": own,
            "their_points": other,
            "prizes": state.prizes,
            "bids": tuple((bids[seat], bids[1 - seat]) for bids in state.bids),
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: Bidding, seat: int) -> str:
        told = [_told(prize, bids[seat], bids[1 - seat]) for prize, bids in zip(state.prizes, state.bids, strict=False)]
        if self.to_move(state):
            hand = " ".join(map(str, self._hand(state, seat)))
            return " ".join([*told[-1:], f"Prize {state.prizes[-1]}. Your cards: {hand}. Your bid?"])
        own, other = points(state, seat), points(state, 1 - seat)
        result = "A draw." if own == other else "You win." if own > other else "You lose."
        return f"{told[-2]} The last cards are played. {told[-1]} Points: you {own}, they {other}. {result}"

    def key(self, state: Bidding, seat: int) -> str:
        """The prizes and both seats' bids, the own ones first, as in ``4:3/2 1``."""
        bids = [f":{bids[seat]}/{bids[1 - seat]}" for bids in state.bids]
        return " ".join(f"{prize}{bid}" for prize, bid in zip(state.prizes, [*bids, ""], strict=False))

    def rules(self, seat: int) -> str:
        """The whole game, the same for both seats."""
        come = "in random order" if self.order == "random" else f"in {self.order} order"
        paid = {
            "points": "You win the points you have more than the other player, or lose what you have less.",
            "win": "Who has more points in the end wins 1, the other loses 1.",
        }[self.payoff]
        return (
            f"You play goofspiel with one other player. Each of you has the cards 1 to {self.cards}. "
            f"The prizes 1 to {self.cards} come one by one, {come}. For each prize both bid one of their cards at the "
            "same time; a card is used once. The higher card wins the prize, which is worth its number in points. "
            "Equal cards: nobody gets it. You see both bids after each prize. The last cards are played for you. "
            f"{paid}\nAnswer with one of your cards: {', '.join(map(str, self._numbers[:-1]))} or {self.cards}."
        )

    def render(self, state: Bidding, seat: int | None = None) -> str:
        """A line for each prize, then the points."""
        bids = [f"player_0 bids {a}, player_1 bids {b}" for a, b in state.bids]
        lines = [f"prize {prize}: {bid}" for prize, bid in zip(state.prizes, [*bids, "…"], strict=False)]
        return "\n".join([*lines, f"points: {points(state, 0)} {points(state, 1)}"])

    def round(self, state: Bidding) -> int:
        """Prizes bid for."""
        return len(state.bids)

    def measures(self, state: Bidding) -> Mapping[str, tuple[float, ...]]:
        """``points`` of each seat."""
        return {"points": (float(points(state, 0)), float(points(state, 1)))}


def points(state: Bidding, seat: int) -> int:
    """The sum of the prizes that a seat has won."""
    return sum(prize for prize, bids in zip(state.prizes, state.bids, strict=False) if bids[seat] > bids[1 - seat])


def _lead(state: Bidding) -> int:
    """How many points the first seat is ahead."""
    return points(state, 0) - points(state, 1)


def _told(prize: int, own: int, other: int) -> str:
    """A finished round in words."""
    winner = "nobody wins" if own == other else "you win" if own > other else "they win"
    return f"You bid {own}, they bid {other}: {winner} {prize}."


GAME = Goofspiel
