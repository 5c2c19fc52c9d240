"""What an entrant does to its company: welfare, exploitation, and how well strangers work together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards.arrays import FloatArray, TableError


@dataclass(frozen=True)
class Company:
    """Payoffs per round of N entrants as their company sees them; NaN where nothing is known."""

    welfare: FloatArray
    """What everybody at its tables earned on average, itself included, each opponent weighted equally (N,)."""
    exploits: FloatArray
    """How much more it took than the other, averaged over the opponents that it took more from, and 0 of the rest."""
    exploited: FloatArray
    """How much less it got than the other, averaged in the same way."""
    self_play: FloatArray
    """Its payoff with a copy of itself."""
    cross_play: FloatArray
    """Its payoff with each of the others, on average."""

    @property
    def gap(self) -> FloatArray:
        """The zero-shot coordination gap: self-play minus cross-play (N,)."""
        return self.self_play - self.cross_play


def company(mean: ArrayLike) -> Company:
    """Welfare, exploitation and cross-play from a table of payoffs per round.

    The gap between self-play and cross-play is what other-play set out to close (Hu et al. 2020, arXiv 2003.02979).

    Args:
        mean: (N, N), row's payoff per round against column, NaN where they never met; on the diagonal, of self-matches.

    Raises:
        TableError: the table isn't square.
    """
    mean_NN = np.array(mean, dtype=np.float64)
    if mean_NN.ndim != 2 or len(mean_NN) != len(mean_NN.T):
        raise TableError(f"payoffs must be square (row against column), not of shape {mean_NN.shape}")
    others_NN = np.where(np.eye(len(mean_NN), dtype=bool), np.nan, mean_NN)
    lead_NN = others_NN - others_NN.T
    return Company(
        welfare=_mean((mean_NN + mean_NN.T) / 2),
        exploits=_mean(np.maximum(lead_NN, 0.0)),
        exploited=_mean(np.maximum(-lead_NN, 0.0)),
        self_play=np.diag(mean_NN).copy(),
        cross_play=_mean(others_NN),
    )


def pareto_efficiency(mean: ArrayLike, slack: ArrayLike | None = None) -> FloatArray:
    """The share of each entrant's pairings, itself included, that no other pairing beats for both sides (N,).

    A pairing is beaten where another one of the same game gives either side at least as much and one of them more.

    Args:
        mean: (N, N), row's payoff per round against column, NaN where they never met.
        slack: (N, N), what must be exceeded before it counts as more, half an interval say; NaN counts as nothing.

    Raises:
        TableError: a table isn't square.
    """
    mean_NN = np.array(mean, dtype=np.float64)
    if mean_NN.ndim != 2 or len(mean_NN) != len(mean_NN.T):
        raise TableError(f"payoffs must be square (row against column), not of shape {mean_NN.shape}")
    slack_NN = np.zeros_like(mean_NN) if slack is None else np.nan_to_num(np.array(slack, dtype=np.float64))
    known_NN = ~np.isnan(mean_NN) & ~np.isnan(mean_NN.T)
    mine, theirs = mean_NN[known_NN], mean_NN.T[known_NN]
    wanted = (mine + slack_NN[known_NN], theirs + slack_NN.T[known_NN])
    # Each pairing is there from either side, so that it is enough to ask for more on one side.
    beaten = _best_beyond(mine, theirs, wanted[0]) > wanted[1] + 1e-9
    beaten |= _best_beyond(theirs, mine, wanted[1]) > wanted[0] + 1e-9
    efficient_NN = np.full(mean_NN.shape, np.nan)
    efficient_NN[known_NN] = ~beaten
    return _mean(efficient_NN)


def _best_beyond(key_P: FloatArray, value_P: FloatArray, least_P: FloatArray) -> FloatArray:
    """The greatest value among those whose key is at least so much; minus infinity where there is none."""
    order = np.argsort(key_P, kind="stable")
    best = np.append(np.maximum.accumulate(value_P[order][::-1])[::-1], -np.inf)
    found: FloatArray = best[np.searchsorted(key_P[order], least_P - 1e-9, side="left")]
    return found


def gini(values: ArrayLike) -> float:
    """Gini coefficient Σ|x_i - x_j| / (2 n² mean): 0 where all have the same, towards 1 where one has all.

    Args:
        values: at least 0 each; NaN is left out. With a negative value, or none at all, the result is NaN.
    """
    given = np.array(values, dtype=np.float64).ravel()
    known = given[~np.isnan(given)]
    if not len(known) or known.min() < 0:
        return float("nan")
    total = known.sum()
    gaps = np.abs(known[:, None] - known[None, :]).sum()
    return float(gaps / (2 * len(known) * total)) if total > 0 else 0.0


def pareto_front(strength: ArrayLike, cost: ArrayLike) -> list[int]:
    """Who is stronger than everybody who costs no more: places in ascending order of cost.

    Args:
        strength: (N,), the more the better; NaN is left out.
        cost: (N,), the less the better; NaN is left out.
    """
    strengths, costs = np.array(strength, dtype=np.float64), np.array(cost, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(strengths) & ~np.isnan(costs))
    front: list[int] = []
    for k in sorted(known.tolist(), key=lambda k: (costs[k], -strengths[k])):
        if not front or strengths[k] > strengths[front[-1]]:
            front.append(k)
    return front


def collaboration_gap(solo: ArrayLike, paired: ArrayLike) -> FloatArray:
    """What is lost by working with a copy of oneself instead of alone (arXiv 2511.02687): solo minus paired (N,)."""
    gap: FloatArray = np.array(solo, dtype=np.float64) - np.array(paired, dtype=np.float64)
    return gap


def _mean(table_NN: FloatArray) -> FloatArray:
    """The mean of each row's known cells."""
    known_NN = ~np.isnan(table_NN)
    number_N = known_NN.sum(axis=1)
    return np.where(number_N > 0, np.where(known_NN, table_NN, 0.0).sum(axis=1) / np.maximum(number_N, 1), np.nan)
