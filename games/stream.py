"""Counter-based randomness: a draw is a hash of where it happens, never of what was drawn before.

Chance in a game is a pure function of (run seed, deal, tick, draw), a policy's noise of (run seed, match, seat,
tick, draw). Results then don't depend on batches, workers or order, and resuming needs no generator state. The mixer is
SplitMix64 (Steele, Lea & Flood 2014, doi 10.1145/2714064.2660195). Scalar and array forms are bit-equal.

numpy is imported by the array forms alone: the command line's ``--help`` must not wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Bits: TypeAlias = "NDArray[np.uint64]"

CHANCE, POLICY, SCHEDULE, TRAINING = 1, 2, 3, 4  # domains: the same numbers never meet in two of them

_MASK = (1 << 64) - 1
_EVERY = -1  # stands for all ticks; no match reaches the tick 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_M1, _M2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix(z: int) -> int:
    """SplitMix64's finaliser on one 64-bit integer."""
    z = ((z ^ (z >> 30)) * _M1) & _MASK
    z = ((z ^ (z >> 27)) * _M2) & _MASK
    return z ^ (z >> 31)


def derive(*parts: int) -> int:
    """A 64-bit key from integers, order mattering."""
    if len(parts) > 2:  # (run seed, domain) begin nearly every key
        return _derive_from(_opening(parts[0], parts[1]), parts[2:])
    return _derive_from(0, parts)


@lru_cache(maxsize=256)
def _opening(first: int, second: int) -> int:
    return _derive_from(0, (first, second))


def _derive_from(key: int, parts: Sequence[int]) -> int:
    for part in parts:  # `mix`, spelled out: this is the arena's innermost loop
        z = (key + _GOLDEN + (part & _MASK) * _M1) & _MASK
        z = ((z ^ (z >> 30)) * _M1) & _MASK
        z = ((z ^ (z >> 27)) * _M2) & _MASK
        key = z ^ (z >> 31)
    return key


def mix_array(z: Bits) -> Bits:
    """:func:`mix` on an array of uint64, any shape."""
    from numpy import uint64

    z = (z ^ (z >> uint64(30))) * uint64(_M1)
    z = (z ^ (z >> uint64(27))) * uint64(_M2)
    return z ^ (z >> uint64(31))


def derive_array(*parts: int | NDArray[np.integer]) -> Bits:
    """:func:`derive` on integers and integer arrays that broadcast together."""
    import numpy as np

    return extend_array(np.zeros((), np.uint64), *parts)


def extend_array(keys: Bits, *parts: int | NDArray[np.integer]) -> Bits:
    """What :func:`derive_array` gives with further parts at the end, from what it gave without."""
    import numpy as np

    with np.errstate(over="ignore"):
        for part in parts:
            bits = np.uint64(part & _MASK) if isinstance(part, int) else np.asarray(part).astype(np.uint64)
            keys = mix_array(np.asarray(keys + np.uint64(_GOLDEN) + bits * np.uint64(_M1)))
    return keys


def uniform_array(keys: Bits, draw: int) -> NDArray[np.float64]:
    """Draw number ``draw`` of every key: floats in [0, 1), the shape of ``keys``."""
    import numpy as np

    with np.errstate(over="ignore"):
        bits = mix_array(keys + np.uint64((_GOLDEN * (draw + 1)) & _MASK))
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def skip(key: int, draws: int) -> int:
    """The key whose draw number k is draw ``draws + k`` of ``key``: for noise that is drawn elsewhere."""
    return (key + _GOLDEN * draws) & _MASK


class Stream:
    """The draws at one place: ``Stream(seed, CHANCE, deal, tick)``. Cheap to make, never kept."""

    __slots__ = ("_key", "_parts", "draw")

    def __init__(self, *parts: int) -> None:
        self._parts = parts
        self._key: int | None = None  # hashed at the first draw: many streams are never drawn from
        self.draw = 0

    @property
    def key(self) -> int:
        """The 64-bit key that every draw is a hash of."""
        if self._key is None:
            self._key = derive(*self._parts)
        return self._key

    def apart(self, label: int) -> Stream:
        """Another stream of the same place for a purpose of its own: its draws have nothing to do with these."""
        return Stream(*self._parts, label)

    def above(self, label: int) -> Stream:
        """A stream of the place one level up: of a policy's turn, of its match and seat, the same at every tick."""
        return Stream(*self._parts[:-1], _EVERY, label)

    def bits(self) -> int:
        """The next 64 random bits."""
        self.draw += 1
        key = self.key if self._key is None else self._key
        return mix((key + _GOLDEN * self.draw) & _MASK)

    def random(self) -> float:
        """A float in [0, 1)."""
        return (self.bits() >> 11) * 2.0**-53

    def integers(self, n: int) -> int:
        """An integer in [0, n)."""
        return int(self.random() * n)

    def choice(self, options: Sequence[T]) -> T:
        """One of ``options``, each equally likely."""
        return options[self.integers(len(options))]

    def weighted(self, options: Sequence[T], weights: Sequence[float]) -> T:
        """One of ``options`` with probability proportional to its weight."""
        left = self.random() * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            left -= weight
            if left < 0:
                return option
        return next(o for o, w in zip(reversed(options), reversed(weights), strict=True) if w > 0)

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """``options`` in random order (Fisher-Yates)."""
        out = list(options)
        for i in range(len(out) - 1, 0, -1):
            j = self.integers(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


class NoChance(Stream):
    """The stream given where a game must not draw; drawing from it is an error in the game."""

    def __init__(self) -> None:
        super().__init__(0)

    def apart(self, label: int) -> Stream:
        """No chance there either."""
        return self

    def above(self, label: int) -> Stream:
        """No chance there either."""
        return self

    def bits(self) -> int:
        """Raise: nothing may be drawn here."""
        raise RuntimeError("this game draws chance here: it must define starts() and outcomes() to be enumerated")
