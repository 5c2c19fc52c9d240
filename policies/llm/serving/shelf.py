"""Conversations that were read lately, found again by what a new prompt begins with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from policies.llm.engine import Engine
from policies.llm.nodes import Node
from policies.llm.trie import Ids

_KEPT = 1024


class Shelf:
    """Finished conversations of one engine; a prompt that goes on with one computes only what is new.

    Args:
        engine: the engine that read them; its memory bounds how many keep what was computed.
        kept: conversations remembered at most; those put away longest ago leave.
    """

    def __init__(self, engine: Engine, kept: int = _KEPT) -> None:
        self._engine, self._kept = engine, kept
        self._nodes: dict[tuple[str | None, int], Node] = {}  # by adapter and the hash of all ids

    def find(self, adapter: str | None, prompt: Ids) -> Node:
        """The longest conversation that ``prompt`` goes on with by at least one token; one holder more."""
        hashes = list(_hashes(prompt[:-1]))
        for length in range(len(hashes), 0, -1):
            node = self._nodes.get((adapter, hashes[length - 1]))
            if node is not None and node.ids == prompt[:length]:
                break
        else:
            node = self._engine.root(adapter, ())
        node.holders += 1
        return node

    def put(self, node: Node) -> None:
        """Take over a conversation from a holder that is done with it."""
        key = (node.adapter, list(_hashes(node.ids))[-1])
        if key in self._nodes:
            self._engine.release(self._nodes.pop(key))
        self._nodes[key] = node
        while len(self._nodes) > self._kept:
            self._engine.release(self._nodes.pop(next(iter(self._nodes))))

    def drop(self, nodes: Iterable[Node]) -> None:
        """Take conversations off the shelf: others go on from them now and may have their memory."""
        wanted = {id(node) for node in nodes}
        for key in [key for key, node in self._nodes.items() if id(node) in wanted]:
            self._engine.release(self._nodes.pop(key))

    def forget(self, adapter: str | None) -> None:
        """Everything read with this adapter is void."""
        for key in [key for key in self._nodes if key[0] == adapter]:
            self._engine.release(self._nodes.pop(key))


def _hashes(ids: Ids) -> Iterator[int]:
    """A hash of every beginning of ``ids``, shortest first."""
    value = 0
    for token in ids:
        value = hash((value, token))
        yield value
