"""``mcts:N``: Monte Carlo tree search with N simulations a move, by UCT.

Kocsis & Szepesvári 2006, doi 10.1007/11871842_29. It plays every game of perfect information with finite moves, any
number of seats and any payoffs: each seat is assumed to look after its own. Where several seats move at once, each
chooses by its own statistics (decoupled UCT). Chance is sampled by the game itself, from the turn's stream. Nothing is
kept between turns: a move is a function of the state and of that stream.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games import Game, Move, Rewards, Stream
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

    def pick(self, low: float, high: float, rng: Stream) -> int:
        """A move not tried yet, else the one of greatest upper confidence bound."""
        new = [place for place, n in enumerate(self.visits) if n == 0]
        if new:
            return rng.choice(new)
        scale, log = (high - low) or 1.0, math.log(sum(self.visits))
        bounds = [
            (total / n - low) / scale + EXPLORE * math.sqrt(log / n)
            for total, n in zip(self.totals, self.visits, strict=True)
        ]
        return bounds.index(max(bounds))

    def best(self, rng: Stream) -> Move:
        """The most visited move, among equals the one of greatest mean, then any."""
        ranks = [(n, total / n if n else 0.0) for n, total in zip(self.visits, self.totals, strict=True)]
        return rng.choice([move for move, rank in zip(self.moves, ranks, strict=True) if rank == max(ranks)])


@dataclass(slots=True)
class Node:
    """A state in the search tree; children by the movers' choices and the state that chance made of them."""

    state: Any
    movers: tuple[int, ...]
    arms: list[Arms]
    children: dict[tuple[_Choice, Any], Node] = field(default_factory=dict)


@dataclass(slots=True)
class Search:
    """One search: the game, its stream, and the range of payoffs seen by each seat."""

    game: Game[Any]
    rng: Stream
    longest: int
    low: list[float]
    high: list[float]

    def node(self, state: Any) -> Node:
        """A new node."""
        movers = self.game.to_move(state)
        moves = [self.game.moves(state, seat).texts for seat in movers]
        return Node(state, movers, [Arms(texts, [0] * len(texts), [0.0] * len(texts)) for texts in moves])

    def simulate(self, root: Node) -> None:
        """Down the tree to a new node, on by random play, and back up with what was earned."""
        node, path, earned = root, [], [0.0] * len(self.low)
        while node.movers:
            choice = self._choose(node)
            joint = tuple(arms.moves[place] for arms, place in zip(node.arms, choice, strict=True))
            state, rewards = self.game.play(node.state, joint, self.rng)
            path.append((node, choice, rewards))
            child = node.children.get((choice, state))
            if child is None:
                node.children[choice, state] = self.node(state)
                earned = self._rollout(state)
                break
            node = child
        self._back_up(path, earned)

    def _choose(self, node: Node) -> _Choice:
        pairs = zip(node.movers, node.arms, strict=True)
        return tuple(arms.pick(self.low[seat], self.high[seat], self.rng) for seat, arms in pairs)

    def _rollout(self, state: Any) -> list[float]:
        """What each seat earns from ``state`` on by random play."""
        game, earned = self.game, [0.0] * len(self.low)
        for _ in range(self.longest):
            movers = game.to_move(state)
            if not movers:
                break
            joint = tuple([self.rng.choice(game.moves(state, seat).texts) for seat in movers])
            state, rewards = game.play(state, joint, self.rng)
            earned = _added(earned, rewards)
        return earned

    def _back_up(self, path: Sequence[tuple[Node, _Choice, Rewards]], earned: list[float]) -> None:
        for node, choice, rewards in reversed(path):
            earned = _added(earned, rewards)
            for seat, arms, place in zip(node.movers, node.arms, choice, strict=True):
                arms.visits[place] += 1
                arms.totals[place] += earned[seat]
        self.low = [min(pair) for pair in zip(self.low, earned, strict=True)]
        self.high = [max(pair) for pair in zip(self.high, earned, strict=True)]


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
        search = Search(turn.game, turn.rng, turn.game.info.max_ticks, [math.inf] * seats, [-math.inf] * seats)
        root = search.node(turn.state)
        for _ in itertools.repeat(None, self.simulations):
            search.simulate(root)
        return root.arms[root.movers.index(turn.seat)].best(turn.rng)


def make(rest: str) -> MCTS:
    """The policy of ``mcts:N``; N is 100 where it is left out.

    Raises:
        BadOption: N is no whole number from 1 to a million.
    """
    text = rest or "100"
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise BadOption(f'"mcts:{rest}": write mcts:N with N from 1 to {MOST} simulations a move, as in mcts:100')
    return MCTS(int(text))
