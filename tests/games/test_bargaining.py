"""Pareto front, Nash and Kalai–Smorodinsky points and the Gini coefficient, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games._bargaining import frontier, gini, pareto_front

OUTCOMES = [(0.0, 10.0), (4.0, 9.0), (6.0, 6.0), (6.0, 5.0), (10.0, 1.0)]


def test_front_leaves_out_what_another_outcome_dominates() -> None:
    assert pareto_front(OUTCOMES) == ((0.0, 10.0), (4.0, 9.0), (6.0, 6.0), (10.0, 1.0))


def test_points_by_hand() -> None:
    # gains over (2, 1): (2, 8) = 16, (4, 5) = 20, (8, 0) gains one seat nothing. The greatest gains are 4 and 8:
    # shares (0.5, 1) and (1, 0.625), so the second has the greater least share
    found = frontier(OUTCOMES, (2.0, 1.0))
    assert found.nash == (6.0, 6.0)
    assert found.kalai_smorodinsky == (6.0, 6.0)
    assert found.best_joint == 10.0  # (4, 9) is 13 − 3


def test_nash_and_kalai_smorodinsky_may_differ() -> None:
    found = frontier([(1.0, 12.0), (4.0, 4.0), (5.0, 1.0)], (0.0, 0.0))  # products 12, 16, 5
    assert found.nash == (4.0, 4.0)
    assert found.kalai_smorodinsky == (4.0, 4.0)  # shares (.2, 1), (.8, .33), (1, .08)
    other = frontier([(2.0, 12.0), (4.0, 5.0), (5.0, 1.0)], (0.0, 0.0))  # products 24, 20, 5
    assert other.nash == (2.0, 12.0)
    assert other.kalai_smorodinsky == (4.0, 5.0)  # least shares .4, .417, .083


def test_measures_by_hand() -> None:
    found = frontier(OUTCOMES, (2.0, 1.0)).measures((4.0, 9.0))
    assert found["efficiency"] == (1.0, 1.0)
    assert found["pareto"] == (1.0, 1.0)
    assert found["nash"] == (0.5, 1.6)  # gains (2, 8) over (4, 5)
    assert found["gini"] == pytest.approx((10 / 52, 10 / 52))  # 2·|4 − 9| / (2·2·13)
    assert frontier(OUTCOMES, (2.0, 1.0)).measures((6.0, 5.0))["pareto"] == (0.0, 0.0)


def test_what_would_divide_by_nothing_is_left_out() -> None:
    found = frontier([(3.0, 0.0), (0.0, 3.0)], (0.0, 0.0))
    assert (found.nash, found.kalai_smorodinsky) == (None, None)
    assert set(found.measures((3.0, 0.0))) == {"efficiency", "pareto", "gini"}
    assert set(frontier([(-1.0, 1.0)], (0.0, 0.0)).measures((-1.0, 1.0))) == {"pareto"}


def test_gini_by_hand() -> None:
    assert gini([5.0, 5.0, 5.0]) == 0.0
    assert gini([0.0, 0.0]) == 0.0
    assert gini([10.0, 0.0, 0.0, 0.0, 0.0]) == pytest.approx(0.8)  # 1 − 1/n
    assert gini([1.0, 2.0, 3.0]) == pytest.approx(8 / 36)  # differences sum to 8; 2·3·6
    with pytest.raises(ValueError, match="at least 0"):
        gini([-1.0, 1.0])


points = st.lists(st.tuples(*[st.integers(0, 9).map(float)] * 3), min_size=1, max_size=30)


@given(points)
def test_every_point_is_on_the_front_or_dominated_by_one_of_it(outcomes: list[tuple[float, ...]]) -> None:
    found = frontier(outcomes, (0.0, 0.0, 0.0))
    for point in outcomes:
        assert found.optimal(point) == (point in found.front)
    for solution in (found.nash, found.kalai_smorodinsky):
        assert solution is None or solution in found.front
