"""Observation and action spaces of a game for PettingZoo, and from an action to a move."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from games.errors import IllegalMove
from games.game import Game, Move, Moves

LONGEST_TEXT = 100_000
_MASKS = 256  # kept for each environment


class AnyText(spaces.Text):
    """Every text up to a length, Unicode and all; samples are drawn from ``examples``."""

    def __init__(self, max_length: int, examples: tuple[str, ...]) -> None:
        super().__init__(max_length, min_length=0)
        self.examples = examples

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a text within the length."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One of the examples; masks don't apply."""
        return self.examples[int(self.np_random.integers(len(self.examples)))]


class Actions:
    """The actions of a game: numbers into its moves, or text where some moves are free.

    What it needs of ``game.info`` is looked up once; masks are made once for each set of legal moves.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.known: tuple[Move, ...] = game.info.moves or ()
        self.free = game.info.free is not None
        self._masks: dict[tuple[Move, ...], NDArray[np.int8]] = {}

    def observation_space(self) -> spaces.Dict:
        """Text, with an action mask where every move is finite."""
        text = AnyText(LONGEST_TEXT, ("",))
        if self.free:
            return spaces.Dict({"text": text})
        return spaces.Dict({"text": text, "action_mask": spaces.Box(0, 1, (len(self.known),), np.int8)})

    def action_space(self) -> spaces.Space[Any]:
        """Numbers into ``info.moves`` where every move is finite, else any text (samples: the finite moves)."""
        if self.free:
            return AnyText(LONGEST_TEXT, self.known or ("hello", "I agree", "no"))
        return spaces.Discrete(len(self.known))

    def mask(self, legal: tuple[Move, ...]) -> NDArray[np.int8]:
        """1 for each known move that is in ``legal``, else 0; an array of the caller's own."""
        kept = self._masks.get(legal)
        if kept is None:
            if len(self._masks) >= _MASKS:
                self._masks.clear()
            chosen = set(legal)
            kept = self._masks[legal] = np.array([move in chosen for move in self.known], np.int8)
        return kept.copy()

    def read(self, state: Any, seat: int, action: Any) -> Move:
        """The move that an action means.

        Raises:
            IllegalMove: none, with what is legal.
        """
        moves, known = self.game.moves(state, seat), self.known
        if self.free and isinstance(action, str):
            return self.game.parse(state, seat, action)
        if not self.free and isinstance(action, int | np.integer) and 0 <= action < len(known):
            if known[action] in moves.texts:
                return known[action]
            raise IllegalMove(f"action {action} ({known[action]}) is not legal now; legal is {_numbers(moves, known)}")
        raise IllegalMove(f"{str(action)[:60]!r} is no action of this game; legal is {_numbers(moves, known)}")


def _numbers(moves: Moves, known: tuple[Move, ...]) -> str:
    if moves.free is not None or not known:
        return moves.describe()
    return ", ".join(f"{known.index(move)} ({move})" for move in moves.texts[:40])
