"""A key-value cache with one slot per conversation: rows grow at their own pace and leave no gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer

Tensor = torch.Tensor


class SlotLayer(DynamicLayer):
    """One layer's keys and values, (slots, length, heads, dim), written by index and read by row."""

    keys: Tensor
    values: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.rows: Tensor | None = None
        self.positions: Tensor | None = None
        self.width = 0

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Store (B, heads, new, dim) at the announced rows and positions; return those rows up to ``width``."""
        assert self.rows is not None
        for pool, new in ((self.keys, key_states), (self.values, value_states)):
            pool[self.rows[:, None], self.positions] = new.transpose(1, 2)
        keys, values = (pool[self.rows, : self.width].transpose(1, 2) for pool in (self.keys, self.values))
        return keys, values

    def get_seq_length(self) -> int:
        """Unused: positions are passed to the model."""
        return 0

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Unused: the mask is passed to the model."""
        return self.width, 0


class SlotCache(Cache):
    """The pool of slots of one policy; grows by doubling, both in slots and in length."""

    def __init__(self, config: Any, dtype: torch.dtype, device: torch.device) -> None:
        self._slot_layers = [SlotLayer() for _ in range(config.num_hidden_layers)]
        super().__init__(layers=list(self._slot_layers))
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._shape, self._dtype, self._device = (heads, dim), dtype, device
        self.slots, self.length = 0, 0
        self._free: list[int] = []

    @property
    def bytes_per_token(self) -> int:
        """Memory that one token of one conversation takes."""
        return 2 * len(self._slot_layers) * self._shape[0] * self._shape[1] * torch.finfo(self._dtype).bits // 8

    def take(self) -> int:
        """A free slot; the pool grows where there is none."""
        if not self._free:
            self._grow(max(16, self.slots * 2), self.length)
        return self._free.pop()

    def give(self, slot: int) -> None:
        """Return a slot."""
        self._free.append(slot)

    def copy(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Copy the first ``length`` positions of slots: (source, target, length) each."""
        if not moves:
            return
        sources, targets, lengths = (list(column) for column in zip(*moves, strict=True))
        length = max(lengths)
        for layer in self._slot_layers:
            layer.keys[targets, :length] = layer.keys[sources, :length]
            layer.values[targets, :length] = layer.values[sources, :length]

    def ready(self, rows: Tensor, positions: Tensor, width: int) -> None:
        """Announce the next forward pass: (B,) slots, (B, new) positions, and how far the rows are read."""
        if width > self.length:
            self._grow(self.slots, -(-width // 128) * 128)
        for layer in self._slot_layers:
            layer.rows, layer.positions, layer.width = rows, positions, width

    def _grow(self, slots: int, length: int) -> None:
        for layer in self._slot_layers:
            for name in ("keys", "values"):
                new = torch.zeros(slots, length, *self._shape, dtype=self._dtype, device=self._device)
                if self.slots:
                    new[: self.slots, : self.length] = getattr(layer, name)
                setattr(layer, name, new)
            layer.is_initialized = True
        self._free += range(slots - 1, self.slots - 1, -1)
        self.slots, self.length = slots, length
