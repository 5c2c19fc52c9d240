"""Online ratings for any number of seats (Weng and Lin 2011, JMLR 12: Bayesian approximation for online ranking).

A strength is normal, N(μ, σ²); a match moves everyone by the slope and the curvature of a likelihood of the finishing
order: Plackett and Luce's, or of neighbouring pairs by Bradley and Terry or by Thurstone and Mosteller. The arithmetic
is the library openskill's. Like all online ratings these depend on the order of the matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from leaderboards.arrays import FloatArray, TableError

Model = Literal["plackett-luce", "bradley-terry", "thurstone-mosteller"]
_CLASSES = {
    "plackett-luce": "PlackettLuce",
    "bradley-terry": "BradleyTerryPart",
    "thurstone-mosteller": "ThurstoneMostellerPart",
}


@dataclass(frozen=True)
class MultiplayerRating:
    """Strengths after the last match, entrants in the order in which they first played."""

    names: tuple[str, ...]
    mu: FloatArray
    sigma: FloatArray
    model: str
    beta: float
    tau: float
    matches: int

    @property
    def cautious(self) -> FloatArray:
        """μ - 3σ: what an entrant is almost surely worth (N,)."""
        return self.mu - 3 * self.sigma


def multiplayer(
    matches: Iterable[Sequence[tuple[str, float]]],
    *,
    model: Model = "plackett-luce",
    mu: float = 25.0,
    sigma: float = 25.0 / 3,
    beta: float = 25.0 / 6,
    tau: float = 25.0 / 300,
    draw_margin: float = 0.1,
) -> MultiplayerRating:
    """Rate by finishing order, one match after the other.

    Args:
        matches: for each, (entrant, payoff) of every seat; the higher payoff finishes first, equal ones draw.
        model: of the finishing order.
        mu: everybody's first mean.
        sigma: everybody's first standard deviation.
        beta: standard deviation of a performance around the strength.
        tau: how much a strength may have drifted since the last match.
        draw_margin: of Thurstone and Mosteller's model.

    Raises:
        TableError: a payoff isn't finite, an entrant sits twice, or the model is unknown.
    """
    engine = _engine(model, mu=mu, sigma=sigma, beta=beta, tau=tau, epsilon=draw_margin)
    strength: dict[str, Any] = {}
    played = 0
    for seats in matches:
        names, payoffs = [name for name, _ in seats], [float(payoff) for _, payoff in seats]
        _check(names, payoffs)
        teams = [[strength.get(name) or engine.rating()] for name in names]
        rated = engine.rate(teams, scores=payoffs) if len(teams) > 1 else teams
        strength.update((name, team[0]) for name, team in zip(names, rated, strict=True))
        played += 1
    table = np.array([(r.mu, r.sigma) for r in strength.values()], np.float64).reshape(-1, 2)
    return MultiplayerRating(tuple(strength), table[:, 0], table[:, 1], model, beta, tau, played)


def _engine(model: str, **settings: float) -> Any:
    """The library's model; only Thurstone and Mosteller's has a margin for draws."""
    import openskill.models

    if model not in _CLASSES:
        raise TableError(f'no model "{model}"; there are {", ".join(_CLASSES)}')
    if model != "thurstone-mosteller":
        del settings["epsilon"]
    return getattr(openskill.models, _CLASSES[model])(**settings)


def _check(names: list[str], payoffs: list[float]) -> None:
    if len(set(names)) != len(names):
        raise TableError(f"an entrant sits twice among {names}; copies can't be told apart by finishing order")
    if not all(map(math.isfinite, payoffs)):
        raise TableError(f"payoffs {payoffs} of {names} aren't all finite")
