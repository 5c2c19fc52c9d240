"""Several runs on one leaderboard: added up where that means something, refused by name where it doesn't."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import arena
import leaderboards
from leaderboards.arrays import TableError
from leaderboards.together import check_together


@dataclass
class Run:
    path: Path
    config: dict


def test_matches_of_two_stores_are_added_up(tmp_path):
    paths = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for seed, path in enumerate(paths):
        arena.tournament("kuhn-poker", ["random", "tight"], deals=2, seed=seed, store=path).close()
    [section] = leaderboards.from_store(*paths).sections
    assert section.matches == 16
    assert set(section.names) == {"random", "tight"}


def test_a_store_that_is_named_twice_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    arena.tournament("kuhn-poker", ["random"], deals=2, store=path).close()
    with pytest.raises(TableError, match="is named twice; its matches would count double"):
        leaderboards.from_store(path, tmp_path / "." / "a.sqlite")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"games": {"kuhn-poker": 1}}, "the version of game kuhn-poker differs: 0 in a.sqlite, 1 in b.sqlite"),
        ({"entrants": {"new": "llm:tiny+x #22"}}, "entrant new differs: llm:tiny.x #11 in a.sqlite, llm:tiny.x #22"),
    ],
)
def test_other_rules_and_other_makes_are_refused_by_name(other, message):
    first = {"games": {"kuhn-poker": 0}, "entrants": {"new": "llm:tiny+x #11"}}
    check_together([Run(Path("a.sqlite"), first), Run(Path("b.sqlite"), first)])
    with pytest.raises(TableError, match=message):
        check_together([Run(Path("a.sqlite"), first), Run(Path("b.sqlite"), first | other)])
