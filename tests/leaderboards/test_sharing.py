"""Welfare, exploitation, strangers, inequality and cost, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from leaderboards import TableError, collaboration_gap, company, from_store, gini, pareto_efficiency, pareto_front
from leaderboards.snapshots import histories, run_of

NAN = math.nan


def test_exploitation_and_welfare_by_hand():
    # Dove and hawk: 3 with itself, 0 against the hawk, which takes 5, and 1 with itself.
    found = company([[3.0, 0.0], [5.0, 1.0]])
    assert found.exploited.tolist() == [5, 0]
    assert found.exploits.tolist() == [0, 5]
    assert found.welfare.tolist() == [(3 + 2.5) / 2, (2.5 + 1) / 2]


def test_the_coordination_gap_is_self_play_minus_cross_play():
    found = company([[10.0, 4.0, NAN], [4.0, 8.0, 2.0], [NAN, 2.0, NAN]])
    assert found.cross_play.tolist() == [4, 3, 2]
    np.testing.assert_array_equal(found.gap, [6, 5, NAN])
    with pytest.raises(TableError, match="square"):
        company([[1.0, 2.0]])


def test_collaboration_gap():
    np.testing.assert_array_equal(collaboration_gap([0.9, NAN], [0.5, 1.0]), [0.4, NAN])


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([1, 1, 1], 0.0),
        ([0, 0, 3], 2 / 3),
        ([1, 3], 0.25),
        ([0, 0], 0.0),
        ([1, 3, NAN], 0.25),
        ([-1, 2], NAN),
        ([], NAN),
    ],
)
def test_gini(values, wanted):
    assert gini(values) == pytest.approx(wanted, nan_ok=True)


def test_the_pareto_front_of_strength_against_cost():
    #          dear    best   cheap  worse at the same cost  unknown
    strength, cost = [1500, 1700, 1400, 1350, NAN], [50, 40, 10, 10, 1]
    assert pareto_front(strength, cost) == [2, 1]
    assert pareto_front([], []) == []


def test_a_board_says_what_a_payoff_costs(store):
    plays = [(deal, [("dear", 3.0), ("cheap", 1.0)]) for deal in range(3)]
    (section,) = from_store(store(plays, kind="mixed")).sections
    dear, cheap = section.standings
    assert dear.payoff_per_1000_tokens == pytest.approx(1000 * 3 / 40)
    assert (dear.efficient, cheap.efficient) == (True, False)
    assert (dear.welfare, dear.exploits, cheap.exploited) == (2.0, 2.0, 2.0)
    assert "The population earns 2.00 a round on average, shared with a Gini coefficient of 0.25." in section.caption


def test_a_cooperative_board_shows_strangers(store):
    pay = {("a", "a"): 10.0, ("b", "b"): 8.0}
    plays = [(d, [(x, p := pay.get((x, y), 2.0)), (y, p)]) for d in range(3) for x in "ab" for y in "ab"]
    (section,) = from_store(store(plays, kind="cooperative")).sections
    first = section.standings[0]
    assert (first.entrant, first.self_play, first.cross_play, first.coordination_gap) == ("a", 10.0, 2.0, 8.0)
    assert "With strangers entrants earn 7.00 a round less" in " ".join(section.caption)


def test_welfare_at_larger_tables_is_what_everybody_there_earns(store):
    plays = [(d, [("a", 6.0), ("b", 0.0), ("b", 3.0)]) for d in range(2)]
    (section,) = from_store(store(plays)).sections
    assert [line.welfare for line in section.standings] == [3.0, 3.0]


def test_payoffs_by_seat(store):
    plays = [(0, [("a", 4.0), ("b", 1.0)]), (1, [("b", 2.0), ("a", 3.0)]), (2, [("a", 6.0), ("a", 0.0)])]
    (section,) = from_store(store(plays, rounds=2)).sections
    seats = {line.entrant: line.by_seat for line in section.standings}
    assert seats == {"a": ((4 + 6) / 4, (3 + 0) / 4), "b": (1.0, 0.5)}
    assert section.roles == ("player_0", "player_1")


def test_snapshots_of_a_run():
    assert run_of("llm:tiny+runs/ipd/snapshots/step-000020") == ("llm:tiny+runs/ipd", 20.0)
    assert run_of("llm:tiny+runs/ipd/adapter") == ("llm:tiny+runs/ipd", math.inf)
    assert run_of("tit-for-tat") is None
    specs = [f"llm:tiny+r/snapshots/step-{k:06d}" for k in (40, 20)] + ["llm:tiny+r/adapter", "random", "x+s/adapter"]
    assert histories(specs, [2.0, 1.0, 3.0, 9.0, 5.0]) == [(1.0, 2.0), (), (1.0, 2.0, 3.0), (), ()]


def test_pareto_efficiency_by_hand():
    # Doves with doves earn 3 each, hawks with hawks 1: only that is beaten. A dove with a hawk earns 0, the hawk 5.
    mean = np.array([[3.0, 0.0], [5.0, 1.0]])
    assert pareto_efficiency(mean).tolist() == [1.0, 0.5]
    assert pareto_efficiency(mean, np.full((2, 2), 2.5)).tolist() == [1.0, 1.0]  # 3 isn't surely more than 1
    assert pareto_efficiency([[2.0, 2.0], [2.0, 2.0]]).tolist() == [1.0, 1.0]
    lone = pareto_efficiency([[np.nan, 1.0], [2.0, np.nan]])
    assert lone.tolist() == [1.0, 1.0]
    assert np.isnan(pareto_efficiency([[np.nan]])).all()
    assert pareto_efficiency([[1.0, 2.0], [1.0, 2.0]]).tolist() == [0.0, 0.5]  # (1, 1) and (2, 1) lose to (2, 2)
    with pytest.raises(TableError, match="square"):
        pareto_efficiency(np.zeros((2, 3)))
