"""Online Elo against published examples."""

from __future__ import annotations

import pytest

from leaderboards import TableError, elo
from leaderboards.ratings.elo import expected_score


def test_the_five_round_example(vectors):
    case = vectors["elo"][0]
    expected = [expected_score(case["rating"], opponent) for opponent in case["opponents"]]
    assert expected == pytest.approx(case["expected"], abs=1e-12)
    new = case["rating"] + case["K"] * (sum(case["scores"]) - sum(expected))
    assert new == pytest.approx(case["new_rating"], abs=1e-9)


def test_one_win_between_equals(vectors):
    case = vectors["elo"][1]
    found = elo([("a", "b", 1)], k=case["K"], initial=case["before"][0])
    assert list(found.ratings) == pytest.approx(case["after"])


def test_the_readme_of_evalica(vectors):
    case = vectors["elo"][2]
    score = {"x": 1.0, "y": 0.0, "tie": 0.5}
    found = elo(((a, b, score[won]) for a, b, won in case["matches"]), k=case["K"], initial=case["initial"])
    for name, rating in case["computed_K30"].items():
        assert found[name] == pytest.approx(rating, abs=1e-9)
        assert found[name] == pytest.approx(case["published"][name], abs=1e-4)
    assert (found.matches, found.k) == (3, 30)


def test_the_sum_is_kept_and_self_matches_move_nothing():
    found = elo([("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0), ("a", "a", 1)])
    assert sum(found.ratings) == pytest.approx(4500)
    assert found["a"] == elo([("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0)])["a"]


def test_far_apart_ratings_do_not_overflow():
    assert expected_score(1e5, -1e5) == pytest.approx(1.0)
    assert expected_score(-1e5, 1e5) == pytest.approx(0.0)


def test_a_score_out_of_range_is_refused():
    with pytest.raises(TableError, match="between 0 and 1"):
        elo([("a", "b", 2.0)])
