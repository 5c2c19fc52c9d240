"""Training whose rollouts are played by a server: the same as without one, and the server plays what was learned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import selfplay
from games.errors import ArenaError, BadOption, UsageError
from policies.llm.base import TINY, Base
from policies.llm.serving import models as serving
from selfplay import TrainConfig
from selfplay.batch import Decision, Talk
from selfplay.correction import gaps

pytest.importorskip("openai", reason="pip install 'selfplay-arena[openai]'")
pytest.importorskip("uvicorn", reason="pip install 'selfplay-arena[serve]'")
from policies.llm.serving.app import application
from policies.llm.serving.server import Server


@pytest.fixture(name="models")
def served_models(tmp_path, monkeypatch) -> Iterator[serving.Models]:
    """The served model is another object than the learner's, as it is in another process."""
    own = Base("tiny", str(TINY), torch.float32, torch.device("cpu"))
    monkeypatch.setattr(serving, "load_base", lambda name, **options: own)
    found = serving.Models.of(["llm:tiny"], str(tmp_path))
    yield found
    found.close()


@pytest.fixture(name="server")
def serving_(models) -> Iterator[Server]:
    with Server(application(models)) as running:
        yield running


def config(tmp_path: Path, out: str, **changes) -> TrainConfig:
    settings = {"game": "prisoners-dilemma:rounds=2", "preset": "rloo", "steps": 2, "matches": 6, "samples_every": 0}
    return TrainConfig(**{**settings, "out": str(tmp_path / out), **changes})


def history(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


def test_training_through_a_server_is_training_in_this_process(tmp_path, server, models) -> None:
    here = selfplay.train(config(tmp_path, "here", importance_cap=2.0))
    there = selfplay.train(config(tmp_path, "there", sampler=server.url))
    for a, b in zip(history(here.folder), history(there.folder), strict=True):
        assert b["sampler_gap"] < 1e-4  # what the server samples with is what the trainer computes
        assert b["importance"] == pytest.approx(1.0, abs=1e-4)
        assert (a["payoff"], a["turns"], a["played_tokens"]) == (b["payoff"], b["turns"], b["played_tokens"])
    ours, theirs = (load_file(str(r.adapter / "adapter_model.safetensors")) for r in (here, there))
    assert max(float((ours[name] - theirs[name]).abs().max()) for name in ours) < 1e-3
    assert max(float(ours[name].abs().max()) for name in ours if "lora_B" in name) > 1e-3  # and they learned something
    left = [name for name in models.by_name if name != "tiny"]
    assert len(left) == 1  # every older version was forgotten
    assert left[0].endswith("-1")  # the weights that step 2 was played with
    assert [p.name for p in (there.folder / "published").iterdir()] == left


def test_it_learns_and_the_server_plays_what_was_learned(tmp_path, server) -> None:
    settings = {"game": "prisoners-dilemma:rounds=1", "opponents": ("always-cooperate",), "preset": "reinforce"}
    run = config(tmp_path, "run", **settings, steps=14, matches=24, learning_rate=4e-3, entropy=0.0, sampler=server.url)
    result = selfplay.train(run)
    rows = history(result.folder)
    assert rows[0]["cooperation"] > 0.5
    assert np.mean([row["cooperation"] for row in rows[-3:]]) < 0.25
    assert max(row["sampler_gap"] for row in rows) < 1e-4  # at every step the server had the newest weights


def test_a_run_that_was_interrupted_clears_away_what_it_left(tmp_path, server, models) -> None:
    selfplay.train(config(tmp_path, "run", steps=1, sampler=server.url))
    [before] = [name for name in models.by_name if name != "tiny"]
    selfplay.train(config(tmp_path, "run", steps=2, sampler=server.url))
    [after] = [name for name in models.by_name if name != "tiny"]
    assert before != after


def test_free_replies_are_trained_on_too(tmp_path, server) -> None:
    result = selfplay.train(config(tmp_path, "free", steps=1, matches=4, decode="free", sampler=server.url))
    [row] = history(result.folder)
    assert row["sampler_gap"] < 1e-4


def test_what_cannot_be_is_said(tmp_path, server, models) -> None:
    with pytest.raises(BadOption, match="write http://HOST:PORT/v1, or vllm"):
        config(tmp_path, "x", sampler="here")
    with pytest.raises(UsageError, match="--sampler http://h/v1"):
        selfplay.train(config(tmp_path, "x", base="llm:tiny@http://h/v1"))
    with pytest.raises(ArenaError, match="nothing answers"):
        selfplay.train(config(tmp_path, "x", sampler="http://127.0.0.1:9/v1?retries=0"))
    assert not (tmp_path / "x").exists()  # said before anything is written
    models.allowed = tmp_path / "elsewhere"
    with pytest.raises(ArenaError, match="--adapters alone"):
        selfplay.train(config(tmp_path, "y", sampler=server.url))


def test_weights_are_corrected_wherever_another_engine_samples() -> None:
    assert TrainConfig().weight_cap == 0.0
    assert TrainConfig(sampler="vllm").weight_cap == 2.0
    assert TrainConfig(sampler="vllm", importance_cap=5.0).weight_cap == 5.0


def test_gaps_by_hand() -> None:
    def talk(*logps: float) -> Talk:
        return Talk((1, 2, 3), tuple(Decision(i, 2, None, logp, 1.0, 0) for i, logp in enumerate(logps)))

    assert gaps([talk(-1.0, -2.0), talk(-0.5)], [talk(-1.5, -2.0), talk(-0.25)]).tolist() == [0.5, 0.0, 0.25]
