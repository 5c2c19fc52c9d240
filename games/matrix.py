"""Repeated two-player matrix games: one integer kernel on arrays, and the game as its face for a single match.

A member of the family is a file of a few lines: a :class:`Family` (words, payoff table, what its payoffs must satisfy)
and a subclass of :class:`MatrixGame` with its default payoffs. Move number 0 is the cooperative one where there is one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from games import matrix_text
from games.game import Game, GameInfo, Moves, Observation, Rewards
from games.matrix_family import Family, Table, check_payoffs, check_probability, check_rounds
from games.matrix_kernel import DRAWS, Floats, Ints, Kernel, round_chance
from games.stream import Stream

Pair = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class MatrixState:
    """A match in progress; each pair holds the moves of seat 0 and of seat 1, as numbers, oldest first."""

    played: Pair = ((), ())
    """What was executed."""
    chosen: Pair = ((), ())
    """What was chosen; differs from ``played`` where noise struck."""
    totals: tuple[float, float] = (0.0, 0.0)
    """Payoffs so far."""
    over: bool = False


@dataclass(frozen=True)
class MatrixGame(Game[MatrixState]):
    """A repeated matrix game; see the options."""

    family: ClassVar[Family]

    rounds: int = 10
    """Rounds of a match (1 to 10000); with a random end the most there can be, which the players are not told."""
    payoffs: tuple[float, ...] = ()
    """Payoffs, in an order that each game states."""
    noise: float = 0.0
    """Probability (0 to 1) that a move is executed as another one."""
    end: float = 0.0
    """Probability (0 to below 1) that the match ends after each round; 0: after exactly ``rounds`` rounds."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: with the values that are allowed.
        """
        check_rounds(self.name, self.rounds)
        check_probability(self.name, "noise", self.noise)
        check_probability(self.name, "end", self.end, below=1.0)
        check_payoffs(self.name, self.family, self.payoffs)
        object.__setattr__(self, "payoffs", tuple(float(p) for p in self.payoffs))

    @cached_property
    def info(self) -> GameInfo:
        """What is true of this game with these options."""
        low, high = min(self.payoffs), max(self.payoffs)
        cells = zip(itertools.chain(*self.tables[0]), itertools.chain(*zip(*self.tables[1], strict=True)), strict=True)
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind=self.family.kind,
            seats=(2, 2),
            roles=self.family.roles,
            payoff_bounds=(min(low, low * self.rounds), max(high, high * self.rounds)),
            max_ticks=self.rounds,
            moves=self.family.moves,
            unit=max(abs(low), abs(high)),
            zero_sum=all(a + b == 0 for a, b in cells),
            simultaneous=True,
            deterministic=not self._chancy,
            paper=self.family.paper,
        )

    @cached_property
    def tables(self) -> tuple[Table, Table]:
        """Payoffs as each seat sees them: ``tables[seat][own move][other's move]``."""
        value = dict(zip(self.family.symbols, self.payoffs, strict=True))
        both = (self.family.table, self.family.other or self.family.table)
        first, second = (tuple(tuple(value[letter] for letter in row) for row in table) for table in both)
        return first, second

    @cached_property
    def kernel(self) -> Kernel:
        """The rules on arrays, for blocks of matches."""
        first, second = np.array(self.tables[0]), np.array(self.tables[1]).T
        return Kernel(np.stack([first, second], axis=-1), self.noise, self.end)

    def start(self, rng: Stream) -> MatrixState:
        """No rounds yet; draws nothing."""
        return MatrixState()

    def to_move(self, state: MatrixState) -> tuple[int, ...]:
        """Both seats, until the match is over."""
        return () if state.over else (0, 1)

    def moves(self, state: MatrixState, seat: int) -> Moves:
        """The same moves in every round."""
        return self._moves

    def play(self, state: MatrixState, moves: tuple[str, ...], rng: Stream) -> tuple[MatrixState, Rewards]:
        """One round; with noise or a random end it takes ``DRAWS`` draws."""
        chosen = self._number[moves[0]], self._number[moves[1]]
        if not self._chancy:
            return self._next(state, chosen, chosen, ended=False)
        draws = np.array([[rng.random() for _ in range(DRAWS)]])
        played, _, ended = self.kernel.step(np.array([chosen]), draws)
        return self._next(state, chosen, (int(played[0, 0]), int(played[0, 1])), ended=bool(ended[0]))

    def outcomes(self, state: MatrixState, moves: tuple[str, ...]) -> Iterable[tuple[float, MatrixState, Rewards]]:
        """Every way in which moves slip and the match goes on or ends."""
        chosen = self._number[moves[0]], self._number[moves[1]]
        end = 0.0 if len(state.played[0]) + 1 >= self.rounds else self.end
        ends = [(1.0 - end, False), (end, True)]
        for (p, first), (q, second) in itertools.product(*(self._slips(move) for move in chosen)):
            for r, ended in ends:
                if p * q * r > 0:
                    yield p * q * r, *self._next(state, chosen, (first, second), ended=ended)

    def _slips(self, move: int) -> list[tuple[float, int]]:
        n = len(self.family.moves)
        return [(1 - self.noise if m == move else self.noise / (n - 1), m) for m in range(n)]

    def _next(
        self, state: MatrixState, chosen: tuple[int, int], played: tuple[int, int], *, ended: bool
    ) -> tuple[MatrixState, Rewards]:
        rewards = self._rewards[played]
        done = _longer(state.played, played)
        meant = _longer(state.chosen, chosen) if self.noise else done
        totals = state.totals[0] + rewards[0], state.totals[1] + rewards[1]
        return MatrixState(done, meant, totals, ended or len(done[0]) >= self.rounds), rewards

    def observe(self, state: MatrixState, seat: int) -> Observation:
        """The last round and what comes now; ``fields`` has both histories, own moves first."""
        played, t = state.played, len(state.played[0])
        fields = {
            "round": t + (not state.over),
            "rounds": None if self.end else self.rounds,
            "own": played[seat],
            "other": played[1 - seat],
            "moves": self.family.moves,
            "payoff": state.totals[seat],
            "payoffs": self.tables[seat],
        }
        return Observation(matrix_text.news(self, state, seat), fields)

    def key(self, state: MatrixState, seat: int) -> str:
        """Own choices where they can slip, what both played, and whether it is over; the role where roles differ."""
        rounds = zip(state.chosen[seat], state.played[seat], state.played[1 - seat], strict=True)
        line = " ".join(f"{c}{a}{b}" if self.noise else f"{a}{b}" for c, a, b in rounds)
        role = f"{self.family.roles[seat]}|" if self.family.has_roles else ""
        return f"{role}{line}{'.' if state.over else ''}"

    def rules(self, seat: int) -> str:
        """The whole game in at most about 90 words."""
        return matrix_text.rules(self, seat)

    def render(self, state: MatrixState, seat: int | None = None) -> str:
        """Both move histories and the score."""
        return matrix_text.board(self, state)

    def round(self, state: MatrixState) -> int:
        """Rounds played."""
        return len(state.played[0])

    def measures(self, state: MatrixState) -> Mapping[str, tuple[float, ...]]:
        """The family's measure over the moves executed; nothing before the first round."""
        first, second = state.played
        if not self.family.measure or not first:
            return {}
        if self.family.measure == "agreement":
            share = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
            return {"agreement": (share, share)}
        return {self.family.measure: (first.count(0) / len(first), second.count(0) / len(second))}

    def forfeit(self, state: MatrixState, seats: tuple[int, ...]) -> Rewards:
        """Who forfeits ends with the lowest payoff there is; the other keeps its own, or in zero-sum games the rest."""
        low = self.info.payoff_bounds[0]
        totals = [low if s in seats else -low if self.info.zero_sum else state.totals[s] for s in (0, 1)]
        return totals[0] - state.totals[0], totals[1] - state.totals[1]

    @cached_property
    def _chancy(self) -> bool:
        return bool(self.noise or self.end)

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.family.moves)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.family.moves)}

    @cached_property
    def _rewards(self) -> dict[tuple[int, int], Rewards]:
        """The kernel's rewards for every joint move, so that one match needs no arrays."""
        numbers = range(len(self.family.moves))
        joint = [(a, b) for a in numbers for b in numbers]
        _, rewards, _ = Kernel(self.kernel.payoffs).step(np.array(joint))
        return {pair: (float(a), float(b)) for pair, (a, b) in zip(joint, rewards, strict=True)}


def _longer(histories: Pair, joint: tuple[int, int]) -> Pair:
    return (*histories[0], joint[0]), (*histories[1], joint[1])


__all__ = ["DRAWS", "Family", "Floats", "Ints", "Kernel", "MatrixGame", "MatrixState", "round_chance"]
