"""The wheel holds the packages and their data, no tests, and works outside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "games", "leaderboards", "policies", "selfplay")
DATA = (".json", ".safetensors", ".jinja", ".toml", ".css", ".js")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy: building leaves folders behind, and old ones would get into it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    skip = shutil.ignore_patterns("__pycache__", "*.partial")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=skip)
    (source / "tests").mkdir()
    (source / "tests" / "__init__.py").write_text("")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip("wheel", source, "--no-deps", "--no-build-isolation", "--wheel-dir", out)
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A folder with the wheel unpacked as pip does it."""
    target = tmp_path_factory.mktemp("site")
    pip("install", wheel, "--no-deps", "--no-index", "--target", target)
    return target


def pip(*words: object) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def outside(installed: Path, folder: Path, *words: str) -> str:
    """What Python prints outside the checkout, with the installed wheel alone."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_packages_and_their_data(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.partition("/")[0] for name in names if name.endswith(".py")} == set(PACKAGES)
    data = {p.relative_to(ROOT).as_posix() for n in PACKAGES for p in (ROOT / n).rglob("*") if p.suffix in DATA}
    assert data <= names
    assert {f"{name}/py.typed" for name in PACKAGES} <= names
    modules = {p.relative_to(ROOT).as_posix() for n in PACKAGES for p in (ROOT / n).rglob("*.py")}
    assert modules <= names


def test_no_tests_in_the_wheel_and_the_licence_in_it(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if "test" in Path(name).parts[0]]
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("entry_points.txt") for name in names)


def test_a_tournament_outside_the_checkout(installed, tmp_path):
    words = ["tournament", "kuhn-poker", "random", "tight", "--deals", "2", "--store", "arena.sqlite"]
    assert "tight" in outside(installed, tmp_path, "-m", "arena", *words)
    assert (tmp_path / "arena.sqlite").is_file()


def test_the_python_api_outside_the_checkout(installed, tmp_path):
    code = (
        "import arena, games, leaderboards, policies\n"
        "print(arena.__file__)\n"
        "[episode] = arena.play(games.make('kuhn-poker'), [policies.make('random'), 'tight'])\n"
        "store = arena.tournament('kuhn-poker', ['random', 'tight'], deals=2)\n"
        "print(len(store), len(leaderboards.from_store(store).sections))\n"
    )
    where, counts = outside(installed, tmp_path, "-c", code).splitlines()
    assert Path(where).is_relative_to(installed)
    assert counts == "8 1"
