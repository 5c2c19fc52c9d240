"""Blocks of matches between array bots: every bot throws for all its matches at once, round by round.

A lane is one seat of one match. Lanes of the same policy lie side by side, so that a round costs each policy one call
however many matches and opponents there are. One match of one pair is a block of two lanes: the same code, and the same
throws as in the turn loop (:mod:`arena.match`), since every draw is a hash of where it happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.records import Match
from games import ArenaError, Game
from games.matrix import MatrixGame
from games.stream import POLICY, Bits, derive_array, extend_array
from policies import Policy
from policies.scripted.matrix import View

Throws = NDArray[np.int8]
EVERY = -1
"""Stands for all ticks in a key (:meth:`games.Stream.above`)."""


@dataclass(frozen=True, slots=True)
class Block:
    """M matches of one game that were played together."""

    matches: tuple[Match, ...]
    throws: Throws
    """Move numbers ``(T, M, 2)``: round, match, seat."""
    payoffs: NDArray[np.float64]
    """Total rewards ``(M, 2)``."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The lanes of one policy in one seat (in either, where the seats are alike)."""

    policy: Any
    seat: int
    lanes: slice


def plays_in_blocks(game: Game[Any], policy: Policy) -> bool:
    """Whether matches of this policy at this game can be lanes: an array bot, and a game without chance."""
    return isinstance(game, MatrixGame) and not (game.noise or game.end) and hasattr(policy, "throw")


def play_block(matches: Sequence[Match], policies: Mapping[str, Policy], *, seed: int) -> Block:
    """Play matches of one game, all at once.

    Args:
        matches: of the same game, which must be one without chance.
        policies: the policy of each entrant name; all of them array bots.
        seed: the run's seed.

    Raises:
        ArenaError: the matches or policies don't fit (:func:`plays_in_blocks`).
    """
    game = matches[0].game
    fits = {entrant: plays_in_blocks(game, policies[entrant]) for match in matches for entrant in match.entrants}
    if not all(fits.values()) or any(match.game is not game and match.game != game for match in matches):
        raise ArenaError("a block is matches of array bots at one matrix game without chance; use arena.run_matches")
    assert isinstance(game, MatrixGame)
    place_2M, groups = _seat(matches, policies)
    played_TL = _play(game, groups, _roots(matches, place_2M, seed), _partners(place_2M))
    throws_T2M = played_TL[:, place_2M]
    tables = [np.array(game.tables[seat]) for seat in (0, 1)]
    payoffs = [_total(tables[s], throws_T2M[:, s], throws_T2M[:, 1 - s]) for s in (0, 1)]
    return Block(tuple(matches), np.moveaxis(throws_T2M, 1, 2), np.stack(payoffs, axis=1))


def _seat(matches: Sequence[Match], policies: Mapping[str, Policy]) -> tuple[NDArray[np.intp], list[_Group]]:
    """The lane of each match's seats ``(2, M)``, and the groups that share a policy and a seat."""
    game = matches[0].game
    assert isinstance(game, MatrixGame)
    alike = game.tables[0] == game.tables[1] and not game.family.has_roles
    waiting: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for number, match in enumerate(matches):
        for seat, entrant in enumerate(match.entrants):
            waiting.setdefault((entrant, 0 if alike else seat), []).append((seat, number))
    place_2M = np.empty((2, len(matches)), np.intp)
    groups, first = [], 0
    for (entrant, seat), seated in waiting.items():
        lanes = slice(first, first + len(seated))
        place_2M[tuple(np.array(seated).T)] = np.arange(lanes.start, lanes.stop)
        groups.append(_Group(policies[entrant], seat, lanes))
        first = lanes.stop
    return place_2M, groups


def _partners(place_2M: NDArray[np.intp]) -> NDArray[np.intp]:
    """The lane of the other seat, for each lane ``(L,)``."""
    partner = np.empty(place_2M.size, np.intp)
    partner[place_2M] = place_2M[::-1]
    return partner


def _roots(matches: Sequence[Match], place_2M: NDArray[np.intp], seed: int) -> Bits:
    """The random key of each lane's match and seat ``(L,)``."""
    numbers, seats = np.array([match.id for match in matches]), np.arange(2)[:, None]
    roots = np.empty(place_2M.size, np.uint64)
    roots[place_2M] = derive_array(seed, POLICY, numbers, seats)
    return roots


def _play(game: MatrixGame, groups: Sequence[_Group], roots_L: Bits, partner_L: NDArray[np.intp]) -> Throws:
    """All rounds: what each lane plays ``(T, L)``."""
    played, seen = (np.zeros((game.rounds, len(roots_L)), np.int8) for _ in range(2))
    every = extend_array(roots_L, EVERY)
    carries: list[Any] = [None] * len(groups)
    for t in range(game.rounds):
        keys = extend_array(roots_L, t)
        for number, group in enumerate(groups):
            own, other = played[:t, group.lanes].T, seen[:t, group.lanes].T
            view = View(game, group.seat, own, other, keys[group.lanes], every[group.lanes])
            played[t, group.lanes], carries[number] = group.policy.throw(view, carries[number])
        seen[t] = played[t, partner_L]
    return played


def _total(table: NDArray[np.float64], own_TM: Throws, other_TM: Throws) -> NDArray[np.float64]:
    """Payoffs ``(M,)`` from the moves, counted by pair first: sums in one order, whatever the block."""
    pairs = own_TM * np.int8(len(table)) + other_TM
    counts = [np.count_nonzero(pairs == pair, axis=0) for pair in range(table.size)]
    total: NDArray[np.float64] = np.zeros(own_TM.shape[1])
    for count, payoff in zip(counts, table.ravel(), strict=True):
        total += count * payoff
    return total
