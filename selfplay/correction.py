"""Where the sampler computes other probabilities than the trainer: decisions with the trainer's, weighted for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from selfplay.batch import Batch, Decision, Talk, batches
from selfplay.losses import truncated_weight


def corrected(
    rows: Sequence[Talk], old_logp: Callable[[Batch], torch.Tensor], cap: float, chunk_tokens: int
) -> tuple[list[Talk], torch.Tensor]:
    """``rows`` with the trainer's log-probabilities and advantages times min(p_trainer / p_sampler, ``cap``).

    Args:
        rows: conversations with the sampler's log-probabilities.
        old_logp: (M,) the trainer's for a batch, with the weights that sampled it.
        cap: greatest weight.
        chunk_tokens: tokens per forward pass.

    Returns:
        The conversations, and all weights.
    """
    known: dict[int, list[float]] = {}
    for batch in batches(rows, chunk_tokens):
        for turn, logp in zip(batch.turn_M.tolist(), old_logp(batch).tolist(), strict=True):
            known.setdefault(turn, []).append(logp)
    weights: list[float] = []

    def correct(decision: Decision) -> Decision:
        old = known[decision.turn].pop(0)  # a turn's decisions come in order
        weight = float(truncated_weight(torch.tensor(old), torch.tensor(decision.logp), cap))
        weights.append(weight)
        return replace(decision, logp=old, advantage=weight * decision.advantage)

    out = [replace(row, decisions=tuple([correct(d) for d in row.decisions])) for row in rows]
    return out, torch.tensor(weights)


def gaps(sampled: Sequence[Talk], trained: Sequence[Talk]) -> torch.Tensor:
    """(M,) how far the sampler's log-probabilities lie from the trainer's, in nats."""
    pairs = [pair for a, b in zip(sampled, trained, strict=True) for pair in zip(a.decisions, b.decisions, strict=True)]
    return torch.tensor([abs(a.logp - b.logp) for a, b in pairs])
