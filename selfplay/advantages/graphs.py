"""State graphs: values and credit that pass along the transitions which the matches of a group share."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.basics import grpo_advantage, rloo_advantage
from selfplay.advantages.parts import Floats, Ints, group_mean, number, return_to_go, split, z_score
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import GROUP, trajectories
from selfplay.advantages.turns import gae
from selfplay.config import TrainConfig
from selfplay.table import TurnTable


def state_values(reward: Floats, state: Ints, trajectory: Ints, gamma: float) -> Floats:
    """(N,) V(s): mean discounted return-to-go of all turns in the same state."""
    return group_mean(return_to_go(reward, trajectory, gamma), state)


def gagpo_advantage(
    reward: Floats,
    state: Ints,
    trajectory: Ints,
    group: Ints,
    gamma: float = 0.95,
    lam: float = 0.5,
    eps: float = 0.0,
    ddof: int = 0,
) -> Floats:
    """(N,) GAE on V(s) of equal states, then a z-score per group; no part for whole trajectories (arXiv 2605.13217).

    λ, eps and ddof of the paper are not known; where nothing varies the advantage is 0.
    """
    found = gae(reward, state_values(reward, state, trajectory, gamma), trajectory, gamma, lam)
    return z_score(found, group, max(eps, 1e-12), ddof)


def salt_advantage(advantage: Floats, group: Ints, state: Ints, action: Ints, following: Ints) -> Floats:
    """(N,) equal transitions (s, a, s') of a group share the mean of what their trajectories gave them.

    Args:
        advantage: (N,) each turn's trajectory advantage (arXiv 2510.20022).
        group: (N,) group numbers.
        state: (N,) state before the action.
        action: (N,) action numbers.
        following: (N,) state after it.
    """
    return group_mean(advantage, number(group, state, action, following))


def following_states(table: TurnTable) -> Ints:
    """(N,) the state of the seat's next turn; after its last turn, a number that stands for what it received there."""
    state = table.column("state")
    ends = -1 - np.unique(np.round(table.reward, 9), return_inverse=True)[1].reshape(-1)
    out = np.array(ends, np.int64)
    for rows in split(table.keys("match", "seat")):
        out[rows[:-1]] = state[rows[1:]]
    return out


@preset("gagpo", "arXiv 2605.13217 (after its abstract and a review)", ("groups", "states"))
def gagpo(table: TurnTable, config: TrainConfig, *, lam: float = 0.5, ddof: int = 0) -> Floats:
    """V(s) = mean return of turns in the same state; GAE on it, then a z-score over the group's turns."""
    group, state, trajectory = table.keys(*GROUP), table.keys(*GROUP, "state"), table.keys("match", "seat")
    return gagpo_advantage(table.reward, state, trajectory, group, config.gamma, lam, ddof=ddof)


@preset("salt", "arXiv 2510.20022", ("groups", "states"))
def salt(table: TurnTable, *, base: Literal["grpo", "rloo"] = "grpo") -> Floats:
    """Trajectory advantage, averaged over the equal transitions (s, a, s') of a group."""
    found = trajectories(table)
    formula = grpo_advantage if base == "grpo" else rloo_advantage
    advantage = formula(found.total, found.group)[found.of_turn]
    return salt_advantage(
        advantage, table.keys(*GROUP), table.column("state"), table.column("action"), following_states(table)
    )
