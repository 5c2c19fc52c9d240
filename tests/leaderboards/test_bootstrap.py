"""Intervals of Nash mass and skill: seeded, clustered by deal, silent where nothing is known."""

from __future__ import annotations

import numpy as np
import pytest

from leaderboards import TableError, collect, from_store, nash_bootstrap
from leaderboards.bootstrap import resampled


@pytest.fixture
def results(store, poker):
    return collect(store(poker(60), kind="competitive"))[0]


def test_the_same_seed_gives_the_same_intervals(results):
    one, same, other = (nash_bootstrap(results, replicates=40, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.skill_low, same.skill_low)
    assert (one.skill_low != other.skill_low).any()
    assert (one.replicates, one.seed) == (40, 1)


def test_intervals_hold_the_estimate_and_shrink_with_more_deals(store, poker):
    widths = []
    for deals in (20, 200):
        (found,) = collect(store(poker(deals), kind="competitive"))
        interval = nash_bootstrap(found, replicates=100)
        weak = found.entrants.index("weak")
        widths.append(interval.skill_high[weak] - interval.skill_low[weak])
        (section,) = from_store(store(poker(deals), kind="competitive")).sections
        for line in section.standings:
            assert line.nash_skill_low - 1e-9 <= line.nash_skill <= line.nash_skill_high + 1e-9
    assert widths[1] < widths[0] / 2


def test_deals_are_drawn_whole(results):
    for drawn in resampled(results, 5, seed=3):
        assert drawn.cells.matches.sum() == pytest.approx(results.cells.matches.sum())  # every deal had six matches
        weights = {b: set((drawn.cells.matches / results.cells.matches)[results.cells.block == b]) for b in range(60)}
        assert all(len(weight) == 1 for weight in weights.values())


def test_a_single_deal_tells_nothing(store):
    (found,) = collect(store([(0, [("a", 1.0), ("b", 0.0)])], kind="competitive"))
    interval = nash_bootstrap(found)
    assert interval.replicates == 0
    assert np.isnan(interval.mass_low).all()
    (section,) = from_store(store([(0, [("a", 1.0), ("b", 0.0)])])).sections
    assert not any("bootstrap" in sentence for sentence in section.caption)


def test_a_temperature_steadies_the_mass(store):
    # Rock, paper, scissors, each a little noisy, and a fourth that is nearly as good as rock.
    rng = np.random.default_rng(5)
    win = {("r", "s"): 0.9, ("s", "p"): 0.9, ("p", "r"): 0.9, ("q", "s"): 0.88, ("p", "q"): 0.88, ("q", "r"): 0.5}
    plays = []
    for deal in range(30):
        for (a, b), p in win.items():
            swing = 1.0 if rng.random() < p else -1.0
            plays.append((deal, [(a, swing), (b, -swing)]))
    (found,) = collect(store(plays, kind="competitive"))
    cold, warm = nash_bootstrap(found, replicates=60), nash_bootstrap(found, replicates=60, temperature=0.3)
    assert (warm.mass_high - warm.mass_low).max() < 0.75 * (cold.mass_high - cold.mass_low).max()
    assert cold.supports > 1
    (section,) = from_store(store(plays, kind="competitive"), temperature=0.3, bootstrap=10).sections
    assert any("temperature 0.3; ± by bootstrap over deals (10 replicates, seed 0)" in c for c in section.caption)


def test_no_replicates_and_fewer_than_none(results, store, poker):
    (section,) = from_store(store(poker(), kind="competitive"), bootstrap=0).sections
    assert np.isnan(section.standings[0].nash_mass_low)
    with pytest.raises(TableError, match="bootstrap=-1"):
        nash_bootstrap(results, replicates=-1)
