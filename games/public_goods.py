"""Public goods: what is put into a common pot grows and is shared by all, whoever put it there.

The linear game of the experiments (Fehr & Gächter 2000, doi 10.1257/aer.90.4.980: four players, 20 tokens, 1.6, ten
rounds), without punishment. A token in the pot gives each player ``multiplier / seats``, less than the token kept, but
all together more: everybody's best answer is nothing, the best for all is everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games._bargaining import gini
from games._checks import check_number, check_whole
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream


@dataclass(frozen=True, slots=True)
class State:
    """The contributions of each finished round, by seat."""

    past: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class PublicGoods(Game[State]):
    """Public goods. An illegal contribution ends the match for all; what was earned stays."""

    seats: int = 4
    """Players."""
    rounds: int = 10
    """Rounds of one match."""
    endowment: int = 20
    """Tokens that each player gets in every round."""
    multiplier: float = 1.6
    """What the pot is multiplied by before it is shared; above 1 and below the number of players."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range, or a multiplier with which there is no dilemma.
        """
        check_whole(self.name, "seats", self.seats, 2, 20)
        check_whole(self.name, "rounds", self.rounds, 1, 1000)
        check_whole(self.name, "endowment", self.endowment, 1, 1000)
        check_number(self.name, "multiplier", self.multiplier, 1, self.seats)
        if not 1 < self.multiplier < self.seats:
            wanted = f"give a number above 1 and below {self.seats}, the number of players"
            raise BadOption(f"{self.name}: multiplier={self.multiplier:g} is no dilemma; {wanted}")

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by the endowment."""
        alone = self.multiplier * self.endowment / self.seats
        most = self.endowment + alone * (self.seats - 1)
        return GameInfo(
            name=self.name,
            version=0,
            summary="Public goods: give to a pot that grows and is shared by all, or keep what you have.",
            kind="social-dilemma",
            seats=(2, 20),
            roles=("player",) * self.seats,
            payoff_bounds=(0.0, self.rounds * most),
            max_ticks=self.rounds,
            moves=self._moves.texts,
            unit=float(self.endowment),
            simultaneous=True,
            deterministic=True,
            paper="doi 10.1257/aer.90.4.980",
        )

    @cached_property
    def _moves(self) -> Moves:
        return Moves(tuple(str(n) for n in range(self.endowment + 1)))

    def start(self, rng: Stream) -> State:
        """No rounds yet; draws nothing."""
        return State()

    def to_move(self, state: State) -> tuple[int, ...]:
        """All, until the last round is over."""
        return tuple(range(self.seats)) if len(state.past) < self.rounds else ()

    def moves(self, state: State, seat: int) -> Moves:
        """Any part of the endowment."""
        return self._moves

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """One round."""
        given = tuple(map(int, moves))
        return State((*state.past, given)), self.points(given)

    def points(self, given: tuple[int, ...]) -> Rewards:
        """What each earns: the tokens kept and an equal part of the pot."""
        part = self.multiplier * sum(given) / self.seats
        return tuple(self.endowment - own + part for own in given)

    def observe(self, state: State, seat: int) -> Observation:
        """The last round's contributions and own points, and the question."""
        fields = {
            "round": min(len(state.past) + 1, self.rounds),
            "rounds": self.rounds,
            "endowment": self.endowment,
            "own": tuple(given[seat] for given in state.past),
            "others": tuple(given[:seat] + given[seat + 1 :] for given in state.past),
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: State, seat: int) -> str:
        parts = []
        if state.past:
            last = state.past[-1]
            others = ", ".join(f"player_{s} {n}" for s, n in enumerate(last) if s != seat)
            parts.append(f"You gave {last[seat]}, {others}. You got {self.points(last)[seat]:.1f} points.")
        if len(state.past) == self.rounds:
            return " ".join([*parts, "The game is over."])
        number = len(state.past) + 1
        return " ".join([*parts, f"Round {number} of {self.rounds}. Your contribution, 0 to {self.endowment}?"])

    def key(self, state: State, seat: int) -> str:
        """Every contribution so far."""
        return repr(state.past)

    def rules(self, seat: int) -> str:
        """The rules; only the own name differs."""
        n, tokens = self.seats, self.endowment
        return (
            f"Public goods: {n} players, {self.rounds} rounds. In each round every player gets {tokens} tokens and "
            f"says, all at the same time, how many of them go into the pot, 0 to {tokens}. The pot is multiplied by "
            f"{self.multiplier:g} and shared equally by all {n}, whoever gave. Your points of the round are the tokens "
            f"you kept and your part of the pot: {tokens} minus your contribution, plus {self.multiplier:g} times the "
            f"sum of all contributions divided by {n}. Then all see who gave what. Get as many points as you can. "
            f"You are player_{seat}. Reply with one number only. An illegal reply ends the game for all."
        )

    def render(self, state: State, seat: int | None = None) -> str:
        """The contributions of each round on a line; nothing is hidden."""
        lines = [f"Round {n}: contributions {' '.join(map(str, given))}" for n, given in enumerate(state.past, 1)]
        return "\n".join(lines) or f"Round 1 of {self.rounds}"

    def round(self, state: State) -> int:
        """Rounds played."""
        return len(state.past)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``contribution`` (own share of the endowment given), ``efficiency`` (joint gain over the best), ``gini``."""
        if not state.past:
            return {}
        all_tokens = self.endowment * len(state.past)
        given = [sum(column) / all_tokens for column in zip(*state.past, strict=True)]
        points = [sum(column) for column in zip(*map(self.points, state.past), strict=True)]
        return {
            "contribution": tuple(given),
            "efficiency": (sum(given) / self.seats,) * self.seats,  # every token in the pot gains the same
            "gini": (gini(points),) * self.seats,
        }


GAME = PublicGoods
