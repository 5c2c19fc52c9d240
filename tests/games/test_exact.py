"""Exact values: numbers known from the literature or worked out by hand."""

from __future__ import annotations

import pytest

import games
from games import UsageError, exact

KUHN = games.make("kuhn-poker")
DILEMMA = games.make("prisoners-dilemma:rounds=1")


def kuhn(bets):
    """A strategy from the probability to bet or call at each key (0 where nothing is said)."""
    table = {}
    for info in exact.information_states(KUHN):
        p = bets.get(info.key, 0.0)
        bold = "bet" if "bet" in info.moves else "call"
        table[info.key] = {move: p if move == bold else 1 - p for move in info.moves}
    return table


def equilibrium(alpha):
    """Kuhn's family of equilibria (Kuhn 1950)."""
    first = {"J|": alpha, "K|": 3 * alpha, "Q|check bet": alpha + 1 / 3, "K|check bet": 1.0}
    return kuhn({**first, "J|check": 1 / 3, "K|check": 1.0, "Q|bet": 1 / 3, "K|bet": 1.0})


def test_uniform_kuhn():
    uniform = exact.uniform(KUHN)
    assert exact.nash_conv(KUHN, uniform) == pytest.approx(11 / 12, abs=1e-12)
    assert exact.exploitability(KUHN, uniform) == pytest.approx(0.4583333333, abs=1e-9)
    assert exact.expected_payoffs(KUHN, uniform) == pytest.approx((0.125, -0.125), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.25, 1 / 3])
def test_kuhns_equilibria(alpha):
    strategy = equilibrium(alpha)
    assert exact.nash_conv(KUHN, strategy) == pytest.approx(0, abs=1e-12)
    assert exact.expected_payoffs(KUHN, strategy)[0] == pytest.approx(-1 / 18, abs=1e-12)


def test_outside_the_family_is_exploitable():
    assert exact.nash_conv(KUHN, equilibrium(0.3) | {"K|": {"check": 0.0, "bet": 1.0}}) > 1e-3


def test_a_best_response_decides_by_information_state_not_by_state():
    # against a player who always bets and calls: bet or call the king; with the queen it is even money to call a bet
    bold = kuhn({info.key: 1.0 for info in exact.information_states(KUHN)})
    answer = exact.best_response(KUHN, 1, bold)
    # facing a bet the jack folds (-1), the queen meets jack or king (0), the king wins 2: (-1 + 0 + 2) / 3
    assert answer.value == pytest.approx(1 / 3)
    assert answer.moves["J|bet"] == "fold"
    assert answer.moves["K|bet"] == "call"
    assert exact.best_response_value(KUHN, 1, bold) == answer.value


def test_information_states_come_with_a_way_there():
    found = {info.key: info for info in exact.information_states(KUHN)}
    assert len(found) == 12
    late = found["Q|check bet"]
    assert (late.seat, late.moves) == (0, ("call", "fold"))
    assert [(seen.text, move) for seen, move in late.past] == [("You hold the queen. Check or bet?", "check")]
    assert KUHN.observe(late.state, 0).text == "They bet. Call or fold?"


def test_simultaneous_moves_are_unseen():
    # each gains by defecting against a uniform player: (5 + 1) / 2 - (3 + 0 + 5 + 1) / 4 = 0.75
    assert exact.nash_conv(DILEMMA, exact.uniform(DILEMMA)) == pytest.approx(1.5)
    assert exact.nash_conv(DILEMMA, lambda key: {"defect": 1.0}) == 0
    pennies = games.make("matching-pennies:rounds=1")
    assert exact.nash_conv(pennies, exact.uniform(pennies)) == pytest.approx(0)
    heads = exact.uniform(pennies) | {"matcher|": {"heads": 1.0}}
    assert exact.nash_conv(pennies, heads) == pytest.approx(1)


def test_seats_may_have_strategies_of_their_own():
    profile = ({"": {"cooperate": 1.0}}, {"": {"defect": 1.0}})
    assert exact.expected_payoffs(DILEMMA, profile) == (0, 5)
    assert exact.best_response_value(DILEMMA, 0, profile) == 1


def test_repetition_noise_and_random_end():
    def always(key):
        return {"defect": 1.0}

    def tit_for_tat(key):
        return {"defect" if key and key[-1] == "1" else "cooperate": 1.0}

    noisy = games.make("prisoners-dilemma:rounds=1,noise=0.1")
    # (d,d) 0.81 x 1 + (c,d) 0.09 x 0 + (d,c) 0.09 x 5 + (c,c) 0.01 x 3
    assert exact.expected_payoffs(noisy, always) == pytest.approx((1.29, 1.29))
    ending = games.make("prisoners-dilemma:rounds=3,end=0.5")
    assert exact.expected_payoffs(ending, always) == pytest.approx((1.75, 1.75))
    thrice = games.make("prisoners-dilemma:rounds=3")
    assert exact.expected_payoffs(thrice, tit_for_tat) == (9, 9)
    # the best against tit-for-tat in three rounds: cooperate, cooperate, defect
    assert exact.best_response_value(thrice, 0, tit_for_tat) == 11


def test_errors_say_what_is_missing():
    with pytest.raises(UsageError, match=r'nothing about the information state "J\|"'):
        exact.nash_conv(KUHN, {})
    with pytest.raises(UsageError, match=r"probability 0.5 in all; want 1"):
        exact.expected_payoffs(DILEMMA, {"": {"defect": 0.5}})
    with pytest.raises(UsageError, match="1 strategies for the 2 seats"):
        exact.expected_payoffs(DILEMMA, [{"": {"defect": 1.0}}])
    with pytest.raises(UsageError, match="more than 50 states"):
        exact.tree(games.make("prisoners-dilemma"), 50)
