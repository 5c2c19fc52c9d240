"""α-Rank: how often evolution visits each entrant (Omidshafiei et al. 2019, arXiv 1903.01373).

A population of copies of one entrant meets a mutant; who earns more is imitated more. The rating is the stationary
distribution of the chain "which entrant has taken over". It isn't invariant to copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import FloatArray, TableError

Selection = Literal["local", "global"]


@dataclass(frozen=True)
class AlphaRank:
    """The stationary distribution and its parameters."""

    names: tuple[str, ...]
    mass: FloatArray
    """Share of time that each entrant is the whole population (N,), summing to 1."""
    alpha: float
    population: int
    selection: str


def alpha_rank(
    payoffs: ArrayLike,
    *,
    alpha: float = 10.0,
    population: int = 50,
    selection: Selection = "local",
    names: Sequence[str] | None = None,
) -> AlphaRank:
    """Rate the entrants of a symmetric game, zero-sum or not.

    Logarithms throughout: large ``alpha`` neither overflows nor splits the chain, so there is always one answer.

    Args:
        payoffs: (N, N), the payoff of row against column; self-play on the diagonal.
        alpha: intensity of selection, per unit of payoff.
        population: copies in the finite population, at least 2.
        selection: ``local``: mutant and resident compare what they earn from each other; ``global``: what each earns
            on average from everybody else, which counts self-play.
        names: of the entrants.

    Raises:
        TableError: a cell is NaN or infinite, the table isn't square, or a parameter is out of range.
    """
    payoff_NN = arrays.square("payoffs", payoffs)
    if population < 2 or not alpha >= 0:
        raise TableError(
            f"alpha={alpha:g}, population={population}: give alpha of at least 0 and a population of 2 or more"
        )
    fixation = log_fixation_local if selection == "local" else log_fixation_global
    log_rate_NN = fixation(payoff_NN, alpha, population).T  # [s, r]: mutant r takes over residents s
    np.fill_diagonal(log_rate_NN, -np.inf)
    log_mass = _stationary(log_rate_NN)
    return AlphaRank(arrays.labels(names, len(payoff_NN)), np.exp(log_mass), alpha, population, selection)


def log_fixation_local(payoff_NN: FloatArray, alpha: float, population: int) -> FloatArray:
    """Log-probability that a mutant (row) takes over residents (column): (1 - e⁻ᵘ) / (1 - e⁻ᵐᵘ), u = α (difference)."""
    edge = alpha * (payoff_NN - payoff_NN.T)
    size = np.abs(edge)
    even = size < 1e-12
    safe = np.where(even, 1.0, size)
    log_up = np.log(-np.expm1(-safe)) - np.log(-np.expm1(-population * safe))
    # Downhill, numerator and denominator grow by eᵘ and eᵐᵘ.
    taken = np.where(edge > 0, log_up, log_up - (population - 1) * size)
    log_taken: FloatArray = np.where(even, -np.log(population), taken)
    return log_taken


def log_fixation_global(payoff_NN: FloatArray, alpha: float, population: int) -> FloatArray:
    """Log-probability that one mutant (row) takes over residents (column) (N, N).

    With k mutants among m, each earns the mean against the m - 1 others; a step down is exp(-α (f_mutant - f_resident))
    times as likely as a step up (Traulsen et al. 2006).
    """
    m, own = population, np.diag(payoff_NN)
    log_sum, climb = np.zeros_like(payoff_NN), np.zeros_like(payoff_NN)
    for k in range(1, m):
        mutant = (k - 1) * own[:, None] + (m - k) * payoff_NN
        resident = k * payoff_NN.T + (m - k - 1) * own[None, :]
        climb = climb - alpha * (mutant - resident) / (m - 1)
        log_sum = np.logaddexp(log_sum, climb)
    return -log_sum


def _stationary(log_rate_NN: FloatArray) -> FloatArray:
    """Log of the stationary distribution of a chain, by elimination without subtraction.

    Grassmann, Taksar and Heyman (1985), Operations Research 33: every number keeps its relative accuracy.
    """
    n = len(log_rate_NN)
    rate = log_rate_NN.copy()
    for k in range(n - 1, 0, -1):
        rate[:k, k] -= np.logaddexp.reduce(rate[k, :k])
        rate[:k, :k] = np.logaddexp(rate[:k, :k], rate[:k, k, None] + rate[k, :k])
        np.fill_diagonal(rate, -np.inf)
    log_mass = np.zeros(n)
    for k in range(1, n):
        log_mass[k] = np.logaddexp.reduce(log_mass[:k] + rate[:k, k])
    total: FloatArray = log_mass - np.logaddexp.reduce(log_mass)
    return total
