"""Rollouts on Ray's actors: those of one process, with adapters as stale as the configuration says and no staler."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import selfplay
from arena.cluster import load_ray
from games.errors import BadOption
from selfplay import TrainConfig
from selfplay.log import read_metrics

pytest.importorskip("ray", reason="pip install 'selfplay-arena[ray]'")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
SMALL = {
    "game": "prisoners-dilemma:rounds=2",
    "preset": "mars",
    "steps": 4,
    "matches": 4,
    "opponents": ("0.6*self", "0.2*past:uniform", "0.2*tit-for-tat"),
    "snapshot_every": 1,
    "samples_every": 0,
    "lora_rank": 4,
    "threads": 1,
}


@pytest.fixture(autouse=True, scope="module")
def two_processors() -> Iterator[None]:
    ray = load_ray()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quiet = {"log_to_driver": False, "logging_level": "FATAL", "include_dashboard": False}
        ray.init(address="local", num_cpus=2, **quiet)
        yield
        ray.shutdown()


def trained(folder: Path, **settings) -> list[dict[str, float]]:
    selfplay.train(TrainConfig(**{**SMALL, **settings, "out": str(folder)}))
    return read_metrics(folder)


def test_without_staleness_the_run_is_that_of_one_process(tmp_path):
    here = trained(tmp_path / "here")
    there = trained(tmp_path / "there", workers="ray", actors=2)
    for one, two in zip(here, there, strict=True):
        same = {name: value for name, value in one.items() if "second" not in name and name != "memory"}
        assert {name: two[name] for name in same} == pytest.approx(same, rel=1e-3, abs=1e-5)
        assert two["staleness"] == 0


def test_adapters_are_as_stale_as_was_asked_and_their_tokens_weighed(tmp_path):
    found = trained(tmp_path / "stale", workers="ray", actors=2, staleness=2, learning_rate=0.01)
    assert [m["staleness"] for m in found] == [0, 1, 2, 2]
    assert found[0]["importance"] == pytest.approx(1, abs=1e-4)
    assert all(abs(m["importance"] - 1) > 1e-4 for m in found[1:])
    assert all(m["logp_gap"] < 1e-4 for m in found)  # the loss starts from the trainer's own probabilities


def test_staleness_needs_actors_and_is_corrected_for():
    with pytest.raises(BadOption, match="staleness=1 needs workers=ray"):
        TrainConfig(staleness=1)
    assert TrainConfig(workers="ray", staleness=1).weight_cap == 2
    assert TrainConfig(workers="ray", staleness=1, importance_cap=1.5).weight_cap == 1.5
    assert TrainConfig(workers="ray").weight_cap == 0
