"""Every Python block of the README runs as it stands, in an empty folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(
    r"^```python(?: file=(\S+))?\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [code for name, code in BLOCKS if not name])
def test_block_runs(code: str, tmp_path: Path) -> None:
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_game_of_the_readme_is_a_game_at_once(tmp_path: Path) -> None:
    [(name, code)] = [block for block in BLOCKS if block[0]]
    assert code.count("\n") < 50  # under a screen
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(code, encoding="utf-8")
    check = """
import arena, games, selfplay, sys
from games.conformance import check
check("odds-and-evens")
print(arena.play("odds-and-evens", ["random", "random"])[0].payoffs)
import pettingzoo
print(pettingzoo.make("aec", "arena/odds-and-evens-v0"))
config = selfplay.TrainConfig(game="odds-and-evens", steps=1, matches=4, out="run")
print(selfplay.train(config).metrics["payoff"])
"""
    done = run(check, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_readme_opens_with_the_two_commands() -> None:
    lines = [line.strip() for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
    assert lines[0].startswith("make demo")
    assert lines[1].startswith("make test")
