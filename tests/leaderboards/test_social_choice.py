"""Voting rules on published profiles, against brute force, and with copies."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards import (
    TableError,
    borda,
    copeland,
    kemeny,
    maximal_lottery,
    preferences,
    preferences_from_scores,
    soft_condorcet,
)


@pytest.fixture
def pentathlon(vectors):
    case = vectors["social_choice"][0]
    return case, preferences(case["votes"], "ABC")


def test_the_meeple_pentathlon(pentathlon):
    case, above = pentathlon
    names = list("ABC")
    assert ">".join(kemeny(above, names=names).order) == case["kemeny"]
    assert ">".join(copeland(above, names=names).order) == case["copeland"]
    points = borda(above, names=names)
    assert dict(zip(points.names, points.score, strict=True)) == case["borda"]
    soft = soft_condorcet(above, names=names)
    assert ">".join(soft.names[k] for k in np.argsort(-soft.rating)) == case["sco_sigmoid_order"]
    assert soft.offended == 5  # Kemeny's count of the order C > A > B
    # C beats both others by majority: the lottery is sure.
    assert maximal_lottery(above, names=names).mass.tolist() == [0, 0, 1]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_kemeny_is_the_best_of_all_orders(seed, n):
    above = np.random.default_rng(seed).integers(0, 9, (n, n)).astype(float)
    np.fill_diagonal(above, 0)

    def kept(order):
        return sum(above[order[i], order[j]] for i in range(n) for j in range(i + 1, n))

    found = [int(name) for name in kemeny(above).order]
    assert kept(found) == max(kept(order) for order in permutations(range(n)))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_a_maximal_lottery_loses_to_nobody_and_ignores_copies(seed, n):
    votes = [np.random.default_rng([seed, k]).permutation(n).tolist() for k in range(7)]
    above = preferences(votes, range(n))
    found = maximal_lottery(above)
    assert ((above - above.T) @ found.mass).max() <= 1e-9
    group = [*range(n), 0]
    crowd = maximal_lottery(above[np.ix_(group, group)])
    assert crowd.mass[0] + crowd.mass[-1] == pytest.approx(found.mass[0], abs=1e-9)


def test_condorcets_paradox():
    above = preferences(["ABC", "BCA", "CAB"], "ABC")
    assert copeland(above).score.tolist() == [1, 1, 1]
    assert maximal_lottery(above).mass.tolist() == pytest.approx([1 / 3] * 3)


def test_who_is_not_on_a_ballot_is_below():
    assert preferences(["AB", "C"], "ABC").tolist() == [[0, 1, 1], [0, 0, 1], [1, 1, 0]]
    with pytest.raises(TableError, match="names somebody twice"):
        preferences(["AA"], "AB")
    with pytest.raises(TableError, match="unknown"):
        preferences(["AZ"], "AB")


def test_scores_vote_ties_halve_and_missing_tasks_abstain():
    above = preferences_from_scores([[1.0, 5.0, np.nan], [0.0, 5.0, 2.0]])
    assert above.tolist() == [[0, 1.5], [0.5, 0]]


def test_kemeny_refuses_what_would_never_end():
    with pytest.raises(TableError, match="exact up to 15 entrants, not 16"):
        kemeny(np.zeros((16, 16)))


def test_soft_condorcet_recovers_a_clear_order_and_checks_its_parameters():
    rng = np.random.default_rng(0)
    theta = rng.normal(0, 2, 20)
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    above = rng.binomial(200, np.triu(chance, 1)).astype(float)
    above += np.triu(200 - above, 1).T
    found = soft_condorcet(above)
    assert found.rating.min() >= 0
    assert found.rating.max() <= 100
    concordant = (np.sign(theta[:, None] - theta) == np.sign(found.rating[:, None] - found.rating)).mean()
    assert concordant > 0.95
    with pytest.raises(TableError, match="temperature"):
        soft_condorcet(above, temperature=0)
    with pytest.raises(TableError, match="bounds"):
        soft_condorcet(above, bounds=(1, 0))
