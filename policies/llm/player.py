"""A language model in a seat: one growing conversation per match and seat, batched over all live matches."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import torch

from games.errors import UsageError
from games.stream import uniform_array
from policies.llm.base import Base
from policies.llm.engine import Engine, Node, Read
from policies.llm.trie import Ids, Trie, pick_by_cdf
from policies.policy import BasePolicy, MatchId, Reply, Sample, Turn

DECODE = ("constrained", "free")
_Written = tuple[Ids, list[float], list[Ids | None], str]  # ids, a log-probability each, ids chosen among, text


@dataclass(frozen=True)
class Decoding:
    """How replies are chosen."""

    decode: str = "constrained"
    """constrained: finite moves are chosen among the legal ones, exactly; free: everything is generated and parsed."""
    temperature: float = 1.0
    """Softmax temperature; more is more random."""
    max_new_tokens: int = 160
    """Tokens of a generated reply at most."""

    def __post_init__(self) -> None:
        if self.decode not in DECODE:
            raise UsageError(f'decode="{self.decode}" is unknown; use {" or ".join(DECODE)}')
        if not 0.01 <= self.temperature <= 100:
            raise UsageError(f"temperature={self.temperature:g} must lie between 0.01 and 100")
        if not 1 <= self.max_new_tokens <= 100_000:
            raise UsageError(f"max_new_tokens={self.max_new_tokens} must lie between 1 and 100,000")


@dataclass(slots=True)
class _Talk:
    """One seat's conversation: where it stands and what to append before the next reply."""

    opening: Ids
    node: Node
    unread: Ids = ()
    """Sampled ids of the last reply that the node has not read yet."""
    closing: Ids = ()
    """The end token, where the last reply ran out of tokens before it."""
    exchanges: list[tuple[str, Ids]] = field(default_factory=list)
    """Every earlier observation and reply (end token included), for beginning anew."""
    text: str = ""
    """The observation that is being answered."""


class LLMPolicy(BasePolicy):
    """A base model, with an adapter or without.

    A conversation that nears the model's context is begun anew with the rules and the latest exchanges that fill at
    most half of it; the sample says so (``fresh``), and training sees the same.
    """

    def __init__(self, base: Base, adapter: str | None = None, decoding: Decoding | None = None) -> None:
        self.base, self.adapter, self.decoding = base, adapter, decoding or Decoding()
        self.kind = "llm" if adapter is None else "adapter"
        self.version = 0
        self.name = base.name
        self.engine = Engine(partial(base.forward, adapter), base.cache())
        self._talks: dict[MatchId, dict[int, _Talk]] = {}
        self._roots: dict[Ids, Node] = {}
        self._tries: dict[tuple[str, ...], Trie] = {}

    @property
    def fingerprint(self) -> str:
        """What decides its replies beside its spec: hashes of the base and of the adapter's weights."""
        return f"{self.base.fingerprint}+{self.base.content(self.adapter)}" if self.adapter else self.base.fingerprint

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn; all are read in one batch, free ones generated in lockstep."""
        started = time.perf_counter()
        with torch.no_grad():
            rows, prompts = self._read(turns)
            replies = self._choose(turns, rows, prompts)
        seconds = (time.perf_counter() - started) / len(turns)
        return [_timed(reply, seconds) for reply in replies]

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions over legal moves, from the canonical conversation in each turn's ``past``.

        Raises:
            UsageError: decoding is free (then there is no exact distribution), or a move is free text.
        """
        if self.decoding.decode != "constrained" or any(t.moves.free for t in turns):
            raise UsageError(f'"{self.name}" has exact move probabilities only in constrained decoding of finite moves')
        with torch.no_grad():
            rows = [Read(self._root(self._opening(t)), self._canonical(t), self._trie(t)) for t in turns]
            self.engine.read(rows)
            out = [self._distribution(row) for row in rows]
        for row in {id(r.node): r for r in rows}.values():
            assert row.node is not None
            self.engine.release(row.node)
        return out

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop the conversations of these matches."""
        for match in matches:
            for talk in self._talks.pop(match, {}).values():
                self.engine.release(talk.node)

    def reset(self, version: int = 0) -> None:
        """The weights changed: forget all that was computed with the old ones."""
        self._talks.clear()
        self._roots.clear()
        self.engine.clear()
        self.version = version

    def _read(self, turns: Sequence[Turn]) -> tuple[list[Read], list[tuple[Ids, bool]]]:
        prompts = [self._continue(turn) for turn in turns]
        rows = []
        for turn, (prompt, _) in zip(turns, prompts, strict=True):
            talk = self._talk(turn)
            rows.append(Read(talk.node, talk.unread + prompt, self._trie(turn) if self._is_constrained(turn) else None))
        self.engine.read(rows)
        for turn, row in zip(turns, rows, strict=True):
            self._move_on(self._talk(turn), row)
        return rows, prompts

    def _move_on(self, talk: _Talk, row: Read) -> None:
        assert row.node is not None
        row.node.holders += 1
        self.engine.release(talk.node)
        talk.node = row.node

    def _continue(self, turn: Turn) -> tuple[Ids, bool]:
        """The prompt to append to the seat's conversation now, and whether the conversation begins with it."""
        chat, talks = self.base.chat, self._talks.setdefault(turn.match, {})
        talk = talks.get(turn.seat)
        text = turn.notice or turn.observation.text  # asked again, it has read the observation already
        if talk is None:
            text = turn.observation.text
            opening = self._opening(turn)
            talk = talks[turn.seat] = _Talk(opening, self._root(opening), text=text)
            talk.node.holders += 1
            return chat.first(text), True
        talk.text = text
        prompt = talk.closing + chat.next(text)
        length = len(talk.node.ids) + len(talk.unread) + len(prompt) + self.decoding.max_new_tokens
        return (prompt, False) if length <= self.base.context else (self._restart(talk), True)

    def _talk(self, turn: Turn) -> _Talk:
        return self._talks[turn.match][turn.seat]

    def _restart(self, talk: _Talk) -> Ids:
        """Begin anew: the rules, the latest exchanges that fill at most half of the context, the observation."""
        chat, room = self.base.chat, self.base.context // 2 - len(talk.opening)
        kept: list[tuple[str, Ids]] = []
        for text, reply in reversed(talk.exchanges):
            room -= len(chat.next(text)) + len(reply)
            if room < 0:
                break
            kept.insert(0, (text, reply))
        root = self._root(talk.opening)
        root.holders += 1
        self.engine.release(talk.node)
        talk.node, talk.unread, talk.closing, talk.exchanges = root, (), (), kept
        return self._spell([*kept, (talk.text, ())])

    def _spell(self, exchanges: Sequence[tuple[str, Ids]]) -> Ids:
        """Ids of consecutive observations and replies, right after the opening."""
        chat = self.base.chat
        ids: Ids = ()
        for i, (text, reply) in enumerate(exchanges):
            ids += (chat.next(text) if i else chat.first(text)) + reply
        return ids

    def _opening(self, turn: Turn) -> Ids:
        return self.base.chat.opening(turn.game.rules(turn.seat))

    def _root(self, opening: Ids) -> Node:
        """The node where every conversation with these rules begins; read once, held for good."""
        if opening not in self._roots:
            node = Node(())
            if opening:
                row = Read(Node(()), opening)
                self.engine.read([row])
                assert row.node is not None
                node = row.node
            node.holders = 1
            self._roots[opening] = node
        return self._roots[opening]

    def _canonical(self, turn: Turn) -> Ids:
        """Ids of the whole conversation after the opening, earlier replies spelled canonically."""
        chat = self.base.chat
        past = [(e.observation, (*chat.content(e.reply), chat.end)) for e in turn.past]
        return self._spell([*past, (turn.observation.text, ())])

    def _is_constrained(self, turn: Turn) -> bool:
        return self.decoding.decode == "constrained" and turn.moves.free is None

    def _trie(self, turn: Turn) -> Trie:
        texts = turn.moves.texts
        if texts not in self._tries:
            chat = self.base.chat
            self._tries[texts] = Trie({text: (*chat.content(text), chat.end) for text in texts})
        return self._tries[texts]

    def _distribution(self, row: Read) -> dict[str, float]:
        assert row.trie is not None
        return row.trie.probabilities(row.trie.log_softmax(row.logits, self.decoding.temperature))

    def _choose(self, turns: Sequence[Turn], rows: Sequence[Read], prompts: Sequence[tuple[Ids, bool]]) -> list[Reply]:
        free = [i for i, row in enumerate(rows) if row.trie is None]
        written = dict(zip(free, self._generate([turns[i] for i in free], [rows[i] for i in free]), strict=True))
        out = []
        for i, (turn, (prompt, fresh)) in enumerate(zip(turns, prompts, strict=True)):
            talk = self._talk(turn)
            ids, logps, allowed, text = written[i] if i in written else self._pick(turn, rows[i])
            talk.unread = ids[-1:] if i in written else ids
            talk.closing = () if ids[-1] == self.base.chat.end else (self.base.chat.end,)
            talk.exchanges.append((talk.text, ids + talk.closing))
            read = (talk.opening if fresh else ()) + prompt
            sample = Sample(read, ids, tuple(logps), tuple(allowed), fresh=fresh, version=self.version)
            out.append(Reply(text, prompt_tokens=len(read), completion_tokens=len(ids), sample=sample))
        return out

    def _pick(self, turn: Turn, row: Read) -> _Written:
        trie = row.trie
        assert trie is not None
        logps = trie.log_softmax(row.logits, self.decoding.temperature)
        text, ids, chosen, among = trie.walk(logps, [turn.rng.random() for _ in range(trie.depth)])
        return ids, chosen, list(among), text

    def _generate(self, turns: Sequence[Turn], rows: Sequence[Read]) -> list[_Written]:
        """Sample free replies in lockstep until each has ended; token k of a turn uses its draw k."""
        keys = np.array([t.rng.key for t in turns], np.uint64)
        ids: list[list[int]] = [[] for _ in turns]
        logps: list[list[float]] = [[] for _ in turns]
        logits = [row.logits[0] for row in rows]
        going = list(range(len(turns)))
        for k in range(self.decoding.max_new_tokens):
            draws = uniform_array(keys, k)
            for i in going:
                token, logp = self._sample(logits[i], float(draws[i]))
                ids[i].append(token)
                logps[i].append(logp)
            going = [i for i in going if ids[i][-1] != self.base.chat.end]
            if not going or k == self.decoding.max_new_tokens - 1:
                break
            self._step(turns, going, ids, logits)
        chat = self.base.chat
        return [(tuple(i), p, [None] * len(i), chat.decode(tuple(i))) for i, p in zip(ids, logps, strict=True)]

    def _step(self, turns: Sequence[Turn], going: list[int], ids: list[list[int]], logits: list[Any]) -> None:
        """Read the latest token of every unfinished reply."""
        rows = []
        for i in going:
            talk = self._talk(turns[i])
            rows.append(Read(talk.node, (ids[i][-1],)))
        self.engine.read(rows)
        for i, row in zip(going, rows, strict=True):
            self._move_on(self._talk(turns[i]), row)
            logits[i] = row.logits[0]

    def _sample(self, logits: np.ndarray[Any, Any], draw: float) -> tuple[int, float]:
        x = logits.astype(np.float64) / self.decoding.temperature
        x -= x.max()
        p = np.exp(x)
        total = p.sum()
        token = pick_by_cdf(p, draw)
        return token, float(x[token] - np.log(total))


def _timed(reply: Reply, seconds: float) -> Reply:
    return replace(reply, seconds=seconds)
