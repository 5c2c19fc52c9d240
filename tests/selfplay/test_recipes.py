from pathlib import Path

import pytest

import games
import policies
import selfplay
from arena.exploitability import exploitability
from arena.populations import members
from selfplay.recipes import recipe, recipes

SMALL = {"steps": 1, "matches": 4, "samples_every": 0, "threads": 1}


@pytest.mark.parametrize("name", sorted(recipes()))
def test_every_recipe_takes_a_step(name: str, tmp_path: Path) -> None:
    config = selfplay.TrainConfig(**{**recipe(name), **SMALL, "out": str(tmp_path / "run")})
    result = selfplay.train(config)
    assert result.metrics["step"] == 1
    assert result.metrics["turns"] > 0


def test_the_population_recipe_learns_from_the_training_part_alone() -> None:
    opponents = set(recipe("rps-population")["opponents"]) - {"8*self"}
    assert opponents == set(members("train"))


def test_against_its_best_response_a_learner_becomes_less_exploitable(tmp_path: Path) -> None:
    """Three seeds of these 15 steps brought 0.431 down to 0.127, 0.219 and 0.146."""
    kuhn = games.make("kuhn-poker")
    assert exploitability(kuhn, policies.make("llm:tiny")) > 0.4
    small = {"steps": 15, "matches": 256, "samples_every": 0, "snapshot_every": 100, "checkpoint_every": 100}
    config = selfplay.TrainConfig(**{**recipe("kuhn"), **small, "threads": 1, "out": str(tmp_path / "run")})
    learned = policies.make(f"llm:tiny+{selfplay.train(config).adapter}")
    assert exploitability(kuhn, learned) < 0.25
