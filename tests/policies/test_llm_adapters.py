"""Adapters: PEFT folders that know their base, refused when they are not what they should be, never unpickled."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

import games
import policies
from games.errors import ArenaError, UsageError
from games.stream import NoChance
from policies import Turn
from policies.llm.base import TINY, load_base
from policies.llm.files import fingerprint


@pytest.fixture(name="folder")
def saved_adapter(tmp_path: Path) -> Path:
    """An adapter of llm:tiny with random weights, saved."""
    base = load_base("tiny")
    key = base.add(LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"), seed=3)
    rng = torch.Generator().manual_seed(5)
    base.set_weights(key, {n: torch.randn(w.shape, generator=rng) * 0.2 for n, w in base.weights(key).items()})
    base.save(key, tmp_path / "adapter")
    return tmp_path / "adapter"


def first_move(spec: str) -> dict[str, float]:
    game, policy = games.make("prisoners-dilemma"), policies.make(spec)
    state = game.start(NoChance())
    [found] = policy.probabilities([Turn(game, 0, 0, 0, game.observe(state, 0), game.moves(state, 0), NoChance())])
    return found


def test_an_adapter_plays_differently_and_the_base_stays_as_it_was(folder) -> None:
    before = first_move("llm:tiny")
    adapted = first_move(f"llm:tiny+{folder}")
    assert abs(adapted["cooperate"] - before["cooperate"]) > 1e-3
    assert first_move("llm:tiny") == before


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")  # peft itself, called directly
def test_a_saved_adapter_is_what_peft_itself_loads(folder) -> None:
    """Logits through our policy equal those of a model put together by peft and transformers alone."""
    policy = policies.make(f"llm:tiny+{folder}")
    ids = torch.tensor([policy.base.chat.opening("The rules.")])
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(str(TINY)), str(folder)).eval()
    policy.base.use(policy.adapter)
    with torch.no_grad():
        assert torch.allclose(model(ids).logits, policy.base.model(ids).logits, atol=1e-5)


def test_the_first_adapter_of_a_process_loads_without_a_word(folder) -> None:
    code = f"import policies; print(policies.make('llm:tiny+{folder}').kind)"
    done = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "adapter\n"
    assert "UserWarning" not in done.stderr


def test_two_adapters_of_one_base_do_not_mix(folder, tmp_path) -> None:
    base = load_base("tiny")
    key = base.load(folder)
    weights = {n: -w for n, w in base.weights(key).items() if "lora_B" in n}
    other = base.add(LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"))
    base.set_weights(other, {**base.weights(key), **weights})
    base.save(other, tmp_path / "other")
    first, second = first_move(f"llm:tiny+{folder}"), first_move(f"llm:tiny+{tmp_path / 'other'}")
    assert first != second
    assert first_move(f"llm:tiny+{folder}") == first


def test_an_adapter_of_another_base_is_refused(folder) -> None:
    about = json.loads((folder / "arena.json").read_text())
    assert about["base_sha256"] == fingerprint(TINY)
    (folder / "arena.json").write_text(json.dumps({**about, "base": "huge", "base_sha256": "0" * 64}))
    with pytest.raises(UsageError, match='was trained on base "huge"'):
        policies.make(f"llm:tiny+{folder}")


def test_shapes_that_do_not_fit_are_refused_in_one_line(folder) -> None:
    config = json.loads((folder / "adapter_config.json").read_text())
    (folder / "adapter_config.json").write_text(json.dumps({**config, "r": 8}))
    with pytest.raises(UsageError, match="does not fit"):
        policies.make(f"llm:tiny+{folder}")


class Bomb:
    def __reduce__(self):
        return (Path.touch, (Path("exploded"),))


def test_nothing_is_unpickled(folder, tmp_path, monkeypatch) -> None:
    """A pickled adapter is refused unread, and one lying beside the safetensors is left alone."""
    monkeypatch.chdir(tmp_path)
    bomb = pickle.dumps(Bomb())
    (folder / "adapter_model.bin").write_bytes(bomb)
    policies.make(f"llm:tiny+{folder}")
    (folder / "adapter_model.safetensors").unlink()
    with pytest.raises(UsageError, match=r"adapter_model\.safetensors is missing"):
        policies.make(f"llm:tiny+{folder}")
    (folder / "adapter_model.safetensors").write_bytes(bomb)
    with pytest.raises(UsageError, match="no safetensors"):
        policies.make(f"llm:tiny+{folder}")
    model = tmp_path / "model"
    model.mkdir()
    for path in TINY.iterdir():
        if path.suffix == ".json" or path.suffix == ".jinja":
            (model / path.name).write_bytes(path.read_bytes())
    (model / "pytorch_model.bin").write_bytes(bomb)
    with pytest.raises(UsageError, match="can't be loaded"):
        policies.make(f"llm:{model}")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("content", ["", "{", '{"peft_type": "IA3"}', "[]"])
def test_broken_adapter_configurations_are_refused_in_one_line(folder, content) -> None:
    (folder / "adapter_config.json").write_text(content)
    with pytest.raises(UsageError):
        policies.make(f"llm:tiny+{folder}")


def test_a_snapshot_is_never_overwritten(folder) -> None:
    base = load_base("tiny")
    before = load_file(str(folder / "adapter_model.safetensors"))
    with pytest.raises(ArenaError, match="never overwritten"):
        base.save(base.load(folder), folder)
    after = load_file(str(folder / "adapter_model.safetensors"))
    assert all(torch.equal(after[n], before[n]) for n in before)


def test_fresh_adapters_of_one_seed_are_equal_and_change_nothing() -> None:
    base = load_base("tiny")
    state = torch.random.get_rng_state()
    config = {"r": 4, "lora_alpha": 8, "target_modules": "all-linear", "task_type": "CAUSAL_LM"}
    one, two, other = (base.add(LoraConfig(**config), seed=s) for s in (1, 1, 2))
    assert base.content(one) == base.content(two) != base.content(other)
    assert torch.equal(torch.random.get_rng_state(), state)  # nobody's global randomness is touched
    ids = torch.tensor([base.chat.opening("Rules.")])
    with torch.no_grad():
        base.use(None)
        plain = base.model(ids).logits
        base.use(one)
        assert torch.equal(base.model(ids).logits, plain)


def test_tiny_is_small_and_loads_with_plain_transformers() -> None:
    assert sum(p.stat().st_size for p in TINY.iterdir()) <= 12_000_000
    model, tokenizer = AutoModelForCausalLM.from_pretrained(str(TINY)), AutoTokenizer.from_pretrained(str(TINY))
    rules = {"role": "system", "content": games.make("kuhn-poker").rules(0)}
    ids = tokenizer.apply_chat_template(
        [rules, {"role": "user", "content": "You hold the king. Check or bet?"}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    out = model.generate(**ids, max_new_tokens=4, do_sample=False)
    assert tokenizer.decode(out[0, ids["input_ids"].shape[1] :], skip_special_tokens=True) in ("check", "bet")
    about = json.loads((TINY / "arena.json").read_text())
    assert about["config"]["version"] >= 1
