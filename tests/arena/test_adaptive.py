"""Gauntlets, Swiss rounds and active schedules: who meets whom, that resuming changes nothing, and when it stops."""

from __future__ import annotations

import math
import sqlite3

import numpy as np
import pytest

import arena
import games
from arena.active import best_pairs
from arena.adaptive import Meeting, play_plan, tables
from arena.beliefs import by_payoff, by_wins
from arena.cli import main
from arena.schedule import gauntlet, gauntlet_count
from arena.swiss import Swiss
from games import ArenaError, UsageError

KUHN, DILEMMA = games.make("kuhn-poker"), "prisoners-dilemma:rounds=3"
NAMES = ["a", "b", "c", "d"]


def rows(store):
    return [(row.id, row.game, row.deal, row.entrants, row.payoffs) for row in store.matches()]


def test_a_gauntlet_is_the_part_of_the_round_robin_with_the_focus_in_it():
    found = [match.entrants for match in gauntlet([KUHN], NAMES, ["b"], 1)]
    assert sorted(found) == sorted([("b", x) for x in NAMES] + [(x, "b") for x in NAMES if x != "b"])
    assert gauntlet_count([KUHN], NAMES, ["b"], 3) == 21
    with pytest.raises(UsageError, match="not zoe; name some of a, b, c, d"):
        gauntlet([KUHN], NAMES, ["zoe"], 1)


def test_the_first_entrant_runs_the_gauntlet_unless_others_are_named():
    with arena.tournament("kuhn-poker", ["x=random", "y=random", "z=random"], deals=2, schedule="gauntlet") as store:
        assert {row.entrants for row in store.matches()} == {("x", "x"), ("x", "y"), ("y", "x"), ("x", "z"), ("z", "x")}


def test_a_meeting_gives_each_every_seat():
    assert tables("b", "a", 2) == [("a", "b"), ("b", "a")]
    assert tables("a", "a", 2) == [("a", "a")]
    assert len(tables("a", "b", 3)) == 6


def swiss_rounds(names, rounds, winner):
    """The pairings of each round, where ``winner`` says who wins."""
    plan, found = Swiss([KUHN], names, rounds, deals=2), []
    while planned := plan.next():
        found.append([(first, second) for _, first, second, deal in planned if deal % 2 == 0])
        scores = [(g, a, b, float(winner(a, b) == a)) for g, a, b, _ in planned]
        plan.learn([Meeting(g.spec, a, b, 2, (2 * s - 1, 1 - 2 * s), s) for g, a, b, s in scores])
    return found


def test_swiss_pairs_equals_and_nobody_twice():
    rounds = swiss_rounds([f"p{k}" for k in range(8)], 3, min)
    assert rounds[0] == [("p0", "p1"), ("p2", "p3"), ("p4", "p5"), ("p6", "p7")]
    assert rounds[1] == [("p0", "p2"), ("p4", "p6"), ("p1", "p3"), ("p5", "p7")]
    assert rounds[2][0] == ("p0", "p4")  # the two that won both
    met = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert len(set(met)) == len(met)


def test_of_an_odd_number_each_sits_out_in_turn():
    rounds = swiss_rounds(["p0", "p1", "p2"], 3, min)
    out = [({"p0", "p1", "p2"} - {name for pair in pairs for name in pair}).pop() for pairs in rounds]
    assert sorted(out) == ["p0", "p1", "p2"]


@pytest.mark.parametrize("schedule", ["swiss", arena.Schedule("active", confidence=0.99)])
def test_a_resumed_tournament_is_the_one_that_ran_through(tmp_path, schedule):
    who = {"one": "random", "two": "random", "nash": "kuhn-nash"}
    options = {"deals": 3, "seed": 5, "schedule": schedule, "store": tmp_path / "arena.sqlite"}
    with arena.tournament("kuhn-poker", who, **options) as store:
        whole = rows(store)
    with sqlite3.connect(options["store"]) as db:
        for table, key in (("turns", "match"), ("seats", "match"), ("matches", "id")):
            db.execute(f"DELETE FROM {table} WHERE {key} > 7 OR {key} = 4")
    with arena.tournament("kuhn-poker", who, **options) as store:
        assert rows(store) == whole
    with pytest.raises(UsageError, match="schedule"):
        arena.tournament("kuhn-poker", who, deals=3, seed=5, store=options["store"])


def test_active_stops_as_soon_as_it_is_sure():
    said = []
    who = ["always-defect", "always-cooperate", "tit-for-tat", "random"]
    with arena.tournament(DILEMMA, who, deals=200, schedule="active", say=said.append) as store:
        assert len(store) < 200 * 16 / 4
    share = float(said[0].partition(": ")[2].partition("%")[0])
    assert 95 <= share <= 100
    assert f"({len(store_rows(who))} of at most 3200 matches)" in said[0]


def store_rows(who):
    with arena.tournament(DILEMMA, who, deals=200, schedule="active") as store:
        return rows(store)


def test_active_never_plays_more_than_the_round_robin():
    with arena.tournament("kuhn-poker", ["a=random", "b=random"], deals=6, schedule="active") as store:
        assert len(store) <= 24


def test_matches_go_where_the_order_is_open():
    plan_rows = []
    chance = {"a": 3.0, "b": 0.05, "c": 0.0, "d": -3.0}
    rng = np.random.default_rng(0)

    def play(matches):
        for match in matches:
            plan_rows.append(frozenset(match.entrants))
            first, second = match.entrants
            won = rng.random() < 1 / (1 + math.exp(chance[second] - chance[first]))
            yield arena.Episode(match, (), (), (1.0, -1.0) if won else (-1.0, 1.0), 1, "finished")

    from arena.active import Active

    list(play_plan(Active([KUHN], NAMES, 0.999), {}, 800, play))
    often = {pair: plan_rows.count(pair) for pair in set(plan_rows)}
    assert often[frozenset("bc")] == max(often.values())
    assert often[frozenset("bc")] > 4 * often[frozenset("ad")]


def test_beliefs_from_wins_by_hand():
    # 3 of 4 wins: log odds log 3, but for the prior; the information of four matches is 4 · 3/4 · 1/4.
    found = by_wins(np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([[0.0, 4.0], [4.0, 0.0]]))
    assert found.value[0] - found.value[1] == pytest.approx(math.log(3), rel=0.03)
    sure = math.erf(math.log(3) / math.sqrt(1 / 0.75) / math.sqrt(2))
    assert 1 - 2 * found.wrong == pytest.approx(sure, rel=0.03)
    assert found.gain[0, 1] == pytest.approx(found.gain[1, 0])
    assert found.gain[0, 1] > 0
    assert found.gain[0, 0] == 0


def test_beliefs_from_payoffs_by_hand():
    # Row 0 earns 1 and 3 of column 1 (variance 2), 2 and 2 of itself; row 1 earns 0 throughout.
    total, squares = np.array([[4.0, 4.0], [0.0, 0.0]]), np.array([[8.0, 10.0], [0.0, 0.0]])
    found = by_payoff(total, squares, np.full((2, 2), 2.0))
    assert found.value.tolist() == [2.0, 0.0]
    common = 2 / 4  # over four cells of one degree of freedom each
    noise = [[2 * common / 3, (2 + 2 * common) / 3], [2 * common / 3] * 2]
    variance = sum(x / 2 / 4 for row in noise for x in row)
    assert found.wrong == pytest.approx(0.5 * math.erfc(2 / math.sqrt(2 * variance)))
    assert found.gain[0, 1] > found.gain[1, 1]


def test_what_is_known_exactly_is_in_no_wrong_order():
    same = by_payoff(np.full((2, 2), 6.0), np.full((2, 2), 18.0), np.full((2, 2), 2.0))
    assert same.wrong == 0.0
    assert by_payoff(np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1))).wrong == 0.0


def test_the_best_pairs_leave_nobody_in_more_than_two():
    gain = np.array([[0, 9, 8, 7], [9, 0, 1, 4], [8, 1, 0, 5], [7, 4, 5, 0]], dtype=float)
    assert best_pairs(gain, 4, self_matches=False) == [(0, 1), (0, 2), (2, 3), (1, 3)]
    gain[1, 3] = gain[3, 1] = 2  # less than a quarter of the best
    assert best_pairs(gain, 4, self_matches=False) == [(0, 1), (0, 2), (2, 3)]
    assert best_pairs(gain + 100 * np.eye(4), 1, self_matches=True) == [(0, 0)]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "knockout"}, 'no schedule "knockout"'),
        ({"kind": "active", "confidence": 1.0}, "confidence=1 is not allowed"),
        ({"kind": "swiss", "rounds": -1}, "rounds=-1 is not allowed"),
    ],
)
def test_schedules_that_are_none(settings, message):
    with pytest.raises(ArenaError, match=message):
        arena.Schedule(**settings)


@pytest.mark.parametrize("schedule", ["swiss", "active"])
def test_one_alone_has_nobody_to_meet(schedule):
    with pytest.raises(UsageError, match="needs two entrants or more"):
        arena.tournament("kuhn-poker", ["random"], schedule=schedule)


def test_the_command_says_how_sure_it_is(capsys):
    words = ["tournament", DILEMMA, "always-defect", "always-cooperate", "--schedule", "active", "--confidence", "0.9"]
    assert main([*words, "--json"]) == 0
    assert "of the pairs are expected to stand in the right order" in capsys.readouterr().err
