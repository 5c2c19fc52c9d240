"""Scoring guesses, and everything that can be made of a guess: beat it, or think one or two steps further.

Whoever guesses the other's move m can play any rotation m + r (D. Egnor's Iocaine Powder, 1999: r = 1 beats it, the
others answer a player who expects that). What all three would have earned follows from one count: by how much the
other's move differed from the guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from games.matrix import Ints
from policies.rps.memory import Arrays, Counts


@dataclass(frozen=True)
class Board:
    """The record of K guesses in B matches, at D rates of forgetting.

    Args:
        name: in the carry.
        guesses: K.
        decays: what a result is worth a round later, for each of the D records.
    """

    name: str
    guesses: int
    decays: tuple[float, ...] = (1.0,)

    def fresh(self, size: int) -> Arrays:
        """No results; ``NAME counts`` is ``(B, D, 3, K)``."""
        counts = np.zeros((size, len(self.decays), 3, self.guesses), np.float32)
        return {f"{self.name} counts": counts, f"{self.name} guess": np.zeros((size, self.guesses), np.int8)}

    def learn(self, carry: Arrays, move_B: Ints) -> None:
        """What was guessed, against what came."""
        counts = carry[f"{self.name} counts"]
        if min(self.decays) < 1:
            counts *= np.array(self.decays, np.float32)[:, None, None]
        off = (move_B[:, None] - carry[f"{self.name} guess"]) % 3
        for step in range(3):
            counts[:, :, step] += (off == step)[:, None]

    def note(self, carry: Arrays, guess_BK: Ints) -> None:
        """The guesses of this round."""
        carry[f"{self.name} guess"][:] = guess_BK

    def scores(self, carry: Arrays) -> Counts:
        """What each rotation of each guess has earned: ``(B, D, 3, K)``."""
        counts = carry[f"{self.name} counts"]
        scores = np.empty_like(counts)
        for turn in range(3):  # it wins where the other's move is one less than what is played, loses where one more
            np.subtract(counts[:, :, turn - 1], counts[:, :, (turn + 1) % 3], out=scores[:, :, turn])
        return scores

    def best(self, carry: Arrays) -> tuple[Ints, Counts]:
        """For each record the move of its best rotation and guess ``(B, D)``, and that one's score."""
        scores = self.scores(carry).reshape(len(carry[f"{self.name} guess"]), len(self.decays), -1)
        place = scores.argmax(axis=2)
        return self.moves(carry, place), np.take_along_axis(scores, place[..., None], axis=2)[..., 0]

    def moves(self, carry: Arrays, place: Ints) -> Ints:
        """What is played at places ``(B, n)`` of flattened scores: ``rotation * K + guess``."""
        guess = np.take_along_axis(carry[f"{self.name} guess"], place % self.guesses, axis=1)
        return (guess + place // self.guesses) % 3
