"""Shared arms: players pull arms that pay by chance, and who pulls the same arm shares (arXiv 2305.19158).

The game of Xu et al. 2023: arm k pays 1 with probability μ_k. The m players on it share that: each expects μ_k / m. The
pure equilibrium is known: with z the N-th largest of all μ_k / j (j = 1 … N), arm k has ⌊μ_k / z⌋ players. Chances are
drawn until it is unique.
One thing differs from the paper, where the share of each player is random with the same expectation: here it is equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games._bargaining import gini
from games._checks import check_whole
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

LOWEST, HIGHEST = 5, 95  # an arm's chance to pay, in hundredths
_CLOSE = 1e-9


def _worths(means: Sequence[float], players: int) -> list[float]:
    """All μ_k / j, the largest first."""
    return sorted((mean / j for mean in means for j in range(1, players + 1)), reverse=True)


def equilibrium(means: Sequence[float], players: int) -> tuple[int, ...]:
    """How many players pull each arm in the pure equilibrium.

    Args:
        means: what each arm pays on average, all positive.
        players: how many there are.
    """
    least = _worths(means, players)[players - 1]
    return tuple(int(mean / least + _CLOSE) for mean in means)


def is_unique(means: Sequence[float], players: int) -> bool:
    """Whether there is one pure equilibrium only (up to who is who)."""
    worths = _worths(means, players)
    return worths[players - 1] - worths[players] > _CLOSE


@dataclass(frozen=True, slots=True)
class Pull:
    """A round: the arm of each seat, and whether each arm paid."""

    arms: tuple[int, ...]
    paid: tuple[bool, ...]

    def share(self, seat: int) -> float:
        """What ``seat`` got."""
        arm = self.arms[seat]
        return 1.0 / self.arms.count(arm) if self.paid[arm] else 0.0


@dataclass(frozen=True, slots=True)
class State:
    """The arms' chances to pay, in hundredths, and the rounds so far."""

    chances: tuple[int, ...]
    past: tuple[Pull, ...] = ()

    @property
    def means(self) -> tuple[float, ...]:
        """What each arm pays on average."""
        return tuple(chance / 100 for chance in self.chances)


@dataclass(frozen=True)
class SharedArms(Game[State]):
    """Shared arms. An illegal reply ends the match for all; what was earned stays."""

    seats: int = 3
    """Players."""
    arms: int = 4
    """Arms."""
    rounds: int = 20
    """Rounds of one match."""
    known: bool = False
    """Whether the players are told how often each arm pays."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "seats", self.seats, 2, 16)
        check_whole(self.name, "arms", self.arms, 2, 20)
        check_whole(self.name, "rounds", self.rounds, 1, 1000)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options."""
        return GameInfo(
            name=self.name,
            version=0,
            summary="Shared arms: pull arms that pay by chance, and share with whoever pulls the same.",
            kind="social-dilemma",
            seats=(2, 16),
            roles=("player",) * self.seats,
            payoff_bounds=(0.0, float(self.rounds)),
            max_ticks=self.rounds,
            moves=self._moves.texts,
            simultaneous=True,
            paper="arXiv 2305.19158",
        )

    @cached_property
    def _moves(self) -> Moves:
        return Moves(tuple(str(n) for n in range(1, self.arms + 1)))

    def start(self, rng: Stream) -> State:
        """Draw different chances for the arms, again and again until the equilibrium is unique."""
        while True:
            chances = tuple(rng.shuffled(range(LOWEST, HIGHEST + 1))[: self.arms])
            if is_unique(State(chances).means, self.seats):
                return State(chances)

    def to_move(self, state: State) -> tuple[int, ...]:
        """All, until the last round is over."""
        return tuple(range(self.seats)) if len(state.past) < self.rounds else ()

    def moves(self, state: State, seat: int) -> Moves:
        """Any arm."""
        return self._moves

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Pull; each arm takes one draw, pulled or not."""
        paid = tuple(rng.random() < mean for mean in state.means)
        pull = Pull(tuple(int(move) - 1 for move in moves), paid)
        return replace(state, past=(*state.past, pull)), tuple(pull.share(seat) for seat in range(self.seats))

    def observe(self, state: State, seat: int) -> Observation:
        """What the own arm paid and the own share, and the question."""
        fields = {
            "round": min(len(state.past) + 1, self.rounds),
            "rounds": self.rounds,
            "arms": self.arms,
            "players": self.seats,
            "means": state.means if self.known else None,
            "own": tuple((p.arms[seat], float(p.paid[p.arms[seat]]), p.share(seat)) for p in state.past),
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: State, seat: int) -> str:
        parts = []
        if state.past:
            last = state.past[-1]
            arm, share = last.arms[seat], last.share(seat)
            parts.append(f"Arm {arm + 1} paid {f'1; your share is {share:.3g}' if share else '0'}.")
        elif self.known:
            parts.append("Chances: " + ", ".join(f"arm {n} {mean:.2f}" for n, mean in enumerate(state.means, 1)) + ".")
        if len(state.past) == self.rounds:
            return " ".join([*parts, "The game is over."])
        return " ".join([*parts, f"Round {len(state.past) + 1} of {self.rounds}. Your arm, 1 to {self.arms}?"])

    def key(self, state: State, seat: int) -> str:
        """The chances where they are known, the own arms and what they paid."""
        own = [(p.arms[seat], round(p.share(seat), 6)) for p in state.past]
        return repr((state.chances if self.known else (), own))

    def rules(self, seat: int) -> str:
        """The rules; only the own name differs."""
        told = "You are told all chances at the start." if self.known else "Nobody is told the chances."
        return (
            f"Shared arms: {self.seats} players, {self.arms} arms, {self.rounds} rounds. In each round all pull one "
            "arm at the same time. An arm pays 1 point or nothing, by a chance of its own that stays the same for the "
            f"whole game. {told} All players on an arm share its point equally. You see whether your arm paid and "
            f"your share, not what others pulled. Get as many points as you can. You are player_{seat}. "
            f"Reply with the number of an arm only: {self._choices}. An illegal reply ends the game for all."
        )

    @property
    def _choices(self) -> str:
        if self.arms > 6:
            return f"1 to {self.arms}"
        return ", ".join(self._moves.texts[:-1]) + f" or {self.arms}"

    def render(self, state: State, seat: int | None = None) -> str:
        """The chances where they may be shown, and every round on a line, of one seat only where asked for."""
        shown = self.known or seat is None
        chances = ", ".join(f"arm {n} {mean:.2f}" for n, mean in enumerate(state.means, 1)) if shown else "hidden"
        lines = [f"Chances: {chances}"]
        for n, pull in enumerate(state.past, 1):
            seats = [s for s in range(self.seats) if seat in (None, s)]
            pulled = [f"player_{s} arm {pull.arms[s] + 1}: {pull.share(s):.3g}" for s in seats]
            lines.append(f"Round {n}: {', '.join(pulled)}")
        return "\n".join(lines)

    def round(self, state: State) -> int:
        """Rounds played."""
        return len(state.past)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """The measures of the paper, and what all got in expectation.

        ``regret``: per round, what the best other arm would have brought more on average, the others staying;
        ``equilibrium``: the share of rounds in the pure equilibrium; ``efficiency``: the average worth of the arms
        pulled over that of the best arms for so many players; ``gini``: inequality of what was expected.
        """
        if not state.past:
            return {}
        n, rounds, means = self.seats, len(state.past), state.means
        goal = equilibrium(means, n)
        best = sum(sorted(means, reverse=True)[:n])
        counts = [Counter(pull.arms) for pull in state.past]
        expected = [sum(means[p.arms[s]] / p.arms.count(p.arms[s]) for p in state.past) for s in range(n)]
        return {
            "regret": tuple(sum(_regret(means, p.arms, s) for p in state.past) / rounds for s in range(n)),
            "equilibrium": (sum(all(c[k] == m for k, m in enumerate(goal)) for c in counts) / rounds,) * n,
            "efficiency": (sum(expected) / best / rounds,) * n,
            "gini": (gini(expected),) * n,
        }


def _regret(means: Sequence[float], arms: Sequence[int], seat: int) -> float:
    """How much more than now ``seat`` would expect on the best arm, were it alone to change."""
    counts, own = Counter(arms), arms[seat]
    better = max(mean / (counts[k] + 1) for k, mean in enumerate(means))
    return max(0.0, better - means[own] / counts[own])


GAME = SharedArms
