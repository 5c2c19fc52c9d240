"""Losses on decisions, and the exact distributions they are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from selfplay.batch import Batch

Tensor = torch.Tensor


@dataclass(frozen=True)
class Chosen:
    """For M decisions: log-probability of what was chosen, entropy of the choice, and the whole distribution."""

    logp_M: Tensor
    entropy_M: Tensor
    parts: tuple[tuple[Tensor, Tensor], ...]
    """(indices of decisions, log-probabilities over what each was chosen among), constrained and free apart."""


def choices(logits_MV: Tensor, batch: Batch, temperature: float) -> Chosen:
    """Distributions at every decision, renormalised over what was allowed, as they were when it was sampled.

    Args:
        logits_MV: (M, vocabulary) logits at the decisions.
        batch: where the decisions come from.
        temperature: the softmax temperature of play.
    """
    logits_MV = logits_MV.float() / temperature
    logp_M = torch.zeros(len(batch.token_M))
    entropy_M = torch.zeros(len(batch.token_M))
    parts = []
    for mask in (~batch.free_M, batch.free_M):
        index = mask.nonzero().squeeze(1)
        if not len(index):
            continue
        logp_KA, pick_K = _part(logits_MV[index], batch, index)
        logp_M = logp_M.index_put((index,), logp_KA.gather(1, pick_K[:, None]).squeeze(1))
        entropy_M = entropy_M.index_put((index,), -_expect(logp_KA, logp_KA))
        parts.append((index, logp_KA))
    return Chosen(logp_M, entropy_M, tuple(parts))


def _part(logits_KV: Tensor, batch: Batch, index: Tensor) -> tuple[Tensor, Tensor]:
    """(log-probabilities (K, A), column of the chosen token (K,)) of decisions of one sort."""
    if batch.free_M[index[0]]:
        return logits_KV.log_softmax(-1), batch.token_M[index]
    allowed_KA = batch.allowed_MA[index]
    wide = logits_KV.gather(1, allowed_KA.clamp(min=0)).masked_fill(allowed_KA < 0, -torch.inf)
    return wide.log_softmax(-1), (allowed_KA == batch.token_M[index][:, None]).int().argmax(1)


def _expect(logp_KA: Tensor, value_KA: Tensor) -> Tensor:
    """(K,) Σ p · value, with 0 · (−∞) = 0."""
    finite = logp_KA > -torch.inf
    return (logp_KA.exp() * torch.where(finite, value_KA, 0.0)).sum(-1)


def divergence(now: Chosen, base: Chosen) -> Tensor:
    """(M,) exact KL(now ‖ base) of the distributions at each decision, in nats."""
    out = torch.zeros_like(now.logp_M)
    for (index, logp_KA), (_, base_KA) in zip(now.parts, base.parts, strict=True):
        finite = logp_KA > -torch.inf
        gap_KA = torch.where(finite, logp_KA, 0.0) - torch.where(finite, base_KA, 0.0)
        out = out.index_put((index,), _expect(logp_KA, gap_KA))
    return out


def clipped(logp_M: Tensor, old_M: Tensor, advantage_M: Tensor, low: float, high: float) -> Tensor:
    """(M,) clipped surrogate loss −min(ρ A, clip(ρ, 1−low, 1+high) A) (Schulman et al., arXiv 1707.06347)."""
    ratio_M = (logp_M - old_M).exp()
    return -torch.minimum(ratio_M * advantage_M, ratio_M.clamp(1 - low, 1 + high) * advantage_M)


def summary(chosen: Chosen, batch: Batch) -> Mapping[str, float]:
    """What is logged of a batch: entropy per decision and the greatest gap to the log-probabilities stored in play."""
    gap_M = (chosen.logp_M - batch.logp_M).abs()
    return {"entropy": float(chosen.entropy_M.mean()), "logp_gap": float(gap_M.max())}
