"""One thread that owns an engine: whatever waits is read together, one token for each reply and pass."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import torch

from games.stream import uniform_array
from policies.llm.base import Base
from policies.llm.nodes import Node, Read
from policies.llm.serving.asks import Ask, Token, choose, log_probabilities
from policies.llm.serving.shelf import Shelf
from policies.llm.trie import Ids

T = TypeVar("T")
GATHER = 0.002
"""Seconds that an idle engine waits for company after a first request."""
_TAIL = 24  # tokens at the end of a reply in which its stop texts are looked for, beside the stop text's own length


@dataclass(eq=False)
class Reply:
    """A reply being written; ``hear`` gets its tokens, or what went wrong, in the batcher's thread."""

    ask: Ask
    hear: Callable[[Token | Exception], None]
    cancelled: bool = False
    """Set by a caller who has left."""
    node: Node | None = None
    unread: Ids = ()
    ids: list[int] = field(default_factory=list)
    place: int = 0
    """The node of the trie of choices that was reached."""
    said: Token | None = None
    """The latest token."""

    @property
    def at(self) -> Node:
        """The conversation as far as it was read."""
        assert self.node is not None
        return self.node

    def allowed(self) -> Ids | None:
        """What the next token is chosen among."""
        choices = self.ask.sampling.choices
        return choices.allowed(self.place) if choices is not None else self.ask.sampling.allowed


class Batcher:
    """Generates replies for everybody who asks, in lockstep, and runs errands between two passes.

    Args:
        base: the model; from now on only this object's thread may touch it.
    """

    def __init__(self, base: Base) -> None:
        self.base, self._shelf = base, Shelf(base.engine)
        self._inbox: queue.SimpleQueue[Reply | Callable[[], None] | None] = queue.SimpleQueue()
        self.passes = self.tokens = 0
        self.widest = 0
        """Replies of the widest pass."""
        self._thread = threading.Thread(target=self._run, name=f"arena-serve-{base.name}", daemon=True)
        self._thread.start()

    def submit(self, ask: Ask, hear: Callable[[Token | Exception], None]) -> Reply:
        """Start a reply; cancel it by setting ``cancelled``."""
        reply = Reply(ask, hear)
        self._inbox.put(reply)
        return reply

    def errand(self, work: Callable[[Base, Shelf], T]) -> Future[T]:
        """Run ``work`` in the engine's thread, between two passes."""
        future: Future[T] = Future()

        def run() -> None:
            try:
                future.set_result(work(self.base, self._shelf))
            except Exception as error:  # noqa: BLE001 - handed to the one who waits for it
                future.set_exception(error)

        self._inbox.put(run)
        return future

    def close(self) -> None:
        """Stop after the pass that runs now; replies that were not finished hear so."""
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        going: list[Reply] = []
        with torch.no_grad():
            while (arrived := self._arrived(idle=not going)) is not None:
                going = self._step([r for r in [*going, *arrived] if not self._left(r)])
        for reply in going:
            reply.hear(RuntimeError("the server is shutting down"))

    def _arrived(self, *, idle: bool) -> list[Reply] | None:
        """New replies; an idle engine waits for the first, and a moment for those that come with it. None: stop."""
        out: list[Reply] = []
        until = 0.0
        while True:
            try:
                found = self._next(idle=idle, until=until)
            except queue.Empty:
                return out
            if found is None:
                return None
            if not isinstance(found, Reply):
                found()
                continue
            until = until or time.monotonic() + GATHER
            out.append(found)

    def _next(self, *, idle: bool, until: float) -> Reply | Callable[[], None] | None:
        """What comes next.

        Raises:
            queue.Empty: nothing, as long as one may wait for it.
        """
        if not idle:
            return self._inbox.get_nowait()
        return self._inbox.get(timeout=max(0.0, until - time.monotonic()) if until else None)

    def _left(self, reply: Reply) -> bool:
        """Whether the caller has left; what was read for it goes on the shelf."""
        if reply.cancelled and reply.node is not None:
            self._shelf.put(reply.node)
        return reply.cancelled

    def _step(self, replies: list[Reply]) -> list[Reply]:
        """Read what is new of every reply, sample a token each; returns those that go on."""
        if not replies:
            return []
        try:
            self._read(replies)
            return [reply for reply in replies if self._say(reply)]
        except Exception as error:  # noqa: BLE001 - told to every caller; the server goes on
            for reply in replies:
                reply.hear(error)
            return []

    def _read(self, replies: list[Reply]) -> None:
        fresh = [reply for reply in replies if reply.node is None]
        for reply in fresh:
            reply.node = self._shelf.find(reply.ask.adapter, reply.ask.prompt)
            reply.unread = reply.ask.prompt[len(reply.at.ids) :]
        self._shelf.drop(reply.at for reply in fresh)
        rows = [Read(reply.at, reply.unread) for reply in replies]
        self.base.engine.read(rows)
        self.passes, self.widest = self.passes + 1, max(self.widest, len(rows))
        for reply, row in zip(replies, rows, strict=True):
            before, reply.node = reply.at, row.arrived()
            reply.at.holders += 1
            self.base.engine.release(before)
            reply.said = self._sample(reply, row)

    def _sample(self, reply: Reply, row: Read) -> Token:
        sampling, allowed = reply.ask.sampling, reply.allowed()
        logp = log_probabilities(row.logits[0], sampling, allowed)
        draw = float(uniform_array(np.asarray(sampling.seed, np.uint64), len(reply.ids)))
        token = choose(logp, draw, sampling.top)
        reply.ids.append(token.id)
        reply.unread = (token.id,)
        if sampling.choices is not None:
            reply.place = sampling.choices.child(reply.place, token.id)
        self.tokens += 1
        return replace(token, finish=self._finish(reply))

    def _say(self, reply: Reply) -> bool:
        """Hand on the token; whether more follow."""
        assert reply.said is not None
        reply.hear(reply.said)
        if reply.said.finish:
            self._shelf.put(reply.at)
        return not reply.said.finish

    def _finish(self, reply: Reply) -> str:
        sampling, last = reply.ask.sampling, reply.ids[-1]
        over = sampling.choices is not None and sampling.choices.text(reply.place) is not None
        if over or last in sampling.end or self._stopped(reply):
            return "stop"
        return "length" if len(reply.ids) >= sampling.max_tokens else ""

    def _stopped(self, reply: Reply) -> bool:
        """Whether a stop text stands at the end of the reply."""
        stop = reply.ask.sampling.stop
        if not stop:
            return False
        tail = reply.ids[-_TAIL - max(map(len, stop)) :]
        text = str(self.base.tokenizer.decode(tail, skip_special_tokens=False))
        return any(word in text for word in stop)
