from dataclasses import replace

import pytest

from games.errors import BadOption
from selfplay.annealing import entropy_weight, learning_rate
from selfplay.config import TrainConfig

CONFIG = TrainConfig(learning_rate=0.01, warmup=4, steps=101, decay_steps=100, decay_end=0.01, entropy=0.2)


def test_the_learning_rate_rises_linearly() -> None:
    assert [learning_rate(replace(CONFIG, decay_steps=0), step) for step in range(6)] == pytest.approx(
        [0.0025, 0.005, 0.0075, 0.01, 0.01, 0.01]
    )


@pytest.mark.parametrize(("shape", "halfway"), [("linear", 0.00505), ("exponential", 0.001)])
def test_it_falls_to_its_end_and_stays_there(shape: str, halfway: float) -> None:
    config = replace(CONFIG, decay_shape=shape)
    assert learning_rate(config, 50) == pytest.approx(halfway)
    assert learning_rate(config, 100) == learning_rate(config, 1000) == pytest.approx(0.0001)


def test_an_unknown_shape_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(BadOption, match='decay_shape="cosine" is unknown; use linear or exponential'):
        replace(CONFIG, decay_shape="cosine")


def test_the_entropy_bonus_goes_to_its_end_and_stays() -> None:
    falling = replace(CONFIG, entropy_end=0.0, entropy_steps=51)
    assert [entropy_weight(falling, step) for step in (0, 25, 50, 90)] == pytest.approx([0.2, 0.1, 0.0, 0.0])
    assert entropy_weight(CONFIG, 90) == 0.2


def test_an_exponential_fall_needs_an_end_above_nothing() -> None:
    with pytest.raises(BadOption, match="decay_end"):
        replace(CONFIG, decay_shape="exponential", decay_end=0.0)
