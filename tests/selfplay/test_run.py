"""Training runs: folders, resuming after a kill, refusals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock

import policies
import selfplay
from games.errors import ArenaError, BadOption, UnknownName, UsageError
from selfplay import TrainConfig
from selfplay.claim import LOCK
from selfplay.log import read_metrics

SMALL = {
    "game": "prisoners-dilemma:rounds=2",
    "preset": "advantage-alignment",
    "beta": 0.5,
    "gamma": 0.9,
    "steps": 8,
    "matches": 4,
    "opponents": ("0.5*self", "0.3*past:prioritised", "0.3*past:nash", "0.3*tit-for-tat"),
    "reference": 0.1,
    "reference_every": 3,
    "gate": ("promoted", "tit-for-tat@prisoners-dilemma:rounds=1"),
    "gate_matches": 2,
    "samples_every": 4,
    "snapshot_every": 2,
    "lora_rank": 4,
    "threads": 1,
}
TIMES = {"seconds", "play_seconds", "train_seconds", "tokens_per_second", "memory"}


def numbers(folder: Path) -> list[dict[str, float]]:
    """A run's metrics without what depends on the clock."""
    return [{k: v for k, v in m.items() if k not in TIMES} for m in read_metrics(folder)]


@pytest.fixture(name="whole", scope="module")
def undisturbed_run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    return folder


def test_a_run_is_a_folder_with_all_that_was_done(whole) -> None:
    assert json.loads((whole / "config.json").read_text())["beta"] == 0.5
    assert [m["step"] for m in read_metrics(whole)] == list(range(1, 9))
    assert {"payoff", "cooperation", "entropy", "kl", "illegal", "tokens_per_second"} <= set(read_metrics(whole)[0])
    assert sorted(p.name for p in (whole / "snapshots").iterdir()) == [f"step-{n:06d}" for n in (2, 4, 6, 8)]
    assert list((whole / "tensorboard").glob("events.*"))
    assert policies.make(f"llm:tiny+{whole / 'adapter'}").kind == "adapter"
    assert policies.make(f"llm:tiny+{whole / 'snapshots' / 'step-000004'}").kind == "adapter"


def test_played_and_recomputed_log_probabilities_agree_in_every_step(whole) -> None:
    assert all(m["logp_gap"] <= 1e-4 for m in read_metrics(whole))


def test_a_run_of_the_same_seed_is_the_same_run(whole, tmp_path) -> None:
    selfplay.train(TrainConfig(**{**SMALL, "steps": 3, "live": 1, "out": str(tmp_path / "again")}))
    again = numbers(tmp_path / "again")
    assert [m["payoff"] for m in again] == [m["payoff"] for m in numbers(whole)[:3]]


@pytest.mark.parametrize("after", [1, 3, 5])
def test_killed_between_steps_and_started_again_it_goes_on_with_the_same_numbers(whole, tmp_path, after) -> None:
    """A subprocess kills itself with SIGKILL in the middle of the step after ``after``; the rerun must match."""
    folder = tmp_path / "killed"
    code = f"""
import os, signal, selfplay
def watch(metrics):
    if metrics["step"] == {after}:
        os.kill(os.getpid(), signal.SIGKILL)
selfplay.train(selfplay.TrainConfig(**{ {**SMALL, "out": str(folder)}!r}), watch)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(read_metrics(folder)) == after
    selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    assert numbers(folder) == numbers(whole)


def test_killed_at_random_moments_it_still_ends_with_the_same_numbers(whole, tmp_path) -> None:
    """SIGKILL from outside, also in the middle of saving; torn files are left behind and must do no harm."""
    folder = tmp_path / "killed"
    code = f"import selfplay; selfplay.train(selfplay.TrainConfig(**{ {**SMALL, 'out': str(folder)}!r}))"
    for wait in (0.4, 1.1):
        process = subprocess.Popen([sys.executable, "-c", code])
        deadline = time.monotonic() + 120
        while not (folder / "metrics.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with (folder / "metrics.jsonl").open("a") as file:
        file.write('{"step": 7, "pay')  # a line torn by a kill
    (folder / "state" / ".step-000099.partial").mkdir(parents=True)
    (folder / "state" / "step-000098").mkdir()
    selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    assert numbers(folder) == numbers(whole)


def test_a_finished_run_is_not_run_again_and_a_longer_one_goes_on(whole, tmp_path) -> None:
    before = (whole / "metrics.jsonl").read_bytes()
    result = selfplay.train(TrainConfig(**SMALL, out=str(whole)))
    assert (whole / "metrics.jsonl").read_bytes() == before
    assert result.metrics["step"] == 8
    folder = tmp_path / "grows"
    selfplay.train(TrainConfig(**{**SMALL, "steps": 5, "out": str(folder)}))
    assert json.loads((folder / "adapter" / "arena.json").read_text())["step"] == 5
    selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    assert numbers(folder) == numbers(whole)
    weights = [(f / "adapter" / "adapter_model.safetensors").read_bytes() for f in (folder, whole)]
    assert weights[0] == weights[1]
    assert json.loads((folder / "adapter" / "arena.json").read_text())["step"] == 8


@pytest.mark.parametrize("damage", ["truncated", "removed"])
@pytest.mark.parametrize(
    "file", ["state.json", "adapter.safetensors", "reference.safetensors", "optimizer.safetensors"]
)
def test_where_the_newest_state_is_damaged_it_goes_on_from_the_one_before(whole, tmp_path, file, damage) -> None:
    """To the same numbers, and with whole states again."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    path = folder / "state" / "step-000008" / file
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:7])
    selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    assert numbers(folder) == numbers(whole)
    mended, sound = ((f / "state" / "step-000008" / file).read_bytes() for f in (folder, whole))
    assert mended == sound


def test_where_every_state_is_damaged_it_says_so(whole, tmp_path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    for path in folder.glob("state/step-*/state.json"):
        path.write_text("{")
    with pytest.raises(ArenaError, match=r"every state in .* is damaged"):
        selfplay.train(TrainConfig(**SMALL, out=str(folder)))
    assert read_metrics(folder) == read_metrics(whole)


@pytest.mark.parametrize("text", ["", "{", "[1]", "3"])
@pytest.mark.parametrize("file", ["config.json", "metrics.jsonl", "adapter/arena.json"])
def test_a_damaged_file_is_named_or_written_anew(whole, tmp_path, file, text) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    (folder / file).write_text(text + "\n")
    if file == "adapter/arena.json":
        selfplay.train(TrainConfig(**SMALL, out=str(folder)))
        assert json.loads((folder / file).read_text())["step"] == 8
    else:
        with pytest.raises(UsageError, match=f"{file}.* is damaged"):
            selfplay.train(TrainConfig(**SMALL, out=str(folder)))


def test_one_process_at_a_time_trains_in_a_folder(whole) -> None:
    with FileLock(whole / LOCK), pytest.raises(UsageError, match="another process trains in"):
        selfplay.train(TrainConfig(**{**SMALL, "steps": 9, "out": str(whole)}))
    assert len(read_metrics(whole)) == 8


@pytest.mark.parametrize("place", ["diary.txt", "diary.txt/run"])
def test_where_no_folder_can_be_it_says_so(tmp_path, place) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(UsageError, match="name another folder with --out"):
        selfplay.train(TrainConfig(**SMALL, out=str(tmp_path / place)))


def test_another_configuration_is_refused_with_what_differs(whole) -> None:
    with pytest.raises(UsageError, match=r"beta \(0.5 there, 0.7 asked\)"):
        selfplay.train(TrainConfig(**{**SMALL, "beta": 0.7, "out": str(whole)}))


def test_a_folder_of_something_else_is_not_touched(tmp_path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(UsageError, match="holds no training run"):
        selfplay.train(TrainConfig(**SMALL, out=str(tmp_path)))
    assert [p.name for p in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"game": "prisoner-dilemma"}, UnknownName, "prisoners-dilemma"),
        ({"preset": "grpoo"}, UnknownName, "no preset"),
        ({"base": "tit-for-tat"}, UsageError, "llm:tiny"),
        ({"opponents": ("-1*self",)}, BadOption, "WEIGHT"),
        ({"opponents": ("inf*self",)}, BadOption, "WEIGHT"),
        ({"opponents": ("best-response",), "decode": "free"}, BadOption, "decode constrained"),
        ({"opponents": ("best-response",), "think": 10}, BadOption, "think 0"),
        ({"opponents": ("past:newest",)}, UnknownName, "past:uniform"),
        ({"opponents": ("tit-for-tit",)}, UnknownName, "tit-for-tat"),
        ({"opponents": ("minimax",)}, BadOption, "not prisoners-dilemma"),
    ],
)
def test_bad_configurations_stop_before_anything_is_written(tmp_path, changed, error, words) -> None:
    with pytest.raises(error, match=words):
        selfplay.train(TrainConfig(**{**SMALL, **changed, "out": str(tmp_path / "run")}))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"steps": 0},
        {"matches": 0},
        {"gamma": 1.5},
        {"temperature": 0.0},
        {"opponents": ()},
        {"kl": -1.0},
        {"seed": 10**26},
    ],
)
def test_settings_out_of_range_name_the_range(changed) -> None:
    with pytest.raises(ArenaError):
        TrainConfig(**changed)


def test_free_text_games_train_too(tmp_path) -> None:
    """Messages are generated freely, claims chosen among the legal ones; both carry the round's advantage."""
    config = TrainConfig(
        game="trust-and-split:rounds=2", preset="advantage-alignment", beta=2.0, gamma=0.96, steps=2, matches=8,
        group_size=4, lora_rank=4, threads=1, out=str(tmp_path / "run"),
    )  # fmt: skip
    result = selfplay.train(config)
    assert result.metrics["logp_gap"] <= 1e-4
    assert result.metrics["grad_norm"] > 0
