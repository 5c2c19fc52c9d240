"""Exact values of small games: expected payoffs, best responses, NashConv, exploitability.

from games import exact
exact.nash_conv(games.make("kuhn-poker"), exact.uniform(games.make("kuhn-poker")))      # 0.9166…

A strategy says how a seat plays: for each information-state key a distribution over moves. The walk covers every start
and outcome that the game enumerates, hidden information (a best response decides per information state)
and seats that move at once (none sees what the others choose). It assumes perfect recall: keys tell all that was seen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from games.errors import UsageError
from games.game import Game, Move, Observation, Rewards

Distribution = Mapping[Move, float]
Strategy = Mapping[str, Distribution] | Callable[[str], Distribution]
Profile = Strategy | Sequence[Strategy]
"""One strategy for every seat, or one for each."""

LIMIT = 2_000_000  # nodes: about 2 GB


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A state of the game tree and what follows from it."""

    state: Any
    movers: tuple[int, ...]
    keys: tuple[str, ...]
    """The information-state key of each mover."""
    moves: tuple[tuple[Move, ...], ...]
    """The legal moves of each mover."""
    branches: tuple[tuple[tuple[Move, ...], tuple[Branch, ...]], ...]
    """For each joint move, what chance makes of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """One outcome of a joint move."""

    chance: float
    rewards: Rewards
    node: Node


@dataclass(frozen=True, slots=True)
class InformationState:
    """A decision that a seat may face, with one way to get there: its own earlier observations and moves."""

    seat: int
    key: str
    state: Any
    """One of the states that the seat can't tell apart here."""
    moves: tuple[Move, ...]
    past: tuple[tuple[Observation, Move], ...]
    trail: tuple[str, ...] = ()
    """The keys of the decisions in ``past``."""


@dataclass(frozen=True, slots=True)
class BestResponse:
    """A best response: what it earns, and the move at each information state it can reach."""

    value: float
    moves: Mapping[str, Move] = field(default_factory=dict)


@lru_cache(maxsize=4)
def tree(game: Game[Any], limit: int = LIMIT) -> tuple[Branch, ...]:
    """The whole game tree: a branch for each start (its rewards are zero).

    Raises:
        UsageError: the tree has more than ``limit`` nodes, or some moves are free text, which can't be listed.
    """
    if game.info.free is not None:
        raise UsageError(f"{game.spec} has moves of free text, so there are no exact values")
    count = itertools.count(1)
    nothing = (0.0,) * game.seats
    try:
        return tuple(Branch(p, nothing, _grow(game, state, count, limit)) for p, state in game.starts())
    except RecursionError:
        raise UsageError(f"{game.spec} is too long for exact values; use a shorter variant") from None


def _grow(game: Game[Any], state: Any, count: Iterator[int], limit: int) -> Node:
    if next(count) > limit:
        raise UsageError(f"{game.spec} has more than {limit} states, too many for exact values; use a smaller variant")
    movers = game.to_move(state)
    keys = tuple(game.key(state, seat) for seat in movers)
    moves = tuple(game.moves(state, seat).texts for seat in movers)
    joint = itertools.product(*moves) if movers else ()
    grown = ((move, tuple(_branches(game, state, move, count, limit))) for move in joint)
    return Node(state, movers, keys, moves, tuple(grown))


def _branches(
    game: Game[Any], state: Any, joint: tuple[Move, ...], count: Iterator[int], limit: int
) -> Iterator[Branch]:
    for chance, after, rewards in game.outcomes(state, joint):
        yield Branch(chance, rewards, _grow(game, after, count, limit))


def information_states(game: Game[Any]) -> list[InformationState]:
    """Every information state of every seat, in the order in which play can reach them."""
    found: dict[tuple[int, str], InformationState] = {}
    nothing: tuple[_Step, ...] = ()
    for branch in tree(game):
        _collect(game, branch.node, (nothing,) * game.seats, found)
    return list(found.values())


_Step = tuple[str, Observation, Move]


def _collect(
    game: Game[Any],
    node: Node,
    pasts: tuple[tuple[_Step, ...], ...],
    found: dict[tuple[int, str], InformationState],
) -> None:
    for seat, key, moves in zip(node.movers, node.keys, node.moves, strict=True):
        if (seat, key) not in found:
            past = tuple((seen, move) for _, seen, move in pasts[seat])
            trail = tuple(earlier for earlier, _, _ in pasts[seat])
            found[seat, key] = InformationState(seat, key, node.state, moves, past, trail)
    seen = {seat: game.observe(node.state, seat) for seat in node.movers}
    for joint, branches in node.branches:
        longer = list(pasts)
        for seat, key, move in zip(node.movers, node.keys, joint, strict=True):
            longer[seat] = (*pasts[seat], (key, seen[seat], move))
        for branch in branches:
            _collect(game, branch.node, tuple(longer), found)


def uniform(game: Game[Any]) -> dict[str, Distribution]:
    """The strategy that plays every legal move alike, for all seats."""
    return {i.key: dict.fromkeys(i.moves, 1 / len(i.moves)) for i in information_states(game)}


def expected_payoffs(game: Game[Any], profile: Profile) -> Rewards:
    """The payoff that each seat expects when all play ``profile``."""
    strategies = _strategies(game, profile)
    return tuple(math.fsum(parts) for parts in zip(*_expected(tree(game), strategies, game.seats), strict=True))


def _expected(branches: Iterable[Branch], strategies: Sequence[_Cached], seats: int) -> list[Rewards]:
    """What each branch adds, weighted with its chance, for each seat."""
    parts = []
    for branch in branches:
        total = list(branch.rewards)
        for joint, following in branch.node.branches:
            p = _likelihood(branch.node, joint, strategies)
            if p > 0:
                for part in _expected(following, strategies, seats):
                    total = [t + p * x for t, x in zip(total, part, strict=True)]
        parts.append(tuple(branch.chance * t for t in total))
    return parts


def best_response(game: Game[Any], seat: int, profile: Profile) -> BestResponse:
    """The best that ``seat`` can do against the others' strategies; its own in ``profile`` plays no part."""
    search = _Search(seat, _strategies(game, profile))
    branches = tree(game)
    for branch in branches:
        search.reach(branch.node, branch.chance)
    value = math.fsum(branch.chance * search.value(branch.node) for branch in branches)
    return BestResponse(value, search.chosen)


def best_response_value(game: Game[Any], seat: int, profile: Profile) -> float:
    """The payoff of :func:`best_response`."""
    return best_response(game, seat, profile).value


def nash_conv(game: Game[Any], profile: Profile) -> float:
    """How much the seats could gain by deviating, each alone, summed over seats; 0 exactly at an equilibrium."""
    now = expected_payoffs(game, profile)
    return math.fsum(best_response_value(game, seat, profile) - now[seat] for seat in range(game.seats))


def exploitability(game: Game[Any], profile: Profile) -> float:
    """NashConv divided by the number of seats."""
    return nash_conv(game, profile) / game.seats


class _Search:
    """A best response in the making: which nodes an information state holds, and what was decided there."""

    def __init__(self, seat: int, strategies: Sequence[_Cached]) -> None:
        self.seat, self.strategies = seat, strategies
        self.chosen: dict[str, Move] = {}
        self._members: dict[str, list[tuple[Node, float]]] = {}
        self._values: dict[Node, float] = {}

    def reach(self, node: Node, weight: float) -> None:
        """Note every node of the seat below ``node`` with the probability that chance and the others lead there."""
        if self.seat in node.movers:
            self._members.setdefault(node.keys[node.movers.index(self.seat)], []).append((node, weight))
        for joint, branches in node.branches:
            p = weight * _likelihood(node, joint, self.strategies, self.seat)
            for branch in branches:
                self.reach(branch.node, p * branch.chance)

    def value(self, node: Node) -> float:
        """What the seat expects from ``node`` on when it decides best everywhere."""
        if node not in self._values:
            own = self._decide(node) if self.seat in node.movers else None
            self._values[node] = self._after(node, own)
        return self._values[node]

    def _decide(self, node: Node) -> Move:
        """The best move of the information state that ``node`` belongs to, over all its nodes."""
        at = node.movers.index(self.seat)
        key = node.keys[at]
        if key not in self.chosen:
            members = self._members[key]
            gains = {m: math.fsum(w * self._after(n, m) for n, w in members) for m in node.moves[at]}
            self.chosen[key] = max(gains, key=gains.__getitem__)
        return self.chosen[key]

    def _after(self, node: Node, own: Move | None) -> float:
        """What the seat expects when it plays ``own`` at ``node`` (None: it does not move there)."""
        total = 0.0
        for joint, branches in node.branches:
            if own is None or joint[node.movers.index(self.seat)] == own:
                p = _likelihood(node, joint, self.strategies, self.seat)
                if p > 0:
                    total += p * sum(b.chance * (b.rewards[self.seat] + self.value(b.node)) for b in branches)
        return total


class _Cached:
    """A seat's strategy, asked once per information state and checked."""

    def __init__(self, strategy: Strategy) -> None:
        self._ask = strategy if callable(strategy) else strategy.__getitem__
        self._known: dict[str, Distribution] = {}

    def __call__(self, key: str, moves: tuple[Move, ...], move: Move) -> float:
        """The probability of ``move``."""
        if key not in self._known:
            self._known[key] = self._read(key, moves)
        return self._known[key].get(move, 0.0)

    def _read(self, key: str, moves: tuple[Move, ...]) -> Distribution:
        try:
            found = self._ask(key)
        except KeyError:
            raise UsageError(f'the strategy says nothing about the information state "{key}"') from None
        known = sum(found.get(move, 0.0) for move in moves)
        if abs(known - 1) > 1e-6 or min(found.values()) < 0:
            raise UsageError(f'at "{key}" the legal moves {", ".join(moves)} get probability {known:g} in all; want 1')
        return found


def _strategies(game: Game[Any], profile: Profile) -> list[_Cached]:
    each = [profile] * game.seats if callable(profile) or isinstance(profile, Mapping) else profile
    if len(each) != game.seats:
        raise UsageError(f"{len(each)} strategies for the {game.seats} seats of {game.spec}")
    return [_Cached(strategy) for strategy in each]


def _likelihood(node: Node, joint: tuple[Move, ...], strategies: Sequence[_Cached], apart: int | None = None) -> float:
    """The probability that the movers play ``joint``, leaving out seat ``apart``."""
    p = 1.0
    for seat, key, moves, move in zip(node.movers, node.keys, node.moves, joint, strict=True):
        if seat != apart:
            p *= strategies[seat](key, moves, move)
    return p
