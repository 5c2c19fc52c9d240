"""The repeated matrix games on arrays: one round of B matches at once, on integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.stream import Bits, uniform_array

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

DRAWS = 3  # draws of chance in a round: seat 0 slips, seat 1 slips, the match ends


@dataclass(frozen=True)
class Kernel:
    """One round of B matches at once, a pure function of moves and uniform draws.

    Args:
        payoffs: ``(n, n, 2)``: rewards of both seats for seat 0's and seat 1's executed moves.
        noise: probability that a move flips to another one, each alike.
        end: probability that the match ends after the round.
    """

    payoffs: Floats
    noise: float = 0.0
    end: float = 0.0

    def step(self, moves_B2: Ints, chance_B3: Floats | None = None) -> tuple[Ints, Floats, NDArray[np.bool_]]:
        """Executed moves ``(B, 2)``, rewards ``(B, 2)`` and which matches end ``(B,)``.

        Args:
            moves_B2: the chosen moves.
            chance_B3: ``DRAWS`` uniform draws per match (:func:`round_chance`); None where there is no chance.
        """
        if chance_B3 is None:
            played, ended = moves_B2, np.zeros(len(moves_B2), np.bool_)
        else:
            played, ended = self._slips(moves_B2, chance_B3[:, :2]), chance_B3[:, 2] < self.end
        return played, self.payoffs[played[:, 0], played[:, 1]], ended

    def _slips(self, moves_B2: Ints, draws_B2: Floats) -> Ints:
        """Where a draw falls below the noise its position there says which other move is played."""
        if not self.noise:
            return moves_B2
        others = len(self.payoffs) - 1
        place = np.minimum(draws_B2, self.noise) / self.noise
        shift = 1 + np.minimum(place * others, others - 1).astype(moves_B2.dtype)
        slipped: Ints = (moves_B2 + shift) % (others + 1)
        return np.where(draws_B2 < self.noise, slipped, moves_B2)


def round_chance(keys_B: Bits) -> Floats:
    """The draws ``(B, DRAWS)`` of a round from its chance keys: what ``Stream.random`` gives, three times in a row."""
    return np.stack([uniform_array(keys_B, draw) for draw in range(DRAWS)], axis=-1)
