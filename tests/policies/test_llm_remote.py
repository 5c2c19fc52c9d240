"""Models whose engine is elsewhere play as those of this process do: behind HTTP, and in (a stand-in for) vLLM."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch

import arena
import games
import policies
from games import ArenaError, UsageError
from games.stream import CHANCE, POLICY, Stream, skip, uniform_array
from policies import Turn
from policies.llm.base import load_base
from policies.llm.remote import local_vllm, split_engine
from policies.llm.serving.models import Models
from policies.llm.trie import Trie, pick_by_cdf

pytest.importorskip("openai", reason="pip install 'selfplay-arena[openai]'")
pytest.importorskip("uvicorn", reason="pip install 'selfplay-arena[serve]'")
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from policies.llm.serving.app import application
from policies.llm.serving.server import Server


@pytest.fixture(scope="module")
def adapters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adapters")
    save_adapter(load_base("tiny"), folder / "one", 1)
    return folder


@pytest.fixture(scope="module")
def server(adapters) -> Iterator[Server]:
    models = Models.of(["llm:tiny"], str(adapters))
    with Server(application(models)) as running:
        yield running
    models.close()


def save_adapter(base, path, seed: int) -> None:
    """An adapter that changes what the base says (its B matrices start at zero and would change nothing)."""
    from peft import LoraConfig

    key = base.add(LoraConfig(r=4, lora_alpha=64, target_modules="all-linear", task_type="CAUSAL_LM"), seed=seed)
    rng = torch.Generator().manual_seed(seed)
    base.set_weights(key, {n: 0.2 * torch.randn(w.shape, generator=rng) for n, w in base.weights(key).items()})
    base.save(key, path)


def turn(game: str = "kuhn-poker") -> Turn:
    made = games.make(game)
    state = made.start(Stream(0, CHANCE, 0, 0))
    [seat] = made.to_move(state)[:1]
    return Turn(made, 0, seat, 0, made.observe(state, seat), made.moves(state, seat), Stream(0, POLICY, 0, seat, 0))


def same_matches(game: str, here: str, there: str, matches: int = 3) -> None:
    """Both specs play the same matches, token by token, with the same log-probabilities."""
    ours, theirs = (arena.play(game, [spec] * 2, matches=matches, seed=3) for spec in (here, there))
    for a, b in zip(ours, theirs, strict=True):
        for x, y in zip(a.turns, b.turns, strict=True):
            assert (x.reply, x.thought, x.move) == (y.reply, y.thought, y.move)
            s, t = x.sample, y.sample
            assert (s.prompt_ids, s.reply_ids, s.allowed, s.fresh, s.thought) == (
                t.prompt_ids, t.reply_ids, t.allowed, t.fresh, t.thought,
            )  # fmt: skip
            assert s.logprobs == pytest.approx(t.logprobs, abs=1e-4)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("prisoners-dilemma:rounds=3", ""),
        ("prisoners-dilemma:rounds=2", "?decode=free&temperature=0.7"),
        ("prisoners-dilemma:rounds=2", "?think=12"),
        ("tic-tac-toe", "?temperature=2"),
        ("trust-and-split:rounds=1", ""),  # messages are free text
    ],
)
def test_a_served_model_plays_the_same_matches_token_by_token(server, game, options) -> None:
    same_matches(game, f"llm:tiny{options}", f"llm:tiny@{server.url}{options}")


def test_an_adapter_is_published_and_plays(server, adapters) -> None:
    spec = f"llm:tiny+{adapters / 'one'}"
    same_matches("kuhn-poker", spec, f"{spec}@{server.url}")
    assert policies.make(f"{spec}@{server.url}").fingerprint != policies.make(f"llm:tiny@{server.url}").fingerprint
    plain, tuned = (policies.make(s).probabilities([turn()])[0] for s in ("llm:tiny", f"{spec}@{server.url}"))
    assert max(abs(plain[move] - tuned[move]) for move in plain) > 0.01


@pytest.mark.parametrize("game", ["kuhn-poker", "tic-tac-toe", "goofspiel"])
def test_probabilities_are_exact(server, game) -> None:
    [here], [there] = (
        policies.make(spec).probabilities([turn(game)]) for spec in ("llm:tiny", f"llm:tiny@{server.url}")
    )
    assert there == pytest.approx(here, abs=1e-5)
    with pytest.raises(UsageError, match="only in constrained decoding"):
        policies.make(f"llm:tiny@{server.url}?decode=free").probabilities([turn(game)])


def test_skipped_draws_are_later_draws() -> None:
    key = np.asarray(Stream(1, 2, 3).key, np.uint64)
    moved = np.asarray(skip(int(key), 1 << 20), np.uint64)
    assert [float(uniform_array(moved, k)) for k in range(3)] == [
        float(uniform_array(key, (1 << 20) + k)) for k in range(3)
    ]


def test_a_trie_tells_its_ways() -> None:
    trie = Trie({"ab": (1, 2, 9), "ac": (1, 3, 9), "d": (4, 9)})
    ways = {trie.ids_to(node): trie.allowed(node) for node in trie.branches}
    assert ways == {(): (1, 4), (1,): (2, 3)}
    assert trie.text(trie.child(trie.child(0, 4), 9)) == "d"
    assert trie.text(0) is None


@pytest.mark.parametrize(
    ("rest", "parts"),
    [
        ("tiny", ("tiny", "")),
        ("tiny+runs/a@b?think=3", ("tiny+runs/a@b?think=3", "")),
        ("tiny@vllm", ("tiny", "vllm")),
        ("a/b+runs/x@vllm?loras=2", ("a/b+runs/x?loras=2", "vllm")),
        ("tiny@http://h:1/v1?decode=free", ("tiny?decode=free", "http://h:1/v1")),
    ],
)
def test_engines_are_read_off_specs(rest, parts) -> None:
    assert split_engine(rest) == parts


def completions(**choice) -> Starlette:
    """A server that answers every completion alike, and says what its model is."""

    async def complete(request) -> JSONResponse:
        body = await request.json()
        prompts = body["prompt"] if isinstance(body["prompt"][0], list) else [body["prompt"]]
        return JSONResponse({"choices": [{"index": i, **choice} for i, _ in enumerate(prompts)]})

    async def models(request) -> JSONResponse:
        return JSONResponse({"data": [{"id": "tiny"}]})

    return Starlette(
        routes=[Route("/v1/completions", complete, methods=["POST"]), Route("/v1/models", models, methods=["GET"])]
    )


TOP = {"token_logprobs": [-0.5], "top_logprobs": [{"token_id:5": -0.5}]}


@pytest.mark.parametrize(
    ("choice", "options", "words"),
    [
        ({"text": "x"}, "?decode=free", "sends no token ids"),
        ({"text": "x", "token_ids": [5, 6], "logprobs": TOP}, "?decode=free", "sends no token ids"),
        ({"token_ids": [5], "logprobs": TOP}, "", "--logprobs-mode processed_logprobs"),
        ({"token_ids": [5], "logprobs": TOP}, "?decode=free&temperature=2", "from before temperature=2"),
    ],
)
def test_servers_that_tell_too_little_are_refused(choice, options, words) -> None:
    with Server(completions(**choice)) as running, pytest.raises(ArenaError, match=words):
        policies.make(f"llm:tiny@{running.url}{options}").act([turn()])


def test_bad_specs_say_what_to_do(server, adapters, monkeypatch) -> None:
    for spec, words in (
        (f"llm:tiny@{server.url}?served=other", 'has no model "other", but: .*tiny'),
        (f"llm:nothing-here@{server.url}?served=tiny", 'before "@" stands the base'),
        (f"llm:tiny+{adapters}@{server.url}", "is no adapter folder"),
        (f"llm:tiny@{server.url}?loras=2", 'no llm option "loras"'),
        (f"llm:tiny@{server.url}?concurrency=0", "must lie between"),
        ("llm:tiny@http://127.0.0.1:9/v1?retries=0", "nothing answers at"),
        (f"llm:tiny@{server.url.removesuffix('/v1')}?served=tiny", "most servers answer at http://HOST:PORT/v1"),
        ("llm:tiny@http://me:pw@127.0.0.1/v1", "would be stored"),
    ):
        with pytest.raises(ArenaError, match=words):
            policies.make(spec)
    with pytest.raises(ArenaError, match=r"pip install 'selfplay-arena\[vllm\]'"):
        policies.make("llm:tiny@vllm")
    monkeypatch.setattr("policies.llm.remote.find_spec", lambda name: None)
    with pytest.raises(ArenaError, match=r"pip install 'selfplay-arena\[openai\]'"):
        policies.make(f"llm:tiny@{server.url}")


def test_an_adapter_out_of_the_servers_sight_says_where_it_must_lie(server, tmp_path) -> None:
    save_adapter(load_base("tiny"), tmp_path / "elsewhere", 7)
    with pytest.raises(ArenaError, match="--adapters FOLDER, and let the run's folder"):
        policies.make(f"llm:tiny+{tmp_path / 'elsewhere'}@{server.url}").act([turn()])


@dataclass(frozen=True)
class LoRARequest:
    """vLLM's, as its documentation has it."""

    lora_name: str
    lora_int_id: int
    lora_path: str


class LLM:
    """Computes as vLLM says it does, one token after the other with nothing kept, and records what it is asked."""

    started: tuple[dict, ...] = ()

    def __init__(self, **settings) -> None:
        type(self).started = (*self.started, settings)
        self.calls: list[tuple] = []
        self.removed: list[int] = []
        config = SimpleNamespace(max_model_len=4096)
        self.llm_engine = SimpleNamespace(model_config=config, remove_lora=self.removed.append)

    def generate(self, prompts, sampling_params, *, lora_request, use_tqdm):
        assert len(prompts) == len(sampling_params) == len(lora_request)
        self.calls.append((prompts, sampling_params, lora_request))
        return [self.one(*row) for row in zip(prompts, sampling_params, lora_request, strict=True)]

    def one(self, prompt, params, lora):
        base, ids, logps = load_base("tiny"), [], []
        base.use(base.load(lora.lora_path) if lora else None)
        while len(ids) < params.max_tokens:
            with torch.no_grad():
                x = base.model(input_ids=torch.tensor([prompt["prompt_token_ids"] + ids])).logits[0, -1].double()
            if params.allowed_token_ids:
                mask = torch.full_like(x, -torch.inf)
                mask[params.allowed_token_ids] = 0
                x = x + mask
            x = (x / params.temperature).log_softmax(-1)
            token = pick_by_cdf(
                x.exp().numpy(), float(uniform_array(np.asarray(params.seed % 2**64, np.uint64), len(ids)))
            )
            top = {int(i): SimpleNamespace(logprob=float(x[i])) for i in x.topk(params.logprobs).indices}
            ids.append(token)
            logps.append({**top, token: SimpleNamespace(logprob=float(x[token]))})
            if token in (params.stop_token_ids or ()):
                break
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=ids, logprobs=logps)])


@pytest.fixture
def vllm(monkeypatch) -> Iterator[type[LLM]]:
    fake = ModuleType("vllm")
    fake.__spec__ = ModuleSpec("vllm", None)
    fake.LLM, fake.SamplingParams = LLM, SimpleNamespace
    request = ModuleType("vllm.lora.request")
    request.LoRARequest = LoRARequest
    for name, module in (("vllm", fake), ("vllm.lora", ModuleType("vllm.lora")), ("vllm.lora.request", request)):
        monkeypatch.setitem(sys.modules, name, module)
    local_vllm.started.cache_clear()
    yield LLM
    local_vllm.started.cache_clear()


def test_vllm_plays_the_same_matches_with_adapters_swapped(vllm, adapters) -> None:
    same_matches("kuhn-poker", "llm:tiny", "llm:tiny@vllm", matches=2)
    same_matches("kuhn-poker", f"llm:tiny+{adapters / 'one'}", f"llm:tiny+{adapters / 'one'}@vllm", matches=2)
    same_matches("prisoners-dilemma:rounds=1", "llm:tiny?decode=free", "llm:tiny@vllm?decode=free", matches=2)
    [settings] = vllm.started[-1:]
    assert settings["enable_lora"]
    assert settings["logprobs_mode"] == "processed_logprobs"
    assert settings["generation_config"] == "vllm"
    assert len(vllm.started) == 1  # one engine for all of them
    remote = policies.make("llm:tiny@vllm").remote
    [name] = remote.published()
    assert {request.lora_name for *_, loras in remote._llm.calls for request in loras if request} == {name}
    remote.retire(name)
    remote.publish(name, adapters / "one")
    assert remote._llm.removed == [1]
    assert remote._adapters[name].lora_int_id == 2  # never a number that caches know


def test_bases_and_their_adapters_are_asked_in_one_batch(vllm, adapters) -> None:
    specs = ["llm:tiny@vllm", f"llm:tiny+{adapters / 'one'}@vllm"]
    arena.play("prisoners-dilemma:rounds=1", specs, matches=3)
    calls = policies.make(specs[0]).remote._llm.calls
    assert len(calls) == 1
    assert [bool(lora) for lora in calls[0][2]].count(True) == 3
