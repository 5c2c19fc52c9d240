"""The store: rows, resume, refusals, a full disk, a reader beside the writer."""

from __future__ import annotations

import json
import sqlite3

import pytest

import arena
import games
from arena import EntrantRow, Match, MatchRow, SeatRow, Store, run_matches
from arena.tables import FORMAT
from games import ArenaError, UsageError
from policies import Reply, Script, make

DILEMMA = "prisoners-dilemma:rounds=3"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "arena.sqlite"


def filled(path, entrants=("always-defect", "always-cooperate"), game=DILEMMA, **options):
    arena.tournament(game, entrants, deals=options.pop("deals", 1), store=path, **options).close()
    return Store(path)


def test_seat_rows_carry_all_that_ratings_need(path):
    rows = list(filled(path).seats())
    assert len(rows) == 8
    row = next(r for r in rows if r.match == 3)  # tables in alphabetical order: cc, cd, dc, dd
    assert row == SeatRow(
        match=3,
        game=DILEMMA,
        kind="social-dilemma",
        deal=0,
        seat=0,
        role=row.role,
        entrant="always-defect",
        payoff=15.0,
        rounds=3,
        ending="finished",
        turns=3,
        illegal=0,
        prompt_tokens=0,
        completion_tokens=0,
        seconds=0.0,
        measures=row.measures,
    )
    assert row.tokens == 0
    assert row.role == games.make(DILEMMA).info.roles[0]


def test_match_rows_are_ordered_by_number(path):
    rows = list(filled(path).matches())
    assert [r.id for r in rows] == [1, 2, 3, 4]
    assert rows[1] == MatchRow(
        2, DILEMMA, "social-dilemma", 0, ("always-cooperate", "always-defect"), (0.0, 15.0), 3, 3, "finished"
    )


def test_entrants_and_games_are_kept(path):
    store = filled(path, ["bad=always-defect", "random"])
    assert store.entrants() == [EntrantRow("bad", "always-defect", "script"), EntrantRow("random", "random", "script")]
    [game] = store.games()
    assert (game.spec, game.name, game.kind) == (DILEMMA, "prisoners-dilemma", "social-dilemma")
    assert game.payoff_bounds == games.make(DILEMMA).info.payoff_bounds


def test_measures_are_split_by_seat(path):
    game = games.make(DILEMMA)
    [episode] = arena.play(game, ["always-cooperate", "always-defect"])
    assert "cooperation" in episode.measures
    row = next(r for r in filled(path).seats() if r.match == 2 and r.seat == 0)
    assert row.measures["cooperation"] == episode.measures["cooperation"][0] == 1.0


@pytest.mark.parametrize("game", ["kuhn-poker", DILEMMA, "tic-tac-toe", "trust-and-split:rounds=2"])
def test_an_episode_comes_back_as_it_was_played(path, game):
    table, player = games.make(game), make("random")
    store = Store.open(path, {"seed": 7}, [table], [EntrantRow("random", "random", "script")])
    for episode in run_matches(
        [Match(i, table, i, ("random", "random")) for i in range(3)], {"random": player}, seed=7
    ):
        store.add(episode)
        assert store.episode(episode.match.id) == episode


def test_an_illegal_end_comes_back_too(path):
    class Says(Script):
        name = "says"

        def act(self, turns):
            return [Reply("\x1b[2J nonsense", prompt_tokens=3, completion_tokens=2, seconds=0.5) for _ in turns]

    with arena.tournament("kuhn-poker", [Says()], deals=1, store=path) as store:
        episode = store.episode(1)
    assert episode.ending == "forfeit"
    assert episode.turns[0].reply == "\x1b[2J nonsense"
    row = next(iter(Store(path).seats()))
    assert (row.illegal, row.tokens, row.seconds) == (1, 5, 0.5)


def test_changed_rules_are_noticed(path, monkeypatch):
    store = filled(path, ["random"], "kuhn-poker")
    real = games.make("kuhn-poker")
    monkeypatch.setattr(type(real), "play", lambda self, state, moves, rng: (real.play, (9.0, -9.0)))
    monkeypatch.setattr(type(real), "to_move", lambda self, state: () if callable(state) else (0,))
    monkeypatch.setattr(type(real), "observe", lambda self, state, seat: games.Observation(""))
    monkeypatch.setattr(type(real), "round", lambda self, state: 0)
    with pytest.raises(ArenaError, match="rules changed"):
        store.episode(1)


def test_no_such_match(path):
    with pytest.raises(UsageError, match="holds no match 99; its matches are numbered 1 to 4"):
        filled(path).episode(99)


def test_another_configuration_is_refused_with_the_keys_and_both_values(path):
    filled(path, seed=1)
    with pytest.raises(UsageError) as caught:
        arena.tournament(DILEMMA, ["always-defect", "always-cooperate"], deals=2, seed=3, store=path)
    message = str(caught.value)
    assert "deals: 1 there, 2 now" in message
    assert "seed: 1 there, 3 now" in message
    assert "\n" not in message


def test_the_order_of_entrants_is_no_other_configuration(path):
    filled(path)
    with arena.tournament(DILEMMA, ["always-cooperate", "always-defect"], deals=1, store=path, live=1) as store:
        assert len(store) == 4


def test_a_newer_format_is_refused(path):
    filled(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    db.close()
    with pytest.raises(ArenaError, match=f"format {FORMAT + 1}.*update"):
        Store(path)


@pytest.mark.parametrize(
    "content", [b"hello, I am a text file, long enough to be looked at" * 30, b"SQLite format 3\0"]
)
def test_a_file_that_is_no_store_is_refused(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    for use in (lambda: Store(path), lambda: arena.tournament("kuhn-poker", ["random"], store=path)):
        with pytest.raises(ArenaError, match=r"notes\.txt.*no store") as caught:
            use()
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_another_sqlite_file_is_refused(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bank (money)")
    db.close()
    with pytest.raises(ArenaError, match="no store"):
        arena.tournament("kuhn-poker", ["random"], store=path)


def test_a_missing_store_says_how_to_make_one(tmp_path):
    with pytest.raises(UsageError, match=r"there is no store at .*arena tournament"):
        Store(tmp_path / "nothing.sqlite")


def test_a_full_disk_is_one_line_and_keeps_what_was_finished(path, monkeypatch):
    from arena import store as module

    real = module.connect

    def small(*args):
        db = real(*args)
        db.execute("PRAGMA max_page_count = 14")
        return db

    monkeypatch.setattr(module, "connect", small)
    with pytest.raises(ArenaError, match="no space left") as caught:
        arena.tournament("kuhn-poker", ["random", "tight"], deals=2_000, store=path)
    assert "\n" not in str(caught.value)
    monkeypatch.undo()
    kept = len(Store(path))
    assert 0 < kept < 8_000
    with arena.tournament("kuhn-poker", ["random", "tight"], deals=2_000, store=path) as store:
        assert len(store) == 8_000


def test_reading_while_another_writes(path):
    game = games.make("kuhn-poker")
    writer = Store.open(path, {"seed": 0}, [game], [EntrantRow("random", "random", "script")])
    matches = [Match(i, game, i, ("random", "random")) for i in range(1, 5)]
    for done, episode in enumerate(run_matches(matches, {"random": make("random")}, seed=0, live=1), 1):
        writer.add(episode)
        with Store(path) as reader:
            assert len(list(reader.seats())) == 2 * done


def test_a_match_can_not_be_added_twice(path):
    game = games.make("kuhn-poker")
    store = Store.open(path, {"seed": 0}, [game], [EntrantRow("random", "random", "script")])
    [episode] = run_matches([Match(1, game, 0, ("random", "random"))], {"random": make("random")}, seed=0)
    store.add(episode)
    with pytest.raises(ArenaError, match="another process"):
        store.add(episode)
    assert len(store) == 1


def test_a_thousand_throws_cost_about_two_kilobytes(path):
    filled(path, ["random", "nash"], "rock-paper-scissors:rounds=1000", deals=10).close()
    assert path.stat().st_size / 40 < 2_048


def test_export_writes_json_lines(path, tmp_path):
    store = filled(path)
    assert store.export(tmp_path / "out.jsonl") == 4
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["match"] for line in lines] == [1, 2, 3, 4]
    assert lines[1]["payoffs"] == [0.0, 15.0]
    assert [t["move"] for t in lines[1]["turns"]] == ["cooperate", "defect"] * 3
    with pytest.raises(ArenaError, match="can't write"):
        store.export(tmp_path / "no" / "such" / "folder.jsonl")


def test_a_folder_that_can_not_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match="can't make the folder"):
        arena.tournament("kuhn-poker", ["random"], store=tmp_path / "file" / "arena.sqlite")
