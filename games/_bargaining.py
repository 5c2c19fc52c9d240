"""What was possible: the Pareto front, the Nash and the Kalai–Smorodinsky point of a finite set of outcomes, Gini.

An outcome is a tuple with a payoff for each seat; the disagreement point is what each gets without a deal. Solutions
are taken over the outcomes themselves, without lotteries, and the first of several that are equally good is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Point = tuple[float, ...]
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Frontier:
    """What a set of outcomes offers; ``front``, ``nash`` and ``kalai_smorodinsky`` are outcomes of it."""

    disagreement: Point
    best_joint: float
    """The greatest sum of gains over the disagreement point."""
    front: tuple[Point, ...]
    """The Pareto-optimal outcomes: nothing is better for one seat and worse for none."""
    nash: Point | None
    """The greatest product of gains; None where no outcome gives every seat a gain (Nash 1950, doi 10.2307/1907266)."""
    kalai_smorodinsky: Point | None
    """The greatest least share of what each could gain (Kalai & Smorodinsky 1975, doi 10.2307/1914280), or None."""

    def measures(self, payoffs: Sequence[float]) -> dict[str, Point]:
        """How payoffs compare with what was possible; what would divide by nothing is left out.

        ``efficiency``: joint gain over the best; ``pareto``: 1 on the front, else 0; ``nash`` and
        ``kalai_smorodinsky``: own gain over own gain at that point; ``gini``: inequality of the payoffs.
        """
        gains, n = minus(payoffs, self.disagreement), len(payoffs)
        found: dict[str, Point] = {"pareto": (float(self.optimal(payoffs)),) * n}
        if self.best_joint > _CLOSE:
            found["efficiency"] = (sum(gains) / self.best_joint,) * n
        for name, point in (("nash", self.nash), ("kalai_smorodinsky", self.kalai_smorodinsky)):
            if point is not None:
                found[name] = ratios(gains, minus(point, self.disagreement))
        if min(payoffs) >= 0:
            found["gini"] = (gini(payoffs),) * n
        return found

    def optimal(self, payoffs: Sequence[float]) -> bool:
        """Whether no outcome is better for one seat and worse for none."""
        return not any(_dominates(other, payoffs) for other in self.front)


def frontier(outcomes: Iterable[Point], disagreement: Point) -> Frontier:
    """Compute the :class:`Frontier`; the disagreement point counts as an outcome.

    Args:
        outcomes: every outcome a deal can have.
        disagreement: what each seat gets without a deal.
    """
    points = list(dict.fromkeys([*outcomes, disagreement]))
    worth = [p for p in points if min(minus(p, disagreement)) > _CLOSE]
    best = max(sum(minus(p, disagreement)) for p in points)
    return Frontier(disagreement, best, pareto_front(points), _nash(worth, disagreement), _kalai(worth, disagreement))


def pareto_front(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points that no other dominates, in the order given."""
    values_PN = np.array(points)
    never_worse = np.all(values_PN[None] >= values_PN[:, None] - _CLOSE, axis=-1)
    once_better = np.any(values_PN[None] > values_PN[:, None] + _CLOSE, axis=-1)
    dominated = np.any(never_worse & once_better, axis=1).tolist()
    return tuple(point for point, lost in zip(points, dominated, strict=True) if not lost)


def _dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = list(zip(one, other, strict=True))
    return all(a >= b - _CLOSE for a, b in pairs) and any(a > b + _CLOSE for a, b in pairs)


def _nash(worth: Sequence[Point], disagreement: Point) -> Point | None:
    return max(worth, key=lambda p: math.prod(minus(p, disagreement)), default=None)


def _kalai(worth: Sequence[Point], disagreement: Point) -> Point | None:
    """The point whose gains, as shares of each seat's greatest, are the best when compared from the least upward."""
    ideal = [max(column) for column in zip(*(minus(p, disagreement) for p in worth), strict=True)]
    return max(worth, key=lambda p: sorted(ratios(minus(p, disagreement), ideal)), default=None)


def minus(one: Sequence[float], other: Sequence[float]) -> Point:
    """The difference, seat by seat."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def ratios(gains: Sequence[float], of: Sequence[float]) -> Point:
    """Each gain as a share of another."""
    return tuple(float(a / b) for a, b in zip(gains, of, strict=True))


def gini(values: Sequence[float]) -> float:
    """Gini coefficient: Σ|x_i − x_j| / (2 n² mean), from 0 (all equal) to below 1; 0 where all are 0.

    Raises:
        ValueError: a value is negative.
    """
    if min(values) < 0:
        raise ValueError("the Gini coefficient is for values of at least 0")
    total = sum(values)
    if total == 0:
        return 0.0
    return sum(abs(a - b) for a in values for b in values) / (2 * len(values) * total)
