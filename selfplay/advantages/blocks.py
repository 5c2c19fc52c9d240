"""Blocks: thoughts, messages and moves each have a reward and a baseline of their own."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.parts import Floats, Ints, group_mean, group_sizes, number, return_to_go
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import GROUP
from selfplay.config import TrainConfig
from selfplay.table import TurnTable


def outcome_conditioned(reward: Floats, group: Ints, outcome: Ints) -> Floats:
    """(N,) a block's reward minus its mean over those of the group whose earlier blocks came to the same.

    No deviation, no part for other blocks (arXiv 2602.10231). The first block has no earlier outcome: give all zeros.
    """
    return reward - group_mean(reward, number(group, outcome))


def block_rewards(
    value: Floats, thoughts: Ints, illegal: Ints, thought_cost: float, illegal_cost: float
) -> tuple[Floats, Floats]:
    """(N,) rewards of the thought and of the answer of each turn.

    Args:
        value: (N,) return-to-go, in units; both blocks earn it.
        thoughts: (N,) tokens of thinking.
        illegal: (N,) 1 where the reply was refused.
        thought_cost: units that a hundred tokens of thinking cost the thought.
        illegal_cost: units that a refused reply costs the answer.
    """
    return value - thought_cost * thoughts / 100, value - illegal_cost * illegal


@preset("blockwise", "arXiv 2602.10231", ("groups", "blocks"))
def blockwise(
    table: TurnTable,
    config: TrainConfig,
    *,
    thought_cost: float = 0.01,
    illegal_cost: float = 0.1,
    outcome: Literal["observed", "state", "none"] = "observed",
) -> Floats:
    """Each block's own reward (thought; message or move) minus the mean of that block over the group.

    Returns (N, 2): of thoughts and of answers. Thinking costs by its tokens, a refused reply costs the answer.
    A move is compared with those that followed the same earlier outcome, which is what the seat read before it; where
    no other match has it, with all of the group.
    """
    group = table.keys(*GROUP, "turn")
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    thoughts, illegal = table.column("thoughts"), table.column("illegal")
    thought, answer = block_rewards(value, thoughts, illegal, thought_cost, illegal_cost)
    answers = number(group, table.column("talk"))
    plain = answer - group_mean(answer, answers)
    if outcome != "none":
        seen = number(answers, table.column(outcome))
        conditioned = outcome_conditioned(answer, answers, table.column(outcome))
        plain = np.where((table.column("talk") == 0) & (group_sizes(seen) > 1), conditioned, plain)
    return np.stack([thought - group_mean(thought, group), plain], axis=1)
