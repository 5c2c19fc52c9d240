"""A key-value cache with one slot per conversation: rows grow at their own pace and leave no gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer

Tensor = torch.Tensor
_STEP = 128  # a slot's length grows in steps of so many tokens
_FEWEST = 16  # slots of a new pool, where there is room


class Scratch:
    """Memory that the rows of a pass are gathered into, layer after layer: fresh memory costs more than the copying."""

    def __init__(self) -> None:
        self._memory = torch.empty(0)

    def gather(self, pool: Tensor, rows: Tensor, width: int) -> Tensor:
        """``pool[rows, :width]``, (B, width, heads, dim), valid until the next call."""
        shape = (len(rows), width, *pool.shape[2:])
        size, memory = math.prod(shape), self._memory
        if memory.numel() < size or memory.dtype != pool.dtype or memory.device != pool.device:
            self._memory = memory = torch.empty(size, dtype=pool.dtype, device=pool.device)
        out = memory[:size].view(shape)
        torch.index_select(pool[:, :width], 0, rows.to(pool.device), out=out)
        return out


class SlotLayer(DynamicLayer):
    """One layer's keys and values, (slots, length, heads, dim), written by index and read by row.

    Args:
        scratch: where keys and where values are gathered; shared by all layers.
    """

    keys: Tensor
    values: Tensor

    def __init__(self, scratch: tuple[Scratch, Scratch]) -> None:
        super().__init__()
        self._scratch = scratch
        self.rows: Tensor | None = None
        self.positions: Tensor | None = None
        self.width = 0

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Store (B, heads, new, dim) at the announced rows and positions; return those rows up to ``width``."""
        assert self.rows is not None
        found = []
        for pool, new, scratch in zip((self.keys, self.values), (key_states, value_states), self._scratch, strict=True):
            pool[self.rows[:, None], self.positions] = new.transpose(1, 2)
            found.append(scratch.gather(pool, self.rows, self.width).transpose(1, 2))
        return found[0], found[1]

    def get_seq_length(self) -> int:
        """Unused: positions are passed to the model."""
        return 0

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Unused: the mask is passed to the model."""
        return self.width, 0


class SlotCache(Cache):
    """A pool of slots of one length each; it grows in slots and length, and never beyond ``tokens`` places in all.

    Args:
        config: the model's configuration.
        dtype: of keys and values.
        device: where they lie.
        tokens: slots times length at most; one slot there is always.
    """

    def __init__(self, config: Any, dtype: torch.dtype, device: torch.device, tokens: int = 1 << 40) -> None:
        scratch = Scratch(), Scratch()
        self._slot_layers = [SlotLayer(scratch) for _ in range(config.num_hidden_layers)]
        super().__init__(layers=list(self._slot_layers))
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._shape, self._dtype, self._device = (heads, dim), dtype, device
        self.slots, self.length, self.tokens = 0, 0, tokens
        self._free: list[int] = []

    @property
    def bytes_per_token(self) -> int:
        """Memory that one token of one conversation takes."""
        return 2 * len(self._slot_layers) * self._shape[0] * self._shape[1] * torch.finfo(self._dtype).bits // 8

    @property
    def free(self) -> int:
        """Slots that are free now."""
        return len(self._free)

    def long_enough(self, width: int) -> int:
        """The length of slots that hold ``width`` tokens."""
        return max(self.length, -(-width // _STEP) * _STEP)

    def most(self, width: int) -> int:
        """How many slots of that length there may be."""
        return max(1, self.tokens // self.long_enough(width))

    def take(self) -> int:
        """A free slot."""
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
        for layer in self._slot_layers:
            layer.rows, layer.positions, layer.width = rows, positions, width

    def make_room(self, wanted: int, width: int, kept: Sequence[int]) -> dict[int, int]:
        """Slots for ``wanted`` conversations more, all long enough for ``width`` tokens, as far as the limit allows.

        Args:
            wanted: free slots there should be.
            width: tokens that a slot must hold.
            kept: the slots in use.

        Returns:
            Where the slots in use lie now, by where they lay.
        """
        length, needed = self.long_enough(width), len(kept) + wanted
        if length == self.length and (needed <= self.slots or self.slots >= self.most(width)):
            return {slot: slot for slot in kept}
        slots = min(self.most(width), max(needed, self.slots if needed <= self.slots else 2 * self.slots, _FEWEST))
        self._resize(slots, length, kept)
        return {slot: place for place, slot in enumerate(kept)}

    def _resize(self, slots: int, length: int, kept: Sequence[int]) -> None:
        """New pools, layer by layer, in which the kept slots come first."""
        for layer in self._slot_layers:
            for name in ("keys", "values"):
                new = torch.zeros(slots, length, *self._shape, dtype=self._dtype, device=self._device)
                if kept:
                    new[: len(kept), : self.length] = getattr(layer, name)[list(kept)]
                setattr(layer, name, new)
            layer.is_initialized = True
        self._free = list(range(slots - 1, len(kept) - 1, -1))
        self.slots, self.length = slots, length
