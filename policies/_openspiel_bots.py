"""The rock-paper-scissors bots of OpenSpiel as players (imported in the bots' process alone).

They draw from the C library's ``random``, which is one for the process; each bot gets a state of its own for it, so
that a match neither depends on the others nor disturbs them.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import pyspiel

from policies._bot_server import Question

_LIBC = ctypes.CDLL(None)
_BYTES = 256  # of state: the most that the C library makes use of
_LEAST = {"greenberg": 1000}
"""Throws that a bot must be made for: with fewer, greenberg writes beyond its memory and kills the process."""


class Bot:
    """A bot, its state of the C library's randomness, and the match as OpenSpiel sees it."""

    def __init__(self, question: Question) -> None:
        name, self.seat = question["bot"], int(question["seat"])
        self.noise = _noise(int(question["seed"]))
        self.state: Any = _game(question["rounds"]).new_initial_state()
        self.bot: Any = pyspiel.make_roshambo_bot(self.seat, name, max(question["rounds"], _LEAST.get(name, 1)))
        self.bot.restart()

    def throw(self) -> int:
        """Its move."""
        _LIBC.setstate(self.noise)
        move = int(self.bot.step(self.state))
        _LIBC.setstate(_PARKED)
        return move

    def see(self, own: int, other: int) -> None:
        """Both moves into the match."""
        self.state.apply_actions([own, other] if self.seat == 0 else [other, own])


def _noise(seed: int) -> Any:
    """A state for ``random``."""
    noise = ctypes.create_string_buffer(_BYTES)
    _LIBC.initstate(ctypes.c_uint(seed), noise, ctypes.c_size_t(_BYTES))
    if _PARKED is not None:
        _LIBC.setstate(_PARKED)
    return noise


_PARKED: Any = None
_PARKED = _noise(0)
"""In use between throws: the C library writes to the state that it leaves, which may belong to a bot that is gone."""


@cache
def _game(rounds: int) -> Any:
    return pyspiel.load_game(f"repeated_game(stage_game=matrix_rps(),num_repetitions={rounds},recall=1)")


def names() -> list[str]:
    """The bots."""
    return sorted(pyspiel.roshambo_bot_names())


make = Bot
