"""The published 43-bot table, the bias of a noisy maximum, and percentiles."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from leaderboards import (
    TableError,
    aggregate_score,
    from_store,
    nash_average,
    percentile_score,
    population_return,
    population_score,
    within_population_exploitability,
)

HERE = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def bots():
    """Mean returns of row against column (Lanctot et al. 2023, arXiv 2303.03196; data of open_spiel, Apache-2.0)."""
    with (HERE / "rps_population.csv").open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return head[1:], np.array([[float(cell) for cell in row[1:]] for row in rows])


def test_all_43_bots_have_the_published_figures(bots):
    names, table = bots
    found = population_score(table, names=names)
    with (HERE / "rps_figures.csv").open(encoding="utf-8") as file:
        figures = {row["bot"]: row for row in csv.DictReader(file)}
    assert set(figures) == set(names)
    for k, name in enumerate(names):
        assert found.population_return[k] == pytest.approx(float(figures[name]["population_return"]), abs=0.0101)
        assert found.exploitability[k] == pytest.approx(float(figures[name]["exploitability"]), abs=0.0101)
        assert found.aggregate[k] == pytest.approx(float(figures[name]["aggregate"]), abs=0.0101)
        assert found.nemesis[k] == figures[name]["nemesis"]
    assert found.exploitability.mean() == pytest.approx(316.10, abs=0.005)
    assert names[int(np.argmax(found.aggregate))] == "greenberg"
    np.testing.assert_array_equal(population_return(table), found.population_return)
    np.testing.assert_array_equal(within_population_exploitability(table), found.exploitability)
    np.testing.assert_array_equal(aggregate_score(table), found.aggregate)


def test_nash_averaging_of_the_43_bots(bots):
    names, table = bots
    found = nash_average(table, names=names)
    assert found.exploitability <= 1e-12
    assert {name for name, inside in zip(names, found.support, strict=True) if inside} == {
        "greenberg",
        "iocainebot",
        "markovbails",
        "randbot",
        "shofar",
    }


@pytest.mark.parametrize("matches", [1, 20, 1000])
def test_noise_inflates_the_exploitability_of_a_uniform_player(matches):
    # The greatest of 43 standard normals is 2.19 on average; a match of 1,000 throws has deviation sqrt(2000 / 3).
    deviation = np.sqrt(2000 / 3 / matches)
    rng = np.random.default_rng(matches)
    truth = np.zeros((500, 43))
    noisy = truth + rng.normal(0, deviation, truth.shape)
    found = population_score(noisy, errors=np.full(truth.shape, deviation), draws=100)
    wanted = 2.19 * deviation
    assert found.exploitability.mean() == pytest.approx(wanted, rel=0.06)
    flat = population_score(truth, errors=np.full(truth.shape, deviation), draws=100)
    assert flat.noise_bias.mean() == pytest.approx(wanted, rel=0.02)
    # On noisy data the estimate is smaller, and of the right size.
    assert 0.3 * wanted < found.noise_bias.mean() < wanted


def test_without_errors_no_bias_is_claimed():
    found = population_score([[0.0, -2.0, 1.0]], population=["x", "y", "z"], names=["candidate"])
    assert np.isnan(found.noise_bias).all()
    assert (found.nemesis, found.exploitability.tolist()) == (("y",), [2.0])
    assert found.aggregate.tolist() == pytest.approx([-1 / 3 - 2])
    with pytest.raises(TableError, match="nan"):
        population_score([[0.0, float("nan")]])


def test_percentiles_by_hand():
    scores = [[10.0, 1.0], [20.0, 1.0], [30.0, np.nan]]
    found = percentile_score(scores, levels=(50,), names=list("abc"))
    np.testing.assert_array_equal(found.percentile, [[0, 50], [50, 50], [100, np.nan]])
    assert found.mean.tolist() == [25, 50, 100]
    assert found.quantiles[:, 0].tolist() == [25, 50, 100]
    assert found.participation.tolist() == [1, 1, 0.5]


def test_percentiles_against_a_reference_and_of_nobody():
    found = percentile_score([[5.0], [np.nan]], reference=[[1.0], [5.0], [9.0], [np.nan]])
    assert found.percentile[0, 0] == pytest.approx(50)
    assert np.isnan(found.quantiles[1]).all()
    assert np.isnan(found.mean[1])
    with pytest.raises(TableError, match="same games"):
        percentile_score([[1.0, 2.0]], reference=[[1.0]])
    assert percentile_score([[3.0]]).percentile.tolist() == [[50.0]]


def test_percentiles_ignore_the_scale_of_a_game():
    scores = np.random.default_rng(0).normal(size=(6, 4))
    bent = np.sign(scores) * scores**2 * [1, 10, 100, 1000]
    np.testing.assert_array_equal(percentile_score(bent).percentile, percentile_score(scores).percentile)


def test_a_competitive_board_names_the_worst_opponent_and_the_bias(store):
    rng = np.random.default_rng(0)
    lead = {("a", "b"): 1.0, ("b", "c"): 1.0, ("c", "a"): 0.2}
    plays = []
    for deal in range(30):
        for one in "abc":
            for other in "abc":
                payoff = lead.get((one, other), -lead.get((other, one), 0.0)) + 0.1 * rng.normal()
                plays.append((deal, [(one, payoff), (other, -payoff)]))
    (section,) = from_store(store(plays, kind="competitive"), bootstrap=0).sections
    lines = {line.entrant: line for line in section.standings}
    assert {name: line.nemesis for name, line in lines.items()} == {"a": "c", "b": "a", "c": "b"}
    assert lines["b"].worst == pytest.approx(1.0, abs=0.1)
    assert lines["a"].aggregate == lines["a"].payoff - lines["a"].worst
    assert all(0 <= line.worst_bias < 0.05 for line in lines.values())
