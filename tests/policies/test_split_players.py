"""The scripted players of Split earn what arXiv 2511.19405 says they do, and reciprocity answers greed."""

from __future__ import annotations

from statistics import fmean

import pytest

import arena
from games.split import Seen
from policies.scripted.split import overclaimed


def payoffs_per_round(one: str, other: str) -> tuple[float, ...]:
    episodes = arena.play("split", [one, other], matches=40)
    return tuple(fmean(e.payoffs[seat] / e.rounds for e in episodes) for seat in (0, 1))


@pytest.mark.parametrize(
    ("one", "other", "payoffs", "within"),
    [
        ("welfare-max", "welfare-max", (127.5, 127.5), 3.0),  # sampled profiles: 400 rounds
        ("greedy-split", "greedy-split", (82.5, 82.5), 3.0),
        ("greedy-split", "welfare-max", (141.67, 68.33), 3.0),
        ("equal-split", "equal-split", (82.5, 82.5), 3.0),
        ("reciprocal-split", "welfare-max", (127.5, 127.5), 3.0),
    ],
)
def test_reference_payoffs(one: str, other: str, payoffs: tuple[float, ...], within: float) -> None:
    assert payoffs_per_round(one, other) == pytest.approx(payoffs, abs=within)


def test_welfare_max_wastes_nothing_and_greed_wastes_a_third() -> None:
    [best], [greedy] = (arena.play("split", [p, p]) for p in ("welfare-max", "greedy-split"))
    assert best.measures["efficiency"] == pytest.approx((1.0, 1.0))
    assert greedy.measures["efficiency"][0] < 0.7


def test_greed_earns_less_against_the_reciprocal_than_welfare_max_does() -> None:
    greedy, _ = payoffs_per_round("greedy-split", "reciprocal-split")
    assert greedy < 95
    assert payoffs_per_round("welfare-max", "reciprocal-split")[0] > 120


@pytest.mark.parametrize(
    ("claims", "offence"),
    [((6, 0, 10), True), ((5, 10, 10), False), ((0, 10, 5), False)],
)
def test_an_offence_is_more_than_half_of_what_is_worth_less_to_the_other(
    claims: tuple[int, ...], offence: bool
) -> None:
    last = Seen((10.0, 1.0, 10.0), (1.0, 10.0, 10.0), (10, 0, 5), claims, 100.0, 100.0)
    assert overclaimed((last,), 10) is offence
    assert overclaimed((), 10) is False
