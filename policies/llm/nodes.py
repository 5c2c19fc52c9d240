"""Conversations as the engine knows them, and one row of its forward passes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from policies.llm.trie import Ids, Trie

Logits = NDArray[np.float32]


@dataclass(eq=False, slots=True)
class Node:
    """A conversation so far, as one adapter reads it."""

    ids: Ids
    adapter: str | None = None
    """Key of the adapter; None: the base itself."""
    slot: int | None = None
    holders: int = 0
    """How many conversations stand here; at zero the slot is free for reuse."""
    stem: Node | None = None
    """Where those go who drop the end of it."""


@dataclass(slots=True)
class Read:
    """One row of a forward pass: a parent conversation, what is appended, and the trie of replies looked at then."""

    parent: Node
    new: Ids
    trie: Trie | None = None
    node: Node | None = None
    logits: dict[int, Logits] = field(default_factory=dict)
    """Logits (vocabulary,) at the end of the new tokens (key 0) and at each branch of the trie."""

    @property
    def looked_at(self) -> int:
        """Tokens of the trie that are computed beside the new ones."""
        return len(self.trie.computed) if self.trie else 0

    @property
    def start(self) -> int:
        """Tokens already in the cache; an evicted parent is read again from the beginning."""
        return len(self.parent.ids) if self.parent.slot is not None else 0

    @property
    def width(self) -> int:
        """Tokens to compute."""
        return len(self.parent.ids) + len(self.new) - self.start + self.looked_at

    @property
    def span(self) -> int:
        """Places of a slot that the row needs."""
        return len(self.parent.ids) + len(self.new) + self.looked_at

    def arrived(self) -> Node:
        """The conversation after the pass."""
        assert self.node is not None
        return self.node
