"""Bundles of items of several kinds: as counts, as text (``2 books 1 hat 0 balls``), and read from text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from games.errors import IllegalMove
from games.game import FreeText, Move, Moves
from games.parsing import read_move

Bundle = tuple[int, ...]
_WHOLE = Moves(free=FreeText(1_000_000))
_TAIL = 2_000  # characters of a text that are looked at


@lru_cache(maxsize=1024)
def bundles(pool: Bundle) -> tuple[Bundle, ...]:
    """Every part of ``pool``, nothing and everything included."""
    return tuple(product(*(range(n + 1) for n in pool)))


def rest(pool: Bundle, bundle: Bundle) -> Bundle:
    """What ``bundle`` leaves of ``pool``."""
    return tuple(n - k for n, k in zip(pool, bundle, strict=True))


def worth(bundle: Bundle, values: Sequence[int]) -> float:
    """The sum of the values of the items in ``bundle``."""
    return float(sum(n * value for n, value in zip(bundle, values, strict=True)))


def split_payoffs(pool: Bundle, values: Sequence[Sequence[int]]) -> list[tuple[float, ...]]:
    """The payoffs of every way to split ``pool`` between two seats that leaves nothing over."""
    return [(worth(b, values[0]), worth(rest(pool, b), values[1])) for b in bundles(pool)]


def count_text(n: int, kind: str) -> str:
    """``2 books``."""
    return f"{n} {kind}" if n == 1 else f"{n} {kind}s"


def bundle_text(bundle: Bundle, kinds: Sequence[str]) -> Move:
    """``2 books 1 hat 0 balls``."""
    return " ".join(count_text(n, kind) for n, kind in zip(bundle, kinds, strict=True))


@lru_cache(maxsize=1024)
def bundle_moves(pool: Bundle, kinds: tuple[str, ...], *others: Move) -> Moves:
    """Every part of ``pool`` as a move, and the ``others``."""
    return Moves((*(bundle_text(b, kinds) for b in bundles(pool)), *others))


def find_bundle(text: str, kinds: Sequence[str]) -> Bundle | None:
    """The bundle that ``text`` names: a number before each kind, once; or the numbers alone, in order.

    None where a kind is missing or named twice: what was not said is never guessed.
    """
    tail = text[-_TAIL:].casefold()
    found = [(kind, int(n)) for n, kind in _pattern(tuple(kinds)).findall(tail)]
    if len(found) == len(kinds) == len(dict(found)):
        return tuple(dict(found)[kind] for kind in kinds)
    numbers = re.findall(r"\d+", tail)
    bare = len(numbers) == len(kinds) and not re.search(r"[^\d\s,;/.()-]", tail)
    return tuple(int(n[:6]) for n in numbers) if bare else None


@lru_cache(maxsize=64)
def _pattern(kinds: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(\d{{1,6}})\s+({'|'.join(map(re.escape, kinds))})s?\b")


def read_bundle(reply: str, moves: Moves, kinds: Sequence[str]) -> Move:
    """The canonical bundle, or other legal move, that ``reply`` names.

    Raises:
        IllegalMove: it names none that is legal, or several.
    """
    try:
        return read_move(reply, moves)
    except IllegalMove:
        for place in _places(reply):
            bundle = find_bundle(place, kinds)
            if bundle is not None and bundle_text(bundle, kinds) in moves.texts:
                return bundle_text(bundle, kinds)
        raise


def _places(reply: str) -> list[str]:
    """What stands in the tagged answer, else the reply and its last line."""
    text = read_move(reply[-_TAIL:], _WHOLE)
    return [text, *text.splitlines()[-1:]]
