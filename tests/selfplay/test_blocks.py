"""Blocks from the engine to the loss: thoughts, messages and moves that were sampled carry their own advantage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import games
from arena.match import run_matches
from arena.records import Match
from policies.llm.base import load_base
from policies.llm.player import Decoding, LLMPolicy
from selfplay import TrainConfig
from selfplay.advantages import Normaliser, get_preset
from selfplay.batch import sequences
from selfplay.learner import Learner
from selfplay.table import turn_table

CONFIG = TrainConfig(lora_rank=2, warmup=0, entropy=0.0, chunk_tokens=10**6)
GAME = games.make("trust-and-split:rounds=1")


@pytest.fixture(name="thought_through", scope="module")
def matches_with_thoughts_and_messages():
    """Four matches of one deal: each seat writes a message and claims, after at most five tokens of thinking."""
    learner = Learner(load_base("tiny"), CONFIG)
    policy = LLMPolicy(learner.base, learner.adapter, Decoding(think=5, max_new_tokens=8))
    matches = [Match(i, GAME, 0, ("learner", "learner")) for i in range(4)]
    episodes = sorted(run_matches(matches, {"learner": policy}, seed=2), key=lambda e: e.match.id)
    return learner, episodes, turn_table(episodes, "learner")


def test_every_sampled_token_of_a_thought_carries_the_thoughts_advantage(thought_through) -> None:
    _, episodes, table = thought_through
    assert set(table.talk) == {0, 1}
    assert (table.thoughts >= 1).all()
    found = get_preset("blockwise:illegal_cost=1,thought_cost=5").estimate(table, CONFIG, Normaliser())
    assert np.abs(found[:, 0] - found[:, 1]).max() > 0.01
    decisions = [d for talk in sequences(episodes, table, found) for d in talk.decisions]
    by_id = {e.match.id: e for e in episodes}
    for row in range(len(table)):
        sample = by_id[int(table.match[row])].turns[int(table.record[row])].sample
        chosen = [j < sample.thought for j, a in enumerate(sample.allowed) if a is None or len(a) > 1]
        assert any(chosen)
        assert not all(chosen)
        own = [d.advantage for d in decisions if d.turn == row]
        assert own == [found[row, 0 if thinking else 1] for thinking in chosen]


@pytest.mark.parametrize("block", [0, 1])
def test_each_block_alone_moves_the_weights(thought_through, block) -> None:
    """An advantage on one block alone: its tokens have a gradient, and no others are touched by the loss."""
    learner, episodes, table = thought_through
    advantage = np.zeros((len(table), 2))
    advantage[:, block] = np.where(np.arange(len(table)) % 2, 1.0, -1.0)
    rows = sequences(episodes, table, advantage)
    assert learner.update(rows, 0)["grad_norm"] > 1e-6
    still = [replace(r, decisions=tuple(replace(d, advantage=0.0) for d in r.decisions)) for r in rows]
    assert learner.update(still, 1)["grad_norm"] == 0.0
