"""A language model in a seat: one growing conversation per match and seat, batched over all live matches."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import torch

from games.errors import UsageError
from policies.llm.base import Base
from policies.llm.chat import ChatFormat
from policies.llm.decoding import Decoding
from policies.llm.engine import Engine
from policies.llm.nodes import Read
from policies.llm.sampling import Job, answer
from policies.llm.talk import Talk, spell
from policies.llm.trie import Ids, Trie
from policies.policy import BasePolicy, MatchId, Reply, Turn

__all__ = ["Decoding", "LLMPolicy"]


class Spoken(Protocol):
    """What a player needs of its base model."""

    @property
    def name(self) -> str:
        """What specs call it."""

    @property
    def chat(self) -> ChatFormat:
        """How its conversations are spelled."""

    @property
    def context(self) -> int:
        """Tokens a conversation may have at most."""

    @property
    def engine(self) -> Engine:
        """Reads conversations."""

    @property
    def fingerprint(self) -> str:
        """What decides its replies."""


class LLMPolicy(BasePolicy):
    """A base model, with an adapter or without.

    A conversation that nears the model's context is begun anew with the rules and the latest exchanges that fill at
    most half of it; the sample says so (``fresh``), and training sees the same. Policies of one base share its engine.
    """

    def __init__(self, base: Spoken, adapter: str | None = None, decoding: Decoding | None = None) -> None:
        self.base, self.adapter, self.decoding = base, adapter, decoding or Decoding()
        self.kind = "llm" if adapter is None else "adapter"
        self.version = 0
        self.name = base.name
        self.engine = base.engine
        self._talks: dict[MatchId, dict[int, Talk]] = {}
        self._tries: dict[tuple[str, ...], Trie] = {}

    @property
    def fingerprint(self) -> str:
        """What decides its replies beside its spec: hashes of the base and of the adapter's weights."""
        content = self.base.content(self.adapter) if self.adapter and isinstance(self.base, Base) else ""
        return f"{self.base.fingerprint}+{content}" if content else self.base.fingerprint

    @property
    def team(self) -> tuple[str, int]:
        """Policies of one team may be asked in one batch, by :meth:`act_together`: those of one base model."""
        return ("llm", id(self.base))

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn; all are read in one batch, free ones generated in lockstep."""
        [replies] = self.act_together([(self, turns)])
        return replies

    @staticmethod
    def act_together(calls: Sequence[tuple[LLMPolicy, Sequence[Turn]]]) -> list[list[Reply]]:
        """The replies of several policies of one base to their turns, read and generated in the same batches."""
        started = time.perf_counter()
        with torch.no_grad():
            jobs = [policy.job(turn) for policy, turns in calls for turn in turns]
            replies = iter(answer(jobs, calls[0][0].engine))
        seconds = (time.perf_counter() - started) / max(1, len(jobs))
        return [[replace(next(replies), seconds=seconds) for _ in turns] for _, turns in calls]

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions over legal moves, from the canonical conversation in each turn's ``past``.

        Raises:
            UsageError: decoding is free or thinks (then there is no exact distribution), or a move is free text.
        """
        if self.decoding.decode != "constrained" or self.decoding.think or any(t.moves.free for t in turns):
            raise UsageError(f'"{self.name}" has exact move probabilities only in constrained decoding of finite moves')
        with torch.no_grad():
            rows = [Read(self.engine.root(self.adapter, self._opening(t)), self._past(t), self._trie(t)) for t in turns]
            self.engine.read(rows)
            out = [self._distribution(row) for row in rows]
        for node in {id(row.node): row.arrived() for row in rows}.values():
            self.engine.release(node)
        return out

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop the conversations of these matches."""
        for match in matches:
            for talk in self._talks.pop(match, {}).values():
                self.engine.release(talk.node)

    def reset(self, version: int = 0) -> None:
        """The weights changed: forget all that was computed with the old ones."""
        self._talks.clear()
        self.engine.clear(self.adapter)
        self.version = version

    def job(self, turn: Turn) -> Job:
        """What is to be done for one turn."""
        # Asked again, the seat has read the observation already; it reads why its reply was refused.
        known = turn.seat in self._talks.get(turn.match, {})
        text = turn.notice if turn.notice and known else turn.observation.text
        talk = self._talk(turn)
        prompt = talk.ask(text, self.decoding, self.base.context)
        free = self.decoding.decode == "free" or turn.moves.free is not None
        return Job(turn, talk, prompt, self.decoding, self.version, None if free else self._trie(turn))

    def _talk(self, turn: Turn) -> Talk:
        talks = self._talks.setdefault(turn.match, {})
        if turn.seat not in talks:
            opening, chat = self._opening(turn), self.base.chat
            root = self.engine.root(self.adapter, opening)
            root.holders += 1
            talks[turn.seat] = Talk(self.engine, chat, opening, root, chat.grows and not self.decoding.think)
        return talks[turn.seat]

    def _opening(self, turn: Turn) -> Ids:
        return self.base.chat.opening(turn.game.rules(turn.seat))

    def _past(self, turn: Turn) -> Ids:
        """Ids of the whole conversation after the opening, earlier replies spelled canonically."""
        chat = self.base.chat
        past = [(e.observation, (*chat.content(e.reply), chat.end)) for e in turn.past]
        ask = chat.next if past else chat.first
        return spell(chat, past) + ask(turn.observation.text)

    def _trie(self, turn: Turn) -> Trie:
        texts = turn.moves.texts
        if texts not in self._tries:
            chat = self.base.chat
            self._tries[texts] = Trie({text: (*chat.content(text), chat.end) for text in texts})
        return self._tries[texts]

    def _distribution(self, row: Read) -> dict[str, float]:
        assert row.trie is not None
        return row.trie.probabilities(row.trie.log_softmax(row.logits, self.decoding.temperature))
