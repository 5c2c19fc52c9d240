"""Reshaped groups: another centre, another scale, or weights that depend on how hard a group is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from selfplay.advantages.basics import grpo_advantage
from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import Floats, Ints, group_mean, group_std, split
from selfplay.advantages.registry import get_preset, preset
from selfplay.advantages.trajectories import per_trajectory, trajectories
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

Metric = Literal["length", "surprise"]


def quantile_advantage(
    reward: Floats,
    group: Ints,
    k: float = 0.4,
    method: Literal["linear", "inverted_cdf"] = "linear",
    eps: float = 1e-6,
    ddof: int = 1,
) -> Floats:
    """(K,) (r − the group's k-quantile) / (deviation + eps) (arXiv 2509.22611).

    ``linear`` interpolates between rewards as the released code does; ``inverted_cdf`` takes one of them.
    """
    baseline = np.zeros(len(reward))
    for rows in split(group):
        baseline[rows] = np.quantile(reward[rows], k, method=method)
    return np.asarray((reward - baseline) / (group_std(reward, group, ddof) + eps))


def mapo_advantage(reward: Floats, success: Floats, group: Ints, ddof: int = 0) -> Floats:
    """(K,) (1 − λ)(r − μ)/σ + λ(r − μ)/μ with λ = 1 − 4p(1 − p), p the group's share of success (arXiv 2509.18849).

    Terms whose divisor is 0 are left out.

    Args:
        reward: (K,), not negative.
        success: (K,) 1 for success, 0 for failure, or a share.
        group: (K,) group numbers.
        ddof: delta degrees of freedom of σ; the paper's example needs 0.
    """
    p, mean, std = group_mean(success, group), group_mean(reward, group), group_std(reward, group, ddof)
    lam, centred = 1 - 4 * p * (1 - p), reward - mean
    by_std = np.divide(centred, std, out=np.zeros(len(reward)), where=std > 1e-12)
    by_mean = np.divide(centred, mean, out=np.zeros(len(reward)), where=np.abs(mean) > 1e-12)
    return np.asarray((1 - lam) * by_std + lam * by_mean)


def capo_filter(advantage: Floats, step: int, total_steps: int, switch: float = 0.2) -> Floats:
    """Advantages as they are; before ``switch`` of the steps without the negative ones (arXiv 2512.02580)."""
    return np.maximum(advantage, 0.0) if step < switch * total_steps else advantage


def canon_advantage(
    reward: Floats,
    metric: Floats,
    group: Ints,
    mu: float = 0.5,
    alpha: float = 1.0,
    scaled: Literal["high", "low"] = "high",
) -> Floats:
    """(K,) μ (r − the other half's mean) + (1 − μ)(r − its own half's mean) (arXiv 2509.23962).

    Halves are those of the group low and high in the metric (equal ones in order; of an odd group the high half has one
    more). A group of one gets 0.

    Args:
        reward: (K,) one per trajectory.
        metric: (K,) such as length or entropy.
        group: (K,) group numbers.
        mu: weight of the comparison between halves.
        alpha: multiplies the rewards of one half.
        scaled: which half that is: ``high`` for length, ``low`` for entropy.
    """
    out = np.zeros(len(reward))
    for rows in split(group):
        half = len(rows) // 2
        order = rows[np.argsort(metric[rows], kind="stable")]
        low, high = order[:half], order[half:]
        if half:
            r = np.array(reward, np.float64)
            r[high if scaled == "high" else low] *= alpha
            for own, other in ((low, high), (high, low)):
                out[own] = mu * (r[own] - r[other].mean()) + (1 - mu) * (r[own] - r[own].mean())
    return out


def aapo_advantage(
    reward: Floats, reference: Floats, group: Ints, low: float = 0.2, high: float = 0.28, eps: float = 1e-4
) -> Floats:
    """(K,) GRPO + clip(r − r_ref, −low, high), r_ref the reward of a paired reference completion (arXiv 2505.14264)."""
    return grpo_advantage(reward, group, eps) + np.clip(reward - reference, -low, high)


def a_grae_advantage(
    reward: Floats, group: Ints, alpha: float = 1.0, form: Literal["paper", "code"] = "paper", eps: float = 1e-6
) -> Floats:
    """(K,) GRPO weighted by how hard the group is and how good the batch (arXiv 2602.05548), for rewards in 0..1.

    (ω/2) a/√p + ((1 − ω)/2) a/√(1 − p), positives times min(1, ω/alpha). The released code divides the second term by
    1 − √p and takes ω over groups instead of over trajectories. Groups of only failures or successes get 0.
    """
    base, p = grpo_advantage(reward, group, eps), group_mean(reward, group)
    omega = reward.mean() if form == "paper" else np.mean([reward[rows].mean() for rows in split(group)])
    mixed = (p > 0) & (p < 1)
    safe = np.where(mixed, p, 0.5)
    easy = np.sqrt(1 - safe) if form == "paper" else 1 - np.sqrt(safe)
    out = base * (omega / 2 / np.sqrt(safe) + (1 - omega) / 2 / easy)
    return np.asarray(np.where(mixed, np.where(out > 0, out * min(1.0, omega / alpha), out), 0.0))


def ha_dw_advantage(advantage: Floats, success: Floats, belief: float, scale: float = 1.0) -> Floats:
    """(K,) A · scale · exp(D |d|), d = the group's success − belief, D = −sgn(A) sgn(d): harder groups count more.

    From the paper "group-relative advantage is biased"; ``scale`` stands in a table that was not seen.
    """
    gap = success - belief
    return advantage * scale * np.exp(-np.sign(advantage) * np.sign(gap) * np.abs(gap))


def ha_dw_belief(belief: float, accuracy: float, recent: Sequence[float], rate: float) -> float:
    """The moving belief C ← (1 − η) C + η y, η = rate × deviation of the last beliefs."""
    eta = rate * float(np.std(recent))
    return (1 - eta) * belief + eta * accuracy


def adora_weights(
    correct: Floats, length: Floats, group: Ints, small: float = 0.1, longest: float = np.inf, no_correct: float = 0.1
) -> Floats:
    """(K,) weight of each group: 1 where its longest success is longer than its failures' mean length, else ``small``.

    After the released code of ADORA: failures of ``longest`` tokens or more are cut off and don't count; without any
    other failure the weight is 1. ``no_correct`` is what a group without success gets (0.1 for text, 1 for images).
    """
    out = np.ones(len(correct))
    for rows in split(group):
        good = length[rows][correct[rows] > 0]
        bad = length[rows][(correct[rows] <= 0) & (length[rows] < longest)]
        if not len(good):
            out[rows] = no_correct
        elif len(bad):
            out[rows] = 1.0 if good.max() > bad.mean() else small
    return out


@preset("quantile", "arXiv 2509.22611", ("groups",))
def quantile(
    table: TurnTable,
    *,
    k: float = 0.4,
    method: Literal["linear", "inverted_cdf"] = "linear",
) -> Floats:
    """(r − the group's k-quantile) / (deviation + eps)."""
    return per_trajectory(table, lambda t: quantile_advantage(t.total, t.group, k, method))


@preset("mapo", "arXiv 2509.18849", ("groups", "outcomes"))
def mapo(table: TurnTable) -> Floats:
    """(1 − λ)(r − μ)/σ + λ(r − μ)/μ, λ = 1 − 4p(1 − p); r and p are outcomes, 0 to 1."""
    outcome = table.column("outcome")
    return per_trajectory(table, lambda t: mapo_advantage(outcome[t.first], outcome[t.first], t.group))


@preset("canon", "arXiv 2509.23962", ("groups", "lengths"))
def canon(
    table: TurnTable,
    *,
    mu: float = 0.5,
    alpha: float = 1.0,
    metric: Metric = "length",
) -> Floats:
    """μ (r − mean of the other half) + (1 − μ)(r − mean of its own), halves by length or surprise of the replies."""
    found = trajectories(table)
    length = found.sum(table.column("length"))
    by_length = metric == "length"
    values = length if by_length else -found.sum(table.column("logp")) / np.maximum(length, 1)
    scaled: Literal["high", "low"] = "high" if by_length else "low"
    return canon_advantage(found.total, values, found.group, mu, alpha, scaled)[found.of_turn]


@preset("capo", "arXiv 2512.02580", ("groups", "steps"))
def capo(
    table: TurnTable, config: TrainConfig, normaliser: Normaliser, *, base: str = "grpo", switch: float = 0.2
) -> Floats:
    """Any other preset's advantages; before ``switch`` of the steps without the negative ones."""
    advantage = get_preset(base).estimate(table, config, normaliser)
    return capo_filter(advantage, normaliser.tick("capo"), config.steps, switch)
