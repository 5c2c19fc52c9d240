"""Rows of a forward pass as padded tensors: new tokens, then the trie's, each with what it attends to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from policies.llm.nodes import Read


@dataclass(frozen=True, slots=True)
class Padded:
    """B rows of T tokens at most, reading S places of their slots; K positions whose logits are kept."""

    ids_BT: torch.Tensor
    positions_BT: torch.Tensor
    """Places in the slot that keys and values are written to."""
    rotary_BT: torch.Tensor
    """Positions as the model counts them: alternatives in a trie stand at the same one."""
    mask_BTS: torch.Tensor
    keep_BT: torch.Tensor
    rows_K: tuple[int, ...]
    """The row of each kept position, in order."""
    span: int
    tokens: int
    """New tokens, padding and tries aside."""


def pad(rows: Sequence[Read], starts: Sequence[int]) -> Padded:
    """The tensors of a pass in which row b has ``starts[b]`` tokens in its slot already."""
    news = [row.arrived().ids[start:] for row, start in zip(rows, starts, strict=True)]
    width = max(len(new) + row.looked_at for new, row in zip(news, rows, strict=True))
    span = max(starts) + width
    ids_BT = np.zeros((len(rows), width), np.int64)
    positions_BT = np.array(starts)[:, None] + np.arange(width)
    rotary_BT = positions_BT.copy()
    mask_BTS = np.arange(span)[None, None, :] <= positions_BT[:, :, None]
    keep_BT = np.zeros(ids_BT.shape, np.bool_)
    for b, (row, new, s) in enumerate(zip(rows, news, starts, strict=True)):
        n, k = len(new), row.looked_at
        ids_BT[b, :n] = new
        keep_BT[b, n - 1] = True
        if row.trie and k:
            ids_BT[b, n : n + k] = row.trie.tokens()
            rotary_BT[b, n : n + k] = s + n - 1 + np.array(row.trie.depths())
            mask_BTS[b, n : n + k, s + n :] = False
            mask_BTS[b, n : n + k, s + n : s + n + k] = row.trie.visible()
            place = {node: n + i for i, node in enumerate(row.trie.computed)}
            keep_BT[b, [place[node] for node in row.trie.branches if node]] = True
    rows_K = tuple(int(b) for b in np.nonzero(keep_BT)[0])
    return Padded(
        ids_BT=torch.from_numpy(ids_BT),
        positions_BT=torch.from_numpy(positions_BT),
        rotary_BT=torch.from_numpy(rotary_BT),
        mask_BTS=torch.from_numpy(mask_BTS),
        keep_BT=torch.from_numpy(keep_BT),
        rows_K=rows_K,
        span=span,
        tokens=sum(map(len, news)),
    )
