"""Group-relative basics: a trajectory's return against those of the other trajectories of its group."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import (
    Floats,
    Ints,
    group_mean,
    group_sizes,
    leave_one_out_mean,
    return_to_go,
    whiten,
    z_score,
)
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import per_trajectory, trajectories
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

Alone = Literal["zero", "raw"]
"""What a group of one gets: no advantage, or its reward as it is (as verl does)."""


def grpo_advantage(reward: Floats, group: Ints, eps: float = 1e-6, ddof: int = 1, alone: Alone = "zero") -> Floats:
    """(K,) (r − mean) / (deviation + eps) over each group (arXiv 2402.03300).

    Args:
        reward: (K,) one per trajectory.
        group: (K,) group numbers.
        eps: added to the deviation; verl 1e-6, TRL 1e-4.
        ddof: delta degrees of freedom; verl and TRL 1.
        alone: what a group of one gets.
    """
    return _alone(z_score(reward, group, eps, ddof), reward, group, alone)


def dr_grpo_advantage(reward: Floats, group: Ints, alone: Alone = "zero") -> Floats:
    """(K,) r − mean over each group, without the deviation (arXiv 2503.20783)."""
    return _alone(reward - group_mean(reward, group), reward, group, alone)


def rloo_advantage(reward: Floats, group: Ints, alone: Alone = "zero") -> Floats:
    """(K,) r − mean of the others of its group (arXiv 2402.14740)."""
    others = leave_one_out_mean(reward, group, np.arange(len(reward)))
    return _alone(reward - others, reward, group, alone)


def _alone(advantage: Floats, reward: Floats, group: Ints, alone: Alone) -> Floats:
    return np.where(group_sizes(group) > 1, advantage, reward if alone == "raw" else 0.0)


@preset("reinforce", "Williams 1992, doi 10.1007/BF00992696; leave-one-out: Kool et al. 2019", ("groups",))
def reinforce(table: TurnTable, config: TrainConfig, normaliser: Normaliser) -> Floats:
    """Return-to-go minus the leave-one-out mean of the same seat at the same turn; divided by the role's deviation."""
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    group = table.keys("game", "deal", "seat", "entrant", "others", "turn")
    return normaliser.scale(table, value - leave_one_out_mean(value, group, table.match))


@preset("rloo", "arXiv 2402.14740", ("groups",))
def rloo(table: TurnTable, *, alone: Alone = "zero") -> Floats:
    """Return minus the mean return of the others of its group."""
    return per_trajectory(table, lambda t: rloo_advantage(t.total, t.group, alone))


@preset("grpo", "arXiv 2402.03300", ("groups",))
def grpo(
    table: TurnTable,
    *,
    eps: float = 1e-6,
    ddof: int = 1,
    alone: Alone = "zero",
) -> Floats:
    """(r − mean) / (deviation + eps) over its group."""
    return per_trajectory(table, lambda t: grpo_advantage(t.total, t.group, eps, ddof, alone))


@preset("dr-grpo", "arXiv 2503.20783", ("groups",))
def dr_grpo(table: TurnTable, *, alone: Alone = "zero") -> Floats:
    """Return minus its mean over the group; the loss is summed over tokens, not averaged over each reply."""
    return per_trajectory(table, lambda t: dr_grpo_advantage(t.total, t.group, alone))


@preset("reinforce++", "arXiv 2501.03262", ("lengths",))
def reinforce_plus_plus(table: TurnTable, config: TrainConfig, *, eps: float = 1e-8, ddof: int = 1) -> Floats:
    """Return-to-go G, (G − μ) / √(σ² + eps) over all tokens of the batch."""
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    return whiten(value, trained_tokens(table), eps, ddof)


@preset("reinforce++-baseline", "arXiv 2501.03262", ("groups", "lengths"))
def reinforce_plus_plus_baseline(table: TurnTable, *, eps: float = 1e-8, ddof: int = 1) -> Floats:
    """Return minus its mean over the group, then whitened over all tokens of the batch."""
    value = per_trajectory(table, lambda t: dr_grpo_advantage(t.total, t.group))
    return whiten(value, trained_tokens(table), eps, ddof)


def trained_tokens(table: TurnTable) -> Floats:
    """(N,) tokens of each turn that carry loss: none of a frozen player's."""
    return np.where(table.learner, table.column("length"), 0).astype(np.float64)


@preset("agentwise", "arXiv 2602.08847", ("groups",))
def agentwise(table: TurnTable, *, eps: float = 1e-6, ddof: int = 1) -> Floats:
    """(r − mean) / (deviation + eps) over the trajectories of one deal, agent and role, whoever the others are."""
    found = trajectories(table, ("game", "deal", "entrant", "role"))
    return grpo_advantage(found.total, found.group, eps, ddof)[found.of_turn]


@preset("public-baseline", "arXiv 2510.01586 (after its abstract)", ("roles",))
def public_baseline(table: TurnTable, *, over: Literal["batch", "deal"] = "batch") -> Floats:
    """R − mean of R over all players of the same role, trained or not, in the batch (or of the same deal)."""
    found = trajectories(table, ("game", "role") if over == "batch" else ("game", "role", "deal"))
    return dr_grpo_advantage(found.total, found.group)[found.of_turn]
