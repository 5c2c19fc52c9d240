"""``arena serve`` as a command: its words, its start and its end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from arena.cli import main
from arena.serving import ServeConfig

pytest.importorskip("uvicorn", reason="pip install 'selfplay-arena[serve]'")


def test_it_listens_on_loopback_answers_and_ends_with_ctrl_c() -> None:
    words = [sys.executable, "-m", "arena", "serve", "mine=llm:tiny", "--port", "0", "--json", "--threads", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.rstrip().endswith("}"):
            text += process.stdout.readline() or pytest.fail(process.stderr.read())
        found = json.loads(text)
        assert found["models"] == ["mine"]
        assert found["url"].startswith("http://127.0.0.1:")
        port = int(found["url"].removesuffix("/v1").rpartition(":")[2])
        link = HTTPConnection("127.0.0.1", port, timeout=20)
        link.request("GET", "/v1/models")
        assert json.loads(link.getresponse().read())["data"][0]["id"] == "mine"
        link.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read().splitlines()[-1] == "stopped"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["tit-for-tat"], "only language models answer messages"),
        (["llm:tiny", "--port", "70000"], "must lie between 0 and 65,535"),
        (["llm:tiny", "--adapters", "/nowhere"], '"/nowhere" is no folder'),
        (["llm:tiny", "--key", "NOT_SET_ANYWHERE"], "export ARENA_KEY"),
        ([], "required: SPEC"),
    ],
)
def test_words_that_are_off_are_one_line(words, line, capsys) -> None:
    assert main(["serve", *words]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert line in said


def test_a_port_that_is_taken_is_said(capsys) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "llm:tiny", "--port", str(taken.getsockname()[1])]) == 1
    assert "choose another" in capsys.readouterr().err


def test_without_the_library_the_line_that_installs_it_is_given(monkeypatch, capsys) -> None:
    monkeypatch.setattr("arena.serving.find_spec", lambda name: None)
    assert main(["serve", "llm:tiny"]) == 1
    assert "pip install 'selfplay-arena[serve]'" in capsys.readouterr().err


def test_a_key_mistaken_for_its_variable_is_not_repeated(capsys) -> None:
    assert main(["serve", "llm:tiny", "--key", "sk-secret-4711"]) == 2
    assert "4711" not in "".join(capsys.readouterr())
    assert not ServeConfig(models=("llm:tiny",), host="0.0.0.0").is_local


def test_a_tournament_is_watched_while_it_runs(tmp_path) -> None:
    from starlette.applications import Starlette

    import arena
    from arena.watching import routes
    from games import UsageError
    from policies.llm.serving.server import Server

    path = tmp_path / "t.sqlite"
    with pytest.raises(UsageError, match="there is no store"):
        routes(str(path))
    store = arena.tournament("kuhn-poker", ["nash", "random"], deals=2, store=path)
    rows = list(store.matches())
    with Server(Starlette(routes=routes(str(path)))) as server:

        def get(where: str):
            link = HTTPConnection(server.host, server.port, timeout=20)
            link.request("GET", where)
            answered = link.getresponse()
            found = json.loads(answered.read())
            link.close()
            return answered.status, found

        status, page = get("/arena/matches?limit=3")
        assert (status, [m["id"] for m in page["data"]]) == (200, [row.id for row in rows[:3]])
        assert page["data"][0]["payoffs"] == list(rows[0].payoffs)
        _, rest = get(f"/arena/matches?after={rows[2].id}")
        assert [m["id"] for m in rest["data"]] == [row.id for row in rows[3:]]
        _, episode = get(f"/arena/matches/{rows[0].id}")
        assert [turn["move"] for turn in episode["turns"]] == [turn.move for turn in store.episode(rows[0].id).turns]
        assert get("/arena/matches/987654")[0] == 404
        assert get("/arena/matches?after=x")[0] == 400
