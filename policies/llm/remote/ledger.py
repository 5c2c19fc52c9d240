"""An engine that computes nothing: conversations are their ids alone, and what reads them is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from policies.llm.engine import Engine
from policies.llm.nodes import Node, Read
from policies.llm.trie import Ids


class Ledger(Engine):
    """Keeps conversations for :class:`policies.llm.talk.Talk` where a server holds the model and its memory."""

    def __init__(self) -> None:
        """Nothing is held."""

    def root(self, adapter: str | None, opening: Ids) -> Node:
        """The conversation that begins with ``opening``."""
        return Node(opening, adapter)

    def read(self, rows: Sequence[Read]) -> None:
        """Append; nothing is looked at."""
        for row in rows:
            row.node = Node(row.parent.ids + row.new, row.parent.adapter)

    def release(self, node: Node) -> None:
        """Nothing is held."""

    def drop_end(self, node: Node, length: int) -> Node:
        """The conversation of the first ``length`` tokens."""
        return Node(node.ids[:length], node.adapter)

    def clear(self, adapter: str | None) -> None:
        """Nothing was computed."""
