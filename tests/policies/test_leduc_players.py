"""Leduc players: what each does with what it holds, and how exploitable it is, exactly."""

from __future__ import annotations

import pytest

import games
import policies
from games import Stream, exact
from policies import Turn

GAME = games.make("leduc-poker")
STATES = {i.key: i for i in exact.information_states(GAME)}


def at(spec, key):
    """The policy's distribution at an information state."""
    i = STATES[key]
    turn = Turn(GAME, 0, i.seat, 0, GAME.observe(i.state, i.seat), GAME.moves(i.state, i.seat), Stream(0))
    return policies.make(spec).distribution(turn)


def strategy(spec):
    return {key: at(spec, key) for key in STATES}


@pytest.mark.parametrize(
    ("spec", "key", "wanted"),
    [
        ("leduc-caller", "J|", {"check": 1, "raise": 0}),
        ("leduc-caller", "J|raise", {"fold": 0, "call": 1, "raise": 0}),
        ("leduc-raiser", "J|raise raise", {"fold": 0, "call": 1}),
        ("leduc-raiser", "J|raise", {"fold": 0, "call": 0, "raise": 1}),
        ("leduc-tight", "K|raise", {"fold": 0, "call": 0, "raise": 1}),
        ("leduc-tight", "Q|raise", {"fold": 1, "call": 0, "raise": 0}),
        ("leduc-tight", "J|check check|J|", {"check": 0, "raise": 1}),
        ("leduc-tight", "J|check check|Q|", {"check": 1, "raise": 0}),
        ("leduc-sensible", "J|check check|Q|", {"check": 0.8, "raise": 0.2}),
        ("leduc-sensible", "K|raise", {"fold": 0, "call": 0.2, "raise": 0.8}),
        ("leduc-sensible", "Q|raise raise call|K|raise raise", {"fold": 0.7, "call": 0.3}),
    ],
)
def test_moves(spec, key, wanted):
    assert at(spec, key) == pytest.approx(wanted)


def test_the_sensible_player_is_the_least_exploitable():
    found = {
        s: exact.nash_conv(GAME, strategy(s)) for s in ("leduc-sensible", "leduc-caller", "leduc-raiser", "random")
    }
    assert found["leduc-sensible"] < 1.3
    assert found["leduc-caller"] == pytest.approx(2.9333333, abs=1e-6)
    assert found["leduc-raiser"] == pytest.approx(4.7333333, abs=1e-6)


@pytest.mark.parametrize("other", ["random", "leduc-caller", "leduc-raiser"])
def test_the_sensible_player_beats_the_flawed_ones(other):
    one, two = strategy("leduc-sensible"), strategy(other)
    payoff = exact.expected_payoffs(GAME, (one, two))[0] + exact.expected_payoffs(GAME, (two, one))[1]
    assert payoff / 2 > 0.5


def test_bluffs_beat_the_tight_player():
    """Against one that folds all but kings and pairs, raising with everything earns more than calling."""
    tight = strategy("leduc-tight")

    def mean(spec):
        own = strategy(spec)
        return exact.expected_payoffs(GAME, (own, tight))[0] + exact.expected_payoffs(GAME, (tight, own))[1]

    assert mean("leduc-raiser") > mean("leduc-caller")


@pytest.mark.parametrize("spec", ["leduc-sensible", "leduc-tight"])
def test_what_is_played_follows_the_distribution(spec):
    i = STATES["K|raise"]
    sight, moves = GAME.observe(i.state, i.seat), GAME.moves(i.state, i.seat)
    turns = [Turn(GAME, n, i.seat, 1, sight, moves, Stream(n)) for n in range(400)]
    policy = policies.make(spec)
    (wanted,) = policy.probabilities(turns[:1])
    replies = [reply.text for reply in policy.act(turns)]
    for move, p in wanted.items():
        assert abs(replies.count(move) - 400 * p) <= 5 * (400 * p * (1 - p)) ** 0.5
