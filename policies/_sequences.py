"""Two-seat games as arrays: the sequence form.

A *sequence* of a seat is a decision together with the moves of its own that led there; a plan gives each sequence its
probability. What both plans bring is then one bilinear form, and an iteration costs a few array operations, however the
tree looks (von Stengel 1996, doi 10.1006/game.1996.0050). Perfect recall is assumed and checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.errors import UsageError
from games.game import Game, Move

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LIMIT = 100_000  # states; a few seconds to walk


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A seat's decisions; I of them and S sequences, of which number 0 is the empty one."""

    keys: tuple[str, ...]
    """Of each decision; one that leads to another comes before it."""
    moves: tuple[tuple[Move, ...], ...]
    parent: Ints
    """``(I,)`` the sequence that leads to each decision."""
    first: Ints
    """``(I,)`` the sequence of each decision's first move; those of its other moves follow."""
    owner: Ints
    """``(S,)`` the decision of each sequence; -1 for the empty one."""
    levels: tuple[slice, ...]
    """Decisions with the same number of own decisions before them, as ranges."""

    def sequences(self, level: slice) -> slice:
        """The sequences of a level's decisions."""
        stop = int(self.first[level.stop]) if level.stop < len(self.first) else len(self.owner)
        return slice(int(self.first[level.start]), stop)


@dataclass(frozen=True, slots=True, eq=False)
class SequenceForm:
    """Both sides, and what pairs of sequences bring: ``payoffs[seat][n]`` for pair n, chance counted in."""

    sides: tuple[Side, Side]
    pairs: tuple[Ints, Ints]
    payoffs: tuple[Floats, Floats]

    def gains(self, seat: int, plan: Floats) -> Floats:
        """``(S,)`` what each own sequence brings ``seat`` at once when the other plays ``plan``."""
        worth = self.payoffs[seat] * plan[self.pairs[1 - seat]]
        return np.bincount(self.pairs[seat], worth, len(self.sides[seat].owner)).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision as the walk found it."""

    parent: int
    moves: tuple[Move, ...]
    depth: int
    first: int


@dataclass(slots=True)
class _Walk:
    """A walk through the tree: each seat's decisions by key, and what each pair of sequences brings."""

    game: Game[Any]
    states: int = 0
    found: tuple[dict[str, _Decision], dict[str, _Decision]] = field(default_factory=lambda: ({}, {}))
    sizes: list[int] = field(default_factory=lambda: [1, 1])
    rewards: dict[tuple[int, int], list[float]] = field(default_factory=dict)

    def visit(self, state: Any, chance: float, at: tuple[int, int], depth: tuple[int, int]) -> None:
        """Note the decisions at ``state``, reached by the sequences ``at`` after ``depth`` own decisions each."""
        self.states += 1
        if self.states > LIMIT:
            raise UsageError(f"{self.game.spec} has more than {LIMIT} states, too many to solve; use a smaller variant")
        movers = self.game.to_move(state)
        decisions = [self._decision(state, seat, at[seat], depth[seat]) for seat in movers]
        for joint in itertools.product(*(range(len(d.moves)) for d in decisions)) if movers else ():
            after, deeper = list(at), list(depth)
            for seat, decision, move in zip(movers, decisions, joint, strict=True):
                after[seat], deeper[seat] = decision.first + move, depth[seat] + 1
            words = tuple(d.moves[move] for d, move in zip(decisions, joint, strict=True))
            for p, following, rewards in self.game.outcomes(state, words):
                self._pay(after, chance * p, rewards)
                self.visit(following, chance * p, (after[0], after[1]), (deeper[0], deeper[1]))

    def _decision(self, state: Any, seat: int, parent: int, depth: int) -> _Decision:
        key = self.game.key(state, seat)
        if key not in self.found[seat]:
            moves = self.game.moves(state, seat).texts
            self.found[seat][key] = _Decision(parent, moves, depth, self.sizes[seat])
            self.sizes[seat] += len(moves)
        decision = self.found[seat][key]
        if decision.parent != parent:
            raise UsageError(f'{self.game.spec} forgets: the key "{key}" has several own pasts, so it can\'t be solved')
        return decision

    def _pay(self, at: Sequence[int], chance: float, rewards: Sequence[float]) -> None:
        if any(rewards):
            total = self.rewards.setdefault((at[0], at[1]), [0.0, 0.0])
            total[0] += chance * rewards[0]
            total[1] += chance * rewards[1]


@lru_cache(maxsize=8)
def sequence_form(game: Game[Any]) -> SequenceForm:
    """The arrays of a game.

    Raises:
        UsageError: it has not two seats, has free text, does not expose its chance, or is too large.
    """
    if game.seats != 2 or game.info.free is not None:
        raise UsageError(f"{game.spec} can't be solved: only games of two seats and finite moves can")
    walk = _Walk(game)
    try:
        for chance, state in game.starts():
            walk.visit(state, chance, (0, 0), (0, 0))
    except RecursionError:
        raise UsageError(f"{game.spec} is too long to be solved; use a shorter variant") from None
    except RuntimeError as error:  # what NoChance raises
        raise UsageError(f"{game.spec} does not list its chance, so it can't be solved") from error
    return _arrays(walk)


def _arrays(walk: _Walk) -> SequenceForm:
    """Decisions sorted by level, sequences renumbered after them."""
    sides, renumbered = [], []
    for found, size in zip(walk.found, walk.sizes, strict=True):
        order = sorted(found, key=lambda key: found[key].depth)
        new = np.zeros(size, np.int64)
        count = 1
        for key in order:
            n = len(found[key].moves)
            new[found[key].first : found[key].first + n] = np.arange(count, count + n)
            count += n
        sides.append(_side([(key, found[key]) for key in order], new))
        renumbered.append(new)
    at = np.array(list(walk.rewards), np.int64).reshape(-1, 2)
    paid = np.array(list(walk.rewards.values())).reshape(-1, 2)
    pairs = renumbered[0][at[:, 0]], renumbered[1][at[:, 1]]
    return SequenceForm((sides[0], sides[1]), pairs, (paid[:, 0].copy(), paid[:, 1].copy()))


def _side(decisions: Sequence[tuple[str, _Decision]], new: Ints) -> Side:
    counts = [len(d.moves) for _, d in decisions]
    depths = np.array([d.depth for _, d in decisions])
    starts = [int(np.searchsorted(depths, depth)) for depth in np.unique(depths)]
    return Side(
        keys=tuple(key for key, _ in decisions),
        moves=tuple(d.moves for _, d in decisions),
        parent=np.array([new[d.parent] for _, d in decisions], np.int64),
        first=np.array([new[d.first] for _, d in decisions], np.int64),
        owner=np.concatenate([[-1], np.repeat(np.arange(len(counts)), counts)]).astype(np.int64),
        levels=tuple(slice(a, b) for a, b in itertools.pairwise([*starts, len(decisions)])),
    )
