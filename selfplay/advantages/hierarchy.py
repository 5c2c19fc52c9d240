"""Longer structure: options above turns, luck beside skill, rewards per step of paths of unlike lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from selfplay.advantages.parts import Floats, Ints, number, return_to_go, split
from selfplay.advantages.turns import gae


def hierarchical_advantages(
    reward_T: Floats,
    low_T: Floats,
    high_T: Floats,
    start_T: Ints,
    gamma: float = 1.0,
    lam_turn: float = 1.0,
    lam_segment: float = 0.95,
) -> tuple[Floats, Floats]:
    """(T,) advantages of actions, and (S,) of the subgoals chosen where a segment starts (arXiv 2602.16165).

    Actions: GAE inside the segment, the last one followed by the high value of the next segment's start. Subgoals:
    δ_k = R_k + γ^{d_k} V_high(next) − V_high(start), A_k = δ_k + γ^{d_k} λ A_{k+1}, R_k discounted in the segment.

    Args:
        reward_T: (T,) turn rewards of one trajectory.
        low_T: (T,) values of the head for actions.
        high_T: (T,) values of the head for subgoals; read at segment starts.
        start_T: (T,) 1 where a segment starts; the first turn does.
        gamma: discount per turn.
        lam_turn: λ between turns of a segment.
        lam_segment: λ between segments.
    """
    starts = np.flatnonzero(start_T)
    ends = np.append(starts[1:], len(reward_T))
    following = np.append(high_T[starts[1:]], 0.0)
    low = np.empty(len(reward_T))
    total = np.empty(len(starts))
    for k, (a, b) in enumerate(zip(starts, ends, strict=True)):
        one = np.zeros(b - a, np.int64)
        total[k] = return_to_go(reward_T[a:b], one, gamma)[0]
        bootstrapped = np.array(reward_T[a:b], np.float64)
        bootstrapped[-1] += gamma * following[k]
        low[a:b] = gae(bootstrapped, low_T[a:b], one, gamma, lam_turn)
    discount = gamma ** (ends - starts).astype(np.float64)
    delta = total + discount * following - high_T[starts]
    high = np.empty(len(starts))
    carry = 0.0
    for k in range(len(starts) - 1, -1, -1):
        high[k] = carry = delta[k] + discount[k] * lam_segment * carry
    return low, high


def centred_skill(advantage_A: Floats, policy_A: Floats) -> Floats:
    """(A,) advantages of a state's actions with Σ π A = 0: what a choice is worth beside the average choice."""
    return np.asarray(advantage_A - float(policy_A @ advantage_A))


def centred_luck(luck_S: Floats, transition_S: Floats) -> Floats:
    """(S,) luck of where an action leads with E_{s'} B = 0."""
    return np.asarray(luck_S - float(transition_S @ luck_S))


def skill_and_luck_residual(
    reward_T: Floats, skill_T: Floats, luck_T: Floats, first: float, last: float, gamma: float
) -> float:
    """What is squared and summed to fit A and B: Σ γ^t (r − A − B) + γ^n V(s_n) − V(s_0) (arXiv 2402.12874).

    Args:
        reward_T: (n,) rewards.
        skill_T: (n,) centred advantages A of the actions taken.
        luck_T: (n,) centred luck B of the transitions drawn.
        first: V(s_0).
        last: V(s_n).
        gamma: discount per step.
    """
    weights = gamma ** np.arange(len(reward_T), dtype=np.float64)
    return float((weights * (reward_T - skill_T - luck_T)).sum() + gamma ** len(reward_T) * last - first)


@dataclass(frozen=True)
class RunningMoments:
    """Count, mean and sum of squared deviations of all rewards seen (Welford)."""

    count: float = 0.0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, values: Floats) -> RunningMoments:
        """The moments with more values in them."""
        n, m = len(values), float(values.mean()) if len(values) else 0.0
        total, gap = self.count + n, m - self.mean
        squares = self.squares + float(((values - m) ** 2).sum()) + gap**2 * self.count * n / max(total, 1.0)
        return RunningMoments(total, self.mean + gap * n / max(total, 1.0), squares)

    def deviation(self, smallest: float = 0.1, ddof: int = 0) -> float:
        """The standard deviation, at least ``smallest``."""
        return max(smallest, (self.squares / max(self.count - ddof, 1.0)) ** 0.5)


def path_advantage(
    reward: Floats, trajectory: Ints, group: Ints, moments: RunningMoments, smallest: float = 0.1, gamma: float = 1.0
) -> Floats:
    """(N,) G_t − mean of G_t over the group's rollouts that reach position t (arXiv 2605.28293, for recommenders).

    Step rewards are centred and scaled by running moments, so that a longer path gains nothing on average. A rollout
    reaches the position after its last step too, with a return of 0.

    Args:
        reward: (N,) step rewards; steps of a rollout in order.
        trajectory: (N,) rollout numbers.
        group: (N,) group numbers.
        moments: of all step rewards so far.
        smallest: least deviation to divide by.
        gamma: discount per step.
    """
    value = return_to_go((reward - moments.mean) / moments.deviation(smallest), trajectory, gamma)
    position, ends = np.zeros(len(reward), np.int64), []
    for rows in split(trajectory):
        position[rows] = np.arange(len(rows))
        ends.append((int(group[rows[0]]), len(rows)))
    at = number(np.append(group, [g for g, _ in ends]), np.append(position, [n for _, n in ends]))
    total = np.bincount(at, np.append(value, np.zeros(len(ends))))
    return np.asarray(value - (total / np.bincount(at))[at[: len(value)]])
