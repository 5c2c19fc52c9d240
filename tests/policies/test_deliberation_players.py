"""The scripted parties: openness finds nearly the best there is, one liar or greed ruins it."""

from __future__ import annotations

from statistics import fmean

import pytest

import arena
from games._deliberation_scores import LEAST, SCORES, points_of
from policies.scripted.deliberation import Claim, best_for_all, claims, tell, told

TRUTH = tuple(enumerate(Claim(table, least) for table, least in zip(SCORES, LEAST, strict=True)))


def efficiency(*parties: str, matches: int = 10) -> float:
    return fmean(e.measures["efficiency"][0] for e in arena.play("deliberation", list(parties), matches=matches))


def test_open_parties_reach_nine_tenths_of_the_best_possible_and_all_accept() -> None:
    episodes = arena.play("deliberation", ["open-party"] * 6, matches=10)
    assert all(e.measures["efficiency"][0] >= 0.9 for e in episodes)
    assert all(e.measures["unanimous"][0] == 1 for e in episodes)
    assert all(e.payoffs[0] >= 65 for e in episodes)


def test_greedy_parties_agree_on_nothing() -> None:
    episodes = arena.play("deliberation", ["greedy-party"] * 6, matches=3)
    assert all(e.payoffs == tuple(map(float, LEAST)) for e in episodes)
    assert efficiency("greedy-party", *["open-party"] * 5) == 0


def test_a_lying_proposer_costs_all() -> None:
    assert efficiency("lying-party", *["open-party"] * 5) == 0


@pytest.mark.parametrize("liar", [1, 2])
def test_a_liar_costs_unanimity_and_gains_nothing(liar: int) -> None:
    parties = ["open-party"] * 6
    [honest] = arena.play("deliberation", parties)
    parties[liar] = "lying-party"
    [lied] = arena.play("deliberation", parties)
    assert lied.measures["unanimous"][0] == 0
    assert lied.payoffs[liar] <= honest.payoffs[liar]
    assert lied.payoffs[0] < honest.payoffs[0]


def test_nobody_scripted_accepts_less_than_its_least_score() -> None:
    for others in ("open-party", "lying-party", "random"):
        for e in arena.play("deliberation", ["random", *[others] * 4, "open-party"], matches=5):
            assert e.measures["wrong"][5] == 0


def test_points_are_told_and_understood() -> None:
    for _, claim in TRUTH:
        assert told(tell(claim)) == claim
        assert len(tell(claim)) < 200
    assert told("My points: A 1 2 3, B 1 2 3; I need at least 5.") is None
    assert told("I propose A1 B1 C1 D1 E1") is None
    talk = [(2, tell(TRUTH[2][1])), (3, "hello"), (2, tell(TRUTH[3][1]))]
    assert claims(talk) == {2: TRUTH[2][1]}, "the first word counts"


def test_best_for_all_is_acceptable_to_all_where_all_are_known() -> None:
    deal = best_for_all(TRUTH, own=4)
    assert all(points_of(claim.scores, deal) >= claim.least for _, claim in TRUTH)
    alone = best_for_all(TRUTH[4:5], own=4)
    assert points_of(SCORES[4], alone) == 100
