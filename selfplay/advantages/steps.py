"""Step groups: turns taken in the same state are compared with each other, across the matches of a group."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.parts import (
    Floats,
    Ints,
    group_mean,
    group_sizes,
    leave_one_out_mean,
    number,
    return_to_go,
    split,
    z_score,
)
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import GROUP
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

Norm = Literal["mean", "mean-std"]
Anchor = Literal["state", "observed"]
"""What makes two turns comparable: all that the seat knows, or only what it read last."""


def step_advantage(value: Floats, state: Ints, norm: Norm = "mean", eps: float = 1e-6, ddof: int = 1) -> Floats:
    """(N,) return-to-go minus its mean over the turns in the same state, optionally divided by their deviation."""
    return value - group_mean(value, state) if norm == "mean" else z_score(value, state, eps, ddof)


def episode_advantage(
    total: Floats,
    group: Ints,
    trajectory: Ints,
    norm: Norm = "mean",
    over: Literal["steps", "trajectories"] = "steps",
    eps: float = 1e-6,
    ddof: int = 1,
) -> Floats:
    """(N,) a trajectory's return against its group's; ``over`` steps, long trajectories count more (released code).

    Args:
        total: (N,) return of each turn's trajectory.
        group: (N,) group numbers.
        trajectory: (N,) trajectory numbers.
        norm: subtract the mean, or divide by the deviation too.
        over: what the statistics are taken over.
        eps: added to the deviation.
        ddof: delta degrees of freedom of the deviation.
    """
    first, of_turn = np.unique(trajectory, return_index=True, return_inverse=True)[1:]
    if over == "steps":
        return step_advantage(total, group, norm, eps, ddof)
    return step_advantage(total[first], number(group[first]), norm, eps, ddof)[of_turn.reshape(-1)]


def last_states(state: Ints, trajectory: Ints, k: int) -> Ints:
    """(N,) group numbers: equal where the last ``k`` states are, counting what comes before the first as one more."""
    columns = [state]
    for back in range(1, k):
        earlier = np.full(len(state), -1)
        for rows in split(trajectory):
            earlier[rows[back:]] = state[rows[:-back]]
        columns.append(earlier)
    return number(*columns)


def hgpo_advantage(
    value: Floats, state: Ints, trajectory: Ints, history: int = 2, alpha: float = 1.0, eps: float = 1e-6, ddof: int = 0
) -> Floats:
    """(N,) z-scores among turns whose last k states match, averaged over k = 1..history+1 (arXiv 2602.22817).

    Args:
        value: (N,) discounted return-to-go.
        state: (N,) state numbers, apart for groups that are not compared.
        trajectory: (N,) trajectory numbers; turns in order of time.
        history: earlier states that may have to match.
        alpha: longer matches weigh (k + 1)^alpha; exact zeros and turns without company are left out.
        eps: added to the deviation.
        ddof: delta degrees of freedom of the deviation.
    """
    total, weights = np.zeros(len(value)), np.zeros(len(value))
    for k in range(1, history + 2):
        found = step_advantage(value, last_states(state, trajectory, k), "mean-std", eps, ddof)
        weight = np.where(found != 0, float(k + 1) ** alpha, 0.0)
        total, weights = total + weight * found, weights + weight
    return total / np.maximum(weights, 1e-12)


def rtmc_advantage(value: Floats, state: Ints, action: Ints) -> Floats:
    """(N,) Q(s, a) − V(s): the mean return of the same action in the same state minus that of the state."""
    return group_mean(value, number(state, action)) - group_mean(value, state)


def clusters(hidden_ND: Floats, radius: float) -> Ints:
    """(N,) greedy clusters by cosine distance: join the nearest centroid within ``radius``, or found one.

    Args:
        hidden_ND: (N, D) hidden states of the last prompt token (arXiv 2606.25556).
        radius: largest distance to a centroid; 0 keeps equal states together only.
    """
    unit_ND = hidden_ND / np.linalg.norm(hidden_ND, axis=1, keepdims=True)
    sums: list[Floats] = []
    out = np.zeros(len(unit_ND), np.int64)
    for i, x in enumerate(unit_ND):
        near = [1 - float(x @ s) / float(np.linalg.norm(s)) for s in sums]
        if near and min(near) <= radius + 1e-9:
            out[i] = int(np.argmin(near))
            sums[out[i]] = sums[out[i]] + x
        else:
            out[i] = len(sums)
            sums.append(x)
    return out


def bipace_advantage(value: Floats, cluster: Ints, action: Ints, peers: int = 2) -> Floats:
    """(N,) Q − V over clusters; with fewer than ``peers`` of its action, a turn against the others of the cluster.

    The paper (arXiv 2606.25556) does not say from how many peers on Q is trusted; ``peers`` is ours.
    """
    alone = value - leave_one_out_mean(value, cluster, np.arange(len(value)))
    return np.where(group_sizes(number(cluster, action)) >= peers, rtmc_advantage(value, cluster, action), alone)


@preset("gigpo", "arXiv 2505.10978", ("groups", "states"))
def gigpo(
    table: TurnTable,
    config: TrainConfig,
    *,
    weight: float = 1.0,
    norm: Norm = "mean",
    over: Literal["steps", "trajectories"] = "steps",
    anchor: Anchor = "state",
) -> Floats:
    """Return of the match against its group's + weight × return-to-go against that of turns in the same state."""
    trajectory = table.keys("match", "seat")
    total = np.bincount(trajectory, table.reward)[trajectory].astype(np.float64)
    value = return_to_go(table.reward, trajectory, config.gamma)
    episode = episode_advantage(total, table.keys(*GROUP), trajectory, norm, over)
    return episode + weight * step_advantage(value, table.keys(*GROUP, anchor), norm)


@preset("hgpo", "arXiv 2602.22817", ("groups", "states"))
def hgpo(
    table: TurnTable,
    config: TrainConfig,
    *,
    history: int = 2,
    alpha: float = 1.0,
    anchor: Anchor = "observed",
) -> Floats:
    """z-scores of return-to-go among turns whose last k states match, averaged over k with weight (k + 1)^α."""
    trajectory = table.keys("match", "seat")
    value = return_to_go(table.reward, trajectory, config.gamma)
    return hgpo_advantage(value, table.keys(*GROUP, anchor), trajectory, history, alpha)


@preset("rtmc", "Q − V of arXiv 2606.25556 for exact states", ("groups", "states"))
def rtmc(table: TurnTable, config: TrainConfig, *, anchor: Anchor = "state") -> Floats:
    """Q(s, a) − V(s): mean return-to-go of the same move in the same state minus that of the state."""
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    return rtmc_advantage(value, table.keys(*GROUP, anchor), table.column("action"))
