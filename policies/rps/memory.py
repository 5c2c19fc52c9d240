"""What strategies remember: which move followed which context, and where in the past the present has a match.

Each part keeps its arrays in the carry under its own name; their first axis is the matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.matrix import Floats, Ints
from policies.scripted.matrix import View

Arrays = dict[str, NDArray[Any]]
Counts = NDArray[np.float32]


def recent(moves_Bt: Ints, order: int) -> Ints:
    """The last ``order`` moves as one number below ``3 ** order``; missing ones count as rock."""
    code: Ints = np.zeros(len(moves_Bt), np.intp)
    for lag in range(1, min(order, moves_Bt.shape[1]) + 1):
        code += moves_Bt[:, -lag] * np.intp(3 ** (lag - 1))
    return code


def joint(view: View, order: int) -> Ints:
    """The last ``order`` moves of both as one number below ``9 ** order``."""
    code: Ints = recent(view.own, order) * np.intp(3**order) + recent(view.other, order)
    return code


def no_counts(size: int) -> Ints:
    """A count of zero for each move ``(B, 3)``, laid out move by move."""
    return np.zeros((3, size), np.int16).T


def order_of(counts_B3: Ints) -> Ints:
    """Which counts are greater than which, as a number below :data:`ORDERS`."""
    rock, paper, scissors = counts_B3.T
    code: Ints = np.sign(rock - paper) * 9 + np.sign(rock - scissors) * 3 + np.sign(paper - scissors) + 13
    return code


ORDERS = 27
"""Values of :func:`order_of`, not all of them possible."""


@dataclass(frozen=True)
class Tally:
    """How often each move followed each context: ``(B, rows, 3)``.

    Args:
        name: in the carry.
        rows: how many contexts there are.
        decay: what a count is worth each further time that its context occurs.
    """

    name: str
    rows: int
    decay: float = 1.0

    def fresh(self, size: int) -> Arrays:
        """Nothing counted in any of ``size`` matches."""
        return {self.name: np.zeros((size, self.rows, 3), np.float32)}

    def row(self, carry: Arrays, context_B: Ints) -> Counts:
        """The counts ``(B, 3)`` of a context."""
        row: Counts = carry[self.name][np.arange(len(context_B)), context_B]
        return row

    def learn(self, carry: Arrays, context_B: Ints, move_B: Ints) -> None:
        """The move that followed."""
        lanes = np.arange(len(context_B))
        if self.decay < 1:
            carry[self.name][lanes, context_B] *= np.float32(self.decay)
        carry[self.name][lanes, context_B, move_B] += 1


@dataclass(frozen=True)
class Pasts:
    """For every earlier round, how far what led to it agrees with the present: of both, of the other, of oneself.

    Lengths grow or fall back to zero by one comparison a round, so that a search costs a pass over the history. All
    arrays begin with the newest round: place ``a`` is the round ``a + 1`` before this one.
    """

    kinds: tuple[str, ...] = ("both", "other", "own")

    def fresh(self, size: int, rounds: int) -> Arrays:
        """Room for a match of ``rounds``."""
        histories: Arrays = {f"newest {seat}": np.zeros((size, rounds), np.int8) for seat in ("own", "other")}
        return histories | {f"length {kind}": np.zeros((size, rounds), np.int16) for kind in self.kinds}

    def learn(self, carry: Arrays, view: View) -> None:
        """The last round."""
        t, room = view.round, view.game.rounds
        own, other = carry["newest own"], carry["newest other"]
        own[:, room - t], other[:, room - t] = view.own[:, -1], view.other[:, -1]
        if t < 2:
            return
        same_own = own[:, room - t + 1 :] == own[:, room - t, None]
        same_other = other[:, room - t + 1 :] == other[:, room - t, None]
        same = {"own": same_own, "other": same_other}
        for kind in self.kinds:
            length = carry[f"length {kind}"][:, 1:t]
            length += 1
            length *= same[kind] if kind in same else same_own & same_other

    def lengths(self, carry: Arrays, kind: str, rounds: int, window: int = 0) -> Ints:
        """The agreement ``(B, n)`` of each earlier round; the newest has nothing after it yet that could be used."""
        end = min(rounds, window + 1) if window else rounds
        return carry[f"length {kind}"][:, 1 : max(1, end)]

    def after(self, carry: Arrays, seat: str, rounds: int) -> Ints:
        """The moves ``(B, n)`` of a seat that followed each of :meth:`lengths`."""
        history = carry[f"newest {seat}"]
        return history[:, history.shape[1] - rounds :]

    def find(self, carry: Arrays, kind: str, rounds: int, window: int = 0) -> tuple[Ints, Ints]:
        """The place ``(B,)`` of the longest agreement (the newest of equals) and its length; length 0 without any."""
        length = self.lengths(carry, kind, rounds, window)
        if not length.shape[1]:
            none = np.zeros(len(length), np.intp)
            return none, none
        place = length.argmax(axis=1)
        return place, length[np.arange(len(length)), place]

    def next_moves(self, carry: Arrays, place_B: Ints, rounds: int) -> tuple[Ints, Ints]:
        """What the other and oneself played after the place found."""
        lanes = np.arange(len(place_B))
        if not rounds:
            return place_B, place_B
        return self.after(carry, "other", rounds)[lanes, place_B], self.after(carry, "own", rounds)[lanes, place_B]


@dataclass(frozen=True)
class Frequencies:
    """How often both seats have played each move within several windows of the last rounds; 0: the whole match."""

    windows: tuple[int, ...]

    def fresh(self, size: int) -> Arrays:
        """Nothing counted: ``(B, windows, seats, 3)``."""
        return {"frequencies": np.zeros((size, len(self.windows), 2, 3), np.int16)}

    def learn(self, carry: Arrays, view: View) -> None:
        """The last round comes into every window; one leaves each that is full."""
        counts, lanes = carry["frequencies"], np.arange(view.size)
        for seat, moves in enumerate((view.other, view.own)):
            for place, window in enumerate(self.windows):
                counts[lanes, place, seat, moves[:, -1]] += 1
                if 0 < window < view.round:
                    counts[lanes, place, seat, moves[:, -1 - window]] -= 1

    def most(self, carry: Arrays) -> Ints:
        """The most frequent move ``(B, 2 * windows)``: of the other and of oneself, window by window."""
        counts = carry["frequencies"]
        most: Ints = counts.argmax(axis=3).reshape(len(counts), -1)
        return most


def worth(counts_B3: Counts | Floats) -> Counts:
    """What each own move would have won of moves played this often: ``(B, 3)``."""
    rock, paper, scissors = counts_B3.T
    return np.stack([scissors - paper, rock - scissors, paper - rock], axis=1)


def likeliest(counts_B3: Counts) -> Ints:
    """The move counted most often; rock before paper before scissors."""
    most: Ints = counts_B3.argmax(axis=1)
    return most
