"""Batched reading of many growing conversations, computing every token once.

A conversation is a node: its token ids and, while memory lasts, a slot of the key-value cache. Nodes with the same
history are one node, so the rules are read once for all matches and equal conversations cost nothing extra. A node
whose slot was taken away is read again from its ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from policies.llm.cache import SlotCache
from policies.llm.trie import Ids, Trie

Logits = NDArray[np.float32]


@dataclass(eq=False, slots=True)
class Node:
    """A conversation so far."""

    ids: Ids
    slot: int | None = None
    holders: int = 0
    """How many conversations stand here; at zero the slot is free for reuse."""


@dataclass(slots=True)
class Read:
    """One row of a forward pass: a parent conversation, what is appended, and the trie of replies looked at then."""

    parent: Node
    new: Ids
    trie: Trie | None = None
    node: Node | None = None
    logits: dict[int, Logits] = field(default_factory=dict)
    """Logits (vocabulary,) at the end of the new tokens (key 0) and at each branch of the trie."""


class Engine:
    """Reads conversations of one model with one adapter.

    Args:
        forward: ``forward(ids, mask, positions, cache, keep) -> logits`` of the kept positions, adapter in place.
        cache: the slots.
        chunk_tokens: tokens per forward pass at most; larger batches are split.
        max_slots: conversations kept in memory at most; the rest is read again when needed.
    """

    def __init__(
        self,
        forward: Callable[..., torch.Tensor],
        cache: SlotCache,
        *,
        chunk_tokens: int = 4096,
        max_slots: int = 4096,
    ) -> None:
        self._forward = forward
        self._cache = cache
        self._chunk_tokens = chunk_tokens
        self._max_slots = max_slots
        self._resident: dict[Node, None] = {}  # in order of last use
        self.tokens_read = 0

    def read(self, rows: Sequence[Read]) -> None:
        """Append to conversations and look at the replies; results are written into the rows.

        Rows with the same parent, new tokens and trie are computed once and share their node.
        """
        unique: dict[tuple[int, Ids, int], list[Read]] = {}
        for row in rows:
            unique.setdefault((id(row.parent), row.new, id(row.trie)), []).append(row)
        firsts = sorted((same[0] for same in unique.values()), key=lambda r: len(r.new))
        heirs = Counter(row.parent for row in firsts)
        leaving = Counter(row.parent for row in rows)
        only = {p for p, n in heirs.items() if n == 1 and leaving[p] >= p.holders}
        for chunk in self._chunks(firsts):
            self._pass(chunk, only)
        for same in unique.values():
            for row in same[1:]:
                row.node, row.logits = same[0].node, same[0].logits

    def release(self, node: Node) -> None:
        """One conversation left this node; its slot is kept until another needs the room."""
        node.holders -= 1
        if node.holders <= 0 and node.slot is not None:
            self._evict(node)

    def clear(self) -> None:
        """Forget every slot (the weights changed)."""
        for node in list(self._resident):
            self._evict(node)

    def _chunks(self, rows: Sequence[Read]) -> list[list[Read]]:
        chunks: list[list[Read]] = []
        widest = 0
        for row in rows:
            need = self._start(row)[1] + (len(row.trie.computed) if row.trie else 0)
            widest = max(widest, need)
            if not chunks or (len(chunks[-1]) + 1) * widest > self._chunk_tokens:
                chunks.append([])
                widest = need
            chunks[-1].append(row)
        return chunks

    @staticmethod
    def _start(row: Read) -> tuple[int, int]:
        """(tokens already in the cache, tokens to compute); an evicted parent is read again from the beginning."""
        kept = len(row.parent.ids) if row.parent.slot is not None else 0
        return kept, len(row.parent.ids) + len(row.new) - kept

    def _pass(self, rows: Sequence[Read], only: set[Node]) -> None:
        """One forward pass over at most a chunk of rows; a parent in ``only`` hands its slot to its one heir."""
        starts, news, copies = [], [], []
        for row in rows:
            kept, _ = self._start(row)
            ids = row.parent.ids + row.new
            slot = row.parent.slot
            if slot is None or row.parent not in only:
                slot = self._cache.take()
                copies += [(row.parent.slot, slot, kept)] if row.parent.slot is not None else []
            else:
                self._resident.pop(row.parent)
                row.parent.slot = None
            row.node = Node(ids, slot)
            starts.append(kept)
            news.append(list(ids[kept:]))
        self._cache.copy(copies)
        self._compute(rows, starts, news)
        for row in rows:
            assert row.node is not None
            self._resident.pop(row.node, None)
            self._resident[row.node] = None
        while len(self._resident) > self._max_slots:
            self._evict(next(iter(self._resident)))

    def _compute(self, rows: Sequence[Read], starts: list[int], news: list[list[int]]) -> None:
        tries = [row.trie.tokens() if row.trie else [] for row in rows]
        lengths = [len(n) for n in news]
        width = max(n + len(t) for n, t in zip(lengths, tries, strict=True))
        span = max(starts) + width
        batch = len(rows)
        ids_BT = np.zeros((batch, width), np.int64)
        positions_BT = np.array(starts)[:, None] + np.arange(width)
        rotary_BT = positions_BT.copy()
        mask_BTS = np.arange(span)[None, None, :] <= positions_BT[:, :, None]
        keep: list[tuple[int, int]] = []
        for b, row in enumerate(rows):
            n, k, s = lengths[b], len(tries[b]), starts[b]
            ids_BT[b, :n] = news[b]
            keep.append((b, n - 1))
            if row.trie and k:
                ids_BT[b, n : n + k] = tries[b]
                rotary_BT[b, n : n + k] = s + n - 1 + np.array(row.trie.depths())
                mask_BTS[b, n : n + k, s + n :] = False
                mask_BTS[b, n : n + k, s + n : s + n + k] = row.trie.visible()
                place = {node: n + i for i, node in enumerate(row.trie.computed)}
                keep += [(b, place[node]) for node in row.trie.branches if node]
        logits = self._run(rows, ids_BT, positions_BT, rotary_BT, mask_BTS, keep)
        self.tokens_read += int(sum(lengths))
        for row, values in zip((rows[b] for b, _ in keep), logits, strict=True):
            branches = [0, *(node for node in row.trie.branches if node)] if row.trie else [0]
            row.logits[branches[len(row.logits)]] = values

    def _run(
        self,
        rows: Sequence[Read],
        ids: NDArray[np.int64],
        positions: NDArray[np.int64],
        rotary: NDArray[np.int64],
        mask: NDArray[np.bool_],
        keep: list[tuple[int, int]],
    ) -> Logits:
        """Logits (len(keep), vocabulary) of one padded batch."""
        slots = torch.tensor([row.node.slot for row in rows if row.node is not None])
        self._cache.ready(slots, torch.from_numpy(positions), mask.shape[2])
        keep_BT = torch.zeros(ids.shape, dtype=torch.bool)
        keep_BT[tuple(torch.tensor(keep).T)] = True
        logits = self._forward(
            torch.from_numpy(ids), torch.from_numpy(mask)[:, None], torch.from_numpy(rotary), self._cache, keep_BT
        )
        return np.asarray(logits.float().cpu().numpy())

    def _evict(self, node: Node) -> None:
        self._resident.pop(node, None)
        if node.slot is not None:
            self._cache.give(node.slot)
            node.slot = None
