"""Matches as Parquet: what is read back is what was stored, and the leaderboard can't tell the difference."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

import arena
import leaderboards
from arena.parquet import Parquet, opened, write_parquet
from games import ArenaError, MissingExtra, UsageError

needs_pyarrow = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pip install 'selfplay-arena[parquet]'"
)
GAMES = ["prisoners-dilemma:rounds=3", "public-goods:rounds=2", "kuhn-poker"]


@pytest.fixture(name="store", scope="module")
def stored_matches(tmp_path_factory) -> arena.Store:
    path = tmp_path_factory.mktemp("runs") / "arena.sqlite"
    return arena.tournament(GAMES, ["random", "b=random"], deals=3, store=path)


@needs_pyarrow
@pytest.mark.parametrize("group", [1, 4, 1000])
def test_rows_and_columns_are_those_of_the_store(store, tmp_path, group):
    assert write_parquet(tmp_path / "a.parquet", store, group) == len(store)
    read = Parquet(tmp_path / "a.parquet")
    assert len(read) == len(store)
    assert list(read.seats()) == list(store.seats())
    assert read.entrants() == store.entrants()
    assert read.config == store.config
    assert sums(read) == sums(store)


def sums(source) -> dict:
    """Everything in the columns, by game and match; how they are cut into chunks doesn't matter."""
    found = {}
    for c in source.columns():
        for k, match in enumerate(c.match.tolist()):
            names = [c.names[e] for e in c.entrant[k]]
            numbers = [np.round(getattr(c, n)[k], 6).tolist() for n in ("payoff", "turns", "illegal", "tokens")]
            measures = {
                name: column[k].tolist() for name, column in c.measures.items() if not np.isnan(column[k]).any()
            }
            found[c.game, match] = (c.kind, c.roles, int(c.deal[k]), int(c.rounds[k]), names, numbers, measures)
    return found


@needs_pyarrow
def test_the_leaderboard_is_that_of_the_store(store, tmp_path):
    write_parquet(tmp_path / "a.parquet", store)
    board = leaderboards.from_store(tmp_path / "a.parquet")
    one, two = flat(board.to_json()), flat(leaderboards.from_store(store).to_json())
    assert len(one) > 300
    assert one == two


def flat(value, place="") -> dict:
    """Every text and number of nested values by its place, to 6 digits: SQLite gives payoffs to 15."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, item in items for k, v in flat(item, f"{place}/{key}").items()}
    return {place: float(f"{value:.6g}") if isinstance(value, float) else value}


@needs_pyarrow
def test_other_files_are_refused_in_a_line(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pytest.raises(UsageError, match="there is no file"):
        Parquet(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("hello")
    with pytest.raises(ArenaError, match="is no Parquet file"):
        Parquet(tmp_path / "text.parquet")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ArenaError, match="holds no matches of the arena"):
        Parquet(tmp_path / "other.parquet")


@needs_pyarrow
def test_a_match_without_all_its_seats_is_refused(store, tmp_path):
    import pyarrow.parquet as pq

    write_parquet(tmp_path / "a.parquet", store)
    pq.write_table(pq.read_table(tmp_path / "a.parquet").slice(1), tmp_path / "torn.parquet")
    with pytest.raises(ArenaError, match="seats missing"):
        list(Parquet(tmp_path / "torn.parquet").columns())


def test_without_the_extra_the_pip_line_is_said(store, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'selfplay-arena\[parquet\]'"):
        write_parquet(tmp_path / "a.parquet", store)


@pytest.mark.parametrize("name", ["run.parquet", "RUN.PARQUET"])
def test_a_parquet_file_is_known_by_its_name_in_either_case(name: str, monkeypatch) -> None:
    monkeypatch.setattr("arena.parquet.Parquet", str)
    assert opened(name) == name
