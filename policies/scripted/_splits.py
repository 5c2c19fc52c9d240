"""What players of the games about bundles of items share: which split to ask for, and when to give in."""

from __future__ import annotations

from collections.abc import Sequence

from games._items import Bundle, bundles, rest, worth


def fair_split(pool: Bundle, mine: Sequence[int], theirs: Sequence[int]) -> Bundle:
    """What to take so that the product of both worths is greatest, then their sum (the Nash point)."""

    def merit(bundle: Bundle) -> tuple[float, float]:
        own, other = worth(bundle, mine), worth(rest(pool, bundle), theirs)
        return own * other, own + other

    return max(bundles(pool), key=merit)


def modest_demand(pool: Bundle, values: Sequence[int], least: float) -> Bundle:
    """A bundle worth at least ``least`` that takes the fewest items, the most valuable among those."""
    enough = [b for b in bundles(pool) if worth(b, values) >= least - 1e-9]
    return min(enough, key=lambda b: (sum(b), -worth(b, values)))


def wanted(pool: Bundle, values: Sequence[int]) -> Bundle:
    """Every item that is worth something."""
    return tuple(n if value else 0 for n, value in zip(pool, values, strict=True))
