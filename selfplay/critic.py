"""A value head: what a turn's position is worth, linear in the base model's hidden state at the turn's first token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from selfplay.batch import Batch, Talk, batches
from selfplay.table import Floats, Ints

if TYPE_CHECKING:
    from selfplay.learner import Learner

PULL = 0.1
"""How strongly a fit holds on to the weights it starts from, against one turn's squared error."""


def hidden_states(learner: Learner, rows: Sequence[Talk]) -> tuple[Ints, Floats]:
    """(K,) turns and (K, H) last hidden states of the base where each turn's first token was chosen."""
    parts = [_hidden(learner, batch) for batch in batches(rows, learner.config.chunk_tokens)]
    turns = np.concatenate([t for t, _ in parts])
    return turns, np.concatenate([h for _, h in parts]).astype(np.float64)


def _hidden(learner: Learner, batch: Batch) -> tuple[Ints, Floats]:
    turns, first = np.unique(batch.turn_M.numpy(), return_index=True)
    row_K, position_K = batch.row_M[first], batch.position_M[first]
    keep_BT = torch.zeros(batch.ids_BT.shape, dtype=torch.bool)
    keep_BT[row_K, position_K] = True
    seen: list[torch.Tensor] = []

    def look(_: Any, inputs: tuple[torch.Tensor, ...]) -> None:
        seen.append(inputs[0])  # the head reads the shared prefix first, then what is kept of the rows

    learner.base.use(None)
    hook = learner.base.model.get_output_embeddings().register_forward_pre_hook(look)
    try:
        with torch.no_grad():
            learner.forward(batch, keep_BT)
    finally:
        hook.remove()
    place_BT = keep_BT.flatten().cumsum(0).reshape(keep_BT.shape) - 1
    hidden_KH = seen[-1].reshape(-1, seen[-1].shape[-1])[place_BT[row_K, position_K]]
    return turns, hidden_KH.float().cpu().numpy()


def features(hidden_KH: Floats) -> Floats:
    """(K, H + 1) hidden states scaled to unit mean square, and a constant."""
    scale = np.sqrt((hidden_KH**2).mean(axis=1, keepdims=True)) + 1e-12
    return np.concatenate([hidden_KH / scale, np.ones((len(hidden_KH), 1))], axis=1)


def fit(weights_F: Floats, x_KF: Floats, target_K: Floats, pull: float = PULL) -> Floats:
    """(F,) weights with the least mean (target − x·w)² + ``pull`` |w − ``weights_F``|²: a batch only moves them."""
    gram_FF = x_KF.T @ x_KF / len(x_KF) + pull * np.eye(len(weights_F))
    return np.asarray(weights_F + np.linalg.solve(gram_FF, x_KF.T @ (target_K - x_KF @ weights_F) / len(x_KF)))
