"""Several processes learn as one: the update of two is that of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import selfplay
from selfplay import TrainConfig
from selfplay.log import read_metrics
from selfplay.ranks import Ranks

SMALL = {
    "game": "prisoners-dilemma:rounds=2",
    "preset": "advantage-alignment",
    "beta": 0.5,
    "steps": 2,
    "matches": 5,
    "minibatches": 2,
    "epochs": 2,
    "importance_cap": 2.0,
    "aggregate": "sequence-mean",
    "opponents": ["0.6*self", "0.4*past:nash"],
    "gate": ["tit-for-tat"],
    "gate_matches": 2,
    "snapshot_every": 1,
    "lora_rank": 4,
    "threads": 1,
}
SAME = ("payoff", "cooperation", "entropy", "clipped", "turns", "importance", "grad_norm", "logp_gap")


def launch(folder: Path, processes: int, **more) -> subprocess.CompletedProcess:
    """A training as ``torchrun`` starts it, on processors alone."""
    settings = folder.with_suffix(".toml")
    settings.write_text("\n".join(f"{name} = {json.dumps(value)}" for name, value in (SMALL | more).items()))
    return torchrun(processes, "-m", "arena", "train", "--config", str(settings), "--out", str(folder))


def torchrun(processes: int, *words: str) -> subprocess.CompletedProcess:
    """Several processes on this machine, on processors alone."""
    start = ["torch.distributed.run", "--nproc-per-node", str(processes), "--rdzv-backend", "c10d"]
    command = [sys.executable, "-m", *start, "--rdzv-endpoint", "localhost:0", *words]
    quiet = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.run(command, env=quiet, capture_output=True, text=True)


@pytest.fixture(name="one", scope="module")
def a_run_of_one_process(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "one"
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in SMALL.items()}
    selfplay.train(TrainConfig(**settings, out=str(folder)))
    return folder


@pytest.mark.parametrize("more", [{}, {"shard": True, "gradient_checkpointing": True, "chunk_tokens": 256}])
def test_two_processes_take_the_steps_of_one(one, tmp_path, more):
    pytest.importorskip("accelerate")
    done = launch(tmp_path / "two", 2, **more)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("the adapter plays as") == 1
    here, there = (load_file(folder / "adapter" / "adapter_model.safetensors") for folder in (one, tmp_path / "two"))
    moved = max(np.abs(here[name]).max() for name in here if "lora_B" in name)
    assert moved > 1e-3
    for name in here:
        np.testing.assert_allclose(there[name], here[name], atol=1e-3 * moved, rtol=0)
    for alone, shared in zip(read_metrics(one), read_metrics(tmp_path / "two"), strict=True):
        assert {k: shared[k] for k in SAME} == pytest.approx({k: alone[k] for k in SAME}, rel=1e-3, abs=1e-5)


def test_alone_everything_is_ones_own():
    ranks = Ranks.here()
    assert (ranks.rank, ranks.count, ranks.main) == (0, 1, True)
    assert ranks.share([1, 2, 3]) == [1, 2, 3]
    assert ranks.gather([1]) == [1]
    assert ranks.from_main(lambda: 7) == 7


def test_shares_are_disjoint_and_whole():
    shares = [Ranks(rank, 3).share(range(8)) for rank in range(3)]
    assert shares == [[0, 3, 6], [1, 4, 7], [2, 5]]


ENDINGS = {
    "the command line": "sys.argv[1:] = ['train', '--config', sys.argv[1], '--out', sys.argv[2]]\ncli.program()\n",
    "a program of one's own": "print(sorted(Ranks.here().gather([0, 1])))\ncli.leave(0)\n",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_processes_end_connected_to_nobody_and_are_not_taken_apart(tmp_path, ending):
    """Threads of a process group abort a process that is taken apart around them, now and then."""
    pytest.importorskip("accelerate")
    script = tmp_path / "part.py"
    script.write_text(
        "import atexit, os, pathlib, sys, torch.distributed\n"
        "from arena import cli\n"
        "from selfplay.ranks import Ranks\n"
        "here = pathlib.Path(sys.argv[3])\n"
        "class Held:\n"
        "    def __del__(self):\n"
        "        (here / ('taken-apart-' + os.environ['RANK'])).touch()\n"
        "held = Held()\n"
        "def last():\n"
        "    state = 'connected' if torch.distributed.is_initialized() else 'alone'\n"
        "    (here / (state + '-' + os.environ['RANK'])).touch()\n"
        "atexit.register(last)\n" + ending
    )
    settings = tmp_path / "settings.toml"
    settings.write_text("\n".join(f"{name} = {json.dumps(value)}" for name, value in (SMALL | {"shard": True}).items()))
    end = tmp_path / "end"
    end.mkdir()
    done = torchrun(2, str(script), str(settings), str(tmp_path / "run"), str(end))
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(path.name for path in end.iterdir()) == ["alone-0", "alone-1"]


def test_processes_end_with_the_exit_code_of_their_command(tmp_path):
    (tmp_path / "something-else").touch()
    done = torchrun(2, "-m", "arena", "train", "--game", "kuhn-poker", "--threads", "1", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("holds no training run; name another folder") == 1
    assert "[rank" not in done.stderr
    assert "exitcode  : 2 " in done.stderr
