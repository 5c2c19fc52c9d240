"""Token level: credit from log-probabilities, from which tokens winners use, and from probes along a reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.stats import fisher_exact

from selfplay.advantages.basics import rloo_advantage
from selfplay.advantages.parts import Floats, leave_one_out_mean, return_to_go, whiten
from selfplay.advantages.registry import preset
from selfplay.advantages.trajectories import GROUP, per_trajectory
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

Aggregate = Literal["mean", "sum"]


def progress_score(logp_T: Floats, reference_T: Floats, beta: float = 1.0, aggregate: Aggregate = "mean") -> float:
    """β (log π − log π_ref) over the tokens of one action: how much training came to prefer it (arXiv 2606.26080)."""
    gap = np.asarray(logp_T) - np.asarray(reference_T)
    return beta * float(gap.mean() if aggregate == "mean" else gap.sum())


def q_value(logp: Floats, reference: Floats, beta: float = 1.0) -> Floats:
    """Q(s, a) = β log(π / π_ref) of a model trained on preferred steps; the action with the greatest is played.

    Inferred from the abstract of arXiv 2409.09345.
    """
    return beta * (logp - reference)


def ktae_weights(tokens: Sequence[Sequence[int]], correct: Sequence[bool]) -> dict[int, float]:
    """For each token id of a group, −1 to 1: how much it stands with success (KTAE; frequencies in our form).

    x = asin √(a/n_c) − asin √(b/n_w) + f_c/f_w − f_w/f_c, with a of n_c successful and b of n_w failed replies
    containing the token; weight = 2 σ(s) − 1, s = x/2 (e^{−2p} [Fisher's exact p < 1] + information gain in nats).
    Frequencies f saturate as in BM25 (k₁ = 2, b = ½) over the text of a side; tokens of one side alone get ±1.

    Args:
        tokens: token ids of each reply.
        correct: whether each reply succeeded; where all or none did, there are no weights.
    """
    good = [t for t, c in zip(tokens, correct, strict=True) if c]
    bad = [t for t, c in zip(tokens, correct, strict=True) if not c]
    if not good or not bad:
        return {}
    return {token: _ktae(token, good, bad) for token in sorted({t for reply in tokens for t in reply})}


def _ktae(token: int, good: Sequence[Sequence[int]], bad: Sequence[Sequence[int]]) -> float:
    a, b = sum(token in r for r in good), sum(token in r for r in bad)
    if not a or not b:
        return 1.0 if a else -1.0
    c, d = len(good) - a, len(bad) - b
    average = (sum(map(len, good)) + sum(map(len, bad))) / 2
    often_good, often_bad = _saturated(token, good, average), _saturated(token, bad, average)
    lean = float(np.arcsin(np.sqrt(a / len(good))) - np.arcsin(np.sqrt(b / len(bad))))
    lean += often_good / often_bad - often_bad / often_good
    p = float(fisher_exact([[a, b], [c, d]])[1])
    strength = (np.exp(-2 * p) if p < 1 - 1e-9 else 0.0) + _information_gain(a, b, c, d)
    return float(np.tanh(strength * lean / 4))  # 2 σ(s) − 1 with s = strength · lean / 2


def _saturated(token: int, side: Sequence[Sequence[int]], average: float, k: float = 2.0, b: float = 0.5) -> float:
    """BM25's saturating frequency of a token in the text of one side."""
    count, length = sum(list(r).count(token) for r in side), sum(map(len, side))
    return count * (k + 1) / (count + k * (1 - b + b * length / average))


def _information_gain(a: int, b: int, c: int, d: int) -> float:
    """Nats that knowing whether a reply holds the token tells of its success."""
    total = a + b + c + d
    inside = (a + b) / total * _entropy(a, b) + (c + d) / total * _entropy(c, d)
    return _entropy(a + c, b + d) - inside


def _entropy(yes: int, no: int) -> float:
    shares = np.array([n / (yes + no) for n in (yes, no) if n])
    return float(-(shares * np.log(shares)).sum())


def spae_potential(accuracy: Floats, confidence: Floats) -> Floats:
    """Φ = 1.5 · accuracy · confidence + 0.5 · accuracy − confidence, of short probes after each step."""
    return 1.5 * accuracy * confidence + 0.5 * accuracy - confidence


def spae_advantage(
    advantage: Sequence[float],
    potential: Sequence[Floats],
    alpha: float = 0.5,
    xi: float = 0.5,
    saturated: float = 0.9,
    ddof: int = 1,
) -> list[Floats]:
    """Per reply, per step: A f + ξ g, z-scored over the batch (arXiv 2601.03823).

    f = 1 − α (1 − e^{−C}), C the earlier steps whose potential was above ``saturated``: what comes after the answer is
    settled counts less. g = exp(min-max of the potential's rise over the batch), minus its batch mean.

    Args:
        advantage: group advantage of each reply (r − mean).
        potential: of each reply, (S + 1,) Φ before the first step and after each.
        alpha: weight of saturation.
        xi: weight of the rise.
        saturated: potential from which on the answer counts as settled.
        ddof: delta degrees of freedom of the deviation.
    """
    rise = np.concatenate([np.diff(p) for p in potential])
    spread = max(float(np.ptp(rise)), 1e-12)
    gain = np.exp((rise - rise.min()) / spread)
    settled = np.concatenate([np.cumsum(p[:-1] > saturated) for p in potential])
    base = np.concatenate([np.full(len(p) - 1, a) for a, p in zip(advantage, potential, strict=True)])
    found = base * (1 - alpha * (1 - np.exp(-settled))) + xi * (gain - gain.mean())
    ends = np.cumsum([len(p) - 1 for p in potential])[:-1]
    return list(np.split(whiten(found, ddof=ddof), ends))


@preset("progress", "arXiv 2606.26080; as a reward: 2502.01456", ("groups", "log-probabilities", "reference"))
def progress(
    table: TurnTable,
    config: TrainConfig,
    *,
    weight: float = 0.1,
    scale: float = 1.0,
    aggregate: Aggregate = "mean",
) -> Floats:
    """Return against the others' + weight × the same of the turns' scores to go, scale × (log π − log π_ref) each."""
    gap = scale * (table.column("logp") - table.column("reference"))
    score = gap / np.maximum(table.column("length"), 1) if aggregate == "mean" else gap
    value = return_to_go(score, table.keys("match", "seat"), config.gamma)
    steps = value - leave_one_out_mean(value, table.keys(*GROUP, "turn"), table.match)
    return per_trajectory(table, lambda t: rloo_advantage(t.total, t.group)) + weight * steps
