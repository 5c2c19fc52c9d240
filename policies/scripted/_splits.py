"""What players of the games about bundles of items share: which split to ask for, and when to give in."""

from __future__ import annotations

from collections.abc import Sequence

from games._items import Bundle, bundles, rest, worth


def product_of_worths(pool: Bundle, bundle: Bundle, mine: Sequence[int], theirs: Sequence[int]) -> float:
    """The worth of ``bundle`` to oneself times that of the rest to the other."""
    return worth(bundle, mine) * worth(rest(pool, bundle), theirs)


def sum_of_worths(pool: Bundle, bundle: Bundle, mine: Sequence[int], theirs: Sequence[int]) -> float:
    """The worth of ``bundle`` to oneself plus that of the rest to the other."""
    return worth(bundle, mine) + worth(rest(pool, bundle), theirs)


def fair_split(pool: Bundle, mine: Sequence[int], theirs: Sequence[int]) -> Bundle:
    """What to take so that the product of both worths is greatest, then their sum (the Nash point)."""
    both = (mine, theirs)
    return max(bundles(pool), key=lambda b: (product_of_worths(pool, b, *both), sum_of_worths(pool, b, *both)))


def welfare_split(pool: Bundle, mine: Sequence[int], theirs: Sequence[int], fair: float) -> Bundle:
    """What to take so that the sum is greatest, among splits whose product is at least ``fair`` of the greatest."""
    least = fair * product_of_worths(pool, fair_split(pool, mine, theirs), mine, theirs)
    near = [b for b in bundles(pool) if product_of_worths(pool, b, mine, theirs) >= least]
    return max(near, key=lambda b: sum_of_worths(pool, b, mine, theirs))


def modest_demand(pool: Bundle, values: Sequence[int], least: float) -> Bundle:
    """A bundle worth at least ``least`` that takes the fewest items, the most valuable among those."""
    enough = [b for b in bundles(pool) if worth(b, values) >= least - 1e-9]
    return min(enough, key=lambda b: (sum(b), -worth(b, values)))


def wanted(pool: Bundle, values: Sequence[int]) -> Bundle:
    """Every item that is worth something."""
    return tuple(n if value else 0 for n, value in zip(pool, values, strict=True))
