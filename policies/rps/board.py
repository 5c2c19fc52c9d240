"""Scoring guesses, and everything that can be made of a guess: beat it, or think one or two steps further.

Whoever guesses the other's move m can play any rotation m + r (D. Egnor's Iocaine Powder, 1999: r = 1 beats it, the
others answer a player who expects that). What all three would have earned follows from one count: by how much the
other's move differed from the guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        """No results; ``NAME counts`` is ``(B, D, K, 3)``."""
        shape = (size, len(self.decays), self.guesses)
        counts = np.zeros((*shape, 3), np.float32)
        return {f"{self.name} counts": counts, f"{self.name} guess": np.zeros((size, self.guesses), np.int8)}

    def learn(self, carry: Arrays, move_B: Ints) -> None:
        """What was guessed, against what came."""
        counts = carry[f"{self.name} counts"]
        if min(self.decays) < 1:
            counts *= np.array(self.decays, np.float32)[:, None, None]
        off = (move_B[:, None] - carry[f"{self.name} guess"]) % 3
        counts += (off[..., None] == np.arange(3, dtype=np.int8))[:, None]

    def note(self, carry: Arrays, guess_BK: Ints) -> None:
        """The guesses of this round."""
        carry[f"{self.name} guess"][:] = guess_BK

    def scores(self, carry: Arrays) -> Counts:
        """What each guess has earned by each rotation: ``(B, D, K, 3)``."""
        counts = carry[f"{self.name} counts"]
        scores: Counts = counts[..., _BEHIND]
        scores -= counts[..., _AHEAD]
        return scores

    def best(self, carry: Arrays) -> tuple[Ints, Counts]:
        """For each record the move of its best guess and rotation ``(B, D)``, and that one's score."""
        scores = self.scores(carry)
        flat = scores.reshape(*scores.shape[:2], -1)
        place = flat.argmax(axis=2)
        guess = np.take_along_axis(carry[f"{self.name} guess"], place // 3, axis=1)
        return (guess + place % 3) % 3, np.take_along_axis(flat, place[..., None], axis=2)[..., 0]


_BEHIND: NDArray[np.intp] = np.array([2, 0, 1])
"""By rotation, how the other's move differs from the guess where the rotation wins."""
_AHEAD: NDArray[np.intp] = np.array([1, 2, 0])
"""The same where it loses."""
