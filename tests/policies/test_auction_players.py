"""The scripted bidders: the equilibrium earns and sells efficiently, who overbids loses."""

from __future__ import annotations

from statistics import fmean

import pytest

import arena

FORMATS = ("first-price", "second-price", "ascending")


def result(form: str, one: str, others: str, matches: int = 60) -> tuple[float, float]:
    """Mean payoff of the first bidder, and mean efficiency."""
    episodes = arena.play(f"auction:format={form}", [one, others, others], matches=matches)
    return fmean(e.payoffs[0] for e in episodes), fmean(e.measures["efficiency"][0] for e in episodes)


@pytest.mark.parametrize("form", FORMATS)
def test_the_equilibrium_sells_to_who_values_most_and_earns(form: str) -> None:
    earned, efficiency = result(form, "equilibrium-bidder", "equilibrium-bidder")
    assert efficiency > 0.99
    assert 10 < earned < 40  # of three lots of 25: a third of the greatest of three, on average


@pytest.mark.parametrize("form", FORMATS)
def test_overbidding_does_not_pay(form: str) -> None:
    assert (
        result(form, "overbidder", "equilibrium-bidder")[0]
        < result(form, "equilibrium-bidder", "equilibrium-bidder")[0]
    )


def test_truth_earns_nothing_at_first_price_and_all_there_is_at_second_price() -> None:
    assert result("first-price", "truthful-bidder", "equilibrium-bidder")[0] == 0
    assert result("second-price", "truthful-bidder", "low-bidder")[0] > 40


def test_low_bidders_share_what_the_seller_loses() -> None:
    episodes = arena.play("auction", ["low-bidder"] * 3, matches=40)
    assert fmean(e.measures["revenue"][0] for e in episodes) == pytest.approx(0.5, abs=0.01)
    assert fmean(e.payoffs[0] for e in episodes) > 20
