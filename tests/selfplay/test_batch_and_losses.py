"""Batches compute what one conversation at a time would; losses against numbers by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

import games
from arena.match import run_matches
from arena.records import Episode, Match, TurnRecord
from games.errors import BadOption
from policies import Sample
from policies.llm.base import load_base
from policies.llm.player import Decoding, LLMPolicy
from selfplay.batch import Batch, Decision, Talk, batches, sequences
from selfplay.config import TrainConfig
from selfplay.correction import corrected
from selfplay.learner import Learner, Sums
from selfplay.losses import aggregate, choices, clipped, divergence, kl_estimate, truncated_weight
from selfplay.models import lora
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


def test_dual_clip_bounds_the_loss_of_what_is_bad_and_became_likely() -> None:
    """A = −2: ratio 5 would lose 10; bounded at 3 · 2. A good decision keeps its clip (arXiv 1912.09729)."""
    logp = torch.log(torch.tensor([5.0, 2.0, 5.0])).requires_grad_()
    found = clipped(logp, torch.zeros(3), torch.tensor([-2.0, -2.0, 2.0]), 0.2, 0.3, dual=3.0)
    found.sum().backward()
    assert found.tolist() == pytest.approx([6.0, 4.0, -2.6])
    assert logp.grad.tolist() == pytest.approx([0.0, 4.0, 0.0])


def test_divergence_estimators_by_hand() -> None:
    """p_now = ½ against p_base = ¼: d = ln 2; k2 = ½ ln² 2; k3 = ½ − 1 + ln 2."""
    now, base = torch.tensor([0.5]).log(), torch.tensor([0.25]).log()
    expected = {"k1": math.log(2), "k2": 0.5 * math.log(2) ** 2, "k3": -0.5 + math.log(2)}
    for kind, value in expected.items():
        assert kl_estimate(now, base, kind).item() == pytest.approx(value)


def test_unbiased_estimators_average_to_the_exact_divergence() -> None:
    """Over the whole distribution: Σ p k1 = Σ p k3 = KL, and k3 is never negative."""
    now, base = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.2, 0.6])
    exact = float((now * (now / base).log()).sum())
    for kind in ("k1", "k3"):
        assert float((now * kl_estimate(now.log(), base.log(), kind)).sum()) == pytest.approx(exact)
    assert (kl_estimate(now.log(), base.log(), "k3") >= 0).all()


def test_aggregations_by_hand() -> None:
    """Replies of three tokens (1, 2, 3) and of one (6)."""
    loss, turn = torch.tensor([1.0, 2, 3, 6]), torch.tensor([4, 4, 4, 9])
    assert aggregate(loss, turn, 2, 4).item() == pytest.approx(6.0)  # 12 over two replies
    assert aggregate(loss, turn, 2, 4, "constant", 8).item() == pytest.approx(0.75)
    assert aggregate(loss, turn, 2, 4, "token-mean").item() == pytest.approx(3.0)
    assert aggregate(loss, turn, 2, 4, "sequence-mean").item() == pytest.approx(4.0)  # (2 + 6) / 2


@pytest.mark.parametrize("how", ["constant", "token-mean", "sequence-mean"])
def test_chunks_of_a_minibatch_add_up(how) -> None:
    loss, turn = torch.tensor([1.0, 2, 3, 6]), torch.tensor([4, 4, 4, 9])
    parts = [aggregate(loss[s], turn[s], 2, 4, how, 5) for s in (slice(0, 3), slice(3, 4))]
    assert float(sum(parts)) == pytest.approx(float(aggregate(loss, turn, 2, 4, how, 5)))


def test_a_sampler_that_computes_otherwise_is_made_up_for() -> None:
    """Sampler ¼, trainer ½: weight 2, or the cap; the trainer's probability becomes the old one, in order of tokens."""
    assert truncated_weight(torch.tensor(0.5).log(), torch.tensor(0.25).log(), 5.0).item() == pytest.approx(2.0)
    quarter = math.log(0.25)
    talks = [
        Talk((1, 2, 3), (Decision(0, 2, (2, 3), quarter, 1.0, 0), Decision(1, 3, (2, 3), quarter, 1.0, 1))),
        Talk((1, 2), (Decision(0, 2, (2, 3), quarter, -1.0, 7),)),
    ]
    trainer = {0: 0.5, 1: 0.125, 7: 0.75}
    found, weights = corrected(
        talks, lambda b: torch.tensor([math.log(trainer[t]) for t in b.turn_M.tolist()]), 1.5, 64
    )
    assert [d.advantage for t in found for d in t.decisions] == pytest.approx([1.5, 0.5, -1.5])
    assert [d.logp for t in found for d in t.decisions] == pytest.approx([math.log(p) for p in (0.5, 0.125, 0.75)])
    assert sorted(weights.tolist()) == pytest.approx([0.5, 1.5, 1.5])


def test_thoughts_and_answers_of_a_turn_may_be_worth_different_things() -> None:
    """Two tokens of thinking, then one of the answer: columns 0 and 1 of the advantages."""
    sample = Sample((5,), (6, 7, 8), (-1.0, -1.0, -1.0), (None, None, None), fresh=True, thought=2)
    game = games.make("prisoners-dilemma:rounds=1")
    turns = tuple(TurnRecord(seat, 0, 0, "?", "cooperate", "cooperate", sample=sample) for seat in (0, 1))
    episode = Episode(Match(0, game, 0, ("a", "b")), turns, ((3.0, 3.0),), (3.0, 3.0), 1, "finished")
    table = turn_table([episode], "a")
    assert table.thoughts.tolist() == [2, 2]
    [talk] = sequences([episode], table, np.array([[0.5, -2.0], [9.0, 9.0]]))
    assert [d.advantage for d in talk.decisions] == [0.5, 0.5, -2.0]
    [talk] = sequences([episode], table, np.array([0.25, 9.0]))
    assert [d.advantage for d in talk.decisions] == [0.25] * 3


@pytest.fixture(name="played", scope="module")
def played_matches():
    """(base, rows): conversations of a self-play batch in two decodings, with made-up advantages."""
    base = load_base("tiny")
    rows, before = [], 0
    for decoding in (Decoding(), Decoding("free", max_new_tokens=24)):
        for spec in ("prisoners-dilemma:rounds=3", "trust-and-split:rounds=1"):
            game, policy = games.make(spec), LLMPolicy(base, None, decoding)
            plan = [Match(i, game, i, ("a", "a")) for i in range(6)]
            episodes = list(run_matches(plan, {"a": policy}, seed=2))
            table = turn_table(episodes, "a")
            talks = sequences(episodes, table, np.sin(np.arange(len(table)) + 1.0))
            rows += [replace(t, decisions=tuple(replace(d, turn=d.turn + before) for d in t.decisions)) for t in talks]
            before += len(table)
    return base, rows


def gradient(base, rows, chunk: int) -> tuple[torch.Tensor, Sums]:
    """The summed gradient of the first update on ``rows``."""
    torch.manual_seed(0)
    learner = Learner(base, TrainConfig(chunk_tokens=chunk, kl=0.1, entropy=0.05, lora_rank=4))
    for parameter in learner.parameters:
        parameter.data = torch.randn(parameter.shape) * 0.02
    sums = Sums()
    for batch in batches(rows, chunk):
        learner._loss(batch, 0, sums, first=True, shown=True).sum().backward()
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
        learner._loss(batch, 0, sums, first=True, shown=True)
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


def after_an_update(base, rows, **settings) -> tuple[torch.Tensor, dict[str, float]]:
    """The adapter after one update from the same start, on a few conversations."""
    learner = Learner(base, TrainConfig(lora_rank=4, warmup=0, learning_rate=1e-2, **settings))
    logged = learner.update(rows[::6], 0)
    return torch.cat([p.detach().flatten().clone() for p in learner.parameters]), logged


def test_where_sampler_and_trainer_agree_importance_weights_change_nothing(played) -> None:
    base, rows = played
    plain, _ = after_an_update(base, rows)
    weighted, logged = after_an_update(base, rows, importance_cap=2.0)
    assert logged["importance"] == pytest.approx(1.0, abs=1e-4)
    assert (weighted - plain).abs().mean() < 1e-5  # a thousandth of the step size


def test_loss_settings_reach_the_update(played) -> None:
    """AdamW knows no scale: token means go where sums go, reply means elsewhere; a new adapter has nothing to be
    pulled back from.
    """
    base, rows = played
    names = {"aggregate": "token-mean"}, {"aggregate": "sequence-mean"}, {"kl": 5.0, "kl_estimator": "k3"}
    plain, _ = after_an_update(base, rows)
    tokens, replies, pulled = [float((after_an_update(base, rows, **n)[0] - plain).abs().mean()) for n in names]
    assert tokens < 1e-5
    assert pulled < 1e-5
    assert replies > 1e-4


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"aggregate": "mean"}, "constant or token-mean or sequence-mean"),
        ({"kl_estimator": "k4"}, "exact or k1 or k2 or k3"),
        ({"clip_dual": 0.5}, "more than 1"),
        ({"importance_cap": -1.0}, "between 0 and 100"),
    ],
)
def test_wrong_loss_settings_say_what_is_allowed(settings, words) -> None:
    with pytest.raises(BadOption, match=words):
        TrainConfig(**settings)


def test_gradients_of_recomputed_layers_are_the_same() -> None:
    """Two conversations that share a prefix: once with its keys and values kept, once whole and layer by layer."""
    base = load_base("tiny")
    rows = [
        Talk((5, 6, 7, 8, 9), (Decision(3, 9, None, -3.0, 1.0, 0),)),
        Talk((5, 6, 7, 11, 12), (Decision(3, 12, (4, 12), -0.5, -2.0, 1), Decision(2, 11, None, -4.0, 0.5, 2))),
    ]
    [batch] = batches(rows, 1000)
    assert len(batch.prefix_P) == 2
    learners = [Learner(base, TrainConfig(gradient_checkpointing=on), adapter="") for on in (False, True)]
    key = learners[0].adapter = learners[1].adapter = base.add(lora(TrainConfig()), seed=1)
    torch.nn.init.normal_(base.parameters(key)[1], std=0.1)
    found = []
    for learner in learners:
        for parameter in base.parameters(key):
            parameter.grad = None
        loss_M = learner._loss(batch, 0, Sums(), first=True, shown=True)
        loss_M.sum().backward()
        found.append([loss_M.tolist(), *(p.grad.clone() for p in base.parameters(key) if p.grad is not None)])
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-5)
    assert len(found[0]) == len(found[1]) > 1
    for one, two in zip(found[0][1:], found[1][1:], strict=True):
        torch.testing.assert_close(one, two, atol=1e-5, rtol=1e-4)
