"""Repeated two-player matrix games: one integer kernel on arrays, and the game as its face for a single match.

A member of the family is a file of a few lines: a :class:`Family` (words, payoff table, what its payoffs must satisfy)
and a subclass of :class:`MatrixGame` with its default payoffs. Move number 0 is the cooperative one where there is one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from games.errors import BadOption
from games.game import Game, GameInfo, Moves, Observation, Rewards
from games.stream import Bits, Stream, uniform_array

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Table = tuple[tuple[float, ...], ...]
Pair = tuple[tuple[int, ...], tuple[int, ...]]

DRAWS = 3  # draws of chance in a round: seat 0 slips, seat 1 slips, the match ends


@dataclass(frozen=True)
class Family:
    """What distinguishes one matrix game from another: data, no code."""

    title: str
    """How the rules call it: "the prisoner's dilemma"."""
    moves: tuple[str, ...]
    symbols: str
    """A letter for each number of the option ``payoffs``, in order."""
    order: str
    """What the payoffs must satisfy, as a falling chain of those letters: ``T>R>P>S``, ``R>T>=P>S``."""
    table: tuple[str, ...]
    """Seat 0's payoffs: for each of its moves the letters against each move of the other."""
    other: tuple[str, ...] | None = None
    """Seat 1's payoffs, its own move first; None: the same table."""
    roles: tuple[str, str] = ("player", "player")
    kind: str = "competitive"
    measure: str = ""
    """The name of the measure: ``agreement`` is the share of rounds with equal moves, any other the share of move 0."""
    digest: str = ""
    """The payoff table in words, with the letters in braces, where a full table would be long."""
    paper: str = ""


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
class Kernel:
    """One round of B matches at once, a pure function of moves and uniform draws.

    Args:
        payoffs: ``(n, n, 2)``: rewards of both seats for seat 0's and seat 1's executed moves.
        noise: probability that a move flips to another one, each alike.
        end: probability that the match ends after the round.
    """

    payoffs: Floats
    noise: float = 0.0
    end: float = 0.0

    def step(self, moves_B2: Ints, chance_B3: Floats | None = None) -> tuple[Ints, Floats, NDArray[np.bool_]]:
        """Executed moves ``(B, 2)``, rewards ``(B, 2)`` and which matches end ``(B,)``.

        Args:
            moves_B2: the chosen moves.
            chance_B3: ``DRAWS`` uniform draws per match (:func:`round_chance`); None where there is no chance.
        """
        if chance_B3 is None:
            played, ended = moves_B2, np.zeros(len(moves_B2), np.bool_)
        else:
            played, ended = self._slips(moves_B2, chance_B3[:, :2]), chance_B3[:, 2] < self.end
        return played, self.payoffs[played[:, 0], played[:, 1]], ended

    def _slips(self, moves_B2: Ints, draws_B2: Floats) -> Ints:
        """Where a draw falls below the noise its position there says which other move is played."""
        if not self.noise:
            return moves_B2
        others = len(self.payoffs) - 1
        shift = 1 + np.minimum((draws_B2 / self.noise * others).astype(moves_B2.dtype), others - 1)
        slipped: Ints = (moves_B2 + shift) % (others + 1)
        return np.where(draws_B2 < self.noise, slipped, moves_B2)


def round_chance(keys_B: Bits) -> Floats:
    """The draws ``(B, DRAWS)`` of a round from its chance keys: what ``Stream.random`` gives, three times in a row."""
    return np.stack([uniform_array(keys_B, draw) for draw in range(DRAWS)], axis=-1)


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
        if type(self.rounds) is not int or not 1 <= self.rounds <= 10_000:
            raise BadOption(f"{self.name}: rounds={self.rounds} is not allowed; give a whole number from 1 to 10000")
        if not 0 <= self.noise <= 1 or not _plain(self.noise):
            raise BadOption(f"{self.name}: noise={self.noise} is no probability; give a number from 0 to 1 {_DIGITS}")
        if not 0 <= self.end < 1 or not _plain(self.end):
            raise BadOption(f"{self.name}: end={self.end} is not allowed; give a number from 0 to below 1 {_DIGITS}")
        _check_payoffs(self.name, self.family, self.payoffs)
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
        ends = [(1.0 - self.end, False), (self.end, True)]
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
        if t == 0:
            return Observation(f"{self._round_text(0)} {self._question}", fields)
        ending = self._result(state, seat) if state.over else self._round_text(t)
        return Observation(f"{self._last_round(state, seat)} {ending}", fields)

    def _last_round(self, state: MatrixState, seat: int) -> str:
        words, own, other = self.family.moves, state.played[seat][-1], state.played[1 - seat][-1]
        meant = state.chosen[seat][-1]
        slip = f" (you chose {words[meant]})" if meant != own else ""
        return f"You: {words[own]}{slip}. Other: {words[other]}. You got {self.tables[seat][own][other]:g}."

    def _round_text(self, t: int) -> str:
        return f"Round {t + 1}." if self.end else f"Round {t + 1} of {self.rounds}."

    def _result(self, state: MatrixState, seat: int) -> str:
        return f"The match is over. You have {state.totals[seat]:g}, the other {state.totals[1 - seat]:g}."

    def key(self, state: MatrixState, seat: int) -> str:
        """Own choices where they can slip, what both played, and whether it is over; the role where roles differ."""
        rounds = zip(state.chosen[seat], state.played[seat], state.played[1 - seat], strict=True)
        line = " ".join(f"{c}{a}{b}" if self.noise else f"{a}{b}" for c, a, b in rounds)
        role = "" if len(set(self.family.roles)) == 1 else f"{self.family.roles[seat]}|"
        return f"{role}{line}{'.' if state.over else ''}"

    def rules(self, seat: int) -> str:
        """The whole game in at most about 90 words."""
        options = _either(self.family.moves)
        length = "" if self.end else f" for {self.rounds} round{'s' * (self.rounds > 1)}"
        role = "" if len(set(self.family.roles)) == 1 else f" You are the {self.family.roles[seat]}."
        lines = [
            f"You play {self.family.title} with one other player{length}.{role}",
            f"In each round you both choose at the same time: {options}.",
            self._payoff_text(seat),
            *self._chance_text(),
            f"Get as many points as you can. Answer with one word: {options}.",
        ]
        return "\n".join(lines)

    def _payoff_text(self, seat: int) -> str:
        if self.family.digest:
            return self.family.digest.format(
                **{letter: f"{p:g}" for letter, p in zip(self.family.symbols, self.payoffs, strict=True)}
            )
        words, own, other = self.family.moves, self.tables[seat], self.tables[1 - seat]
        cells = (
            f"{a} against {b}: you get {own[i][j]:g}, the other {other[j][i]:g}."
            for (i, a), (j, b) in itertools.product(enumerate(words), repeat=2)
        )
        return "\n".join(["Your choice first:", *cells])

    def _chance_text(self) -> list[str]:
        lines = []
        if self.noise:
            lines.append(f"A choice turns into another one with probability {self.noise:g}.")
        if self.end:
            lines.append(f"After each round the match ends with probability {self.end:g}.")
        return lines

    def render(self, state: MatrixState, seat: int | None = None) -> str:
        """Both move histories and the score."""
        words = self.family.moves
        lines = [
            f"player_{s} ({state.totals[s]:g}): {' '.join(words[m] for m in state.played[s]) or '-'}" for s in (0, 1)
        ]
        t = len(state.played[0])
        head = f"After round {t}" if state.over else self._round_text(t).rstrip(".")
        return "\n".join([f"{self.name}, {head[0].lower()}{head[1:]}", *lines])

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
    def _question(self) -> str:
        return f"{_either(self.family.moves).capitalize()}?"

    @cached_property
    def _rewards(self) -> dict[tuple[int, int], Rewards]:
        """The kernel's rewards for every joint move, so that one match needs no arrays."""
        numbers = range(len(self.family.moves))
        joint = [(a, b) for a in numbers for b in numbers]
        _, rewards, _ = Kernel(self.kernel.payoffs).step(np.array(joint))
        return {pair: (float(a), float(b)) for pair, (a, b) in zip(joint, rewards, strict=True)}


_DIGITS = "with at most six digits"


def _plain(number: float) -> bool:
    """Whether the number is written exactly by ``:g``, so that texts and specs say what is true."""
    return math.isfinite(number) and float(f"{number:g}") == number


def _check_payoffs(name: str, family: Family, payoffs: tuple[float, ...]) -> None:
    written = "/".join(f"{p}" for p in payoffs)
    wanted = f"give {'/'.join(family.symbols)} with {family.order}, each from -1000 to 1000 {_DIGITS}"
    if len(payoffs) != len(family.symbols):
        raise BadOption(f"{name}: payoffs={written} has {len(payoffs)} numbers; {wanted}")
    if not all(_plain(p) and abs(p) <= 1000 for p in payoffs) or not _falls(family, payoffs):
        raise BadOption(f"{name}: payoffs={written} is not allowed; {wanted}")


def _falls(family: Family, payoffs: tuple[float, ...]) -> bool:
    """Whether the payoffs satisfy the family's chain, such as ``R>T>=P>S``."""
    value = dict(zip(family.symbols, payoffs, strict=True))
    links = itertools.pairwise(family.order.split(">"))
    return all(value[a[-1]] >= value[b[-1]] if b[0] == "=" else value[a[-1]] > value[b[-1]] for a, b in links)


def _longer(histories: Pair, joint: tuple[int, int]) -> Pair:
    return (*histories[0], joint[0]), (*histories[1], joint[1])


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
