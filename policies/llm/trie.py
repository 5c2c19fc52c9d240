"""The trie of legal replies: every legal text plus the end token, walked token by token."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Ids = tuple[int, ...]
Logits = NDArray[np.float64]


@dataclass(slots=True)
class _Node:
    depth: int
    parent: int
    token: int
    children: dict[int, int] = field(default_factory=dict)


class Trie:
    """A trie over token sequences, flattened: node 0 is the root (the end of the prompt).

    Only nodes with two or more children need the model's logits (``branches``), and only nodes on the way to one need
    computing (``computed``); where one token is left it is forced and costs nothing.
    """

    def __init__(self, replies: Mapping[str, Ids]) -> None:
        self.texts = tuple(replies)
        self._nodes = [_Node(0, -1, -1)]
        self._leaf: dict[int, str] = {}
        self.paths: dict[str, tuple[int, ...]] = {}
        for text, ids in replies.items():
            self._insert(text, ids)
        needed = {n for b in range(len(self._nodes)) if len(self._nodes[b].children) > 1 for n in self._ancestors(b)}
        self.branches = tuple(n for n, node in enumerate(self._nodes) if len(node.children) > 1)
        self.computed = tuple(sorted(needed - {0}))

    def _insert(self, text: str, ids: Ids) -> None:
        at, path = 0, [0]
        for token in ids:
            node = self._nodes[at]
            if token not in node.children:
                node.children[token] = len(self._nodes)
                self._nodes.append(_Node(node.depth + 1, at, token))
            at = node.children[token]
            path.append(at)
        self._leaf[at] = text
        self.paths[text] = tuple(path)

    def _ancestors(self, node: int) -> list[int]:
        """``node`` and everything above it, root last."""
        out = []
        while node >= 0:
            out.append(node)
            node = self._nodes[node].parent
        return out

    def tokens(self) -> list[int]:
        """The token of each computed node, in order."""
        return [self._nodes[n].token for n in self.computed]

    def depths(self) -> list[int]:
        """The depth of each computed node (1: right after the prompt)."""
        return [self._nodes[n].depth for n in self.computed]

    def visible(self) -> NDArray[np.bool_]:
        """(n, n): which computed nodes each computed node attends to (its ancestors and itself)."""
        place = {n: i for i, n in enumerate(self.computed)}
        out = np.zeros((len(place), len(place)), np.bool_)
        for node, i in place.items():
            out[i, [place[a] for a in self._ancestors(node) if a in place]] = True
        return out

    def allowed(self, node: int) -> Ids:
        """The tokens that may follow ``node``, ascending."""
        return tuple(sorted(self._nodes[node].children))

    def child(self, node: int, token: int) -> int:
        """The node that ``token``, one of :meth:`allowed`, leads to."""
        return self._nodes[node].children[token]

    def ids_to(self, node: int) -> Ids:
        """The tokens from the root to ``node``."""
        return tuple(self._nodes[n].token for n in reversed(self._ancestors(node)[:-1]))

    def text(self, node: int) -> str | None:
        """The reply that ends at ``node``; None: none does."""
        return self._leaf.get(node)

    def log_softmax(self, logits: Mapping[int, NDArray[np.float32]], temperature: float) -> dict[int, Logits]:
        """Log-probabilities over :meth:`allowed` at each branch, from the model's logits (vocabulary,) there."""
        out = {}
        for node in self.branches:
            x = logits[node][list(self.allowed(node))].astype(np.float64) / temperature
            x = x - x.max()
            out[node] = x - np.log(np.exp(x).sum())
        return out

    def walk(self, logps: Mapping[int, Logits], draws: Sequence[float]) -> tuple[str, Ids, list[float], list[Ids]]:
        """Sample a reply: (text, ids with the end token, a log-probability per id, the ids each was chosen among)."""
        node, ids, chosen, among = 0, [], [], []
        while node not in self._leaf:
            options = self.allowed(node)
            pick, logp = 0, 0.0
            if len(options) > 1:
                pick = pick_by_cdf(np.exp(logps[node]), draws[self._nodes[node].depth])
                logp = float(logps[node][pick])
            ids.append(options[pick])
            chosen.append(logp)
            among.append(options)
            node = self._nodes[node].children[options[pick]]
        return self._leaf[node], tuple(ids), chosen, among

    def probabilities(self, logps: Mapping[int, Logits]) -> dict[str, float]:
        """The exact probability of each legal text."""
        out = {}
        for text, path in self.paths.items():
            steps = itertools.pairwise(path)
            out[text] = float(np.exp(sum(self._step(logps, a, b) for a, b in steps)))
        return out

    def _step(self, logps: Mapping[int, Logits], node: int, child: int) -> float:
        options = self.allowed(node)
        return float(logps[node][options.index(self._nodes[child].token)]) if len(options) > 1 else 0.0

    @property
    def depth(self) -> int:
        """Tokens of the longest reply."""
        return max(len(path) - 1 for path in self.paths.values())


def pick_by_cdf(probabilities: NDArray[np.float64], draw: float) -> int:
    """The index that a uniform draw in [0, 1) selects; never one of probability 0."""
    cdf = np.cumsum(probabilities)
    return int(min(np.searchsorted(cdf, draw * cdf[-1], side="right"), np.flatnonzero(probabilities)[-1]))
