"""The command line: what it prints, what it refuses and with which exit code."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

import arena
from arena import demo
from arena.cli import COMMANDS, main
from policies import Reply, Script

DILEMMA = "prisoners-dilemma:rounds=2"
EVIL = "\x1b[31m[bold]evil[/bold]\u202e"


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "arena.sqlite"
    arena.tournament(DILEMMA, ["tit-for-tat", "always-defect"], deals=1, store=path).close()
    return str(path)


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def json_of(capsys, *words: str):
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    return json.loads(out)


def test_help_lists_every_command(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(f"  {name} " in out for name in COMMANDS)


def test_no_command_is_a_usage_error(capsys):
    code, out, err = run(capsys)
    assert (code, out) == (2, "")
    assert "usage: arena" in err


def test_games(capsys):
    code, out, _ = run(capsys, "games")
    assert code == 0
    assert "kuhn-poker" in out
    assert {g["name"] for g in json_of(capsys, "games")} >= {"kuhn-poker", "prisoners-dilemma", "trust-and-split"}


def test_one_game(capsys):
    code, out, _ = run(capsys, "games", DILEMMA)
    assert code == 0
    assert "rounds" in out
    assert "cooperate" in out
    facts = json_of(capsys, "games", DILEMMA)
    assert facts["max_ticks"] == 2
    assert {k: v for k, v in facts["options"][0].items() if k != "help"} == {"name": "rounds", "value": 2}


def test_policies(capsys):
    code, out, _ = run(capsys, "policies")
    assert code == 0
    assert "tit-for-tat" in out
    names = {p["spec"].partition(":")[0] for p in json_of(capsys, "policies", "--game", "kuhn-poker")}
    assert {"random", "kuhn-nash", "llm", "human"} <= names
    assert "tit-for-tat" not in names
    assert json_of(capsys, "policies", "tit-for-tat")["spec"] == "tit-for-tat"


def test_play_shows_the_match(capsys):
    code, out, _ = run(capsys, "play", DILEMMA, "always-defect", "always-cooperate")
    assert code == 0
    assert "always-defect (seat 0): defect" in out
    assert "always-defect 10, always-cooperate 0" in out


def test_play_as_json_lines(capsys):
    code, out, _ = run(capsys, "play", DILEMMA, "always-defect", "always-cooperate", "--matches", "3", "--json")
    assert code == 0
    assert [json.loads(line)["payoffs"] for line in out.splitlines()] == [[10.0, 0.0]] * 3


def test_a_person_takes_the_open_seat(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("defect\nnonsense\ndefect\n"))
    code, out, _ = run(capsys, "play", DILEMMA, "always-cooperate")
    assert code == 0
    assert "legal is one of: cooperate, defect" in out
    assert "human 10, always-cooperate 0" in out


def test_a_person_may_leave(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("defect\n"))
    code, _, err = run(capsys, "play", DILEMMA, "always-cooperate")
    assert code == 0
    assert "you left" in err


def test_tournament_prints_the_leaderboard(capsys, tmp_path):
    path = str(tmp_path / "new" / "arena.sqlite")
    words = ["tournament", DILEMMA, "good=tit-for-tat", "always-defect", "--deals", "2", "--store", path]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "good" in out
    again = run(capsys, *words)
    assert (again[0], again[1]) == (0, out)
    assert "8 of 8 matches are finished already" in again[2]
    board = json_of(capsys, "leaderboard", path)
    first = board["games"][0]["standings"][0]  # it earns (1 + 3) / 2 a round, the other (3 + 0.5) / 2
    assert (first["entrant"], first["payoff"]) == ("always-defect", 2.0)


def test_leaderboard_as_a_picture(capsys, store, tmp_path):
    picture = tmp_path / "board.svg"
    assert run(capsys, "leaderboard", store, "--svg", str(picture)) == (0, "", "")
    assert "tit-for-tat" in picture.read_text().replace("&#45;", "-")
    code, _, err = run(capsys, "leaderboard", store, "--svg", str(tmp_path / "no" / "board.svg"))
    assert code == 1
    assert "can't write" in err


def test_tournament_of_several_games(capsys):
    board = json_of(capsys, "tournament", DILEMMA, "stag-hunt:rounds=2", "random", "--deals", "1")
    assert [g["game"] for g in board["games"]] == [DILEMMA, "stag-hunt:rounds=2"]


def test_tournament_from_a_file_with_flags_over_it(capsys, tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(f'games = ["{DILEMMA}"]\ndeals = 3\n[entrants]\nme = "random"\nyou = "grim"\n')
    board = json_of(capsys, "tournament", "--config", str(path), "--deals", "1")
    assert board["games"][0]["matches"] == 4
    assert {s["entrant"] for s in board["games"][0]["standings"]} == {"me", "you"}


def test_replay_lists_and_shows(capsys, store, tmp_path):
    code, out, _ = run(capsys, "replay", store)
    assert code == 0
    assert "always-defect vs tit-for-tat" in out
    code, out, _ = run(capsys, "replay", store, "2")
    assert "always-defect (seat 0): defect" in out
    assert "finished after 2 rounds: always-defect 6, tit-for-tat 1" in out
    assert json_of(capsys, "replay", store, "2")["payoffs"] == [6.0, 1.0]
    assert [r["id"] for r in json_of(capsys, "replay", store, "--entrant", "tit-for-tat")] == [2, 3, 4]
    code, out, _ = run(capsys, "replay", store, "--export", str(tmp_path / "m.jsonl"))
    assert (code, len((tmp_path / "m.jsonl").read_text().splitlines())) == (0, 4)


def test_train_lists_its_presets(capsys):
    listed = json_of(capsys, "train", "--list")
    assert {"reinforce", "mars", "advantage-alignment"} <= {p["name"] for p in listed["presets"]}
    assert {"ipd-aligned", "ipd-selfish", "kuhn"} <= {r["name"] for r in listed["recipes"]}
    gigpo = next(p for p in listed["presets"] if p["name"] == "gigpo")
    assert gigpo["needs"] == ["groups", "states"]
    assert gigpo["options"]["weight"] == 1.0
    assert "2505.10978" in gigpo["paper"]


def test_a_dry_run_shows_the_settings_and_leaves_nothing(capsys, tmp_path):
    folder = tmp_path / "run"
    words = ["--game", "prisoners-dilemma:rounds=1", "--matches", "2", "--steps", "5", "--out", str(folder)]
    planned = json_of(capsys, "train", "--dry-run", *words)
    assert planned["config"]["steps"] == 5
    assert planned["minutes"] == pytest.approx(planned["seconds_per_step"] * 5 / 60)
    assert planned["seconds_per_step"] > 0
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tournamnt"], 'no command "tournamnt" — did you mean "tournament"'),
        (["games", "kuhn"], 'did you mean "kuhn-poker"'),
        (["games", "kuhn-poker:suits=4"], "kuhn-poker has no options"),
        (["policies", "tit-for-tatt"], 'did you mean "tit-for-tat"'),
        (["policies", "--game", "kuhn"], 'did you mean "kuhn-poker"'),
        (["tournament", "tit-for-tat", "grim"], 'no game "tit-for-tat"'),
        (["tournament", "kuhn-poker"], "nobody to play"),
        (["tournament"], "no game to play"),
        (["tournament", "kuhn-poker", "random", "--deals", "0"], "deals=0"),
        (["tournament", "kuhn-poker", "random", "--deal", "3"], "did you mean --deals"),
        (["tournament", "kuhn-poker", "random", "--deals", "few"], "whole number"),
        (["tournament", "kuhn-poker", "tit-for-tat"], "can't play kuhn-poker"),
        (["tournament", "kuhn-poker", "random", "--config", "/nowhere.toml"], "can't read /nowhere.toml"),
        (["play", "kuhn-poker"], "required: SPEC"),
        (["play", "kuhn-poker", "random", "random", "random"], "2 seats, not 3"),
        (["play", "kuhn-poker", "random", "--matches", "x"], "whole number"),
        (["play", "kuhn-poker", "random", "random", "--matches", "0"], "give 1 or more"),
        (["play", "kuhn-poker", "llm:", "random"], "names no base model"),
        (["play", "kuhn-poker", "llm:tiny+/nonexist", "random"], "is no adapter folder"),
        (["leaderboard", "/nowhere.sqlite"], "there is no store"),
        (["replay", "/nowhere.sqlite"], "there is no store"),
        (["train", "--stepz", "3"], "did you mean --steps"),
        (["train", "--steps", "0"], "steps=0"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_two(capsys, words, message):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("arena: ")


def test_an_unknown_match_or_entrant_of_a_store(capsys, store):
    code, _, err = run(capsys, "replay", store, "77")
    assert code == 2
    assert "numbered 1 to 4" in err
    code, _, err = run(capsys, "replay", store, "--entrant", "tit-for-tatt")
    assert code == 2
    assert 'did you mean "tit-for-tat"' in err


def test_a_failure_is_exit_code_one(capsys, tmp_path):
    (tmp_path / "x.sqlite").write_text("no database at all, but long enough to be read as one" * 20)
    code, _, err = run(capsys, "leaderboard", str(tmp_path / "x.sqlite"))
    assert code == 1
    assert "no store" in err
    assert err.count("\n") == 1


def test_another_configuration_is_exit_code_two(capsys, store):
    code, _, err = run(capsys, "tournament", DILEMMA, "tit-for-tat", "--deals", "1", "--store", store)
    assert code == 2
    assert 'entrants.always-defect: "always-defect" there, nothing now' in err
    assert "tit-for-tat:" not in err


def test_text_of_players_is_shown_inert(capsys, tmp_path):
    class Evil(Script):
        name = EVIL

        def act(self, turns):
            return [Reply(EVIL, thought=EVIL) for _ in turns]

    path = str(tmp_path / "arena.sqlite")
    arena.tournament(["kuhn-poker", "trust-and-split:rounds=1"], [Evil(), "random"], deals=1, store=path).close()
    shown = [["replay", path], ["replay", path, "1"], ["replay", path, "2"], ["leaderboard", path]]
    for words in [*shown, ["replay", path, "1", "--json"]]:
        code, out, _ = run(capsys, *words)
        assert code == 0
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "[bold]evil[/bold]" in out


def test_an_error_message_is_shown_inert(capsys):
    code, _, err = run(capsys, "games", EVIL)
    assert code == 2
    assert "\x1b" not in err
    assert "\\x1b[31m[bold]evil[/bold]" in err


def test_ctrl_c_is_one_line(capsys, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.tournaments.tournament", stop)
    code, _, err = run(capsys, "tournament", "kuhn-poker", "random")
    assert code == 130
    assert err.count("\n") == 1


def test_the_demo_prints_each_command_and_stops_at_the_first_that_fails(capsys):
    assert demo.run([("games", "kuhn-poker"), ("games", "kuhn"), ("policies",)]) == 2
    captured = capsys.readouterr()
    assert [line for line in captured.out.splitlines() if line.startswith("$")] == [
        "$ arena games kuhn-poker",
        "$ arena games kuhn",
    ]
    assert "did you mean" in captured.err


def test_the_demo_ends_with_what_to_look_at_next(capsys):
    assert demo.run([("games", "kuhn-poker")]) == 0
    assert "arena replay runs/demo/arena.sqlite 1" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["policies", "--json"], ["--help"], ["games"]])
def test_a_closed_pipe_is_no_traceback(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "arena", *words]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == ""


def test_closed_output_is_no_traceback():
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m arena games >&-"], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
