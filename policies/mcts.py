"""``mcts:N``: Monte Carlo tree search with N simulations a move, by UCT.

Kocsis & Szepesvári 2006, doi 10.1007/11871842_29. It plays every game of perfect information with finite moves, any
number of seats and any payoffs: each seat is assumed to look after its own. Where several seats move at once, each
chooses by its own statistics (decoupled UCT). Chance is sampled by the game itself, from the turn's stream. Nothing is
kept between turns: a move is a function of the state and of that stream. Without chance, what is searched to the end is
known for certain (MCTS-Solver: Winands, Björnsson & Saito 2008, doi 10.1007/978-3-540-87608-3_3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games import Game, GameInfo, Move, Rewards, Stream
from games.errors import BadOption
from policies.policy import BasePolicy, Reply, Turn

EXPLORE = math.sqrt(2)
"""Weight of the exploration term; payoffs are scaled to [0, 1] by the range seen so far."""
MOST = 1_000_000

_Choice = tuple[int, ...]
"""The place of each mover's move."""


@dataclass(slots=True)
class Arms:
    """What a mover knows of its moves at a node."""

    moves: tuple[Move, ...]
    visits: list[int]
    totals: list[float]
    known: dict[int, float] = field(default_factory=dict)
    """What it gets by the moves that are searched to the end."""

    def value(self, place: int) -> float:
        """What a move is worth: exactly where it is known, else by the mean of its simulations."""
        return self.known[place] if place in self.known else self.totals[place] / max(1, self.visits[place])

    def pick(self, low: float, high: float, rng: Stream) -> int:
        """A move not tried yet, else the one of greatest upper confidence bound; what is known has no doubt added."""
        new = [place for place, n in enumerate(self.visits) if n == 0]
        if new:
            return rng.choice(new)
        scale, log = (high - low) or 1.0, math.log(sum(self.visits))
        bounds = [
            (self.value(place) - low) / scale + (0.0 if place in self.known else EXPLORE * math.sqrt(log / n))
            for place, n in enumerate(self.visits)
        ]
        return bounds.index(max(bounds))

    def best(self, rng: Stream, solved: bool = False) -> Move:
        """The most visited move, but none that is known to be worse than another; among equals the best, then any.

        Args:
            rng: decides between equals.
            solved: the best of the known moves is certainly the best of all.
        """
        values = [self.value(place) for place in range(len(self.moves))]
        ranks = {p: (self.visits[p], v) for p, v in enumerate(values) if p not in self.known or v == max(values)}
        if solved:
            ranks = {p: (0, value) for p, value in self.known.items()}
        return rng.choice([self.moves[p] for p, rank in ranks.items() if rank == max(ranks.values())])


@dataclass(slots=True)
class Node:
    """A state in the search tree; children by the movers' choices and the state that chance made of them."""

    state: Any
    movers: tuple[int, ...]
    arms: list[Arms]
    children: dict[tuple[_Choice, Any], Node] = field(default_factory=dict)
    outcomes: dict[int, list[float]] = field(default_factory=dict)
    """What each seat gets by the moves that are searched to the end."""
    solved: list[float] | None = None
    """What each seat gets from here on, once that is certain."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step down the tree."""

    node: Node
    choice: _Choice
    rewards: Rewards
    before: list[float]
    """What each seat had got when it came to the node."""


@dataclass(slots=True)
class Search:
    """One search: the game, its stream, and the range of payoffs seen by each seat."""

    game: Game[Any]
    info: GameInfo
    rng: Stream
    low: list[float]
    high: list[float]

    def node(self, state: Any) -> Node:
        """A new node."""
        movers = self.game.to_move(state)
        moves = [self.game.moves(state, seat).texts for seat in movers]
        arms = [Arms(texts, [0] * len(texts), [0.0] * len(texts)) for texts in moves]
        return Node(state, movers, arms, solved=None if movers else [0.0] * len(self.low))

    def simulate(self, root: Node) -> None:
        """Down the tree to a new node or one that is solved, on by random play, and back up with what was earned."""
        node, path, had, earned = root, list[Step](), [0.0] * len(self.low), None
        while node.solved is None and earned is None:
            choice = self._choose(node)
            joint = tuple(arms.moves[place] for arms, place in zip(node.arms, choice, strict=True))
            state, rewards = self.game.play(node.state, joint, self.rng)
            path.append(Step(node, choice, rewards, had))
            had = _added(had, rewards)
            child = node.children.get((choice, state))
            if child is None:
                child = node.children[choice, state] = self.node(state)
                earned = self._rollout(state)
            node = child
        self._back_up(path, node.solved or earned or had)
        self._solve(path, node)

    def _choose(self, node: Node) -> _Choice:
        pairs = zip(node.movers, node.arms, strict=True)
        return tuple(arms.pick(self.low[seat], self.high[seat], self.rng) for seat, arms in pairs)

    def _rollout(self, state: Any) -> list[float]:
        """What each seat earns from ``state`` on by random play."""
        game, earned = self.game, [0.0] * len(self.low)
        for _ in range(self.info.max_ticks):
            movers = game.to_move(state)
            if not movers:
                break
            joint = tuple([self.rng.choice(game.moves(state, seat).texts) for seat in movers])
            state, rewards = game.play(state, joint, self.rng)
            earned = _added(earned, rewards)
        return earned

    def _back_up(self, path: Sequence[Step], earned: list[float]) -> None:
        for step in reversed(path):
            earned = _added(earned, step.rewards)
            for seat, arms, place in zip(step.node.movers, step.node.arms, step.choice, strict=True):
                arms.visits[place] += 1
                arms.totals[place] += earned[seat]
        self.low = [min(pair) for pair in zip(self.low, earned, strict=True)]
        self.high = [max(pair) for pair in zip(self.high, earned, strict=True)]

    def _solve(self, path: Sequence[Step], reached: Node) -> None:
        """Carry certainty upwards, where there is no chance and one seat moves at a time.

        A node is solved when a move of its mover earns the most there can be, or when every move is. Between moves
        that are equally good for the mover nothing is assumed: the others get the mean.
        """
        for step in reversed(path):
            if reached.solved is None or not self.info.deterministic or len(step.node.movers) > 1:
                return
            node, (seat,), (place,) = step.node, step.node.movers, step.choice
            node.outcomes[place] = _added(reached.solved, step.rewards)
            node.arms[0].known[place] = node.outcomes[place][seat]
            top = max(node.arms[0].known.values())
            if step.before[seat] + top >= self.info.payoff_bounds[1] or len(node.outcomes) == len(node.arms[0].moves):
                node.solved = _mean([payoffs for payoffs in node.outcomes.values() if payoffs[seat] == top])
            reached = node


def _mean(payoffs: Sequence[list[float]]) -> list[float]:
    return [sum(each) / len(payoffs) for each in zip(*payoffs, strict=True)]


def _added(earned: Sequence[float], rewards: Rewards) -> list[float]:
    return [a + b for a, b in zip(earned, rewards, strict=True)]


class MCTS(BasePolicy):
    """UCT on games of perfect information."""

    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def check(self, game: Game[Any]) -> str:
        """Why this game can't be searched, or an empty string."""
        if game.info.perfect_information and game.info.free is None:
            return ""
        return f'"{self.name}" searches games of perfect information with finite moves, not {game.name}'

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn, each searched on its own."""
        return [Reply(self.decide(turn)) for turn in turns]

    def decide(self, turn: Turn) -> Move:
        """The most visited move after N simulations."""
        if len(turn.moves.texts) == 1:
            return turn.moves.texts[0]
        seats = turn.game.seats
        search = Search(turn.game, turn.game.info, turn.rng, [math.inf] * seats, [-math.inf] * seats)
        root = search.node(turn.state)
        for _ in range(self.simulations):
            if root.solved is not None:
                break
            search.simulate(root)
        return root.arms[root.movers.index(turn.seat)].best(turn.rng, root.solved is not None)


def make(rest: str) -> MCTS:
    """The policy of ``mcts:N``; N is 100 where it is left out.

    Raises:
        BadOption: N is no whole number from 1 to a million.
    """
    text = rest or "100"
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise BadOption(f'"mcts:{rest}": write mcts:N with N from 1 to {MOST} simulations a move, as in mcts:100')
    return MCTS(int(text))
