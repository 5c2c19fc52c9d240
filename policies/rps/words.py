"""Strategies that play a fixed word whatever happens: pi, De Bruijn words, a text."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.matrix import Ints
from policies.registry import script
from policies.rps.thrower import GAME, Plan, Thrower
from policies.scripted.matrix import Carry, View

BILLINGS = "D. Billings, RoShamBo programming competition 1999; Lanctot et al. 2023, arXiv 2303.03196"
LONGEST = 10_000
"""Rounds of the longest match there can be."""
_TEXT = (
    "a player who always throws rock loses to whoever notices. a player who changes after every loss can be led by the "
    "hand. who counts what came before may be counted in turn, and so on without end; only chance has no memory, and "
    "nothing to win either. so look for habits, doubt them, and have some of your own to hide."
)


class Reciter(Thrower):
    """Plays the symbols of a word, one a round, from the beginning again at its end."""

    keeps = False

    def word(self) -> NDArray[np.int8]:
        """The moves."""
        raise NotImplementedError

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """The round's symbol in every match."""
        word = self.word()
        return np.full(view.size, word[view.round % len(word)]), None


@script("pibot", games=(GAME,), paper=BILLINGS)
class Pi(Reciter):
    """Plays the decimal digits of pi modulo three, zeros left out."""

    def word(self) -> NDArray[np.int8]:
        """Enough digits for the longest match."""
        return pi_moves()


@script("de-bruijn-words", games=(GAME,), paper=BILLINGS)
class DeBruijn(Reciter):
    """Plays De Bruijn words of order 4: every four moves in a row once in 81, each word in another order.

    The idea is that of ``debruijn81``; the words are our own.
    """

    def word(self) -> NDArray[np.int8]:
        """The word with its symbols renamed in the six possible ways."""
        renamings = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))
        return np.concatenate([np.array(names, np.int8)[de_bruijn(4)] for names in renamings])


@script("text-word", games=(GAME,), paper=BILLINGS)
class Text(Reciter):
    """Plays an English text, letter by letter modulo three; the idea is that of ``textbot``, the text our own."""

    def word(self) -> NDArray[np.int8]:
        """Letters by their place in the alphabet."""
        letters = [ord(letter) - ord("a") for letter in _TEXT if letter.isalpha()]
        return (np.array(letters) % 3).astype(np.int8)


@script("rotatebot", games=(GAME,), paper=BILLINGS)
class Rotate(Reciter):
    """Plays rock, paper, scissors, over and over."""

    def word(self) -> NDArray[np.int8]:
        """The three moves."""
        return np.arange(3, dtype=np.int8)


@script("rockbot", games=(GAME,), paper=BILLINGS)
class Rock(Reciter):
    """Plays rock, always."""

    def word(self) -> NDArray[np.int8]:
        """One move."""
        return np.zeros(1, np.int8)


@cache
def pi_moves(count: int = LONGEST) -> NDArray[np.int8]:
    """The first ``count`` non-zero decimal digits of pi, modulo three."""
    digits = [int(digit) for digit in _decimals(_pi(count + count // 5 + 50)) if digit != "0"]
    return (np.array(digits[:count]) % 3).astype(np.int8)


def _pi(places: int) -> int:
    """Pi times ten to the ``places``, by Machin's formula with some digits to spare."""
    one = 10 ** (places + 10)
    return 4 * (4 * _arctan(5, one) - _arctan(239, one)) // 10**10


def _decimals(number: int, piece: int = 1000) -> str:
    """Its digits, a piece at a time: Python refuses to write very long numbers at once."""
    pieces = []
    while number:
        number, last = divmod(number, 10**piece)
        pieces.append(f"{last:0{piece}d}")
    return "".join(reversed(pieces))


def _arctan(inverse: int, one: int) -> int:
    """``one`` times the arc tangent of 1 / ``inverse``."""
    power = total = one // inverse
    odd, sign = 1, 1
    while power:
        power //= inverse * inverse
        odd, sign = odd + 2, -sign
        total += sign * (power // odd)
    return total


def de_bruijn(order: int) -> Ints:
    """The ternary word in which every ``order`` moves in a row occur once (round the end too).

    It is the concatenation of the Lyndon words whose length divides ``order``, in lexicographic order (Fredricksen &
    Maiorana 1978, doi 10.1016/0012-365X(78)90002-X).
    """
    word: list[int] = []
    lyndon = [0]
    while lyndon:
        if order % len(lyndon) == 0:
            word += lyndon
        lyndon = (lyndon * order)[:order]
        while lyndon and lyndon[-1] == 2:
            lyndon.pop()
        if lyndon:
            lyndon[-1] += 1
    return np.array(word, np.int8)
