"""Trees: matches that begin alike are branches of one tree, and are compared within it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.basics import grpo_advantage
from selfplay.advantages.parts import Floats, Ints, group_mean, number
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import trajectories
from selfplay.table import TurnTable


def tree_grpo_advantage(
    reward: Floats, prompt: Ints, tree: Ints, form: Literal["sum", "two-norm"] = "sum", eps: float = 1e-6
) -> Floats:
    """(K,) GRPO over the prompt + GRPO over the tree (arXiv 2509.21240).

    ``two-norm``: the z-scores over the prompt are scored once more inside each tree.
    """
    inter = grpo_advantage(reward, prompt, eps)
    inside = number(prompt, tree)
    if form == "two-norm":
        return grpo_advantage(inter, inside, eps)
    return inter + grpo_advantage(reward, inside, eps)


def subtree_success(reward: Floats, prefix: Ints, form: Literal["mean", "any", "all"] = "mean") -> Floats:
    """(K,) V of each entry's prefix: the share of its rollouts that succeed, or whether any or all of them do."""
    if form == "mean":
        return group_mean(reward, prefix)
    pick = np.maximum if form == "any" else np.minimum
    best = np.full(int(prefix.max()) + 1, -np.inf if form == "any" else np.inf)
    pick.at(best, prefix, reward)
    return np.asarray(best[prefix])


def tree_opo_advantage(reward: Floats, prefix_value: Floats, group: Ints, alpha: float = 0.5) -> Floats:
    """(K,) r − α V(prefix), centred over the group, no deviation (staged search prefixes, "Tree-OPO")."""
    staged = reward - alpha * prefix_value
    return staged - group_mean(staged, group)


def spo_cuts(probability_T: Floats, every: int, below: float = 0.9) -> Ints:
    """Where a reply is cut into segments: every n-th token whose probability is below 0.9 (arXiv 2505.23564)."""
    return np.flatnonzero(probability_T < below)[every - 1 :: every]


def spo_chain(value_S: Floats, segment_T: Ints, probability_T: Floats, below: float = 0.9) -> Floats:
    """(T,) advantage of each token: value at the end of its segment minus at the start; sure tokens get 0.

    Args:
        value_S: (S + 1,) values at the cuts, the start and the end among them, from extra rollouts.
        segment_T: (T,) the segment of each token, from 0.
        probability_T: (T,) the probability each token was sampled with.
        below: tokens at least this sure are left out.
    """
    return np.where(probability_T < below, np.diff(value_S)[segment_T], 0.0)


def spo_tree(
    parent: Ints, leaf_value: Floats, norm: Literal["rloo", "grpo"] = "rloo", eps: float = 1e-8
) -> tuple[Floats, Floats]:
    """(M,) values and edge advantages of a tree's nodes: child − parent, or divided by the siblings' deviation.

    Args:
        parent: (M,) parent of each node, -1 for the root; parents come before their children.
        leaf_value: (M,) rewards of leaves; of inner nodes it is the mean of their children.
        norm: ``rloo`` subtracts the parent, ``grpo`` divides by the deviation (ddof 0) among siblings too.
        eps: added to the deviation.
    """
    value = np.array(leaf_value, np.float64)
    for node in range(len(parent) - 1, -1, -1):
        if (parent == node).any():
            value[node] = value[parent == node].mean()
    advantage = np.where(parent >= 0, value - value[np.maximum(parent, 0)], 0.0)
    if norm == "grpo":
        std = np.array([value[parent == p].std() if p >= 0 else 1.0 for p in parent])
        advantage = advantage / (std + eps)
    return value, advantage


@preset("tree-grpo", "arXiv 2509.21240", ("groups", "states", "trees"))
def tree_grpo(
    table: TurnTable,
    *,
    depth: int = 1,
    form: Literal["sum", "two-norm"] = "sum",
) -> Floats:
    """GRPO over the group + GRPO over its tree: the matches whose first ``depth`` turns of the seat are the same."""
    found = trajectories(table)
    early = table.turn == np.minimum(depth - 1, _last(found.of_turn))
    branch = np.zeros(len(found.first), np.int64)
    branch[found.of_turn[early]] = number(table.column("state"), table.column("action"))[early]
    return tree_grpo_advantage(found.total, found.group, branch, form)[found.of_turn]


def _last(of_turn: Ints) -> Ints:
    """(N,) number of the last turn of each turn's trajectory."""
    return np.asarray(np.bincount(of_turn)[of_turn] - 1)
