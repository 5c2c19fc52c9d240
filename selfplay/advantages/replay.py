"""Replay and stale policies: groups that hold samples of another time."""

from __future__ import annotations

import numpy as np

from selfplay.advantages.basics import grpo_advantage
from selfplay.advantages.parts import Floats, Ints, group_std


def off_policy_grpo(
    reward: Floats, group: Ints, logp: Floats, old_logp: Floats, low: float = 0.2, high: float = 0.2, eps: float = 1e-6
) -> tuple[Floats, Floats]:
    """(K,) GRPO advantages of a stale policy's samples, and each sample's clipped objective (arXiv 2505.22257).

    Groups whose rewards don't vary are masked: both are 0 there.

    Args:
        reward: (K,) one per trajectory.
        group: (K,) group numbers.
        logp: (K,) log-probability under the policy that learns.
        old_logp: (K,) under the policy that sampled.
        low: the ratio is clipped below 1 minus this.
        high: the ratio is clipped above 1 plus this.
        eps: added to the deviation.
    """
    advantage = np.where(group_std(reward, group) > 0, grpo_advantage(reward, group, eps), 0.0)
    ratio = np.exp(logp - old_logp)
    return advantage, np.minimum(ratio * advantage, np.clip(ratio, 1 - low, 1 + high) * advantage)


def replayed_group(reward: Floats, stored: Floats, weight: float = 1.0, eps: float = 1e-6) -> tuple[Floats, Floats]:
    """(advantages of the fresh, of the stored rollouts): GRPO on both together, the stored scaled (arXiv 2601.19620).

    For groups in which all rollouts ended alike: ``stored`` holds rewards of earlier rollouts of the same prompt that
    ended the other way.
    """
    both = np.concatenate([reward, stored])
    advantage = grpo_advantage(both, np.zeros(len(both), np.int64), eps)
    return advantage[: len(reward)], weight * advantage[len(reward) :]


def truncation_rewards(peak: Floats, overall: Floats, top: float = 1.0) -> Floats:
    """(N,) rewards that rank failed, cut-off rollouts: top (1 − k/(N − 1)), k the number that dominate a rollout.

    One dominates another with a higher peak of entropy and a lower entropy overall (arXiv 2601.19620).

    Args:
        peak: (N,) greatest token entropy of each rollout.
        overall: (N,) its mean token entropy.
        top: reward of a rollout that none dominates.
    """
    dominated = ((peak[None] > peak[:, None]) & (overall[None] < overall[:, None])).sum(1)
    return np.asarray(top * (1 - dominated / max(1, len(peak) - 1)))
