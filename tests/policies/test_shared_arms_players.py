"""The scripted players of shared arms: ranks find the equilibrium, the best arm draws a crowd."""

from __future__ import annotations

from statistics import fmean

import arena
from policies.scripted.shared_arms import estimates


def measure(name: str, player: str, spec: str = "shared-arms", matches: int = 30) -> float:
    episodes = arena.play(spec, [player] * 3, matches=matches)
    return fmean(e.measures[name][0] for e in episodes)


def test_with_known_chances_the_ranked_play_the_equilibrium_throughout() -> None:
    assert measure("equilibrium", "explore-then-commit", "shared-arms:known=true") == 1.0
    assert measure("regret", "explore-then-commit", "shared-arms:known=true") == 0.0


def test_exploring_finds_more_than_chance_does() -> None:
    spec = "shared-arms:rounds=60"
    assert measure("regret", "explore-then-commit", spec) < 0.7 * measure("regret", "random", spec)


def test_everybody_on_the_best_arm_shares_one_point() -> None:
    assert measure("efficiency", "best-arm", "shared-arms:known=true") < 0.55
    assert measure("efficiency", "arm-rotator") > 0.7


def test_estimates_add_a_success_and_a_failure() -> None:
    own = ((0, 1.0, 1.0), (0, 1.0, 0.5), (1, 0.0, 0.0))
    assert estimates({"means": None, "own": own, "arms": 3}) == [3 / 4, 1 / 3, 1 / 2]
    assert estimates({"means": (0.2, 0.3), "own": own, "arms": 2}) == [0.2, 0.3]
