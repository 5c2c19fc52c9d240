"""Choosing replies where the model computes elsewhere; the same replies as :mod:`policies.llm.sampling`'s.

Free replies and thoughts are sampled there, with the seed of the turn's own noise. Moves are chosen here: at each fork
of the trie of legal replies the server weighs the ways on, they are renormalised and one is drawn from the turn's
noise. That is exact, whatever a server's own constrained decoding does with probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from games.stream import skip
from policies.llm.nodes import Read
from policies.llm.remote.asking import Got, Remote, Want, renormalised
from policies.llm.sampling import THOUGHT_DRAWS, Job, Written, finish
from policies.llm.trie import Ids, Trie, pick_by_cdf
from policies.policy import Reply
from policies.thinking import CLOSE


def answer(jobs: Sequence[Job], remote: Remote) -> list[Reply]:
    """The replies to all jobs, asked for together."""
    for job in jobs:
        _append(job, job.prompt.new)
    if thinking := [job for job in jobs if job.decoding.think]:
        _think(thinking, remote)
    if free := [job for job in jobs if job.trie is None]:
        _write(free, remote)
    if walks := [
        _Walk(job, job.trie, [job.turn.rng.random() for _ in range(job.trie.depth)]) for job in jobs if job.trie
    ]:
        _walk(walks, remote)
    return [finish(job) for job in jobs]


def _append(job: Job, ids: Ids) -> None:
    row = Read(job.talk.node, ids)
    job.talk.engine.read([row])
    job.talk.move(row)


def _think(jobs: Sequence[Job], remote: Remote) -> None:
    """A thought each, within its budget, and its closing."""
    _sample(jobs, remote, lambda j: j.thought, lambda j: j.decoding.think, THOUGHT_DRAWS, CLOSE)
    chat = jobs[0].talk.chat
    for job in jobs:
        closing = chat.close_thought(chat.is_closed(job.thought.ids))
        _append(job, (job.thought.ids[-1], *closing))
        job.thought.force(closing)


def _write(jobs: Sequence[Job], remote: Remote) -> None:
    _sample(jobs, remote, lambda j: j.answer, lambda j: j.decoding.max_new_tokens, 0, "")


def _sample(
    jobs: Sequence[Job],
    remote: Remote,
    part: Callable[[Job], Written],
    budget: Callable[[Job], int],
    first_draw: int,
    stop: str,
) -> None:
    """Sample a part of every reply; all of it but the last token is appended to the conversation."""
    end = jobs[0].talk.chat.end
    wants = [
        Want(
            job.talk.node.adapter,
            job.talk.node.ids,
            budget(job),
            job.decoding.temperature,
            skip(job.turn.rng.key, first_draw),
            end,
            stop,
        )
        for job in jobs
    ]
    for job, got in zip(jobs, remote.complete(wants), strict=True):
        _keep(job, part(job), got)


def _keep(job: Job, part: Written, got: Got) -> None:
    for token, logp in zip(got.ids, got.logps, strict=True):
        part.add(token, logp)
    _append(job, got.ids[:-1])


@dataclass
class _Walk:
    """A reply on its way through the trie."""

    job: Job
    trie: Trie
    draws: Sequence[float]
    node: int = 0
    path: list[int] = field(default_factory=list)

    @property
    def arrived(self) -> bool:
        return self.trie.text(self.node) is not None

    def want(self) -> Want:
        """The fork that the walk stands at."""
        at = self.job.talk.node
        return Want(at.adapter, at.ids + tuple(self.path), allowed=self.trie.allowed(self.node))

    def go(self, token: int, logp: float) -> None:
        """Take a way on."""
        self.job.answer.add(token, logp, self.trie.allowed(self.node))
        self.path.append(token)
        self.node = self.trie.child(self.node, token)

    def force(self) -> None:
        """Go on as long as there is one way."""
        while not self.arrived and len(allowed := self.trie.allowed(self.node)) == 1:
            self.go(allowed[0], 0.0)


def _walk(walks: Sequence[_Walk], remote: Remote) -> None:
    """All walks to their ends, one fork of each at a time."""
    while True:
        for walk in walks:
            walk.force()
        going = [walk for walk in walks if not walk.arrived]
        if not going:
            return
        for walk, weights in zip(going, remote.weigh([walk.want() for walk in going]), strict=True):
            logps = renormalised(weights, walk.job.decoding.temperature)
            pick = pick_by_cdf(np.exp(logps), walk.draws[len(walk.path)])
            walk.go(walk.trie.allowed(walk.node)[pick], float(logps[pick]))
