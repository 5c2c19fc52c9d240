"""The ultimatum game: one offers a part of an amount; if the other rejects, both get nothing.

One offer by default (Güth, Schmittberger & Schwarze 1982, doi 10.1016/0167-2681(82)90011-7); with more, who rejects
makes the next offer, as in NegotiationArena's multi-turn form (arXiv 2402.05863: 100 dollars, 6 turns, here 3 offers).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games._bargaining import Frontier, frontier
from games._checks import check_whole
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

ANSWERS = ("accept", "reject")


@dataclass(frozen=True, slots=True)
class State:
    """Offers and answers in turn, as they were made."""

    moves: tuple[Move, ...] = ()

    @property
    def proposer(self) -> int:
        """Who makes, or made, the present offer."""
        return len(self.moves) // 2 % 2

    @property
    def offer(self) -> int | None:
        """The offer that waits for an answer."""
        return int(self.moves[-1]) if len(self.moves) % 2 else None


@dataclass(frozen=True)
class Ultimatum(Game[State]):
    """The ultimatum game. An illegal answer counts as a rejection; an illegal offer forfeits, and both get nothing."""

    amount: int = 100
    """What there is to divide, in whole points."""
    offers: int = 1
    """Offers that there can be; the players take turns to make them."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "amount", self.amount, 1, 1000)
        check_whole(self.name, "offers", self.offers, 1, 50)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by the amount."""
        return GameInfo(
            name=self.name,
            version=0,
            summary="Ultimatum: one offers a part, the other takes it or both get nothing.",
            kind="mixed",
            seats=(2, 2),
            roles=("proposer", "responder"),
            payoff_bounds=(0.0, float(self.amount)),
            max_ticks=2 * self.offers,
            moves=(*self._offers.texts, *ANSWERS),
            unit=float(self.amount),
            perfect_information=True,
            deterministic=True,
            paper="doi 10.1016/0167-2681(82)90011-7, arXiv 2402.05863",
        )

    @cached_property
    def _offers(self) -> Moves:
        return Moves(tuple(str(n) for n in range(self.amount + 1)))

    @cached_property
    def possible(self) -> Frontier:
        """What the players could reach."""
        divisions = [(float(self.amount - n), float(n)) for n in range(self.amount + 1)]
        return frontier(divisions, (0.0, 0.0))

    def start(self, rng: Stream) -> State:
        """No offer yet; draws nothing."""
        return State()

    def _over(self, state: State) -> bool:
        return len(state.moves) == 2 * self.offers or "accept" in state.moves[-1:]

    def to_move(self, state: State) -> tuple[int, ...]:
        """The proposer, then the other."""
        if self._over(state):
            return ()
        return (state.proposer if state.offer is None else 1 - state.proposer,)

    def moves(self, state: State, seat: int) -> Moves:
        """What the other is offered, or an answer."""
        return self._offers if state.offer is None else Moves(ANSWERS)

    def substitute(self, state: State, seat: int) -> Move | None:
        """A rejection for an answer; None (forfeit) for an offer."""
        return None if state.offer is None else "reject"

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Make the offer, or answer it."""
        return State((*state.moves, moves[0])), self._paid(state, moves[0])

    def _paid(self, state: State, move: Move) -> Rewards:
        if move != "accept" or state.offer is None:
            return 0.0, 0.0
        kept, given = float(self.amount - state.offer), float(state.offer)
        return (kept, given) if state.proposer == 0 else (given, kept)

    def observe(self, state: State, seat: int) -> Observation:
        """The offer to answer, or what came of the last one."""
        made = tuple(map(int, state.moves[::2]))
        fields = {
            "amount": self.amount,
            "offer": state.offer if not self._over(state) else None,
            "past": made,
            "offers_left": self.offers - len(made),
            "last_proposer": (self.offers - 1) % 2 == seat,
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: State, seat: int) -> str:
        if self._over(state):
            answered = "You" if state.moves and (len(state.moves) // 2) % 2 == seat else "They"
            verb = "accepted" if state.moves[-1] == "accept" else "rejected"
            return f"{answered} {verb}. You get {self._points(state)[seat]:g} points. The game is over."
        rejected = "They rejected. " if len(state.moves) > 1 and seat != state.proposer else ""
        if seat not in self.to_move(state):
            return f"{rejected}Wait."
        if state.offer is None:
            return f"Your offer, 0 to {self.amount}?"
        return f"{rejected}They offer you {state.offer}. Accept or reject?"

    def _points(self, state: State) -> Rewards:
        return self._paid(State(state.moves[:-1]), state.moves[-1]) if state.moves else (0.0, 0.0)

    def key(self, state: State, seat: int) -> str:
        """Everything that was offered and answered."""
        return " ".join(state.moves) or "-"

    def rules(self, seat: int) -> str:
        """The rules; they differ in who offers first."""
        first = "You make" if seat == 0 else "They make"
        if self.offers == 1:
            course = f"{first} one offer. If it is rejected, both get nothing."
        else:
            course = (
                f"{first} the first offer; who rejects makes the next one, and there are at most {self.offers} offers. "
                "If the last one is rejected, both get nothing."
            )
        return (
            f"Ultimatum: two players divide {self.amount} points. An offer is a number from 0 to {self.amount}: what "
            f"the other gets; who offers keeps the rest. The other answers accept or reject. {course} "
            "Get as many points as you can. Reply with one number, or with accept or reject, only. "
            "An illegal answer counts as reject; an illegal offer ends the game with nothing for both."
        )

    def render(self, state: State, seat: int | None = None) -> str:
        """Every offer with its answer on a line; nothing is hidden."""
        lines = []
        for n, offer in enumerate(state.moves[::2]):
            answer = state.moves[2 * n + 1 : 2 * n + 2]
            lines.append(f"player_{n % 2} offers {offer} of {self.amount}{': ' + answer[0] if answer else ''}")
        return "\n".join(lines) or f"{self.amount} to divide"

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self._over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all divisions (:mod:`games._bargaining`)."""
        if not self._over(state):
            return {}
        agreed = float(state.moves[-1] == "accept")
        return {"agreement": (agreed, agreed), **self.possible.measures(self._points(state))}


GAME = Ultimatum
