"""A store read as columns says the same as row by row."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

import arena
import leaderboards
from arena import Store, columns
from arena.columns import measure_columns

GAMES = ["prisoners-dilemma:rounds=3", "kuhn-poker", "public-goods:rounds=2"]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("columns") / "arena.sqlite"
    arena.tournament(GAMES, ["random", "twin=random"], deals=7, store=path).close()
    return path


class Rows:
    """The same store without its columns."""

    def __init__(self, store):
        self.seats, self.entrants = store.seats, store.entrants


@pytest.mark.parametrize("chunk", [3, 50, 100_000])
def test_the_results_are_those_of_the_rows(path, monkeypatch, chunk):
    monkeypatch.setattr(columns, "CHUNK", chunk)
    by_columns, by_rows = (leaderboards.collect(source) for source in (Store(path), Rows(Store(path))))
    assert len(by_columns) == len(by_rows) == 3
    for one, other in zip(by_columns, by_rows, strict=True):
        assert (one.game, one.kind, one.entrants, one.specs) == (other.game, other.kind, other.entrants, other.specs)
        assert (one.matches, one.seats, one.roles) == (other.matches, other.seats, other.roles)
        for name in ("wins", "draws", "met", "payoff", "rounds"):
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12)
        for name in ("first", "second", "block", "matches", "wins", "payoff_second"):
            np.testing.assert_allclose(getattr(one.cells, name), getattr(other.cells, name), rtol=1e-12)
        for name in ("matches", "turns", "illegal", "tokens", "seconds", "seats", "payoff", "joint", "by_seat"):
            np.testing.assert_allclose(getattr(one.totals, name), getattr(other.totals, name), rtol=1e-12)
        assert one.totals.measures.keys() == other.totals.measures.keys()
        for name, values in one.totals.measures.items():
            np.testing.assert_allclose(values, other.totals.measures[name], rtol=1e-12)


def test_only_matches_before_a_number(path):
    with Store(path) as store:
        found = np.concatenate([part.match for part in store.columns(before=10)])
        assert sorted(found.tolist()) == list(range(1, 10))
        assert list(store.columns(before=1)) == []
        assert sum(len(part.match) for part in store.columns(before=10**9)) == len(store)


def test_an_empty_store_has_no_columns(tmp_path):
    store = Store.open(tmp_path / "x.sqlite", {"seed": 0}, [], [])
    assert list(store.columns()) == []


def test_tokens_seconds_illegal_replies_and_fractions(path, tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as db:
        db.execute("UPDATE seats SET prompt_tokens = 30, completion_tokens = 4, seconds = 0.25, illegal = 1")
        db.execute("UPDATE seats SET payoff = 0.1 WHERE match = 2")
    part = next(iter(Store(copy).columns()))
    assert (part.tokens == 34).all()
    assert (part.seconds == 0.25).all()
    assert (part.illegal == 1).all()
    assert part.payoff[part.match == 2].tolist() == [[0.1, 0.1]]


@pytest.mark.parametrize("payoff", ["9e999", "-9e999"])
def test_an_infinite_payoff_is_named(path, tmp_path, payoff):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as db:
        db.execute(f"UPDATE seats SET payoff = {payoff} WHERE match = 5 AND seat = 1")
    with pytest.raises(leaderboards.TableError, match=r"in match 5 of .* is -?inf; a payoff must be a finite number"):
        leaderboards.collect(Store(copy))


def test_measures_of_seats_that_lack_them_are_unknown():
    found = measure_columns(['{"a": 1.0}', "{}", '{"a": 0.5, "b": null}', '{"a": 1.0}'])
    np.testing.assert_array_equal(found["a"], [1.0, np.nan, 0.5, 1.0])
    assert np.isnan(found["b"]).all()


def test_reading_leaves_no_transaction_behind(path):
    store = Store(path)
    reader = store.columns()
    next(reader)
    assert not store._db.in_transaction


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE seats SET payoff = payoff * 1e6",
        "UPDATE seats SET payoff = 40000 - 2 * 40000 * seat",
        "UPDATE seats SET payoff = 0.5 - seat",
        "UPDATE seats SET payoff = -1.5 WHERE match = 1",
        "UPDATE seats SET turns = 5000 WHERE match = 3",
        "UPDATE matches SET rounds = 70000 WHERE id = 4",
        "UPDATE matches SET deal = deal + 1000000",
    ],
)
def test_numbers_too_large_to_be_packed_or_with_fractions_are_read_as_they_are(path, tmp_path, change):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as db:
        db.execute(change)
    rows = {(row.match, row.seat): row for row in Store(copy).seats()}
    for part in Store(copy).columns():
        for m, match in enumerate(part.match.tolist()):
            for seat in range(part.payoff.shape[1]):
                row = rows[match, seat]
                assert (part.deal[m], part.rounds[m]) == (row.deal, row.rounds)
                assert part.names[part.entrant[m, seat]] == row.entrant
                assert part.payoff[m, seat] == pytest.approx(row.payoff, rel=1e-14)
                assert part.turns[m, seat] == row.turns
