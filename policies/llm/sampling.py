"""Choosing replies for many turns in lockstep: thoughts first, then moves among the legal ones or free texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from games.stream import uniform_array
from policies.llm.decoding import Decoding
from policies.llm.engine import Engine
from policies.llm.nodes import Read
from policies.llm.talk import Prompt, Talk
from policies.llm.trie import Ids, Trie, pick_by_cdf
from policies.policy import Reply, Sample, Turn
from policies.thinking import CLOSE, split_thought

THOUGHT_DRAWS = 1 << 20
"""A thought's draws are numbered from here, so that an answer's stay what they are without one."""


@dataclass(slots=True)
class Written:
    """Sampled ids, with the log-probability of each and what it was chosen among (None: the whole vocabulary)."""

    ids: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    among: list[Ids | None] = field(default_factory=list)

    def add(self, token: int, logp: float, among: Ids | None = None) -> None:
        """One more id."""
        self.ids.append(token)
        self.logps.append(logp)
        self.among.append(among)

    def force(self, ids: Ids) -> None:
        """Ids without a choice."""
        for token in ids:
            self.add(token, 0.0, (token,))


@dataclass(slots=True)
class Job:
    """One turn that waits for a reply."""

    turn: Turn
    talk: Talk
    prompt: Prompt
    decoding: Decoding
    version: int
    trie: Trie | None
    """The legal replies; None: a free reply."""
    row: Read | None = None
    thought: Written = field(default_factory=Written)
    answer: Written = field(default_factory=Written)

    @property
    def logits(self) -> NDArray[np.float32]:
        """Logits (vocabulary,) where the conversation stands."""
        assert self.row is not None
        return self.row.logits[0]


def answer(jobs: Sequence[Job], engine: Engine) -> list[Reply]:
    """Read every job's prompt and choose its reply; all jobs advance together."""
    _read(engine, [(job, job.prompt.new, None if job.decoding.think else job.trie) for job in jobs])
    thinking = [job for job in jobs if job.decoding.think]
    if thinking:
        _think(thinking, engine)
    _write([job for job in jobs if job.trie is None], engine)
    for job in jobs:
        if job.trie is not None:
            _pick(job, job.trie)
    return [finish(job) for job in jobs]


def _read(engine: Engine, steps: Sequence[tuple[Job, Ids, Trie | None]]) -> None:
    """Append to conversations and look at the replies."""
    rows = [Read(job.talk.node, new, trie) for job, new, trie in steps]
    engine.read(rows)
    for (job, _, _), row in zip(steps, rows, strict=True):
        job.talk.move(row)
        job.row = row


def _think(jobs: Sequence[Job], engine: Engine) -> None:
    """Sample a thought each, within its budget, and close it (budget forcing: arXiv 2501.19393)."""
    chat = jobs[0].talk.chat
    _generate(jobs, engine, lambda j: j.thought, lambda j: j.decoding.think, chat.is_closed, THOUGHT_DRAWS)
    steps = []
    for job in jobs:
        closing = chat.close_thought(chat.is_closed(job.thought.ids))
        steps.append((job, (job.thought.ids[-1], *closing), job.trie))
        job.thought.force(closing)
    _read(engine, steps)


def _write(jobs: Sequence[Job], engine: Engine) -> None:
    """Sample free replies until each has ended."""
    if jobs:
        end = jobs[0].talk.chat.end
        _generate(jobs, engine, lambda j: j.answer, lambda j: j.decoding.max_new_tokens, lambda ids: ids[-1] == end, 0)


def _generate(
    jobs: Sequence[Job],
    engine: Engine,
    part: Callable[[Job], Written],
    budget: Callable[[Job], int],
    ended: Callable[[Sequence[int]], bool],
    first_draw: int,
) -> None:
    """Sample tokens in lockstep; token k of a turn uses its draw ``first_draw + k``. The last one stays unread."""
    keys = np.array([job.turn.rng.key for job in jobs], np.uint64)
    going, k = list(range(len(jobs))), 0
    while going:
        draws = uniform_array(keys, first_draw + k)
        for i in going:
            part(jobs[i]).add(*_sample(jobs[i].logits, jobs[i].decoding.temperature, float(draws[i])))
        k += 1
        going = [i for i in going if k < budget(jobs[i]) and not ended(part(jobs[i]).ids)]
        if going:
            _read(engine, [(jobs[i], (part(jobs[i]).ids[-1],), None) for i in going])


def _sample(logits: NDArray[np.float32], temperature: float, draw: float) -> tuple[int, float]:
    """A token and its log-probability."""
    x = logits.astype(np.float64) / temperature
    x -= x.max()
    p = np.exp(x)
    token = pick_by_cdf(p, draw)
    return token, float(x[token] - np.log(p.sum()))


def _pick(job: Job, trie: Trie) -> None:
    """Choose among the legal replies, exactly."""
    assert job.row is not None
    logps = trie.log_softmax(job.row.logits, job.decoding.temperature)
    _, ids, chosen, among = trie.walk(logps, [job.turn.rng.random() for _ in range(trie.depth)])
    for token, logp, options in zip(ids, chosen, among, strict=True):
        job.answer.add(token, logp, options)


def finish(job: Job) -> Reply:
    """Close the turn in its conversation; the reply with all that was sampled."""
    chat, thought, answer = job.talk.chat, job.thought, job.answer
    ids = tuple(answer.ids)
    job.talk.close(ids, ids if job.trie is not None else ids[-1:])
    said, text = split_thought(chat.decode(ids))
    aloud = chat.decode(tuple(thought.ids)).replace(CLOSE, "").strip() if thought.ids else said
    prompt, reply_ids = job.prompt.read, (*thought.ids, *ids)
    logps, among = (*thought.logps, *answer.logps), (*thought.among, *answer.among)
    fresh, thoughts = job.prompt.fresh, len(thought.ids)
    sample = Sample(prompt, reply_ids, logps, among, fresh=fresh, version=job.version, thought=thoughts)
    return Reply(text, thought=aloud, prompt_tokens=len(prompt), completion_tokens=len(reply_ids), sample=sample)
