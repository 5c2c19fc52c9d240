"""What is asked of an engine that computes elsewhere, and what it answers: tokens and their log-probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from policies.llm.trie import Ids

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Want:
    """A reply that is to be sampled, or a choice that is to be weighed."""

    model: str | None
    """The adapter's name where it computes; None: the base model."""
    ids: Ids
    """The conversation so far."""
    max_tokens: int = 1
    temperature: float = 1.0
    seed: int = 0
    """64 bits."""
    end: int | None = None
    """Id that ends a reply."""
    stop: str = ""
    """Text that ends a reply."""
    allowed: Ids | None = None
    """The ids the next token is chosen among; None: the whole vocabulary."""


@dataclass(frozen=True, slots=True)
class Got:
    """A sampled reply: its ids, end token included, and one log-probability each."""

    ids: Ids
    logps: tuple[float, ...]


class Remote(Protocol):
    """Where a model computes: a server, or another engine in this process."""

    name: str
    """For messages."""
    context: int
    """Tokens that a conversation may have there; 0: unknown."""

    def complete(self, wants: Sequence[Want]) -> list[Got]:
        """Sample a reply to each."""

    def weigh(self, wants: Sequence[Want]) -> list[Floats]:
        """For each the log-probabilities of its ``allowed`` ids as next token at temperature 1, up to a constant."""

    def publish(self, name: str, folder: Path) -> None:
        """Make the adapter in ``folder`` known there as ``name``."""

    def retire(self, name: str) -> None:
        """Forget an adapter."""

    def published(self) -> list[str]:
        """Names of the adapters that are known there."""


def renormalised(logps: Floats, temperature: float) -> Floats:
    """Log-probabilities over a choice, from the model's own (up to a constant) and a temperature."""
    x = logps / temperature
    x = x - x.max()
    return np.asarray(x - np.log(np.exp(x).sum()))
