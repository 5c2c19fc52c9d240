"""One reply that is to be generated: its prompt, and how its tokens are chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policies.llm.trie import Ids, Trie, pick_by_cdf

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the tokens of a reply are chosen, and when it ends."""

    max_tokens: int
    temperature: float = 1.0
    """Softmax temperature; 0: always the likeliest token."""
    top_p: float = 1.0
    top_k: int = 0
    """How many of the likeliest tokens stand for choice; 0: all."""
    seed: int = 0
    """64 bits; token k of the reply uses draw k of this key (see :mod:`games.stream`)."""
    end: Ids = ()
    """Ids that end a reply."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply."""
    allowed: Ids | None = None
    """The ids every token is chosen among; None: the whole vocabulary."""
    choices: Trie | None = None
    """The replies there may be; None: any."""
    top: int = 0
    """How many of the likeliest tokens are reported with each token."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A prompt and how to go on with it."""

    prompt: Ids
    sampling: Sampling
    adapter: str | None = None
    """Key of the adapter that reads it; None: the base itself."""


@dataclass(frozen=True, slots=True)
class Token:
    """A sampled token."""

    id: int
    logp: float
    """Its log-probability under the distribution really sampled from: temperature, masks and cut-offs included."""
    top: tuple[tuple[int, float], ...] = ()
    """The likeliest ids with their log-probabilities, likeliest first."""
    finish: str = ""
    """``stop`` or ``length`` with the last token of a reply."""


def log_probabilities(logits: NDArray[np.float32], sampling: Sampling, allowed: Ids | None) -> Floats:
    """(vocabulary,) log-probabilities of the distribution that a token is sampled from; −∞ for what can't be.

    Args:
        logits: (vocabulary,) of the model.
        sampling: temperature and cut-offs, applied in this order: mask, temperature, ``top_k``, ``top_p``.
        allowed: the ids it is chosen among; None: all.
    """
    x = logits.astype(np.float64)
    if allowed is not None:
        masked = np.full_like(x, -np.inf)
        masked[list(allowed)] = x[list(allowed)]
        x = masked
    if sampling.temperature:
        x = _log_softmax(x / sampling.temperature)
    else:
        x = np.where(np.arange(len(x)) == int(x.argmax()), 0.0, -np.inf)
    return _cut(x, sampling.top_k, sampling.top_p)


def _cut(x: Floats, top_k: int, top_p: float) -> Floats:
    """Drop all but the ``top_k`` likeliest, then all but the fewest that make up ``top_p`` of the probability."""
    kept, order = len(x), np.argsort(-x, kind="stable")
    if 0 < top_k < kept:
        kept = top_k
    if top_p < 1.0:
        sums = np.cumsum(np.exp(_log_softmax(x[order[:kept]])))
        kept = int(np.searchsorted(sums, top_p)) + 1
    if kept >= len(x):
        return x
    out = np.full_like(x, -np.inf)
    out[order[:kept]] = x[order[:kept]]
    return _log_softmax(out)


def _log_softmax(x: Floats) -> Floats:
    x = x - x.max()
    return np.asarray(x - np.log(np.exp(x).sum()))


def choose(logp: Floats, draw: float, top: int) -> Token:
    """The token that a uniform draw in [0, 1) selects, with the ``top`` likeliest beside it."""
    token = pick_by_cdf(np.exp(logp), draw)
    best = np.argsort(-logp, kind="stable")[:top] if top else ()
    listed = tuple((int(i), float(logp[i])) for i in best if logp[i] > -np.inf)
    return Token(token, float(logp[token]), listed)
