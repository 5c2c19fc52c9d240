"""Losses on decisions, and the exact distributions they are computed from."""

from __future__ import annotations

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


def kl_estimate(logp_M: Tensor, base_M: Tensor, kind: str) -> Tensor:
    """(M,) estimates of KL(now ‖ base) from what was chosen alone, in nats (Schulman, "Approximating KL divergence").

    With d = log p_now − log p_base: ``k1`` d, unbiased, of either sign, and without a gradient on average; ``k2`` ½ d²;
    ``k3`` e^{−d} − 1 + d, unbiased and never negative.
    """
    gap_M = logp_M - base_M
    if kind == "k1":
        return gap_M
    return 0.5 * gap_M**2 if kind == "k2" else (-gap_M).exp() - 1 + gap_M


def clipped(logp_M: Tensor, old_M: Tensor, advantage_M: Tensor, low: float, high: float, dual: float = 0.0) -> Tensor:
    """(M,) clipped surrogate loss −min(ρ A, clip(ρ, 1−low, 1+high) A) (Schulman et al., arXiv 1707.06347).

    Args:
        logp_M: log-probabilities now.
        old_M: when it was sampled.
        advantage_M: what each decision is worth.
        low: the ratio is clipped below 1 − ``low``.
        high: the ratio is clipped above 1 + ``high``; more than ``low`` leaves rare tokens room (arXiv 2503.14476).
        dual: where A < 0 the loss is at most ``dual`` · |A| (Ye et al., arXiv 1912.09729); 0: no such bound.
    """
    ratio_M = (logp_M - old_M).exp()
    loss_M = -torch.minimum(ratio_M * advantage_M, ratio_M.clamp(1 - low, 1 + high) * advantage_M)
    if not dual:
        return loss_M
    return torch.where(advantage_M < 0, torch.minimum(loss_M, -dual * advantage_M), loss_M)


def truncated_weight(old_M: Tensor, sampler_M: Tensor, cap: float) -> Tensor:
    """(M,) min(p_trainer / p_sampler, cap) before the update: what makes up for a sampler that computes otherwise.

    Truncated importance sampling (Ionides 2008); ``old_M`` and ``sampler_M`` are log-probabilities of the same weights.
    """
    return (old_M - sampler_M).exp().clamp(max=cap)


def aggregate(
    loss_M: Tensor, turn_M: Tensor, replies: int, tokens: int, how: str = "constant", length: int = 1
) -> Tensor:
    """One loss from those of decisions: this batch's share of a minibatch of ``replies`` and ``tokens``.

    Args:
        loss_M: (M,) losses of decisions.
        turn_M: (M,) the reply each belongs to; all of a reply's decisions are in this batch.
        replies: replies of the minibatch.
        tokens: decisions of the minibatch.
        how: ``token-mean``: every token counts alike, long replies more; ``sequence-mean``: every reply counts alike;
            ``constant``: sums over replies, divided by a constant, not by their own length (arXiv 2503.20783).
        length: that constant.
    """
    if how == "token-mean":
        return loss_M.sum() / max(1, tokens)
    if how == "sequence-mean":
        _, of_M, size = torch.unique(turn_M, return_inverse=True, return_counts=True)
        return (loss_M / size[of_M]).sum() / max(1, replies)
    return loss_M.sum() / (max(1, replies) * length)
