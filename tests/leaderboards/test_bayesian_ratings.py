"""Glicko, and the ratings for several seats, against published examples and other implementations' numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from leaderboards import Glicko, Performance, TableError, glicko, glicko2, match_quality, multiplayer, rate_order
from leaderboards.ratings.glicko import attenuation, expected
from leaderboards.ratings.truncation import drawn, won

MODELS = {
    "PlackettLuce": "plackett-luce",
    "BradleyTerryPart": "bradley-terry",
    "ThurstoneMostellerPart": "thurstone-mosteller",
}


@pytest.fixture
def period(vectors):
    case = vectors["glicko"][0]
    opponents = [Glicko(r, d) for r, d in zip(case["opponents"], case["opp_rd"], strict=True)]
    return case, Glicko(case["rating"], case["rd"]), list(zip(opponents, case["scores"], strict=True))


def test_glickmans_example(period):
    case, player, games = period
    assert [attenuation(o.deviation) for o, _ in games] == pytest.approx(case["g"], abs=1e-12)
    assert [expected(player, o) for o, _ in games] == pytest.approx(case["E"], abs=1e-12)
    found = glicko(player, games)
    assert found.rating == pytest.approx(case["new_rating"], abs=1e-9)
    assert found.deviation == pytest.approx(case["new_rd"], abs=1e-9)
    assert found.rating == pytest.approx(case["published"]["rating"], abs=0.5)
    assert found.deviation == pytest.approx(case["published"]["rd"], abs=0.05)


def test_glickmans_second_example(period):
    # The paper's figures, rounded there at every step: 1464.06, 151.52, 0.05999.
    found = glicko2(period[1], period[2])
    assert found.rating == pytest.approx(1464.06, abs=0.02)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def test_a_period_without_games_only_makes_less_sure():
    player = Glicko(1500, 100)
    assert glicko(player, []) == player
    assert glicko(player, [], drift=75).deviation == pytest.approx(125)
    assert glicko(player, [], drift=1e4).deviation == 350
    found = glicko2(player, [])
    assert (found.rating, found.volatility) == (1500, 0.06)
    assert found.deviation == pytest.approx(math.hypot(100, 0.06 * 400 / math.log(10)))
    assert player.low == 1500 - 196
    assert player.high == 1500 + 196


def test_erratic_results_raise_volatility():
    shock = [(Glicko(2300, 40), 1.0)] * 8
    assert glicko2(Glicko(1500, 60), shock, tau=1.2).volatility > 0.061
    with pytest.raises(TableError, match="between 0 and 1"):
        glicko2(Glicko(), [(Glicko(), 3.0)])


def test_weng_lin_models_agree_with_openskill(vectors):
    plays = {
        "win_1v1": [("a", 1.0), ("b", 0.0)],
        "draw_1v1": [("a", 1.0), ("b", 1.0)],
        "ffa4": [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)],
    }
    for case in vectors["openskill"]:
        for name, match in plays.items():
            found = multiplayer([match], model=MODELS[case["model"]])
            wanted = np.array(case[name]).reshape(-1, 2)
            np.testing.assert_allclose(found.mu, wanted[:, 0], atol=1e-9, err_msg=f"{case['model']} {name}")
            np.testing.assert_allclose(found.sigma, wanted[:, 1], atol=1e-9, err_msg=f"{case['model']} {name}")


@pytest.mark.parametrize("model", MODELS.values())
def test_multiplayer_finds_the_order_of_a_simulated_league(model):
    rng = np.random.default_rng(1)
    strength = dict(zip("abcdef", [3.0, 2.0, 1.0, 0.0, -1.0, -2.0], strict=True))
    matches = []
    for _ in range(600):
        seated = rng.choice(list(strength), 4, replace=False)
        matches.append([(str(name), strength[name] + rng.normal()) for name in seated])
    found = multiplayer(matches, model=model)
    ordered = [found.names[k] for k in np.argsort(-found.mu)]
    assert ordered == list("abcdef")
    assert found.sigma.max() < 4
    assert (found.cautious < found.mu).all()
    assert found.matches == 600


def test_multiplayer_refuses_what_it_cannot_rate():
    with pytest.raises(TableError, match="sits twice"):
        multiplayer([[("a", 1.0), ("a", 0.0)]])
    with pytest.raises(TableError, match="finite"):
        multiplayer([[("a", math.nan), ("b", 0.0)]])
    with pytest.raises(TableError, match="no model"):
        multiplayer([], model="elo")
    assert multiplayer([]).names == ()


def test_message_passing_agrees_with_published_examples(vectors):
    start = (25.0, 25.0 / 3)
    pair, four, quality = vectors["trueskill"]
    found = rate_order([start] * 2, [0, 1])
    np.testing.assert_allclose(found[0], pair["closed_form"], atol=1e-9)
    np.testing.assert_allclose(np.ravel(found), np.ravel(pair["after"]), atol=1e-6)
    np.testing.assert_allclose(found, pair["published"], atol=5e-4)
    free_for_all = rate_order([start] * 4, [1, 2, 3, 4])
    np.testing.assert_allclose(np.ravel(free_for_all), np.ravel(four["after"]), atol=1e-6)
    assert match_quality(start, start) == pytest.approx(quality["value"], abs=1e-12)


def test_message_passing_does_not_mind_the_order_of_seats():
    strengths = [(30.0, 4.0), (20.0, 2.0), (25.0, 8.0)]
    there = rate_order(strengths, [3, 1, 2])
    back = rate_order(strengths[::-1], [2, 1, 3])
    np.testing.assert_allclose(back[::-1], there, atol=1e-9)
    certain = rate_order([(25.0, 5.0)] * 2, [0, 0], Performance(draw=0.5))
    assert certain[0][0] == pytest.approx(25.0)
    assert certain[0][1] < 5.0
    with pytest.raises(TableError, match="1 ranks for 2 seats"):
        rate_order([(25.0, 5.0)] * 2, [0])


def test_truncated_normals_by_numerical_integration():
    grid = np.linspace(-12, 12, 400_001)
    for lead, margin in ((0.3, 0.2), (-2.0, 0.5), (4.0, 0.1)):
        density = np.exp(-((grid - lead) ** 2) / 2)
        for kept, (v, w) in ((grid > margin, won(lead, margin)), (abs(grid) < margin, drawn(lead, margin))):
            mass = density[kept].sum()
            mean = (grid[kept] * density[kept]).sum() / mass
            variance = ((grid[kept] - mean) ** 2 * density[kept]).sum() / mass
            assert mean == pytest.approx(lead + v, abs=2e-4)
            assert variance == pytest.approx(1 - w, abs=2e-4)
    v, w = won(-60.0, 1.0)  # an upset beyond all doubt stays finite
    assert v == pytest.approx(61.0, abs=0.1)
    assert 0.99 < w <= 1.0
