"""One pass over rows: sums by hand, order, several games and stores, and rows that can't be rated."""

from __future__ import annotations

import numpy as np
import pytest

from arena.tables import EntrantRow
from leaderboards import TableError, collect
from leaderboards.table import BLOCKS

PLAYS = [
    (0, [("a", 5.0), ("b", 0.0)]),
    (0, [("b", 1.0), ("a", 1.0)]),
    (1, [("a", 2.0), ("b", 3.0)]),
    (1, [("a", 4.0), ("a", 1.0)]),
]


def test_counts_and_sums_by_hand(store):
    (found,) = collect(store(PLAYS, rounds=2))
    assert (found.entrants, found.matches, found.seats) == (("a", "b"), 4, 2)
    assert found.wins.tolist() == [[0, 1], [1, 0]]
    assert found.draws.tolist() == [[0, 1], [1, 0]]
    assert found.met.tolist() == [[1, 3], [3, 0]]
    assert found.payoff.tolist() == [[5, 8], [4, 0]]  # a self-match pays both of its seats
    assert found.rounds.tolist() == [[4, 6], [6, 0]]
    assert found.totals.matches.tolist() == [4, 3]
    assert found.totals.seats.tolist() == [5, 3]
    assert found.totals.turns.tolist() == [20, 12]
    assert found.totals.tokens.tolist() == [200, 120]


def test_self_matches_never_count_as_wins(store):
    (found,) = collect(store([(0, [("a", 9.0), ("a", 0.0)])] * 3))
    assert found.wins.sum() == 0
    assert found.met.tolist() == [[3]]


def test_three_seats_reduce_to_pairs_and_copies_at_a_mixed_table_are_company(store):
    (found,) = collect(store([(0, [("a", 3.0), ("b", 1.0), ("b", 2.0)]), (0, [("b", 1.0), ("b", 4.0), ("b", 5.0)])]))
    assert found.seats == 3
    assert found.wins.tolist() == [[0, 2], [0, 0]]
    assert found.met.tolist() == [[0, 2], [2, 3]]
    assert found.payoff[1, 1] == pytest.approx(2 * (1 + 4 + 5))  # each of three seats is in two pairs
    assert found.totals.matches.tolist() == [1, 2]


def test_payoffs_that_differ_by_rounding_are_a_draw(store):
    (found,) = collect(store([(0, [("a", 0.1 + 0.2), ("b", 0.3)])]))
    assert found.draws[0, 1] == 1


def test_games_are_kept_apart_and_stores_added_up(store):
    games = collect(
        store(PLAYS),
        store(PLAYS, game="kuhn-poker", kind="competitive"),
        store([(0, [("b", 7.0), ("c", 0.0)])]),
    )
    assert [(g.game, g.kind, g.entrants) for g in games] == [
        ("prisoners-dilemma", "social-dilemma", ("a", "b", "c")),
        ("kuhn-poker", "competitive", ("a", "b")),
    ]
    assert games[0].matches == 5
    assert games[0].wins[1].tolist() == [1, 0, 1]


def test_equal_deals_of_two_stores_are_different_chance(store):
    (once,) = collect(store(PLAYS))
    (twice,) = collect(store(PLAYS), store(PLAYS))
    assert len(set(twice.cells.block.tolist())) == 2 * len(set(once.cells.block.tolist()))


def test_the_table_stays_small_whatever_the_number_of_matches(store):
    plays = [(deal, [("a", float(deal % 3)), ("b", 1.0)]) for deal in range(5000)]
    (found,) = collect(store(plays))
    assert len(found.cells.first) == BLOCKS
    assert found.met[0, 1] == 5000


def test_measures_are_means_over_the_seats_that_have_them(store):
    (found,) = collect(store(PLAYS, measures={"a": {"cooperation": 0.25}, "b": {"truth": 1.0}}))
    np.testing.assert_array_equal(found.totals.measures["cooperation"], [0.25, np.nan])
    np.testing.assert_array_equal(found.totals.measures["truth"], [np.nan, 1.0])


@pytest.mark.parametrize("payoff", [float("nan"), float("inf")])
def test_payoffs_must_be_finite(store, payoff):
    with pytest.raises(TableError, match=r'payoff of "b" in match 2 of prisoners-dilemma is (nan|inf)'):
        collect(store([PLAYS[0], (0, [("a", 1.0), ("b", payoff)])]))


def test_a_name_stands_for_one_spec(store):
    other = store(PLAYS)
    renamed = type(other)(other.rows, (EntrantRow("a", "llm:tiny", "llm"), EntrantRow("b", "b", "script")))
    with pytest.raises(TableError, match='"a" is a in one store and llm:tiny in another'):
        collect(store(PLAYS), renamed)


def test_no_match_is_an_error_that_says_what_to_do(store):
    with pytest.raises(TableError, match="arena tournament"):
        collect(store([]))
