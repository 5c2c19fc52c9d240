"""Kuhn players: the equilibrium family is exact, and each other player has its flaw."""

from __future__ import annotations

import pytest

import games
import policies
from games import BadOption, Stream, exact
from policies import Turn

KUHN = games.make("kuhn-poker")
STATES = {info.key: info for info in exact.information_states(KUHN)}


def turn(key, seed=0):
    """A turn at an information state."""
    info = STATES[key]
    seen = KUHN.observe(info.state, info.seat)
    return Turn(KUHN, 0, info.seat, len(info.state.line), seen, KUHN.moves(info.state, info.seat), Stream(seed))


def strategy(spec):
    """The policy's exact distribution at each of the twelve information states."""
    found = policies.make(spec).probabilities([turn(key) for key in STATES])
    return dict(zip(STATES, found, strict=True))


@pytest.mark.parametrize("spec", ["kuhn-nash", "kuhn-nash:0", "kuhn-nash:0.2", "nash"])
def test_the_equilibrium_family_is_exact(spec):
    table = strategy(spec)
    assert exact.exploitability(KUHN, table) == pytest.approx(0, abs=1e-12)
    assert exact.expected_payoffs(KUHN, table) == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)


def test_the_family_bets_the_jack_with_alpha():
    table = strategy("kuhn-nash:0.2")
    assert table["J|"]["bet"] == pytest.approx(0.2)
    assert table["K|"]["bet"] == pytest.approx(0.6)
    assert table["Q|check bet"]["call"] == pytest.approx(0.2 + 1 / 3)
    assert table["Q|"] == {"check": 1, "bet": 0}


def test_random_is_where_learning_starts():
    assert exact.exploitability(KUHN, strategy("random")) == pytest.approx(0.4583333333, abs=1e-9)


FLAWS = ["always-bet", "always-call", "tight", "bluffer", "sensible"]


@pytest.mark.parametrize("spec", FLAWS)
def test_every_flaw_can_be_exploited(spec):
    assert exact.exploitability(KUHN, strategy(spec)) > 0.05


def test_the_flaws_by_hand():
    # always-bet: a first player who bets is answered at (-1 + 0 + 2) / 3; a second one is met the same way
    assert exact.exploitability(KUHN, strategy("always-bet")) == pytest.approx(1 / 3)
    # always-call: bet the king, check the rest; the king wins 2, the queen 0 on average, the jack loses 1
    assert exact.exploitability(KUHN, strategy("always-call")) == pytest.approx(1 / 3)


def test_sensible_makes_no_dominated_move():
    table = strategy("sensible")
    assert table["J|bet"]["fold"] == table["J|check bet"]["fold"] == 1
    assert table["K|bet"]["call"] == table["K|check bet"]["call"] == table["K|check"]["bet"] == 1
    assert table["Q|"]["check"] == table["Q|check"]["check"] == 1


@pytest.mark.parametrize("spec", [*FLAWS, "nash", "kuhn-nash:0.1", "random"])
@pytest.mark.parametrize("key", STATES)
def test_what_is_played_follows_the_distribution(spec, key):
    policy = policies.make(spec)
    turns = [turn(key, seed) for seed in range(300)]
    (wanted,) = policy.probabilities(turns[:1])
    replies = [reply.text for reply in policy.act(turns)]
    assert set(wanted) == set(STATES[key].moves)
    assert sum(wanted.values()) == pytest.approx(1)
    for move, p in wanted.items():
        assert abs(replies.count(move) - 300 * p) <= 5 * (300 * p * (1 - p)) ** 0.5 + 1e-9


@pytest.mark.parametrize("spec", ["kuhn-nash:0.4", "kuhn-nash:-0.1", "kuhn-nash:x", "tight:1"])
def test_bad_arguments(spec):
    with pytest.raises(BadOption):
        policies.make(spec)
