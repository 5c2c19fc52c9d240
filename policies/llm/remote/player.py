"""A language model in a seat whose engine is elsewhere: conversations are kept here, tokens computed there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.errors import UsageError
from policies.llm.chat import ChatFormat
from policies.llm.decoding import Decoding
from policies.llm.player import LLMPolicy
from policies.llm.remote.answering import answer
from policies.llm.remote.asking import Remote, Want, renormalised
from policies.llm.remote.ledger import Ledger
from policies.llm.trie import Ids, Trie
from policies.policy import Reply, Turn


@dataclass(frozen=True)
class Front:
    """What a base model is here when it computes elsewhere: its words, without its weights."""

    name: str
    chat: ChatFormat
    context: int
    fingerprint: str
    """What decides its replies, as far as it can be known from here."""
    engine: Ledger


class RemotePolicy(LLMPolicy):
    """A model that a server or vLLM runs, played token by token as one of our own is.

    Args:
        front: the model's chat format and context.
        remote: where it computes.
        adapter: the adapter's name there; None: the base.
        decoding: how replies are chosen.
        content: what the adapter's weights are, for stores.
    """

    def __init__(
        self, front: Front, remote: Remote, adapter: str | None, decoding: Decoding, content: str = ""
    ) -> None:
        super().__init__(front, adapter, decoding)
        self.remote, self._content = remote, content

    @property
    def fingerprint(self) -> str:
        """What decides its replies beside its spec, as far as it can be known from here."""
        return f"{self.base.fingerprint}+{self._content}" if self._content else self.base.fingerprint

    @property
    def team(self) -> tuple[str, int]:
        """All models of one remote engine are asked together."""
        return ("llm-remote", id(self.remote))

    @staticmethod
    def act_together(calls: Sequence[tuple[LLMPolicy, Sequence[Turn]]]) -> list[list[Reply]]:
        """The replies of several models of one remote engine."""
        started, first = time.perf_counter(), calls[0][0]
        assert isinstance(first, RemotePolicy)
        jobs = [policy.job(turn) for policy, turns in calls for turn in turns]
        replies = iter(answer(jobs, first.remote) if jobs else [])
        seconds = (time.perf_counter() - started) / max(1, len(jobs))
        return [[replace(next(replies), seconds=seconds) for _ in turns] for _, turns in calls]

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions over legal moves; every fork of every turn's replies is weighed at once.

        Raises:
            UsageError: decoding is free or thinks (then there is no exact distribution), or a move is free text.
        """
        if self.decoding.decode != "constrained" or self.decoding.think or any(t.moves.free for t in turns):
            raise UsageError(f'"{self.name}" has exact move probabilities only in constrained decoding of finite moves')
        tries = [self._trie(turn) for turn in turns]
        wants = [want for turn, trie in zip(turns, tries, strict=True) for want in self._forks(turn, trie)]
        weights = iter(self.remote.weigh(wants) if wants else [])
        heat = self.decoding.temperature
        return [trie.probabilities({n: renormalised(next(weights), heat) for n in trie.branches}) for trie in tries]

    def _forks(self, turn: Turn, trie: Trie) -> list[Want]:
        ids: Ids = self._opening(turn) + self._past(turn)
        return [Want(self.adapter, ids + trie.ids_to(n), allowed=trie.allowed(n)) for n in trie.branches]
