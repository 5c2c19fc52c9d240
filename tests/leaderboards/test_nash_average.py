"""Nash averaging against published vectors, an independent solver, and what must hold of any equilibrium."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from leaderboards import TableError, nash_average, nash_average_tasks
from leaderboards.ratings.logit import logit_equilibrium


def test_every_agent_vs_agent_vector(vectors):
    for case in vectors["nash_agent_vs_agent"]:
        found = nash_average(case["A"])
        np.testing.assert_allclose(found.mass, case["p"], atol=1e-8, err_msg=case["name"])
        np.testing.assert_allclose(found.skill, case["skill"], atol=3e-8, err_msg=case["name"])
        assert found.entropy == pytest.approx(case["entropy"], abs=1e-8), case["name"]
        assert found.exploitability <= 1e-12, case["name"]


def test_every_agent_vs_task_vector(vectors):
    for case in vectors["nash_agent_vs_task"]:
        found = nash_average_tasks(case["S_normalised"])
        for name, key in (
            ("mass", "agent_p"),
            ("task_mass", "task_p"),
            ("skill", "skill"),
            ("difficulty", "difficulty"),
        ):
            np.testing.assert_allclose(getattr(found, name), case[key], atol=1e-6, err_msg=case["name"])
        assert found.value == pytest.approx(case["value"], abs=1e-9)
        assert found.exploitability <= 1e-12


def test_the_exploitability_vectors_are_best_replies(vectors):
    for case in vectors["exploitability"]:
        table, mixture = np.array(case["A"]), np.array(case["p"])
        assert (table @ mixture).max() == pytest.approx(case["exploitability"])


def _table(kind: int, rng: np.random.Generator) -> np.ndarray:
    """Random, small-integer, rank-two and duplicated antisymmetric tables."""
    n = int(rng.integers(2, 13))
    if kind == 0:
        upper = rng.integers(-1, 2, (n, n)).astype(float)
    elif kind == 1:
        upper = rng.integers(-2, 3, (n, n)).astype(float)
    elif kind == 2:
        upper = rng.normal(size=(n, n))
    elif kind == 3:
        upper = np.outer(rng.normal(size=n), rng.normal(size=n))
    else:
        base = rng.normal(size=(max(1, n // 2),) * 2)
        group = rng.integers(0, len(base), n)
        return (base - base.T)[np.ix_(group, group)]
    return np.triu(upper, 1) - np.triu(upper, 1).T


def test_two_independent_solvers_agree_on_500_tables():
    # The logit equilibrium tends to the answer linearly in the temperature: where one is too warm, two extrapolate.
    rng = np.random.default_rng(1)
    for number in range(500):
        table = _table(number % 5, rng)
        scale = max(1e-9, float(np.abs(table).max()))
        found, limit = nash_average(table), logit_equilibrium(table / scale, 1e-9)
        if np.abs(found.mass - limit).max() > 5e-7:
            limit = 2 * limit - logit_equilibrium(table / scale, 2e-9)
        np.testing.assert_allclose(found.mass, limit, atol=1e-6, err_msg=f"table {number}")
        assert found.exploitability <= 1e-12 * max(1.0, scale)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 8), st.lists(st.integers(0, 7), min_size=1, max_size=6))
def test_copies_share_mass_and_change_nobody_else(seed, n, copied):
    base = np.random.default_rng(seed).normal(size=(n, n))
    base -= base.T
    group = np.array([*range(n), *(k % n for k in copied)])
    alone, crowd = nash_average(base), nash_average(base[np.ix_(group, group)])
    np.testing.assert_allclose(crowd.skill, alone.skill[group], atol=1e-10)
    shared = alone.mass / np.bincount(group, minlength=n)
    np.testing.assert_allclose(crowd.mass, shared[group], atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(2, 7))
def test_tasks_value_is_that_of_linear_programming_and_copied_tasks_change_nothing(seed, agents, tasks):
    score = np.random.default_rng(seed).integers(0, 4, (agents, tasks)).astype(float)
    found = nash_average_tasks(score)
    bounds = [(0, None)] * agents + [(None, None)]
    program = linprog(
        [0] * agents + [-1],
        A_ub=np.hstack([-score.T, np.ones((tasks, 1))]),
        b_ub=np.zeros(tasks),
        A_eq=[[1] * agents + [0]],
        b_eq=[1],
        bounds=bounds,
    )
    assert found.value == pytest.approx(-program.fun, abs=1e-9)
    assert found.exploitability <= 1e-12 * 4
    once = nash_average_tasks(score, merge_copies=True)
    twice = nash_average_tasks(np.hstack([score, score[:, :1], score[:, :1]]), merge_copies=True)
    np.testing.assert_allclose(twice.mass, once.mass, atol=1e-8)
    np.testing.assert_allclose(twice.skill, once.skill, atol=1e-8)
    assert twice.task_mass[0] == pytest.approx(
        once.task_mass[0] * once_copies(score) / (once_copies(score) + 2), abs=1e-8
    )


def once_copies(score: np.ndarray) -> int:
    """How often the first task is there already."""
    return int((score == score[:, :1]).all(axis=0).sum())


def test_where_equilibria_are_many_copies_count_unless_merged(vectors):
    # An entrant that draws with everyone joins rock-paper-scissors with a quarter; greatest entropy gives its copy a
    # share of its own, merging does not.
    table = np.array(next(case["A"] for case in vectors["nash_agent_vs_agent"] if case["name"] == "rps_plus_neutral"))
    doubled = table[np.ix_([0, 1, 2, 3, 3], [0, 1, 2, 3, 3])]
    assert nash_average(doubled).mass.tolist() == pytest.approx([0.2] * 5)
    assert nash_average(doubled, merge_copies=True).mass.tolist() == pytest.approx([0.25, 0.25, 0.25, 0.125, 0.125])
    limit = logit_equilibrium(doubled, 1e-7)
    assert limit.tolist() == pytest.approx([0.2] * 5)
    warm = nash_average(doubled, temperature=0.3).mass
    np.testing.assert_allclose(warm, logit_equilibrium(doubled, 0.3), atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 9))
def test_no_other_equilibrium_is_more_even(seed, n):
    rng = np.random.default_rng(seed)
    table = rng.integers(-1, 2, (n, n)).astype(float)
    table = np.triu(table, 1) - np.triu(table, 1).T
    found = nash_average(table)
    for _ in range(5):  # vertices of the polytope of equilibria, and mixtures with them
        vertex = linprog(
            rng.normal(size=n), A_ub=table, b_ub=np.zeros(n), A_eq=np.ones((1, n)), b_eq=[1], bounds=[(0, None)] * n
        ).x
        other = 0.9 * found.mass + 0.1 * np.maximum(vertex, 0)
        entropy = -(other[other > 0] * np.log(other[other > 0])).sum()
        assert entropy <= found.entropy + 1e-7


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 25), st.integers(1, 20), st.integers(4, 13))
def test_the_certificate_holds_for_counts_clones_and_clones_that_differ_by_a_hair(seed, n, matches, digits):
    rng = np.random.default_rng(seed)
    wins = np.triu(rng.binomial(matches, rng.random((n, n))), 1)
    table = (2 * wins - matches * np.triu(np.ones((n, n)), 1)) / (matches + 1)
    table -= table.T
    group = rng.integers(0, max(1, n // 2), n)
    hair = rng.normal(size=(n, n)) * 10.0**-digits
    for case in (table, table[np.ix_(group, group)], table[np.ix_(group, group)] + hair - hair.T):
        found = nash_average(case)
        assert found.exploitability <= 1e-12
        assert found.mass.min() >= 0
        assert found.mass.sum() == pytest.approx(1, abs=1e-12)
    tasks = nash_average_tasks(wins[: max(1, n // 2)] + hair[: max(1, n // 2)])
    assert tasks.exploitability <= 1e-12 * matches


def test_numbers_of_very_different_size_are_no_error():
    rng = np.random.default_rng(5)
    for n in (5, 12, 24):
        table = np.triu(rng.normal(size=(n, n)) * 10.0 ** rng.integers(-6, 6, (n, n)), 1)
        assert nash_average(table - table.T).exploitability <= 1e-12 * np.abs(table).max()


def test_a_temperature_gives_the_logit_equilibrium():
    table = np.array([[0.0, 1.0], [-1.0, 0.0]])
    found = nash_average(table, temperature=0.5)
    # p1 = exp(p2 / T) / (exp(p2 / T) + exp(-p1 / T)), so p1 = sigmoid((p1 + p2) / T) = sigmoid(2).
    assert found.mass[0] == pytest.approx(1 / (1 + np.exp(-2.0)), abs=1e-12)
    assert found.temperature == 0.5
    assert found.exploitability > 0


def test_rounding_asymmetry_is_forgiven_and_nan_is_not():
    table = np.array([[0.0, 0.3, -0.7], [-0.3, 0.0, 0.1 + 0.2], [0.7, -0.3, 0.0]])
    assert nash_average(table).mass.sum() == pytest.approx(1.0)
    table[0, 1] = np.nan
    with pytest.raises(TableError, match=r"\[0, 1\] is nan"):
        nash_average(table)
    with pytest.raises(TableError, match="square"):
        nash_average(np.zeros((2, 3)))
    with pytest.raises(TableError, match="not empty"):
        nash_average(np.zeros((0, 0)))


def test_one_entrant_alone_carries_everything():
    found = nash_average([[0.0]], names=["alone"])
    assert found.mass.tolist() == [1.0]
    assert found.skill.tolist() == [0.0]
    assert found.names == ("alone",)


def test_a_task_on_which_all_score_the_same_is_no_error():
    found = nash_average_tasks([[1.0, 0.5], [0.0, 0.5]])
    assert found.value == pytest.approx(0.5)
    assert found.skill.tolist() == pytest.approx([0.5, 0.5])
    assert found.task_mass.tolist() == pytest.approx([0.0, 1.0])


def test_three_hundred_entrants_in_half_a_second():
    base = np.random.default_rng(0).normal(size=(300, 300))
    found = nash_average(base - base.T)
    assert found.exploitability <= 1e-12
    assert found.mass.sum() == pytest.approx(1.0, abs=1e-12)
