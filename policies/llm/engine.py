"""Batched reading of many growing conversations, computing every token once.

A conversation is a node: its token ids, the adapter that reads it and, while memory lasts, a slot of the key-value
cache. Nodes with the same history are one node, so the rules are read once for all matches and equal conversations
cost nothing extra. A node whose slot was taken away is read again from its ids. What is too large for one forward pass
is split, and what is too large for memory is split further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

import torch

from policies.llm.cache import SlotCache
from policies.llm.nodes import Logits, Node, Read
from policies.llm.padding import pad
from policies.llm.trie import Ids

_FOR_GOOD = 1 << 30  # holders of a root: it never hands its slot to an heir


class Engine:
    """Reads the conversations of one base model, each with its adapter.

    Args:
        forward: ``forward(adapters, ids, mask, positions, cache, keep) -> logits`` of the kept positions; one adapter
            per row.
        cache: the slots; they bound memory.
        chunk_tokens: tokens per forward pass at most (one row at least); larger batches are split.
        mixed: whether rows of several adapters share a pass. Grouped rows are faster on processors, mixed ones on
            accelerators, whose passes are far from full.
    """

    def __init__(
        self, forward: Callable[..., torch.Tensor], cache: SlotCache, *, chunk_tokens: int = 4096, mixed: bool = False
    ) -> None:
        self._forward = forward
        self.cache = cache
        self.chunk_tokens = chunk_tokens
        self.mixed = mixed
        self._resident: dict[Node, None] = {}  # in order of last use
        self._roots: dict[tuple[str | None, Ids], Node] = {}
        self.tokens_read = 0
        self.passes = 0

    def root(self, adapter: str | None, opening: Ids) -> Node:
        """The node where every conversation with these rules begins; read once, and again only when evicted."""
        key = (adapter, opening)
        if key not in self._roots:
            node = Node((), adapter)
            if opening:
                row = Read(node, opening)
                self.read([row])
                node = row.arrived()
            node.holders = _FOR_GOOD
            self._roots[key] = node
        return self._roots[key]

    def read(self, rows: Sequence[Read]) -> None:
        """Append to conversations and look at the replies; results are written into the rows.

        Rows with the same parent, new tokens and trie are computed once and share their node.
        """
        unique: dict[tuple[int, Ids, int], list[Read]] = {}
        for row in rows:
            unique.setdefault((id(row.parent), row.new, id(row.trie)), []).append(row)
        firsts = [same[0] for same in unique.values()]
        heirs = Counter(row.parent for row in firsts)
        leaving = Counter(row.parent for row in rows)
        only = {p for p, n in heirs.items() if n == 1 and leaving[p] >= p.holders}
        for chunk in self._chunks(firsts):
            self._pass(chunk, only)
        for same in unique.values():
            for row in same[1:]:
                row.node, row.logits = same[0].node, same[0].logits

    def release(self, node: Node) -> None:
        """One conversation left this node; without any its slot is free."""
        node.holders -= 1
        if node.holders <= 0:
            self._evict(node)

    def drop_end(self, node: Node, length: int) -> Node:
        """Leave ``node`` for the conversation of its first ``length`` tokens, which keeps what was computed of it."""
        if node.stem is None or len(node.stem.ids) != length:
            node.stem = Node(node.ids[:length], node.adapter)
        stem = node.stem
        stem.holders += 1
        node.holders -= 1
        if node.holders <= 0 and node.slot is not None:  # the last to leave takes the slot along
            self._resident.pop(node, None)
            if stem.slot is None:
                stem.slot, node.slot = node.slot, None
                self._resident[stem] = None
            else:
                self._evict(node)
        return stem

    def clear(self, adapter: str | None) -> None:
        """Forget what was computed with this adapter (its weights changed)."""
        for node in [n for n in self._resident if n.adapter == adapter]:
            self._evict(node)
        self._roots = {key: node for key, node in self._roots.items() if key[0] != adapter}

    def _chunks(self, rows: Sequence[Read]) -> list[list[Read]]:
        """Rows of similar length together; of one adapter, unless passes are mixed."""
        chunks: list[list[Read]] = []
        for _, group in groupby(sorted(rows, key=self._order), key=lambda row: self._order(row)[0]):
            widest, current = 0, list[Read]()
            for row in group:
                widest = max(widest, row.width)
                if current and (len(current) + 1) * widest > self.chunk_tokens:
                    chunks.append(current)
                    widest, current = row.width, []
                current.append(row)
            chunks.append(current)
        return chunks

    def _order(self, row: Read) -> tuple[str, int]:
        return ("" if self.mixed else row.parent.adapter or "", row.width)

    def _pass(self, rows: Sequence[Read], only: set[Node]) -> None:
        """One forward pass over a chunk of rows, or several where they don't fit the slots or the pass.

        A parent in ``only`` hands its slot to its one heir.
        """
        if not self._fits(rows, only):
            half = len(rows) // 2
            self._pass(rows[:half], only)
            self._pass(rows[half:], only)
            return
        starts = [row.start for row in rows]
        self.cache.copy([move for row in rows if (move := self._settle(row, only)) is not None])
        self._compute(rows, starts)
        for row in rows:
            self._resident.pop(row.arrived(), None)
            self._resident[row.arrived()] = None

    def _fits(self, rows: Sequence[Read], only: set[Node]) -> bool:
        """Make room for these rows; False where they must be split first (a single row always fits)."""
        span, before = self._span(rows), -1
        while span > before:  # evicted parents make their rows wider
            most = self.cache.most(span)
            self._make_way(rows, only, most)
            span, before = self._span(rows), span
        if len(rows) > 1 and (self._held(rows, only) > most or self._too_wide(rows)):
            return False
        moved = self.cache.make_room(self._needed(rows, only), span, self._slots())
        for node in self._resident:
            assert node.slot is not None
            node.slot = moved[node.slot]
        return True

    def _make_way(self, rows: Sequence[Read], only: set[Node], most: int) -> None:
        """Evict what was used longest ago, parents of these rows aside, until ``most`` slots are enough."""
        parents = {row.parent for row in rows}
        others = [node for node in self._resident if node not in parents]
        while others and self._held(rows, only) > most:
            self._evict(others.pop(0))
        if len(rows) == 1 and self._held(rows, only) > most:
            self._evict(rows[0].parent)

    @staticmethod
    def _span(rows: Sequence[Read]) -> int:
        """Places that a pass reads and writes of every slot, padding included."""
        return max(row.start for row in rows) + max(row.width for row in rows)

    def _too_wide(self, rows: Sequence[Read]) -> bool:
        """Whether evicted parents have made the pass larger than planned."""
        return len(rows) * max(row.width for row in rows) > self.chunk_tokens

    @staticmethod
    def _needed(rows: Sequence[Read], only: set[Node]) -> int:
        """Free slots that a pass takes."""
        return sum(row.parent.slot is None or row.parent not in only for row in rows)

    def _held(self, rows: Sequence[Read], only: set[Node]) -> int:
        """Slots in use during a pass."""
        return len(self._resident) + self._needed(rows, only)

    def _slots(self) -> list[int]:
        return [node.slot for node in self._resident if node.slot is not None]

    def _settle(self, row: Read, only: set[Node]) -> tuple[int, int, int] | None:
        """Give the row's new node a slot: its parent's, or another with a copy (from, to, length) of it."""
        parent, kept = row.parent, row.start
        row.node = Node(parent.ids + row.new, parent.adapter)
        if parent.slot is not None and parent in only:
            self._resident.pop(parent, None)
            row.node.slot, parent.slot = parent.slot, None
            return None
        row.node.slot = self.cache.take()
        return (parent.slot, row.node.slot, kept) if parent.slot is not None else None

    def _compute(self, rows: Sequence[Read], starts: Sequence[int]) -> None:
        """Logits of the rows; where the device runs out of memory, half of them at a time."""
        try:
            logits = self._run(rows, starts)
        except torch.OutOfMemoryError:
            if len(rows) == 1:
                raise
            half = len(rows) // 2
            self._compute(rows[:half], starts[:half])
            self._compute(rows[half:], starts[half:])
            return
        for row, values in logits:
            branches = [0, *(node for node in row.trie.branches if node)] if row.trie else [0]
            row.logits[branches[len(row.logits)]] = values

    def _run(self, rows: Sequence[Read], starts: Sequence[int]) -> list[tuple[Read, Logits]]:
        """One padded forward pass: each kept position's row and its logits (vocabulary,)."""
        padded = pad(rows, starts)
        self.cache.ready(torch.tensor([row.arrived().slot for row in rows]), padded.positions_BT, padded.span)
        adapters = [row.parent.adapter for row in rows]
        masks = padded.mask_BTS[:, None], padded.rotary_BT
        logits = self._forward(adapters, padded.ids_BT, *masks, self.cache, padded.keep_BT).float().cpu().numpy()
        self.tokens_read += padded.tokens
        self.passes += 1
        return [(rows[b], values) for b, values in zip(padded.rows_K, logits, strict=True)]

    def _evict(self, node: Node) -> None:
        self._resident.pop(node, None)
        if node.slot is not None:
            self.cache.give(node.slot)
            node.slot = None
