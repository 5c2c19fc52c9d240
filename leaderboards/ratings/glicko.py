"""Glicko and Glicko-2: ratings with a deviation, for pools whose strengths change (Glickman 1999, 2012).

A rating period is a batch of matches rated together; between periods the deviation grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leaderboards.arrays import TableError

_Q = math.log(10) / 400
_SCALE = 400 / math.log(10)  # Glicko-2 works in natural units
Games = Sequence[tuple["Glicko", float]]


@dataclass(frozen=True)
class Glicko:
    """A rating and how sure it is."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    """How erratic the entrant is; only Glicko-2 uses it."""

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.rating - 1.96 * self.deviation

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.rating + 1.96 * self.deviation


def attenuation(deviation: float) -> float:
    """g: how much a result counts against an opponent whose rating is off by ``deviation`` points."""
    return 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)


def expected(player: Glicko, opponent: Glicko) -> float:
    """E: the score expected of ``player``, the opponent's uncertainty taken in."""
    gap = attenuation(opponent.deviation) * (player.rating - opponent.rating)
    return 0.5 + 0.5 * math.tanh(_Q * gap / 2)


def glicko(player: Glicko, games: Games, *, drift: float = 0.0) -> Glicko:
    """One rating period of Glicko-1.

    Args:
        player: before the period.
        games: (opponent before the period, score: 1 win, 0.5 draw, 0 loss).
        drift: c, by which the deviation grows from one period to the next (never above 350).

    Raises:
        TableError: a score isn't between 0 and 1.
    """
    _check(games)
    deviation = min(350.0, math.hypot(player.deviation, drift))
    information, surprise = _gathered(player, games)
    precision = 1 / deviation**2 + _Q**2 * information
    return replace(player, rating=player.rating + _Q * surprise / precision, deviation=1 / math.sqrt(precision))


def glicko2(player: Glicko, games: Games, *, tau: float = 0.5) -> Glicko:
    """One rating period of Glicko-2, which also learns how erratic the player is.

    Args:
        player: before the period.
        games: (opponent before the period, score).
        tau: how fast volatility may change, 0.3 to 1.2.

    Raises:
        TableError: a score isn't between 0 and 1.
    """
    _check(games)
    phi = player.deviation / _SCALE
    if not games:
        return replace(player, deviation=_SCALE * math.hypot(phi, player.volatility))
    information, surprise = _gathered(player, games)
    variance = 1 / information
    volatility = _volatility(player.volatility, phi, variance, variance * surprise, tau)
    precision = 1 / (phi**2 + volatility**2) + information
    return Glicko(player.rating + _SCALE * surprise / precision, _SCALE / math.sqrt(precision), volatility)


def _gathered(player: Glicko, games: Games) -> tuple[float, float]:
    """Σ g² E (1 - E) and Σ g (score - E), natural units."""
    information = surprise = 0.0
    for opponent, score in games:
        g, e = attenuation(opponent.deviation), expected(player, opponent)
        information += g**2 * e * (1 - e)
        surprise += g * (score - e)
    return information, surprise


def _volatility(sigma: float, phi: float, variance: float, step: float, tau: float) -> float:
    """The most plausible new volatility: the root of Glickman's f, by the Illinois method."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi**2 + variance + e
        return e * (step**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    a, b = start, start - tau
    if step**2 > phi**2 + variance:
        b = math.log(step**2 - phi**2 - variance)
    else:
        while f(b) < 0:
            b -= tau
    fa, fb = f(a), f(b)
    while abs(b - a) > 1e-9:
        c = a + (a - b) * fa / (fb - fa)
        fc = f(c)
        if fc * fb <= 0:
            a, fa = b, fb
        else:
            fa /= 2
        b, fb = c, fc
    return math.exp(a / 2)


def _check(games: Games) -> None:
    for _, score in games:
        if not 0 <= score <= 1:
            raise TableError(f"a score of {score} was given; it must lie between 0 and 1")
