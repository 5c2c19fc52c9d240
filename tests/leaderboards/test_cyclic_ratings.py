"""Hodge split, mElo and α-Rank: vectors, hand-made cycles, and what must always hold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards import TableError, alpha_rank, curl, cycles, hodge, melo, melo_online
from leaderboards.ratings.alpha_rank import log_fixation_global, log_fixation_local

RPS = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])


def test_hodge_shares_of_every_vector(vectors):
    for case in vectors["nash_agent_vs_agent"]:
        found = hodge(case["A"])
        np.testing.assert_allclose(found.divergence, case["uniform_average_div"], atol=1e-12)
        assert found.transitive_share == pytest.approx(case["transitive_frac"], abs=1e-12)
        assert found.cyclic_share == pytest.approx(case["cyclic_frac"], abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_the_parts_add_up_are_orthogonal_and_the_cyclic_one_averages_to_nothing(seed, n):
    table = np.random.default_rng(seed).normal(size=(n, n))
    found = hodge(table)
    np.testing.assert_allclose(found.transitive + found.cyclic, (table - table.T) / 2, atol=1e-12)
    assert (found.transitive * found.cyclic).sum() == pytest.approx(0, abs=1e-10)
    np.testing.assert_allclose(found.cyclic.mean(axis=1), 0, atol=1e-12)


def test_curl_vanishes_on_a_ranking_and_not_on_a_cycle():
    ratings = np.array([3.0, 1.0, 0.5])
    assert curl(ratings[:, None] - ratings[None, :], 0, 1, 2) == pytest.approx(0)
    assert curl(RPS, 0, 1, 2) == 3.0


def test_cycles_are_found_strongest_first():
    table = np.zeros((5, 5))
    for (i, j), edge in {(0, 1): 2.0, (1, 2): 2.0, (2, 0): 1.5, (2, 3): 0.2, (3, 4): 0.3, (4, 2): 0.1}.items():
        table[i, j], table[j, i] = edge, -edge
    assert cycles(table) == [(0, 1, 2), (2, 3, 4)]
    assert cycles(table, least=0.5) == [(0, 1, 2)]
    assert cycles(hodge(table).transitive) == []


def test_melo_needs_one_turn_for_rock_paper_scissors_and_none_for_a_ranking():
    np.testing.assert_allclose(melo(RPS).log_odds(), RPS, atol=1e-12)
    assert np.abs(melo(RPS, k=0).log_odds()).max() < 1e-12
    ratings = np.array([1.0, 0.0, -1.0])
    found = melo(ratings[:, None] - ratings[None, :])
    np.testing.assert_allclose(found.rating, ratings, atol=1e-12)
    assert np.abs(found.cyclic).max() < 1e-6
    assert found.probability()[0, 2] == pytest.approx(1 / (1 + np.exp(-2.0)))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 8))
def test_melo_with_all_turns_is_exact_and_more_turns_never_fit_worse(seed, n):
    table = np.random.default_rng(seed).normal(size=(n, n))
    table -= table.T
    errors = [np.linalg.norm(melo(table, k=k).log_odds() - table) for k in range(n // 2 + 1)]
    assert errors[-1] < 1e-9
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(errors))


def test_online_melo_learns_a_cycle_that_elo_cannot():
    rng = np.random.default_rng(0)
    matches = []
    for _ in range(4000):
        i, j = rng.choice(3, 2, replace=False)
        matches.append((int(i), int(j), float(rng.random() < 1 / (1 + np.exp(-2 * RPS[i, j])))))
    cyclic = melo_online(matches, 3, rate=0.05, cyclic_rate=0.1).probability()
    assert min(cyclic[0, 1], cyclic[1, 2], cyclic[2, 0]) > 0.7
    flat = melo_online(matches, 3, k=0, rate=0.05).probability()
    assert max(flat[0, 1], flat[1, 2], flat[2, 0]) < 0.65
    with pytest.raises(TableError, match="k=-1"):
        melo(RPS, k=-1)


def test_alpha_rank_vectors(vectors):
    for case in vectors["alpha_rank"]:
        payoffs = case.get("A", case.get("payoff"))
        selection = "local" if case["use_local_selection_model"] else "global"
        found = alpha_rank(payoffs, alpha=case["alpha"], population=case["m"], selection=selection)
        np.testing.assert_allclose(found.mass, case["pi"], atol=1e-8, err_msg=case["name"])


def test_alpha_rank_copies_count():
    # Rock-paper-scissors with scissors doubled, strong selection: rock 0.4, the others 0.2.
    doubled = RPS.T[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    assert alpha_rank(doubled, alpha=100, population=50).mass.tolist() == pytest.approx([0.4, 0.2, 0.2, 0.2])


def test_alpha_rank_survives_two_conventions_and_huge_selection():
    coordination = [[2.0, 0.0], [0.0, 1.0]]
    for alpha in (10.0, 1e4):
        assert alpha_rank(coordination, alpha=alpha, selection="global").mass.sum() == pytest.approx(1)
    # Two conventions of equal worth: half of the time each, though neither is ever left.
    assert alpha_rank([[1.0, 0.0], [0.0, 1.0]], alpha=1e3, selection="global").mass.tolist() == pytest.approx(
        [0.5, 0.5]
    )
    assert alpha_rank([[0.0]]).mass.tolist() == [1.0]


def test_fixation_by_hand():
    payoff = np.array([[0.0, 1.0], [-1.0, 0.0]])
    local = np.exp(log_fixation_local(payoff, 0.3, 4))
    assert local[0, 1] == pytest.approx((1 - np.exp(-0.6)) / (1 - np.exp(-2.4)))
    assert local[1, 0] == pytest.approx((1 - np.exp(0.6)) / (1 - np.exp(2.4)))
    assert local[0, 0] == pytest.approx(1 / 4)
    # Zero-sum, each earns from three others: the difference is m / (m - 1) whatever k.
    step = np.exp(-0.3 * 4 / 3)
    assert np.exp(log_fixation_global(payoff, 0.3, 4))[0, 1] == pytest.approx(1 / (1 + step + step**2 + step**3))


def test_alpha_rank_parameters_are_checked():
    with pytest.raises(TableError, match="population of 2 or more"):
        alpha_rank(RPS, population=1)
    with pytest.raises(TableError, match="alpha"):
        alpha_rank(RPS, alpha=float("nan"))
