"""Tic-tac-toe players: perfect play, one move ahead, and none."""

from __future__ import annotations

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games import Stream
from games.stream import NoChance
from policies import Turn
from policies.scripted.minimax import Minimax

GAME = games.make("tic-tac-toe")
PERFECT = Minimax()  # one search for all tests


def turn_after(*moves, seed=0):
    """The turn that follows these moves."""
    state = GAME.start(Stream(0))
    for move in moves:
        state, _ = GAME.play(state, (move,), NoChance())
    (seat,) = GAME.to_move(state)
    tick = len(moves)
    return Turn(GAME, 0, seat, tick, GAME.observe(state, seat), GAME.moves(state, seat), Stream(seed), state=state)


def likely(policy, *moves):
    """The moves that the policy plays with some probability, each alike."""
    found = {move: p for move, p in policy.distribution(turn_after(*moves)).items() if p > 0}
    assert all(p == pytest.approx(1 / len(found)) for p in found.values())
    return sorted(found)


def test_the_game_is_a_draw():
    assert PERFECT.value(GAME, GAME.start(Stream(0))) == 0
    assert likely(PERFECT) == sorted(GAME.info.moves)


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        (("5",), ["1", "3", "7", "9"]),  # only a corner holds against the centre
        (("1",), ["5"]),  # only the centre holds against a corner
        (("1", "5", "2"), ["3"]),
        (("1", "4", "2", "5"), ["3"]),
        (("1", "5", "9"), ["2", "4", "6", "8"]),  # a corner would lose to a double threat
    ],
)
def test_perfect_moves(moves, best):
    assert likely(PERFECT, *moves) == best


def test_value_counts_for_seat_zero():
    state = turn_after("1", "4", "2", "5").state
    assert PERFECT.value(GAME, state) == 1
    assert PERFECT.value(GAME, turn_after("1", "4", "9", "5", "7").state) == -1


def episodes(first, second, matches):
    players = {"a": policies.make(first), "b": policies.make(second)}
    return list(run_matches((Match(i, GAME, i, ("a", "b")) for i in range(matches)), players, seed=2))


@pytest.mark.parametrize("other", ["random", "win-block", "center-corner", "minimax"])
def test_perfect_play_never_loses(other):
    first = [e.payoffs[0] for e in episodes("minimax", other, 60)]
    second = [e.payoffs[1] for e in episodes(other, "minimax", 60)]
    assert min(first + second) == 0
    assert (max(first + second) == 1) == (other != "minimax")


def test_the_order_of_strength():
    def mean(first, second):
        one = [e.payoffs[0] for e in episodes(first, second, 100)]
        return (sum(one) + sum(e.payoffs[1] for e in episodes(second, first, 100))) / 200

    assert mean("win-block", "random") > 0.5
    assert mean("center-corner", "random") > 0.1
    assert mean("win-block", "center-corner") > 0.3


@pytest.mark.parametrize(
    ("moves", "cells"),
    [
        (("1", "4", "2", "5"), ["3"]),  # wins rather than blocks
        (("1", "4", "2"), ["3"]),  # blocks
        (("5", "1", "7", "3"), ["2"]),
        (("1", "5", "9"), ["2", "3", "4", "6", "7", "8"]),  # neither: any
    ],
)
def test_win_block(moves, cells):
    assert likely(policies.make("win-block"), *moves) == cells


def test_center_corner():
    policy = policies.make("center-corner")
    assert likely(policy) == ["5"]
    assert likely(policy, "5") == ["1", "3", "7", "9"]
    assert likely(policy, "5", "1", "3", "7", "9") == ["2", "4", "6", "8"]


@pytest.mark.parametrize("spec", ["minimax", "nash", "win-block", "center-corner"])
def test_what_is_played_follows_the_distribution(spec):
    policy = policies.make(spec)
    turns = [turn_after("1", "5", "9", seed=seed) for seed in range(400)]
    (wanted,) = policy.probabilities(turns[:1])
    replies = [reply.text for reply in policy.act(turns)]
    assert sum(wanted.values()) == pytest.approx(1)
    for move, p in wanted.items():
        assert abs(replies.count(move) - 400 * p) <= 5 * (400 * p * (1 - p)) ** 0.5


def test_minimax_says_what_it_can_not_search():
    policy = policies.make("minimax")
    assert policy.check(GAME) == ""
    assert "without chance or hidden information, not kuhn-poker" in policy.check(games.make("kuhn-poker"))
