"""How well one does in a population, and how badly one can be beaten there (Lanctot et al. 2023, arXiv 2303.03196)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray


@dataclass(frozen=True)
class PopulationScore:
    """Return, exploitability and aggregate of N entrants (or of N candidates against a population of M)."""

    names: tuple[str, ...]
    population: tuple[str, ...]
    population_return: FloatArray
    """Mean payoff over the whole population (N,), oneself included where one belongs to it."""
    exploitability: FloatArray
    """What the best opponent in the population wins (N,)."""
    nemesis: tuple[str, ...]
    """Who that is."""
    aggregate: FloatArray
    """Return minus exploitability (N,): the benchmark's score."""
    noise_bias: FloatArray
    """By how much noise alone inflates the exploitability (N,); NaN where no errors were given."""


def population_score(
    payoffs: ArrayLike,
    *,
    errors: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    population: Sequence[str] | None = None,
    draws: int = 2000,
    seed: int = 0,
) -> PopulationScore:
    """Population return, within-population exploitability and their difference, for a zero-sum game.

    The greatest of many noisy means lies above the greatest mean. With ``errors``, that bias is estimated by adding
    such noise to the table once more: what the maximum rises by now is about what it has risen by already.

    Args:
        payoffs: (N, M), mean payoff of each entrant against each member of the population.
        errors: (N, M), their standard errors.
        names: of the N entrants.
        population: names of the M members; the entrants themselves where the table is square.
        draws: simulated tables for the bias.
        seed: of that simulation.

    Raises:
        TableError: a cell is NaN or infinite, or names don't fit.
    """
    payoff_NM = arrays.matrix("payoffs", payoffs)
    title = arrays.labels(names, len(payoff_NM))
    members = arrays.labels(title if population is None and _square(payoff_NM) else population, payoff_NM.shape[1])
    returned, worst = payoff_NM.mean(axis=1), (-payoff_NM).argmax(axis=1)
    exploitability = (-payoff_NM).max(axis=1)
    bias = np.full(len(title), np.nan)
    if errors is not None:
        bias = _bias(payoff_NM, arrays.matrix("errors", errors, payoff_NM.shape), draws, seed)
    return PopulationScore(
        names=title,
        population=members,
        population_return=returned,
        exploitability=exploitability,
        nemesis=tuple(members[k] for k in worst),
        aggregate=returned - exploitability,
        noise_bias=bias,
    )


def population_return(payoffs: ArrayLike) -> FloatArray:
    """Mean payoff of each row against the population (N,)."""
    mean: FloatArray = arrays.matrix("payoffs", payoffs).mean(axis=1)
    return mean


def within_population_exploitability(payoffs: ArrayLike) -> FloatArray:
    """What the opponent that is worst for each row wins of it (N,)."""
    worst: FloatArray = -arrays.matrix("payoffs", payoffs).min(axis=1)
    return worst


def aggregate_score(payoffs: ArrayLike) -> FloatArray:
    """Population return minus within-population exploitability (N,)."""
    return population_return(payoffs) - within_population_exploitability(payoffs)


def _square(table: FloatArray) -> bool:
    return len(table) == len(table.T)


def _bias(payoff_NM: FloatArray, error_NM: FloatArray, draws: int, seed: int) -> FloatArray:
    """Mean rise of the maximum of each row's losses under fresh noise."""
    rng, rise = np.random.default_rng(seed), np.zeros(len(payoff_NM))
    for _ in range(draws):
        rise += (-payoff_NM + error_NM * rng.standard_normal(error_NM.shape)).max(axis=1)
    bias: FloatArray = rise / draws + payoff_NM.min(axis=1)
    return bias
