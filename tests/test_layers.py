"""The layers hold: who imports whom, and what the command line does not wait for."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("numpy", "torch", "pettingzoo", "gymnasium", "transformers", "scipy", "rich", "starlette", "uvicorn")
COMMANDS = ("", "games", "policies", "play", "tournament", "train", "leaderboard", "replay", "serve")


def python(code: str, *args: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_import_contracts_are_kept():
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command):
    code = (
        "import sys; from arena.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"print('heavy:', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    out = python(code, *filter(None, [command]), "--help")
    assert out.splitlines()[-1] == "heavy:"
    assert "usage: arena" in out
    assert "arena tournament" in out if not command else f"arena {command} " in out


def test_help_answers_in_under_half_a_second():
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "arena", "tournament", "--help"], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    assert statistics.median(times) < 0.5 or min(times) < 0.3


def test_a_tournament_of_scripts_never_imports_torch():
    code = (
        "import sys; from arena.cli import main\n"
        "code = main(['tournament', 'prisoners-dilemma:rounds=2', 'tit-for-tat', 'random', '--deals', '1'])\n"
        "print('torch' in sys.modules, 'transformers' in sys.modules, code)"
    )
    assert python(code).splitlines()[-1] == "False False 0"


@pytest.mark.parametrize("package", ["games", "policies", "arena", "leaderboards"])
def test_the_packages_are_free_of_torch(package):
    assert python(f"import sys, {package}; print('torch' in sys.modules)").strip() == "False"
