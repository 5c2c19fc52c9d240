"""Reading a board: explanations, selections, groups, changes, exports as text, and a board that follows its store."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

import arena
from arena.cli import main
from games.errors import ArenaError
from leaderboards import TableError, changed, explain, from_store, select, show
from leaderboards.changes import read_board, remembered
from leaderboards.memory import SUFFIX
from leaderboards.views.live import follow
from leaderboards.views.text import csv_text, markdown_text

EVIL = "<script>alert(1)</script>|x\x1b[31m"


@pytest.fixture
def board(store, dilemma, poker):
    kinds = {"hawk": "llm"}
    return from_store(store(dilemma(), kinds=kinds), store(poker(), game="kuhn-poker", kind="competitive"), bootstrap=0)


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "arena.sqlite"
    arena.tournament("kuhn-poker", ["random", "twin=random", "kuhn-nash"], deals=3, store=found).close()
    return str(found)


def test_an_explanation_says_whom_it_beats_and_how_sure_it_is(board):
    ((game, sentences),) = explain(board, "dove")
    assert game == "prisoners-dilemma"
    assert sentences == (
        "dove is 2 of 3 with 2.00 ±0.00 a round over 60 matches; with 95 % confidence its rank is between 2 and 3.",
        "It beats nobody.",
        "It is beaten by hawk (0.00 : 5.00 a round, won 0 and lost 24 of 24).",
        "It earns the same as pigeon.",
        "It is no part of the population's equilibrium, against which it loses 2.50.",
        "More matches, above all against hawk, would narrow its rank.",
    )


def test_an_explanation_of_a_thin_record_says_so(store):
    ((_, sentences),) = explain(from_store(store([(0, [("a", 1.0), ("b", 0.0)])], kind="competitive")), "a")
    text = " ".join(sentences)
    assert "It beats b (1.00 : 0.00 a round, won 1 and lost 0 of 1; not surely)." in text
    assert "only the prior bounds its Elo." in text
    assert "It has played fewer than 10 matches." in text
    assert "Nobody beats it." in text


def test_who_was_never_met_is_named(store):
    plays = [(deal, [(a, 1.0), (b, 0.0)]) for deal in range(3) for a, b in (("a", "b"), ("b", "c"))]
    ((_, sentences),) = explain(from_store(store(plays, kind="competitive")), "a")
    assert sentences[-1] == "It never met c; play them."


def test_an_explanation_of_nobody_names_the_nearest(board):
    with pytest.raises(ArenaError, match='no entrant "dov" — did you mean "dove"'):
        explain(board, "dov")


def test_sorting_filtering_and_kinds(board):
    dilemma = select(board, sort="wins").sections[0]
    assert dilemma.names == ("hawk", "dove", "pigeon")
    assert select(board, sort="-payoff").sections[0].names[-1] == "hawk"
    assert select(board, filter="OVE").sections[0].names == ("dove",)
    only = select(board, kind="llm")
    assert [section.names for section in only.sections] == [("hawk",)]
    assert only.sections[0].head_to_head.tolist() == [[1.0]]
    assert only.sections[0].selected == "1 of 3 entrants"
    with pytest.raises(TableError, match="nobody fits"):
        select(board, filter="nobody")
    with pytest.raises(ArenaError, match="no column"):
        select(board, sort="beauty")
    with pytest.raises(ArenaError, match="no group"):
        select(board, group="colour")


def test_groups_stand_together_and_are_summed_up(store):
    plays = [
        (d, [(a, float(p)), (b, 0.0)]) for d in range(4) for a, b, p in (("x", "y", 3), ("x", "z", 2), ("z", "y", 1))
    ]
    found = select(from_store(store(plays, kinds={"x": "llm", "y": "llm"}, kind="competitive")), group="kind")
    assert found.sections[0].names == ("x", "y", "z")
    out = io.StringIO()
    show(found, Console(file=out, width=100))
    lines = out.getvalue().split("\n")
    place = next(k for k, line in enumerate(lines) if line.startswith("By kind"))
    assert lines[place + 2].split()[:4] == ["llm", "2", "1", "1.25"]  # (2.5 + 0) / 2
    assert lines[place + 3].split()[:4] == ["script", "1", "2", "0.50"]  # (0 + 1) / 2


def test_changes_since_an_earlier_board(store, poker):
    def plays(sign, deals):
        return [(d, [("a", sign * 1.0), ("b", -sign * 1.0)]) for d in range(deals)]

    before = from_store(store(plays(-1, 4), kind="competitive"))
    now = from_store(store([*plays(-1, 4), *plays(1, 9)], kind="competitive"))
    first, second = changed(now, remembered(before)).sections[0].standings
    assert (first.entrant, first.change, second.change) == ("a", 1, -1)
    assert first.elo_change > 0
    assert first.payoff_change == pytest.approx((9 - 4) / 13 + 1)
    assert changed(now, json.loads(json.dumps(before.to_json()))).sections[0].standings[0].change == 1
    same = changed(now, remembered(now)).sections[0].standings
    assert [line.change for line in same] == [None, None]
    newcomer = changed(now, {"games": [{"game": now.sections[0].game, "matches": 1, "standings": []}]})
    assert newcomer.sections[0].standings[0].change is None
    with pytest.raises(TableError, match="no board to compare with"):
        changed(now, {"games": [{}]})


def test_a_printed_board_is_compared_with_the_last_one(capsys, path, tmp_path):
    assert main(["leaderboard", path]) == 0
    first = capsys.readouterr().out
    assert main(["leaderboard", path]) == 0
    assert capsys.readouterr().out == first
    seen = tmp_path / f"arena.sqlite{SUFFIX}"
    kept = json.loads(seen.read_text())
    kept["games"][0]["matches"] -= 1
    kept["games"][0]["standings"][0]["rank"] = 3
    seen.write_text(json.dumps(kept))
    assert main(["leaderboard", path]) == 0
    assert "▲2" in capsys.readouterr().out
    seen.write_text("torn")
    assert main(["leaderboard", path]) == 0


def test_since_a_file(capsys, path, tmp_path):
    assert main(["leaderboard", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    found["games"][0]["matches"] = 1
    (tmp_path / "old.json").write_text(json.dumps(found))
    assert main(["leaderboard", path, "--since", str(tmp_path / "old.json")]) == 0
    assert "change" in capsys.readouterr().out
    assert main(["leaderboard", path, "--since", str(tmp_path / "no.json")]) == 1
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(TableError, match="holds no board"):
        read_board(tmp_path / "list.json")


def test_the_command_explains_and_groups(capsys, path):
    assert main(["leaderboard", path, "--explain", "kuhn-nash"]) == 0
    assert capsys.readouterr().out.startswith("kuhn-poker\n  kuhn-nash is 2 of 3 with 0.00 ")
    assert main(["leaderboard", path, "--explain", "kuhn-nash", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["game"] == "kuhn-poker"
    assert main(["leaderboard", path, "--group", "kind", "--sort", "payoff"]) == 0
    assert "sorted by payoff; grouped by kind" in capsys.readouterr().out
    assert main(["leaderboard", path, "--explain", "nobody"]) == 2
    assert "no entrant" in capsys.readouterr().err


def test_csv_has_every_number_and_no_formula(store, board):
    rows = list(csv.DictReader(io.StringIO(csv_text(board))))
    assert [row["entrant"] for row in rows] == ["hawk", "dove", "pigeon", "strong", "medium", "weak"]
    assert float(rows[0]["payoff"]) == board.sections[0].standings[0].payoff
    assert rows[0]["nash_mass_low"] == ""
    evil = from_store(store([(d, [("=1+1", 1.0), ("b", 0.0)]) for d in range(2)]))
    assert {row["entrant"] for row in csv.DictReader(io.StringIO(csv_text(evil)))} == {"'=1+1", "b"}


def test_markdown_is_a_table_and_names_stay_text(store, board):
    text = markdown_text(board)
    assert "## prisoners-dilemma (social-dilemma, 108 matches)" in text
    assert "## All 2 games" in text
    evil = markdown_text(from_store(store([(d, [(EVIL, 1.0), ("b", 0.0)]) for d in range(2)])))
    assert "<script" not in evil.replace("\\<", "")
    assert "\x1b" not in evil
    rows = [line for line in evil.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_following_a_store_shows_each_new_board_once(board):
    section = board.sections[0]
    later = replace(board, sections=(replace(section, matches=section.matches + 1), *board.sections[1:]))
    boards = iter([None, board, board, later])
    out = io.StringIO()
    follow(lambda: next(boards), Console(file=out, width=80), every=0.0, looks=4)
    text = out.getvalue()
    assert text.count("prisoners-dilemma · ") == 2
    assert "108 matches" in text
    assert "109 matches" in text


def test_following_on_a_terminal_and_ctrl_c(board):
    def stop():
        raise KeyboardInterrupt

    boards = iter([lambda: board, stop])
    out = io.StringIO()
    follow(lambda: next(boards)(), Console(file=out, width=80, height=50, force_terminal=True), every=0.0)
    assert "hawk" in out.getvalue()
