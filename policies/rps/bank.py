"""Many tallies as one table: K contexts read and learnt in one pass for all matches, and their mixture.

Arrays of the mixture are ``(K, 3, B)``: the tally, the other's move, the match. Sums over K are taken by halves, so
that a match's numbers don't depend on the batch it is in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from games.matrix import Ints
from policies.rps.memory import Arrays

Singles = NDArray[np.float32]


class Bank:
    """K tallies with a context each; what is counted is a move or, from a base, by how much it differs from that.

    Args:
        name: in the carry.
        rows: how many contexts each tally has.
        decays: what a count is worth each further time that its context occurs.
    """

    def __init__(self, name: str, rows: Sequence[int], decays: Sequence[float]) -> None:
        self.name, self.size, self.width = name, len(rows), 3 * sum(rows)
        self._first = 3 * np.cumsum([0, *rows[:-1]])[:, None]
        self._decay = np.array(decays, np.float32)[:, None, None]

    def fresh(self, matches: int) -> Arrays:
        """Nothing counted."""
        shape = (matches, self.size, 3)
        return {
            f"{self.name} table": np.zeros((matches, self.width), np.float32),
            f"{self.name} place": np.zeros(shape, np.int32),
            f"{self.name} counts": np.zeros(shape, np.float32),
        }

    def read(self, carry: Arrays, row_KB: Ints, base_KB: Ints) -> Singles:
        """The counts ``(K, 3, B)`` of each move in these contexts; they are kept to be learnt from."""
        start = (3 * row_KB + self._first).astype(np.int32)
        place = np.stack([start + _STEP[move].take(base_KB) for move in range(3)], axis=1)
        counts: Singles = carry[f"{self.name} table"].reshape(-1).take(place + self._lanes(place))
        carry[f"{self.name} place"] = np.moveaxis(place, -1, 0)
        carry[f"{self.name} counts"] = np.moveaxis(counts, -1, 0)
        return counts

    def learn(self, carry: Arrays, move_B: Ints) -> None:
        """The move that came after what was read last."""
        place = np.moveaxis(carry[f"{self.name} place"], 0, -1)
        counts = np.moveaxis(carry[f"{self.name} counts"], 0, -1) * self._decay
        counts += move_B == np.arange(3)[:, None]
        carry[f"{self.name} table"].reshape(-1).put(place + self._lanes(place), counts)

    def _lanes(self, place_K3B: Ints) -> Ints:
        return np.arange(place_K3B.shape[-1]) * self.width


_STEP = ((np.arange(3)[:, None] - np.arange(3)) % 3).astype(np.int32)
"""By how much each move differs from each base."""


def summed(terms_K3B: Singles) -> Singles:
    """The sum over K ``(3, B)``, by halves; ``terms`` are used up."""
    count = len(terms_K3B)
    while count > 1:
        half = count // 2
        terms_K3B[:half] += terms_K3B[count - half : count]
        count -= half
    total: Singles = terms_K3B[0]
    return total


def softmax(scores_3B: Singles) -> Singles:
    """Probabilities over the three moves."""
    mass = np.exp(scores_3B - scores_3B.max(axis=0))
    probability: Singles = mass / (mass[0] + mass[1] + mass[2])
    return probability


class Mixer:
    """Mixes K distributions in the logarithmic domain; the weights follow the gradient of the logarithmic loss.

    After M. Mahoney's PAQ (context mixing) and Mattern 2012 (doi 10.1109/DCC.2012.46).

    Args:
        name: in the carry.
        start: the weight of each of the K sources at first.
        rate: how fast the weights learn.
        haste: how many times as fast at first; after some dozen rounds the rate is the plain one.
    """

    def __init__(self, name: str, start: Sequence[float], rate: float, haste: float = 1.0) -> None:
        self.name, self.start, self.rate, self.haste = name, np.array(start, np.float32), rate, haste

    def fresh(self, matches: int) -> Arrays:
        """The first weights."""
        logs, mixture = np.zeros((matches, len(self.start), 3), np.float32), np.zeros((matches, 3), np.float32)
        weights = np.tile(self.start, (matches, 1))
        return {f"{self.name} weights": weights, f"{self.name} logs": logs, f"{self.name} mixture": mixture}

    def mix(self, carry: Arrays, logs_K3B: Singles) -> Singles:
        """The mixture ``(3, B)`` of distributions given by their logarithms."""
        mixture = softmax(summed(logs_K3B * carry[f"{self.name} weights"].T[:, None]))
        carry[f"{self.name} logs"] = np.moveaxis(logs_K3B, -1, 0)
        carry[f"{self.name} mixture"] = mixture.T
        return mixture

    def learn(self, carry: Arrays, move_B: Ints, rounds: int) -> None:
        """The move that came: weights of sources that saw it coming grow."""
        error = (move_B == np.arange(3)[:, None]) - carry[f"{self.name} mixture"].T
        slope = np.moveaxis(carry[f"{self.name} logs"], 0, -1) * error
        rate = np.float32(self.rate * max(1.0, self.haste / (1 + rounds / 30)))
        weights = carry[f"{self.name} weights"].T
        carry[f"{self.name} weights"] = (weights + rate * (slope[:, 0] + slope[:, 1] + slope[:, 2])).T
