"""What all strategies of the population share: a plan for B matches at once, from which throws are drawn."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games import Game
from games.matrix import Floats, Ints, MatrixGame
from policies.scripted.matrix import ArrayBot, Carry, View

GAME = "rock-paper-scissors"
CERTAIN = np.eye(3)
"""The mixture of each move played for certain."""
Plan: TypeAlias = "NDArray[Any]"
"""Certain moves ``(B,)``, or the probability of each move ``(B, 3)``."""


class Thrower(ArrayBot):
    """A strategy for rock-paper-scissors: its rule is :meth:`plan`.

    The carry is a function of the histories alone, never of what was drawn; ``plan`` may change it in place.
    """

    games = (GAME,)
    keeps = True

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """The moves ``(B,)`` or their probabilities ``(B, 3)``, and what to keep; ``carry`` is None in round 0."""
        raise NotImplementedError

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The plan's moves, drawn with the first draw of the round where they are not certain."""
        plan, carry = self.plan(view, carry)
        return (plan if plan.ndim == 1 else draw(plan, view.uniform())), carry

    def mixture(self, view: View, carry: Carry) -> Floats:
        """The plan as probabilities ``(B, 3)``."""
        plan, _ = self.plan(view, carry)
        return CERTAIN[plan] if plan.ndim == 1 else plan

    def check(self, game: Game[Any]) -> str:
        """Why it can't play ``game``, or an empty string."""
        if isinstance(game, MatrixGame) and game.name == GAME:
            return ""
        return f'"{self.name}" plays {GAME}, not {game.name}'


def draw(mixture_B3: Floats, uniform_B: Floats) -> Ints:
    """A move for each match from its probabilities and a number in [0, 1)."""
    first = mixture_B3[:, 0]
    return (uniform_B >= first).astype(np.int8) + (uniform_B >= first + mixture_B3[:, 1])


def even(size: int) -> Floats:
    """The uniform mixture for ``size`` matches."""
    return np.full((size, 3), 1 / 3)


def mixed(moves_B: Ints, random_B: NDArray[Any]) -> Floats:
    """Certain moves, but uniform ones where ``random_B``."""
    return np.where(random_B[:, None], 1 / 3, CERTAIN[moves_B])


def result(view: View) -> Ints:
    """The last round's payoff ``(B,)``: 1, 0 or -1."""
    payoff: Ints = (view.own[:, -1] - view.other[:, -1] + 1) % 3 - 1
    return payoff.astype(np.int8)


def beats(moves: Ints) -> Ints:
    """What beats each move."""
    return _BEATS[moves]


_BEATS = np.array([1, 2, 0], np.int8)
