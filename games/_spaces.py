"""Observation and action spaces of a game for PettingZoo, and from an action to a move."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from games.errors import IllegalMove
from games.game import Game, Move, Moves

LONGEST_TEXT = 100_000


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


def observation_space(game: Game[Any]) -> spaces.Dict:
    """Text, with an action mask where every move is finite."""
    text = AnyText(LONGEST_TEXT, ("",))
    if game.info.free is not None:
        return spaces.Dict({"text": text})
    return spaces.Dict({"text": text, "action_mask": spaces.Box(0, 1, (len(game.info.moves or ()),), np.int8)})


def action_space(game: Game[Any]) -> spaces.Space[Any]:
    """Numbers into ``info.moves`` where every move is finite, else any text (samples: the finite moves)."""
    moves = game.info.moves or ()
    if game.info.free is None:
        return spaces.Discrete(len(moves))
    return AnyText(LONGEST_TEXT, moves or ("hello", "I agree", "no"))


def mask(game: Game[Any], legal: tuple[Move, ...]) -> NDArray[np.int8]:
    """1 for each move of ``info.moves`` that is in ``legal``, else 0."""
    return np.array([move in legal for move in game.info.moves or ()], np.int8)


def read_action(game: Game[Any], state: Any, seat: int, action: Any) -> Move:
    """The move that an action means.

    Raises:
        IllegalMove: none, with what is legal.
    """
    moves = game.moves(state, seat)
    if game.info.free is not None and isinstance(action, str):
        return game.parse(state, seat, action)
    known = game.info.moves or ()
    if game.info.free is None and isinstance(action, int | np.integer) and 0 <= action < len(known):
        if known[action] in moves.texts:
            return known[action]
        raise IllegalMove(f"action {action} ({known[action]}) is not legal now; legal is {_numbers(moves, known)}")
    raise IllegalMove(f"{str(action)[:60]!r} is no action of this game; legal is {_numbers(moves, known)}")


def _numbers(moves: Moves, known: tuple[Move, ...]) -> str:
    if moves.free is not None or not known:
        return moves.describe()
    return ", ".join(f"{known.index(move)} ({move})" for move in moves.texts[:40])
