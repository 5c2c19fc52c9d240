"""Payoffs per round by hand, and intervals that cover what simulated deals hide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from leaderboards import collect, payoff_table


def test_every_opponent_weighs_the_same_itself_included(store):
    # a earns 4 a round against b (met twice), 1 against itself: (4 + 1) / 2, not the mean over matches.
    plays = [
        (0, [("a", 8.0), ("b", 2.0)]),
        (1, [("a", 8.0), ("b", 2.0)]),
        (0, [("a", 2.0), ("a", 2.0)]),
        (0, [("b", 6.0), ("b", 2.0)]),
    ]
    (results,) = collect(store(plays, rounds=2))
    found = payoff_table(results)
    assert found.mean.tolist() == [[1.0, 4.0], [1.0, 2.0]]
    assert found.per_round.tolist() == [2.5, 1.5]
    assert (found.wins.tolist(), found.draws.tolist(), found.losses.tolist()) == ([2, 0], [0, 0], [0, 2])
    assert (found.unplayed, found.without_self) == (0, 0)


def test_rounds_are_weighed_not_matches(store):
    short, long = store([(0, [("a", 3.0), ("b", 0.0)])]), store([(1, [("a", 9.0), ("b", 0.0)])], rounds=9)
    (results,) = collect(short, long)
    assert payoff_table(results).mean[0, 1] == pytest.approx(12 / 10)


def test_one_pair_clustered_by_hand(store):
    # Deal sums of payoff: 3, 5, 10 over 2 rounds each; mean 3 a round; residuals -3, -1, 4 over 6 rounds.
    plays = [
        (0, [("a", 1.0), ("b", 0.0)]),
        (0, [("b", 0.0), ("a", 2.0)]),
        (1, [("a", 5.0), ("b", 0.0)]),
        (1, [("b", 0.0), ("a", 0.0)]),
        (2, [("a", 4.0), ("b", 0.0)]),
        (2, [("b", 0.0), ("a", 6.0)]),
    ]
    found = payoff_table(collect(store(plays))[0])
    error = np.sqrt(3 / 2 * (9 + 1 + 16)) / 6
    assert found.mean[0, 1] == pytest.approx(3.0)
    assert found.half[0, 1] == pytest.approx(t.ppf(0.975, 2) * error)
    assert found.per_round_half[0] == pytest.approx(t.ppf(0.975, 2) * error)
    assert found.per_round_half[1] == 0.0
    assert found.clusters.tolist() == [3, 3]


def test_a_single_deal_has_no_interval(store):
    found = payoff_table(collect(store([(0, [("a", 1.0), ("b", 0.0)]), (0, [("b", 4.0), ("a", 2.0)])]))[0])
    assert np.isnan(found.per_round_half).all()
    assert (found.best_rank.tolist(), found.worst_rank.tolist()) == ([1, 1], [2, 2])


def test_pairs_never_played_are_left_out_and_counted(store):
    found = payoff_table(collect(store([(0, [("a", 1.0), ("b", 0.0)]), (0, [("b", 4.0), ("c", 2.0)])]))[0])
    assert np.isnan(found.mean[0, 2])
    assert found.per_round.tolist() == [1.0, 2.0, 2.0]
    assert (found.unplayed, found.without_self) == (1, 3)


def test_what_a_match_costs(store):
    found = payoff_table(collect(store([(0, [("clumsy", 1.0), ("b", 0.0)])] * 2))[0])
    assert found.illegal_rate.tolist() == [0.25, 0.0]
    assert found.tokens.tolist() == [40.0, 40.0]
    assert found.seconds.tolist() == [0.5, 0.5]


def test_intervals_cover_when_matches_of_a_deal_share_their_luck(store):
    # The luck of a deal is worth the same to both entrants in both seats; only whole deals are independent.
    rng, inside, ranked = np.random.default_rng(7), [], []
    for _ in range(150):
        plays = []
        for deal in range(12):
            luck = rng.normal()
            for first, second in (("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")):
                worth = {"a": 1.0, "b": 1.2}
                plays.append((deal, [(name, worth[name] + luck + 0.3 * rng.normal()) for name in (first, second)]))
        found = payoff_table(collect(store(plays))[0])
        inside.append(np.abs(found.per_round - [1.0, 1.2]) <= found.per_round_half)
        ranked.append(found.best_rank[0] <= 2 <= found.worst_rank[0])
        assert found.per_round_half.min() > 0.2  # luck is seen
    assert 0.92 <= np.mean(inside) <= 0.98
    # Both share the luck, so their difference is far surer than either.
    assert np.mean(ranked) >= 0.95
    assert found.worst_rank.max() - found.best_rank.min() <= 1
