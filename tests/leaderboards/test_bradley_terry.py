"""Bradley–Terry against published values, a general optimiser, simulated leagues, and data that break it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from leaderboards import TableError, bradley_terry
from leaderboards.ratings.bradley_terry import SCALE, rate
from leaderboards.ratings.counts import Counts

MLE = math.inf


def test_published_four_player_example(vectors):
    case = vectors["bradley_terry"][0]
    found = bradley_terry(case["W"], prior_sd=MLE)
    np.testing.assert_allclose((found.elo - 1500) / SCALE, case["theta_mean0"], atol=1e-10)
    strengths = np.exp((found.elo - 1500) / SCALE)
    np.testing.assert_allclose(strengths, case["p_geomean1"], atol=1e-9)
    np.testing.assert_allclose(strengths, case["published"], atol=0.005)


def test_an_undefeated_entrant_is_finite_marked_and_refused_without_a_prior(vectors):
    case = vectors["bradley_terry"][1]
    for label, gap in case["ridge_map"].items():
        sd = SCALE / math.sqrt(float(label.removeprefix("l2=")))
        found = bradley_terry(case["W"], names=case["agents"], prior_sd=sd)
        assert found.elo[0] - found.elo[1] == pytest.approx(gap, abs=0.05)
        assert found.elo[1] == pytest.approx(found.elo[2])
        assert found.marks == (("prior-bound",), (), ())
    with pytest.raises(TableError, match=r"nothing bounds A.*prior_sd"):
        bradley_terry(case["W"], names=case["agents"], prior_sd=MLE)


def test_two_players_by_hand():
    # 3 : 1 means odds of 3, so the difference is 400 log10(3); its standard error is sqrt(1/3 + 1/1) in natural units.
    found = bradley_terry([[0, 3], [1, 0]], prior_sd=MLE)
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(3))
    assert found.elo.mean() == pytest.approx(1500)
    assert found.half[0] == pytest.approx(1.959964 * SCALE * math.sqrt(4 / 3) / 2, rel=1e-6)


def test_davidson_ties_by_hand():
    # Two equals: win = loss = 1 / (2 + nu), draw = nu / (2 + nu). 4 wins each and 4 draws: nu = 2 * 4 / (4 + 4) = 1.
    found = bradley_terry([[0, 4], [4, 0]], [[0, 4], [4, 0]], prior_sd=MLE)
    assert found.nu == pytest.approx(1.0)
    assert found.elo.tolist() == pytest.approx([1500, 1500])
    half = bradley_terry([[0, 6], [2, 0]], [[0, 4], [4, 0]], ties="half-win", prior_sd=MLE)
    assert half.elo[0] - half.elo[1] == pytest.approx(400 * math.log10(8 / 4))
    assert half.nu == 0.0


def _negative_log_posterior(x, wins, draws, precision):
    theta, log_nu = x[:-1], x[-1]
    total = -0.5 * precision * x @ x
    for i in range(len(theta)):
        for j in range(i):
            half = (theta[i] - theta[j]) / 2
            norm = np.log(np.exp(half) + np.exp(-half) + np.exp(log_nu))
            total += wins[i, j] * (half - norm) + wins[j, i] * (-half - norm) + draws[i, j] * (log_nu - norm)
    return -total


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([200.0, 1000.0]))
def test_agrees_with_a_general_optimiser(seed, n, sd):
    rng = np.random.default_rng(seed)
    wins, draws = rng.integers(0, 6, (n, n)), np.triu(rng.integers(0, 4, (n, n)), 1)
    np.fill_diagonal(wins, 0)
    draws = draws + draws.T
    draws[0, 1] = draws[1, 0] = 2
    found = bradley_terry(wins, draws, prior_sd=sd)
    precision = (SCALE / sd) ** 2
    best = minimize(_negative_log_posterior, np.zeros(n + 1), (wins, draws, precision), method="BFGS", tol=1e-10)
    np.testing.assert_allclose((found.elo - 1500) / SCALE, best.x[:-1], atol=2e-4)
    assert math.log(found.nu) == pytest.approx(best.x[-1], abs=2e-4)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 8))
def test_naming_the_entrants_in_another_order_changes_nothing(seed, n):
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 5, (n, n))
    order = rng.permutation(n)
    there, here = bradley_terry(wins), bradley_terry(wins[np.ix_(order, order)])
    np.testing.assert_allclose(here.elo, there.elo[order], atol=1e-6)
    np.testing.assert_allclose(here.half, there.half[order], atol=1e-6)
    assert there.elo.mean() == pytest.approx(1500)


def test_a_copy_gets_the_same_rating():
    wins = np.array([[0, 6, 6, 9], [4, 0, 5, 7], [4, 5, 0, 7], [1, 3, 3, 0]])
    found = bradley_terry(wins)
    assert found.elo[1] == pytest.approx(found.elo[2])
    assert found.best_rank.tolist()[1] == found.best_rank.tolist()[2]


def test_all_draws_are_equal_and_said_so():
    found = bradley_terry(np.zeros((3, 3)), 10 * (1 - np.eye(3)))
    assert found.elo.tolist() == pytest.approx([1500] * 3)
    assert found.notes == ("all draws: nothing tells these entrants apart",)
    assert found.half.min() > 500  # draws alone say nothing about strength under this model
    halves = bradley_terry(np.zeros((3, 3)), 10 * (1 - np.eye(3)), ties="half-win")
    assert halves.half.max() < 150


def test_one_match_is_preliminary_and_prior_bound():
    found = bradley_terry([[0, 1], [0, 0]])
    assert found.elo[0] > 1500 > found.elo[1]
    assert found.marks == (("prior-bound", "preliminary"),) * 2
    assert (found.best_rank.tolist(), found.worst_rank.tolist()) == ([1, 1], [2, 2])


def test_an_unconnected_pool_says_what_to_play():
    wins = np.zeros((5, 5))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 20
    found = bradley_terry(wins, names=list("abcde"))
    assert found.notes == ('unconnected: 3 groups; play "a" against "c"; "a" against "e"',)
    assert found.marks[4] == ("unplayed",)
    assert found.half.min() > 500
    with pytest.raises(TableError, match="unconnected: 3 groups"):
        bradley_terry(wins, names=list("abcde"), prior_sd=MLE)


def test_a_clique_that_always_beats_the_rest_is_prior_bound():
    wins = np.array([[0, 5, 9, 9, 9], [5, 0, 9, 9, 9], [0, 0, 0, 5, 5], [0, 0, 5, 0, 5], [0, 0, 5, 5, 0]])
    assert [("prior-bound" in marks) for marks in bradley_terry(wins).marks] == [True, True, False, False, False]


def test_nobody_and_nothing():
    assert bradley_terry([[0]], names=["alone"]).elo.tolist() == [1500]
    assert bradley_terry(np.zeros((2, 2))).marks == (("unplayed",),) * 2


@pytest.mark.parametrize(
    ("wins", "draws", "message"),
    [
        ([[0, math.nan], [1, 0]], None, r"wins\[0, 1\] is nan"),
        ([[0, -1], [1, 0]], None, r"wins\[0, 1\] is -1"),
        ([[0, 1, 2]], None, "square"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], "symmetric"),
        ([[0, 1], [1, 0]], [[0]], "shape"),
    ],
)
def test_broken_tables_are_refused(wins, draws, message):
    with pytest.raises(TableError, match=message):
        bradley_terry(wins, draws)


def test_names_must_fit():
    with pytest.raises(TableError, match="3 names for 2 entrants"):
        bradley_terry([[0, 1], [1, 0]], names=list("abc"))
    with pytest.raises(TableError, match='two entrants are called "a"'):
        bradley_terry([[0, 1], [1, 0]], names=list("aa"))


def _league(rng, n, each, nu, advantage=0.0):
    """True strengths and the results of a league, every pair once per cluster and in random seats."""
    theta = rng.normal(size=n)
    first, second = np.triu_indices(n, 1)
    swap = rng.random(len(first)) < 0.5
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    half = (theta[first] - theta[second] + advantage) / 2
    total = np.exp(half) + np.exp(-half) + nu
    drawn = rng.random((each, len(first)))
    win, draw = drawn < np.exp(half) / total, (drawn >= np.exp(half) / total) & (drawn < (np.exp(half) + nu) / total)
    loss = ~win & ~draw
    columns = (column.astype(float).ravel() for column in (win, draw, loss))
    cluster = np.repeat(np.arange(each), len(first))
    return theta, Counts(n, np.tile(first, each), np.tile(second, each), *columns, cluster)


@pytest.mark.parametrize("each", [5, 20])
@pytest.mark.parametrize("interval", ["wald", "clustered", "guarded"])
def test_intervals_cover_95_percent_of_simulated_leagues(each, interval):
    rng = np.random.default_rng(11)
    inside = []
    for _ in range(120):
        theta, counts = _league(rng, 10, each, nu=0.5)
        found = rate(counts, interval=interval)
        truth = 1500 + SCALE * (theta - theta.mean())
        inside.append((found.low <= truth) & (truth <= found.high))
    assert 0.93 <= np.mean(inside) <= 0.97


def test_rank_intervals_cover_the_true_ranks():
    rng = np.random.default_rng(3)
    inside = []
    for _ in range(60):
        theta, counts = _league(rng, 8, 10, nu=0.3)
        found = rate(counts)
        ranks = 1 + (theta[None, :] > theta[:, None]).sum(axis=1)
        inside.append((found.best_rank <= ranks) & (ranks <= found.worst_rank))
    assert np.mean(inside) >= 0.95


def test_clustered_intervals_see_what_matches_of_a_deal_share():
    # Every result counted four times under the same deal: four times the matches, not one bit more known.
    rng = np.random.default_rng(2)
    _, counts = _league(rng, 6, 40, nu=0.4)
    copied = [np.tile(a, 4) for a in (counts.first, counts.second, counts.wins, counts.draws, counts.losses)]
    fourfold = Counts(6, *copied, np.tile(counts.cluster, 4))
    once, four = (rate(c, interval="clustered", prior_sd=MLE) for c in (counts, fourfold))
    np.testing.assert_allclose(four.half, once.half, rtol=1e-6)
    wald = rate(counts, interval="wald", prior_sd=MLE).half
    np.testing.assert_allclose(rate(fourfold, interval="wald", prior_sd=MLE).half, wald / 2, rtol=1e-6)
    assert (four.clusters, once.clusters) == (40, 40)


def test_results_that_repeat_exactly_are_no_proof_of_certainty():
    first, second = np.zeros(30, dtype=np.int64), np.ones(30, dtype=np.int64)
    counts = Counts(2, first, second, np.full(30, 3.0), np.zeros(30), np.full(30, 1.0), np.arange(30))
    assert rate(counts, interval="clustered", prior_sd=MLE).half.max() < 1e-3
    guarded, wald = rate(counts), rate(counts, interval="wald")
    np.testing.assert_allclose(guarded.half, wald.half / 2, rtol=1e-9)
    lone = Counts(2, first, second, np.full(30, 3.0), np.zeros(30), np.full(30, 1.0), np.zeros(30, dtype=np.int64))
    np.testing.assert_allclose(rate(lone).half, wald.half, rtol=1e-9)


def test_the_first_seats_advantage_is_found_and_taken_out():
    theta, counts = _league(np.random.default_rng(8), 6, 400, nu=0.5, advantage=0.6)
    found = rate(counts, seat_advantage=True)
    assert found.seat_advantage == pytest.approx(SCALE * 0.6, abs=25)
    np.testing.assert_allclose(found.elo - 1500, SCALE * (theta - theta.mean()), atol=40)
    assert rate(counts).seat_advantage == 0.0
    tables = [np.zeros((6, 6)) for _ in range(3)]
    for table, column in zip(tables, (counts.wins, counts.draws, counts.losses), strict=True):
        np.add.at(table, (counts.first, counts.second), column)
    again = bradley_terry(*tables)
    assert again.seat_advantage == pytest.approx(found.seat_advantage)
    np.testing.assert_allclose(again.elo, found.elo, atol=1e-6)


def test_the_first_seats_advantage_has_an_interval():
    # Both win 3 of 4 when sitting first: gamma = log 3, and 8 matches with p (1 - p) = 3/16 inform about it.
    found = bradley_terry([[0, 3], [3, 0]], None, [[0, 1], [1, 0]], prior_sd=MLE)
    assert found.seat_advantage == pytest.approx(SCALE * math.log(3))
    assert found.seat_advantage_half == pytest.approx(1.959964 * SCALE / math.sqrt(1.5), rel=1e-6)
    assert found.elo.tolist() == pytest.approx([1500, 1500])
    assert math.isnan(bradley_terry([[0, 3], [1, 0]]).seat_advantage_half)


def test_the_advantages_interval_covers_it():
    rng = np.random.default_rng(21)
    inside = []
    for _ in range(150):
        _, counts = _league(rng, 6, 12, nu=0.4, advantage=0.5)
        found = rate(counts, seat_advantage=True)
        inside.append(abs(found.seat_advantage - SCALE * 0.5) <= found.seat_advantage_half)
    assert 0.9 <= np.mean(inside) <= 0.99


def test_cost_does_not_depend_on_the_number_of_matches():
    rng = np.random.default_rng(4)
    wins = rng.integers(1, 10, (40, 40)).astype(float)
    few, many = bradley_terry(wins, prior_sd=MLE), bradley_terry(wins * 1e6, prior_sd=MLE)
    np.testing.assert_allclose(many.elo, few.elo, atol=1e-6)
    np.testing.assert_allclose(many.half * 1e3, few.half, rtol=1e-6)
    assert many.steps <= few.steps + 2
