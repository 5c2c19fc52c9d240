"""The scripted traders: who concedes agrees, who stands firm does not, who is eager gives the gain away."""

from __future__ import annotations

from statistics import fmean

import arena


def result(seller: str, buyer: str, spec: str = "buy-sell") -> tuple[float, float, float]:
    """The share of deals among matches with a gain to share, and the mean payoffs."""
    episodes = arena.play(spec, [seller, buyer], matches=60)
    deals = [e.measures["efficiency"][0] for e in episodes if "efficiency" in e.measures]
    return fmean(deals), fmean(e.payoffs[0] for e in episodes), fmean(e.payoffs[1] for e in episodes)


def test_conceding_traders_agree_wherever_there_is_a_gain_and_share_it() -> None:
    deals, seller, buyer = result("conceding-trader", "conceding-trader")
    assert deals == 1.0
    assert abs(seller - buyer) < 3
    assert result("conceding-trader", "conceding-trader", "buy-sell:turns=2")[0] > 0.9
    assert result("conceding-trader", "conceding-trader", "buy-sell:talk=true")[0] == 1.0


def test_firm_traders_hardly_ever_agree() -> None:
    assert result("firm-trader", "firm-trader")[0] < 0.1


def test_the_eager_give_the_gain_away() -> None:
    _, seller, buyer = result("conceding-trader", "eager-trader")
    assert seller > 3 * max(buyer, 1)
    _, seller, buyer = result("eager-trader", "conceding-trader")
    assert buyer > 3 * max(seller, 1)
    assert result("eager-trader", "eager-trader")[0] > 0.9


def test_none_of_them_loses() -> None:
    for player in ("conceding-trader", "firm-trader", "eager-trader"):
        episodes = arena.play("buy-sell", [player, "random"], matches=40)
        assert min(e.payoffs[0] for e in episodes) >= 0
