"""``noisy:P:A``: with probability P a move of A is replaced by a random legal one (each alike, A's own among them).

A is asked all the same, so its conversation is whole; a language model remembers what it said and sees in the next
observation what was played. Free text is left alone. A's own draws are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.errors import BadOption
from policies.combinators._parts import Combined, Find, odds
from policies.policy import Policy, Reply, Turn


class Noisy(Combined):
    """A policy whose hand trembles."""

    def __init__(self, noise: float, part: Policy) -> None:
        super().__init__([part])
        self.noise = noise

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """The part's replies, some of them replaced."""
        replies = self.parts[0].act(turns)
        return [self._trembled(turn, reply) for turn, reply in zip(turns, replies, strict=True)]

    def _trembled(self, turn: Turn, reply: Reply) -> Reply:
        rng = turn.rng.apart(self.label)
        if not turn.moves.texts or rng.random() >= self.noise:
            return reply
        return replace(reply, text=rng.choice(turn.moves.texts), error="", sample=None)

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """The part's exact distributions with the noise mixed in (its past is what was played, not what it meant)."""
        return [
            {m: (1 - self.noise) * known.get(m, 0.0) + self.noise / len(turn.moves.texts) for m in turn.moves.texts}
            for turn, known in zip(turns, odds(self.parts[0], turns), strict=True)
        ]


def make(rest: str, find: Find) -> Noisy:
    """The policy of ``noisy:P:A``.

    Raises:
        BadOption: P is no probability, or A is missing.
    """
    text, _, part = rest.partition(":")
    try:
        noise = float(text)
    except ValueError:
        noise = -1.0
    if not 0 <= noise <= 1 or not part.strip():
        raise BadOption(
            f'"noisy:{rest}": write noisy:P:A with P from 0 to 1 and an entrant or spec, as in noisy:0.05:a'
        )
    return Noisy(noise, find(part.strip()))
