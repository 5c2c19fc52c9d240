"""A game is one file: written into a folder on the path, it conforms, plays, rates and trains with no other edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNTDOWN = '''
"""Take one or two from a heap in turn; who takes the last wins."""

from dataclasses import dataclass

from games import Game, GameInfo, Moves, Observation


@dataclass(frozen=True)
class Heap:
    left: int
    turn: int = 0
    line: str = ""


@dataclass(frozen=True)
class Countdown(Game[Heap]):
    """Countdown: take one or two from a heap."""

    heap: int = 5
    """Things on the heap."""

    @property
    def info(self):
        return GameInfo(
            name=self.name, version=0, summary="Take one or two from a heap.", kind="competitive", seats=(2, 2),
            roles=("first", "second"), payoff_bounds=(-1.0, 1.0), max_ticks=self.heap, moves=("one", "two"),
            zero_sum=True, perfect_information=True, deterministic=True,
        )

    def start(self, rng):
        return Heap(self.heap)

    def to_move(self, state):
        return (state.turn,) if state.left else ()

    def moves(self, state, seat):
        return Moves(("one", "two")[: state.left])

    def observe(self, state, seat):
        return Observation(f"{state.line or 'Nobody'} took. Left: {state.left}.", {"left": state.left})

    def play(self, state, moves, rng):
        left = state.left - ("one", "two").index(moves[0]) - 1
        won = (1.0, -1.0) if state.turn == 0 else (-1.0, 1.0)
        return Heap(left, 1 - state.turn, f"{state.line}{moves[0]} "), (0.0, 0.0) if left else won

    def key(self, state, seat):
        return state.line

    def rules(self, seat):
        return f"Take one or two of {self.heap} things in turn. The last wins. You are {self.info.roles[seat]}."

    def render(self, state, seat=None):
        return f"Left: {state.left}"


GAME = Countdown
'''


@pytest.fixture(name="folder")
def folder_with_a_game(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "countdown.py").write_text(COUNTDOWN)
    return tmp_path


def run(folder: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.getcwd()])}
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_and_conforms(folder: Path) -> None:
    assert "Things on the heap." in run(folder, "arena", "games", "countdown")
    run(folder, "games.conformance", "check", "countdown")


def test_it_is_played_and_rated(folder: Path) -> None:
    out = run(folder, "arena", "tournament", "countdown:heap=4", "random", "minimax", "--deals", "4", "--json")
    standings = json.loads(out)["games"][0]["standings"]
    assert standings[0]["entrant"] == "minimax"


TRAINS = """
import arena, selfplay
selfplay.train(selfplay.TrainConfig(game="countdown", steps=1, matches=4, lora_rank=2, threads=1, out="run"))
[episode] = arena.play("countdown", ["llm:tiny+run/adapter", "random"])
print(episode.ending, sum(episode.payoffs))
"""


def test_it_is_trained_on(folder: Path) -> None:
    (folder / "trains.py").write_text(TRAINS)
    assert run(folder, "trains").splitlines()[-1] == "finished 0.0"
    assert (folder / "run" / "adapter" / "adapter_config.json").is_file()
