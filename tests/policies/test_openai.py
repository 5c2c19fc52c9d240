"""Models behind an API, against a real server on loopback that misbehaves in every way it can."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import arena
import games
import policies
from games import ArenaError, UsageError
from games.stream import POLICY, Stream
from policies import Reply, Turn

pytest.importorskip("openai", reason="pip install 'selfplay-arena[openai]'")
KEY = "sk-very-secret-12345"
Behaviour = Callable[[int], tuple[int, dict[str, str], str]]


def completion(text: str | None, **changes: Any) -> str:
    """The body of an answer as servers send it."""
    message = {"role": "assistant", "content": text, **changes.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **changes.pop("choice", {})}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage, **changes})


class FakeServer(ThreadingHTTPServer):
    """Answers ``/v1/chat/completions`` as told: ``behave(n)`` is status, headers and body of call number n."""

    daemon_threads = True

    def __init__(self, behave: Behaviour) -> None:
        self.behave, self.calls, self.headers = behave, [], []
        self.times: list[float] = []
        self.busy = self.busiest = 0
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def spec(self) -> str:
        return f"openai:some/model:8b@http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that hung up: what these tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: FakeServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server, body = self.server, self.rfile.read(int(self.headers["Content-Length"]))
        with server.lock:
            number = len(server.calls)
            server.calls.append({"path": self.path, **json.loads(body)})
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            server.times.append(time.monotonic())
            server.busy += 1
            server.busiest = max(server.busiest, server.busy)
        status, headers, text = server.behave(number)
        with server.lock:
            server.busy -= 1
        if not status:
            self.close_connection = True  # hang up without a word
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@pytest.fixture(name="serve")
def serving(monkeypatch) -> Iterator[Callable[[Behaviour], FakeServer]]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    running: list[FakeServer] = []

    def start(behave: Behaviour) -> FakeServer:
        server = FakeServer(behave)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def says(body: str, status: int = 200, **headers: str) -> Behaviour:
    return lambda number: (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def turn(match: int = 0, tick: int = 0, notice: str = "") -> Turn:
    game = games.make("prisoners-dilemma")
    state = game.start(Stream(1))
    seen, moves = game.observe(state, 0), game.moves(state, 0)
    return Turn(game, match, 0, tick, seen, moves, Stream(0, POLICY, match, 0, tick), notice)


def answer(server: FakeServer, options: str = "") -> Reply:
    [reply] = policies.make(f"{server.spec}?retries=2&timeout=5{options}").act([turn()])
    return reply


def test_a_whole_match_is_one_growing_conversation(serve) -> None:
    server = serve(says(completion("cooperate")))
    spec = f"{server.spec}?price_in=2&price_out=10"
    [episode] = arena.play("prisoners-dilemma:rounds=3", [spec, "tit-for-tat"])
    assert episode.payoffs == (9.0, 9.0)
    last = server.calls[-1]
    assert (last["path"], last["model"], last["max_tokens"]) == ("/v1/chat/completions", "some/model:8b", 1024)
    assert [m["role"] for m in last["messages"]] == ["system", *["user", "assistant"] * 2, "user"]
    assert last["messages"][0]["content"] == episode.match.game.rules(0)
    assert [m["content"] for m in last["messages"][1::2]] == [t.observation for t in episode.turns if t.seat == 0]
    mine = [t for t in episode.turns if t.seat == 0]
    assert [(t.prompt_tokens, t.completion_tokens) for t in mine] == [(100, 20)] * 3
    assert sum(t.cost for t in mine) == pytest.approx(3 * (100 * 2 + 20 * 10) / 1e6)
    assert all(t.seconds > 0 for t in mine)


def test_history_bounds_what_is_sent_again(serve) -> None:
    server = serve(says(completion("cooperate")))
    arena.play("prisoners-dilemma:rounds=5", [f"{server.spec}?history=1", "tit-for-tat"])
    assert max(len(call["messages"]) for call in server.calls) == 4  # rules, one exchange, the question


def test_server_errors_are_tried_again_with_growing_waits(serve) -> None:
    server = serve(lambda n: (500, {}, "{}") if n < 2 else (200, {}, completion("defect")))
    assert answer(server).text == "defect"
    first, second = server.times[1] - server.times[0], server.times[2] - server.times[1]
    assert 0.3 < first < second  # 0.5 s and 1 s, each shortened by up to a quarter


def test_a_rate_limit_waits_as_long_as_it_says(serve) -> None:
    server = serve(lambda n: (200, {}, completion("defect")) if n else (429, {"Retry-After": "0.9"}, "{}"))
    assert answer(server).text == "defect"
    assert 0.9 <= server.times[1] - server.times[0] < 3


def test_what_outlasts_the_retries_is_data(serve) -> None:
    quick = {"retry-after-ms": "1"}
    for status, words in ((500, "Error code: 500"), (429, "Error code: 429")):
        server = serve(lambda n, status=status: (status, quick, '{"error": {"message": "busy"}}'))
        reply = answer(server)
        assert words in reply.error
        assert len(server.calls) == 3  # one call and two retries


def test_a_hanging_server_is_a_timeout(serve) -> None:
    over = threading.Event()
    server = serve(lambda n: (over.wait(5), (0, {}, ""))[1])
    started = time.monotonic()
    [reply] = policies.make(f"{server.spec}?retries=0&timeout=0.2").act([turn()])
    assert "timed out: 0.2 s" in reply.error
    [reply] = policies.make(f"{server.spec}?retries=9&timeout=30&deadline=0.3").act([turn()])
    assert "within 0.3 s in all" in reply.error
    assert time.monotonic() - started < 4
    over.set()


def test_a_connection_that_breaks_is_data(serve) -> None:
    server = serve(lambda n: (0, {}, ""))
    [reply] = policies.make(f"{server.spec}?retries=0").act([turn()])
    assert "the call failed" in reply.error


@pytest.mark.parametrize(
    ("body", "error", "text"),
    [
        (completion(None, message={"refusal": "I don't play."}), "refused: I don't play.", ""),
        (completion("cooper", choice={"finish_reason": "length"}), "cut off at its token limit", "cooper"),
        (completion("x", choice={"finish_reason": "content_filter"}), "content filter", "x"),
        (completion("  "), "the reply is empty", "  "),
        (completion(None), "the reply is empty", ""),
        ("this is no JSON", "the server sent no JSON: 'this is no JSON'", ""),
        ("[" * 100_000, "the server sent no JSON", ""),
        ('{"choices": []}', "the server sent no message", ""),
        ('{"choices": [{"message": "hi"}]}', "the server sent no message", ""),
        ('{"choices": {"0": 1}, "usage": [1]}', "the server sent no message", ""),
        ("[1, 2]", "the server sent no message", ""),
        ("", "the server sent no JSON", ""),
        (completion("x", usage={"prompt_tokens": "lots", "completion_tokens": -4}), "", "x"),
        (completion([{"type": "text", "text": "def"}, {"text": "ect"}]), "", "defect"),
    ],
)
def test_refusals_and_malformed_answers_are_data(serve, body, error, text) -> None:
    reply = answer(serve(says(body)))
    assert reply.text == text
    assert error in reply.error
    assert bool(reply.error) == bool(error)


def test_a_refused_turn_counts_as_illegal_and_the_match_goes_on(serve) -> None:
    server = serve(lambda n: (200, {}, completion("defect") if n else completion(None, message={"refusal": "no"})))
    [episode] = arena.play("prisoners-dilemma:rounds=3", [server.spec, "always-cooperate"], illegal="random-legal")
    assert [t.illegal for t in episode.turns if t.seat == 0] == ["refused: no", "", ""]
    asked = [m["content"] for m in server.calls[1]["messages"]]
    assert len(asked) == 2  # rules, and one question that repeats what went unanswered
    assert asked[1].startswith(server.calls[0]["messages"][1]["content"])


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_or_model_stops_the_run(serve, status) -> None:
    server = serve(says('{"error": {"message": "no such thing"}}', status))
    with pytest.raises(ArenaError, match=r"no such thing.*check OPENAI_API_KEY"):
        policies.make(server.spec).act([turn(match) for match in range(5)])


def test_nobody_there_stops_the_run(serve) -> None:
    server = serve(says(""))
    spec = server.spec
    server.shutdown()
    server.server_close()
    with pytest.raises(ArenaError, match=r"nothing answers at http://127\.0\.0\.1"):
        policies.make(f"{spec}?retries=0").act([turn()])


def test_the_key_goes_to_the_server_and_nowhere_else(serve) -> None:
    """A server that sends the key back, in an answer, a refusal or an error, doesn't get it stored or shown."""
    echoes = [completion(f"defect {KEY}"), completion(None, message={"refusal": KEY, "reasoning_content": KEY})]
    policy = None
    for body in echoes:
        server = serve(says(body))
        policy = policies.make(server.spec)
        assert KEY not in repr(policy.act([turn()]))
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    server = serve(says(json.dumps({"error": {"message": f"bad key {KEY}"}}), 400))
    reply = answer(server)
    assert "bad key [OPENAI_API_KEY]" in reply.error
    with pytest.raises(ArenaError) as caught:
        policies.make(serve(says(json.dumps({"error": {"message": KEY}}), 401)).spec).act([turn()])
    assert KEY not in str(caught.value)
    assert KEY not in repr(policy)


def test_no_more_calls_at_once_than_asked_for(serve) -> None:
    def slow(number: int) -> tuple[int, dict[str, str], str]:
        time.sleep(0.05)
        return 200, {}, completion("defect")

    server = serve(slow)
    replies = policies.make(f"{server.spec}?concurrency=3").act([turn(match) for match in range(9)])
    assert [r.text for r in replies] == ["defect"] * 9
    assert 2 <= server.busiest <= 3


def test_replies_come_back_in_order(serve) -> None:
    server = serve(says(""))
    server.behave = lambda n: (
        time.sleep(0.02 * (n % 3)),
        (200, {}, completion(server.calls[n]["messages"][1]["content"])),
    )[1]
    policy = policies.make(server.spec)
    asked = [turn(match, notice=f"question {match}") for match in range(6)]
    assert [r.text for r in policy.act(asked)] == [f"question {match}" for match in range(6)]


@pytest.mark.parametrize(
    ("body", "thought"),
    [
        (completion("<think>They will defect.</think>\n\ndefect"), "They will defect."),
        (completion("They will defect.</think>defect"), "They will defect."),
        (completion("defect", message={"reasoning_content": "They will defect."}), "They will defect."),
        (completion("defect", message={"reasoning": "Hm."}), "Hm."),
    ],
)
def test_thinking_is_kept_apart_from_the_answer(serve, body, thought) -> None:
    server = serve(says(body))
    policy = policies.make(server.spec)
    [reply] = policy.act([turn()])
    assert (reply.text, reply.thought, reply.error) == ("defect", thought, "")
    policy.act([turn(tick=1)])
    assert server.calls[1]["messages"][2] == {"role": "assistant", "content": "defect"}


def test_options_are_sent(serve) -> None:
    server = serve(says(completion("defect")))
    answer(server, "&temperature=0.5&max_tokens=7&reasoning_effort=low&seed=true")
    sent = server.calls[0]
    assert (sent["temperature"], sent["max_tokens"], sent["reasoning_effort"]) == (0.5, 7, "low")
    assert type(sent["seed"]) is int
    answer(server)
    assert not {"temperature", "reasoning_effort", "seed"} & set(server.calls[1])


def test_it_plays_inside_a_running_event_loop(serve) -> None:
    import asyncio

    server = serve(says(completion("defect")))

    async def notebook() -> Reply:
        return answer(server)

    assert asyncio.run(notebook()).text == "defect"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("openai:", "write openai:MODEL@URL"),
        ("openai:@http://127.0.0.1/v1", "write openai:MODEL@URL"),
        ("openai:m@127.0.0.1/v1", "write openai:MODEL@URL"),
        ("openai:m@http:///v1", "is no URL"),
        ("openai:m@http://me:secret@127.0.0.1/v1", "would be stored; set OPENAI_API_KEY"),
        ("openai:m@http://127.0.0.1/v1?retry=1", 'did you mean "retries"'),
        ("openai:m@http://127.0.0.1/v1?retries", "is no option"),
        ("openai:m@http://127.0.0.1/v1?seed=maybe", "can't be read"),
        ("openai:m@http://127.0.0.1/v1?timeout=-1", "must lie between"),
        ("openai:m", "OPENAI_API_KEY is not set"),
    ],
)
def test_bad_specs_say_what_is_allowed(monkeypatch, spec, message) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match=message):
        policies.make(spec)


def test_without_the_client_the_line_that_installs_it_is_given(monkeypatch) -> None:
    monkeypatch.setattr("policies.openai.find_spec", lambda name: None)
    with pytest.raises(ArenaError, match=r"pip install 'selfplay-arena\[openai\]'"):
        policies.make("openai:m@http://127.0.0.1/v1")


def test_local_servers_need_no_key(serve, monkeypatch) -> None:
    server = serve(says(completion("defect")))
    monkeypatch.delenv("OPENAI_API_KEY")
    assert answer(server).text == "defect"
    assert "OPENAI_API_KEY" not in os.environ
