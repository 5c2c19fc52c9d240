"""Every game plays along its recording, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games import conformance

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", games.names())
def test_game_plays_along_its_golden_playthrough(name: str) -> None:
    conformance.compare(name, FOLDER)


def test_every_recording_belongs_to_a_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == games.names()


def test_changed_line_is_named_with_the_command_that_records_anew(tmp_path: Path) -> None:
    path = conformance.record("trust-and-split", tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[5] = "something else"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(conformance.ConformanceError, match=r"trust-and-split\.txt:6: .*record trust-and-split"):
        conformance.compare("trust-and-split", tmp_path)


def test_shortened_recording_is_a_difference(tmp_path: Path) -> None:
    path = conformance.record("trust-and-split", tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    with pytest.raises(conformance.ConformanceError, match="was None"):
        conformance.compare("trust-and-split", tmp_path)


def test_game_without_recording_fails(tmp_path: Path) -> None:
    with pytest.raises(conformance.ConformanceError, match="no golden playthrough"):
        conformance.compare("trust-and-split", tmp_path)
