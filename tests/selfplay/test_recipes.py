from pathlib import Path

import pytest

import selfplay
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
