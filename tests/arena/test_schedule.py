"""The round-robin: who meets whom, and how matches are numbered."""

from __future__ import annotations

from collections import Counter

import pytest

import games
from arena.schedule import count, missing, round_robin, seatings
from games import UsageError

KUHN = games.make("kuhn-poker")


def test_two_seats_give_all_ordered_pairs_and_self_matches():
    assert sorted(seatings(["b", "a"], 2)) == [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]


def test_three_seats_rotate_a_focal_entrant_among_copies_of_another():
    tables = seatings(["a", "b"], 3)
    expected = {("a", "a", "a"), ("b", "b", "b"), ("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")}
    assert set(tables) == expected | {("b", "a", "a"), ("a", "b", "a"), ("a", "a", "b")}
    assert len(tables) == 8


@pytest.mark.parametrize(("entrants", "seats"), [(1, 2), (3, 2), (3, 3), (4, 4)])
def test_no_seat_is_given_to_one_entrant_more_often_than_to_another(entrants, seats):
    tables = seatings([f"e{i}" for i in range(entrants)], seats)
    assert len(set(tables)) == len(tables)
    taken = [Counter(table[seat] for table in tables) for seat in range(seats)]
    assert all(len(set(counter.values())) == 1 for counter in taken)


def test_numbers_begin_at_one_and_deals_count_slowest():
    matches = list(round_robin([KUHN], ["a", "b"], 3))
    assert [m.id for m in matches] == list(range(1, 13))
    assert [m.deal for m in matches] == [0] * 4 + [1] * 4 + [2] * 4
    assert len(matches) == count([KUHN], ["a", "b"], 3)


def test_the_order_of_entrants_changes_nothing():
    forward = list(round_robin([KUHN], ["a", "b", "c"], 2))
    assert forward == list(round_robin([KUHN], ["c", "b", "a"], 2))


def test_more_deals_keep_the_numbers_of_the_first():
    few, more = round_robin([KUHN], ["a", "b"], 2), round_robin([KUHN], ["a", "b"], 5)
    assert list(few) == list(more)[:8]


def test_each_pair_meets_in_both_orders_on_the_same_deals():
    matches = list(round_robin([KUHN], ["a", "b"], 4))
    assert [m.deal for m in matches if m.entrants == ("a", "b")] == [0, 1, 2, 3]
    assert [m.deal for m in matches if m.entrants == ("b", "a")] == [0, 1, 2, 3]


def test_several_games_share_the_deals():
    matches = list(round_robin([KUHN, games.make("tic-tac-toe")], ["a"], 2))
    assert [(m.game.name, m.deal) for m in matches] == [
        ("kuhn-poker", 0),
        ("tic-tac-toe", 0),
        ("kuhn-poker", 1),
        ("tic-tac-toe", 1),
    ]


def test_only_what_is_missing_is_left():
    assert [m.id for m in missing(round_robin([KUHN], ["a", "b"], 1), {1, 3})] == [2, 4]


@pytest.mark.parametrize(
    ("played", "entrants", "deals", "message"),
    [([], ["a"], 1, "no game"), ([KUHN], [], 1, "nobody"), ([KUHN], ["a"], 0, "deals=0")],
)
def test_empty_tournaments_are_refused_at_once(played, entrants, deals, message):
    with pytest.raises(UsageError, match=message):
        round_robin(played, entrants, deals)
