"""CFR+ and exact best responses: known values, the sequence form by hand, and OpenSpiel's value of the same."""

from __future__ import annotations

import time

import numpy as np
import pytest

import arena
import games
import policies
from arena.exploitability import exploitability
from games import BadOption, UsageError, exact
from policies import strategies
from policies._regrets import cfr, realisation
from policies._sequences import sequence_form

KUHN, LEDUC = games.make("kuhn-poker"), games.make("leduc-poker")


def test_the_sequence_form_of_kuhn():
    form = sequence_form(KUHN)
    for seat, side in enumerate(form.sides):
        assert len(side.keys) == 6  # three cards, two decisions each
        assert len(side.owner) == 13  # two moves at each, and the empty sequence
        # the first seat may decide twice in a match, the second only once
        assert [level.stop - level.start for level in side.levels] == ([3, 3] if seat == 0 else [6])
    first = form.sides[0]
    again = first.keys.index("Q|check bet")
    before = int(first.parent[again])
    assert (first.keys[first.owner[before]], before - int(first.first[first.owner[before]])) == ("Q|", 0)  # by checking
    plan = realisation(first, np.full(13, 0.5))
    assert plan[0] == 1
    assert sorted(plan[1:]) == [0.25] * 6 + [0.5] * 6
    # uniform play is worth 1/8 to the first seat
    other = realisation(form.sides[1], np.full(13, 0.5))
    assert form.gains(0, other) @ plan == pytest.approx(0.125)
    assert form.gains(1, plan) @ other == pytest.approx(-0.125)


def test_kuhn_is_nearly_solved():
    assert exploitability(KUHN, policies.make("cfr:1000")) < 2e-4
    value, _ = exact.expected_payoffs(KUHN, cfr(KUHN, 1000))
    assert value == pytest.approx(-1 / 18, abs=1e-3)


def test_more_iterations_are_less_exploitable():
    gaps = [exploitability(KUHN, policies.make(f"cfr:{n}")) for n in (1, 10, 100)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < gaps[0] / 50


def test_leduc_is_nearly_solved_in_seconds():
    start = time.process_time()
    assert exploitability(LEDUC, policies.make("cfr:1000")) <= 0.015
    assert time.process_time() - start < 20


def test_openspiel_finds_the_same_exploitability():
    pyspiel = pytest.importorskip("pyspiel")
    game, tables = pyspiel.load_game("leduc_poker(suit_isomorphism=True)"), cfr(LEDUC, 1000)
    table = {}

    def walk(state, cards, bets):
        if state.is_terminal():
            return
        for action in state.legal_actions():
            if state.is_chance_node():
                walk(state.child(action), (*cards, "JQK"[action]), bets if len(cards) < 2 else (bets[0], []))
                continue
            seat, line = state.current_player(), bets[-1]
            key = "|".join([cards[seat], " ".join(bets[0]), *([cards[2], " ".join(bets[1])] if cards[2:] else [])])
            odds = tables[seat][key]
            words = ["fold", "call" if "raise" in line else "check", "raise"]
            table[state.information_state_string()] = [(a, odds[words[a]]) for a in state.legal_actions()]
            walk(state.child(action), cards, (*bets[:-1], [*line, words[action]]))

    walk(game.new_initial_state(), (), ([],))
    assert len(table) == 288
    ours = exploitability(LEDUC, policies.make("cfr:1000"))
    assert pyspiel.exploitability(game, table) == pytest.approx(ours, abs=1e-9)


def test_the_nash_player_is_exact():
    assert exploitability(KUHN, policies.make("nash")) <= 1e-9


def test_simultaneous_moves_and_rounds():
    pennies = games.make("matching-pennies:rounds=2")
    assert exploitability(pennies, policies.make("cfr:100")) < 1e-9
    dilemma = games.make("prisoners-dilemma:rounds=2")  # defection is dominant in the last round, hence in the first
    assert all(table[key]["defect"] > 0.99 for table in cfr(dilemma, 500) for key in ("", "11"))


def test_it_plays_its_strategy():
    odds = cfr(KUHN, 1000)[1]["Q|bet"]
    calls = []
    for episode in arena.play("kuhn-poker", ["always-bet", "cfr:1000"], matches=600, seed=2):
        reply = episode.turns[-1]
        if reply.observation.startswith("You hold the queen"):
            calls.append(reply.move == "call")
    assert abs(np.mean(calls) - odds["call"]) < 4 * (odds["call"] * odds["fold"] / len(calls)) ** 0.5


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("commons", "only games of two seats"),
        ("trust-and-split", "only games of two seats and finite moves"),
        ("rock-paper-scissors:rounds=10000", "too long to be solved; use a shorter variant"),
        ("prisoners-dilemma:rounds=2,noise=0.1", "does not tell its information states apart"),
    ],
)
def test_what_can_not_be_solved(game, reason):
    assert reason in policies.make("cfr:10").check(games.make(game))


@pytest.mark.parametrize("spec", ["cfr:0", "cfr:ten", "cfr:-1", "cfr:2000000"])
def test_bad_iterations(spec):
    with pytest.raises(BadOption, match="write cfr:N"):
        policies.make(spec)


def test_best_responses_earn_the_exact_value():
    # against uniform play the first seat can have 1/2 and the second 5/12: together NashConv 11/12
    uniform = exact.uniform(KUHN)
    best = policies.make("best-response:random")
    profile = policies.strategies.strategy(KUHN, best)
    assert exact.expected_payoffs(KUHN, [profile[0], uniform])[0] == pytest.approx(0.5)
    assert exact.expected_payoffs(KUHN, [uniform, profile[1]])[1] == pytest.approx(5 / 12)
    assert {"defect"} == {
        turn.move
        for e in arena.play("prisoners-dilemma:rounds=2", [best, "random"])
        for turn in e.turns
        if not turn.seat
    }


def test_a_best_response_needs_probabilities_and_a_small_game():
    with pytest.raises(UsageError, match='"mcts:1" gives no move probabilities'):
        arena.play("tic-tac-toe", ["best-response:mcts:1", "random"])
    check = policies.make("best-response:random").check
    assert "does not list its chance" in check(games.make("auction"))
    assert "has moves of free text" in check(games.make("trust-and-split"))
    assert "too long for exact values" in check(games.make("rock-paper-scissors:rounds=10000"))
    with pytest.raises(BadOption, match="write best-response:A"):
        policies.make("best-response")


def test_a_policy_is_asked_for_so_many_information_states_at_a_time_and_answers_the_same(monkeypatch):
    game, asked = games.make("kuhn-poker"), []

    class Counting(type(policies.make("random"))):
        def probabilities(self, turns):
            asked.append(len(turns))
            return [{text: (n + 1) / 3 for n, text in enumerate(turn.moves.texts)} for turn in turns]

    whole = strategies.strategy(game, Counting())
    monkeypatch.setattr(strategies, "ASKED", 5)
    assert strategies.strategy(game, Counting()) == whole
    assert asked == [12, 5, 5, 2]
