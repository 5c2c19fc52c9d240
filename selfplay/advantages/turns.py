"""Turn level: every turn has its own return, and statistics belong to an agent or role."""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.basics import trained_tokens
from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import Floats, Ints, group_mean, return_to_go, split, whiten, whole
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import trajectories
from selfplay.config import TrainConfig
from selfplay.table import TurnTable


def gae(reward: Floats, value: Floats, sequence: Ints, gamma: float, lam: float) -> Floats:
    """(N,) generalised advantages: δ_t = r_t + γ V_{t+1} − V_t, A_t = δ_t + γ λ A_{t+1} (arXiv 1506.02438).

    Args:
        reward: (N,), entries of a sequence in order of time.
        value: (N,) V at each entry; after the last entry of a sequence it is 0.
        sequence: (N,) sequence numbers.
        gamma: discount per entry.
        lam: how far an advantage looks; 0 one step, 1 to the end.
    """
    out = np.empty(len(reward))
    for rows in split(sequence):
        following = np.append(value[rows][1:], 0.0)
        delta = reward[rows] + gamma * following - value[rows]
        out[rows] = return_to_go(delta, np.zeros(len(rows), np.int64), gamma * lam)
    return out


def truncated_gae(reward_T: Floats, value_T: Floats, gamma: float, lam: float) -> Floats:
    """(T,) GAE of a reply that was cut off: after its last token stands the last value, not 0 (T-PPO, second-hand)."""
    cut = np.array(reward_T, np.float64)
    cut[-1] += gamma * value_T[-1]
    return gae(cut, value_T, np.zeros(len(cut), np.int64), gamma, lam)


def centre_unique(x: Floats, group: Ints) -> Floats:
    """(N,) ``x`` minus the mean of the distinct values of its group (arXiv 2510.15414, released code)."""
    out = np.array(x, np.float64)
    for rows in split(group):
        out[rows] -= np.unique(x[rows]).mean()
    return out


@preset("mars", "arXiv 2510.15414", ("roles",))
def mars(
    table: TurnTable,
    config: TrainConfig,
    normaliser: Normaliser,
    *,
    credit: Literal["turn", "match"] = "turn",
    norm: Literal["role", "batch"] = "role",
) -> Floats:
    """Turn-level return-to-go, then mean and deviation of its game and role: sum, then normalise, agent-specific.

    Without the first (``credit=match``) every turn is worth its match's return; without the second (``norm=batch``)
    mean and deviation are those of all the learner's turns.
    """
    sequence = table.keys("match", "seat")
    value = return_to_go(table.reward, sequence, config.gamma)
    value = whole(value, sequence) if credit == "match" else value
    if norm == "batch":
        return whiten(value, table.learner.astype(np.float64))
    return normaliser.scale(table, normaliser.centre(table, value))


@preset("mars-released", "arXiv 2510.15414 (released code)", ("roles", "lengths"))
def mars_released(table: TurnTable) -> Floats:
    """Turn rewards centred per role, whitened, summed to go, minus the mean of distinct values, whitened over tokens.

    Rewards lie on the last token of a turn, and centred ones have mean 0 over tokens too: every token of a turn gets
    the same value.
    """
    role, tokens, mine = table.keys("game", "role"), trained_tokens(table), table.learner
    reward = table.reward - _learners_mean(table, table.reward, role)
    variance = (reward[mine] ** 2).sum() / max(tokens.sum() - 1, 1.0)
    value = return_to_go(reward / np.sqrt(variance + 1e-8), table.keys("match", "seat"))
    out = np.zeros(len(value))
    out[mine] = centre_unique(np.round(value[mine], 9), role[mine])  # equal but for the order of summing: one value
    return np.where(mine, whiten(out, tokens), 0.0)


def _learners_mean(table: TurnTable, x: Floats, group: Ints) -> Floats:
    """(N,) mean of ``x`` over the learner's turns of each group."""
    share = group_mean(table.learner.astype(np.float64), group)
    return np.asarray(group_mean(x * table.learner, group) / np.maximum(share, 1e-12))


@preset("spiral", "arXiv 2506.24119", ("roles",))
def spiral(
    table: TurnTable,
    config: TrainConfig,
    normaliser: Normaliser,
    *,
    alpha: float = 0.95,
    read_before_update: bool = True,
) -> Floats:
    """γ^(turns to the end) (R − b), b ← α b + (1 − α) R a moving mean per game and role, from 0."""
    found, out = trajectories(table), np.zeros(len(table))
    role, learns = table.keys("game", "role")[found.first], table.learner[found.first]
    for rows in split(role):
        mine, one = rows[learns[rows]], int(found.first[rows[0]])
        name = f"spiral/{table.names[table.game[one]]}/{table.names[table.role[one]]}"
        baseline = normaliser.moving_baseline(name, found.total[mine], alpha, read_before_update=read_before_update)
        advantage = np.zeros(len(found.total))
        advantage[mine] = found.total[mine] - baseline
        out += advantage[found.of_turn]
    to_end = return_to_go(np.ones(len(table)), found.of_turn) - 1
    return np.asarray(out * config.gamma**to_end)


@preset("turn-ppo", "arXiv 2512.17008", ("values",))
def turn_ppo(table: TurnTable, config: TrainConfig, *, lam: float = 0.95) -> Floats:
    """δ = r + γ V' − V, A = δ + γ λ A' over turns, then whitened over the learner's turns."""
    found = gae(table.reward, table.column("value"), table.keys("match", "seat"), config.gamma, lam)
    return whiten(found, table.learner.astype(np.float64))
