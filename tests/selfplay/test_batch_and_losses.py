"""Batches compute what one conversation at a time would; losses against numbers by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import games
from arena.match import run_matches
from arena.records import Match
from policies.llm.base import load_base
from policies.llm.player import Decoding, LLMPolicy
from selfplay.batch import Batch, Decision, Talk, batches, sequences
from selfplay.config import TrainConfig
from selfplay.learner import Learner, Sums
from selfplay.losses import choices, clipped, divergence
from selfplay.table import turn_table


def batch_of(allowed: list[tuple[int, ...] | None], tokens: list[int]) -> Batch:
    decisions = tuple(Decision(i, t, a, -1.0, 1.0, i) for i, (t, a) in enumerate(zip(tokens, allowed, strict=True)))
    [batch] = batches([Talk(tuple(range(len(tokens))), decisions)], 1000)
    return batch


def test_choices_are_renormalised_over_what_was_allowed() -> None:
    logits = torch.tensor([[0.0, math.log(2), math.log(3), 9.0], [math.log(4), 0.0, 0.0, math.log(2)]])
    batch = batch_of([(0, 1, 2), None], [2, 0])
    found = choices(logits, batch, 1.0)
    assert found.logp_M.tolist() == pytest.approx([math.log(3 / 6), math.log(4 / 8)])
    entropy = -sum(p * math.log(p) for p in (1 / 6, 2 / 6, 3 / 6))
    free = -sum(p * math.log(p) for p in (4 / 8, 1 / 8, 1 / 8, 2 / 8))
    assert found.entropy_M.tolist() == pytest.approx([entropy, free])


def test_temperature_divides_the_logits() -> None:
    logits = torch.tensor([[0.0, math.log(4)]])
    assert choices(logits, batch_of([(0, 1)], [1]), 2.0).logp_M.exp().item() == pytest.approx(2 / 3)


def test_divergence_is_the_exact_kl() -> None:
    batch = batch_of([(0, 1), (0, 2, 3)], [0, 2])
    now = choices(torch.tensor([[0.0, 0, 0, 0], [math.log(2), 0, 0, 0]]), batch, 1.0)
    base = choices(torch.tensor([[0.0, math.log(3), 0, 0], [0.0, 0, 0, 0]]), batch, 1.0)
    expected = [
        0.5 * math.log(0.5 / 0.25) + 0.5 * math.log(0.5 / 0.75),
        0.5 * math.log(1.5) + 2 * 0.25 * math.log(0.75),
    ]
    assert divergence(now, base).tolist() == pytest.approx(expected)
    assert divergence(now, now).tolist() == pytest.approx([0, 0])


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "slope"),
    [
        (1.0, 2.0, -2.0, -2.0),
        (1.5, 2.0, -2.6, 0.0),  # clipped at 1.3: no further gain, no gradient
        (1.5, -2.0, 3.0, 3.0),  # too likely and bad: not clipped
        (0.5, 2.0, -1.0, -1.0),
        (0.5, -2.0, 1.6, 0.0),  # clipped at 0.8
    ],
)
def test_clipped_surrogate(ratio, advantage, loss, slope) -> None:
    logp = torch.tensor([math.log(ratio)], requires_grad=True)
    found = clipped(logp, torch.zeros(1), torch.tensor([advantage]), 0.2, 0.3)
    found.sum().backward()
    assert found.item() == pytest.approx(loss)
    assert logp.grad.item() == pytest.approx(slope)


@pytest.fixture(name="played", scope="module")
def played_matches():
    """(base, rows): conversations of a self-play batch in two decodings, with made-up advantages."""
    base = load_base("tiny")
    rows = []
    for decoding in (Decoding(), Decoding("free", max_new_tokens=24)):
        for spec in ("prisoners-dilemma:rounds=3", "trust-and-split:rounds=1"):
            game, policy = games.make(spec), LLMPolicy(base, None, decoding)
            plan = [Match(i, game, i, ("a", "a")) for i in range(6)]
            episodes = list(run_matches(plan, {"a": policy}, seed=2))
            table = turn_table(episodes, "a")
            rows += sequences(episodes, table, np.sin(np.arange(len(table)) + 1.0))
    return base, rows


def gradient(base, rows, chunk: int) -> tuple[torch.Tensor, Sums]:
    """The summed gradient of the first update on ``rows``."""
    torch.manual_seed(0)
    learner = Learner(base, TrainConfig(chunk_tokens=chunk, kl=0.1, entropy=0.05, lora_rank=4))
    for parameter in learner.parameters:
        parameter.data = torch.randn(parameter.shape) * 0.02
    sums = Sums()
    for batch in batches(rows, chunk):
        learner._loss(batch, 0, sums, first=True).backward()
    return torch.cat([p.grad.flatten() for p in learner.parameters]), sums


def test_shared_prefixes_and_merged_conversations_change_no_gradient(played) -> None:
    base, rows = played
    whole, _ = gradient(base, rows, 4096)
    single, _ = gradient(base, rows, 64)  # every conversation on its own
    assert whole.abs().max() > 1e-3
    assert torch.allclose(whole, single, atol=2e-5 * float(whole.abs().max()) + 1e-6)


def test_log_probabilities_recomputed_in_training_are_those_stored_in_play(played) -> None:
    base, rows = played
    learner = Learner(base, TrainConfig())  # B is zero: the adapter changes nothing yet
    sums = Sums()
    for batch in batches(rows, 2048):
        learner._loss(batch, 0, sums, first=True)
    assert sums.largest["logp_gap"] <= 1e-4
    assert sums.means()["kl"] == pytest.approx(0.0, abs=1e-6)


def test_equal_conversations_are_computed_once(played) -> None:
    _, rows = played
    once = sum(b.tokens for b in batches(rows, 4096))
    twice = batches([*rows, *rows], 4096)
    assert sum(b.tokens for b in twice) == once
    assert sum(len(b.token_M) for b in twice) == 2 * sum(len(r.decisions) for r in rows)


def test_only_the_adapter_learns_and_only_from_the_learners_turns() -> None:
    base = load_base("tiny")
    game = games.make("prisoners-dilemma:rounds=2")
    learner, frozen = LLMPolicy(base, None), LLMPolicy(base, None)
    episodes = list(run_matches([Match(0, game, 0, ("a", "b"))], {"a": learner, "b": frozen}, seed=2))
    rows = sequences(episodes, turn_table(episodes, "a"), np.ones(4))
    assert len(rows) == 1
    before = {n: p.clone() for n, p in base.model.named_parameters() if "lora" not in n}
    trained = Learner(base, TrainConfig(lora_rank=4))
    key = base.content(trained.adapter)
    trained.update(rows, 0)
    assert base.content(trained.adapter) != key
    assert all(torch.equal(p, before[n]) for n, p in base.model.named_parameters() if "lora" not in n)
