"""Payoff per round, with self-matches included and intervals clustered by deal, and what it took to earn it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboards.arrays import FloatArray, IntArray, sums, table_of
from leaderboards.intervals import clustered_covariance, deviation, difference_deviation, quantile, rank_interval
from leaderboards.table import BLOCKS, Cells, Results
from leaderboards.threads import few_threads


@dataclass(frozen=True)
class PayoffTable:
    """What N entrants earn: NaN where nothing is known."""

    names: tuple[str, ...]
    mean: FloatArray
    """Row's payoff per round against column (N, N); on the diagonal, of its self-matches."""
    half: FloatArray
    """Half the 95 % interval of ``mean`` (N, N)."""
    met: FloatArray
    """Matches of row with column (N, N)."""
    per_round: FloatArray
    """Payoff per round, every opponent that was met and itself weighted equally (N,)."""
    per_round_half: FloatArray
    """Half its 95 % interval (N,)."""
    covariance: FloatArray
    """Of ``per_round`` (N, N)."""
    clusters: IntArray
    """Independent blocks of deals that each entrant played (N,)."""
    best_rank: IntArray
    worst_rank: IntArray
    wins: FloatArray
    """Matches with the higher payoff, self-matches left out (N,); at larger tables, pairs of seats."""
    draws: FloatArray
    losses: FloatArray
    illegal_rate: FloatArray
    """Share of decisions that were illegal (N,)."""
    tokens: FloatArray
    """Tokens per seat and match (N,)."""
    seconds: FloatArray
    """Seconds per seat and match (N,)."""

    @property
    def unplayed(self) -> int:
        """Pairs of different entrants that never met."""
        return int((self.met[np.triu_indices(len(self.names), k=1)] == 0).sum())

    @property
    def without_self(self) -> int:
        """Entrants that never met themselves."""
        return int((np.diag(self.met) == 0).sum())


def payoff_table(results: Results) -> PayoffTable:
    """Payoffs per round of one game: sums of payoffs over sums of rounds.

    Assumes that different deals are independent; matches of one deal may depend on each other in any way.
    """
    earned = _Earned.of(results.cells)
    rounds_NN = results.rounds
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_NN = np.where(rounds_NN > 0, results.payoff / rounds_NN, np.nan)
    known_NN = ~np.isnan(mean_NN)
    per_round = np.nansum(mean_NN, axis=1) / np.maximum(known_NN.sum(axis=1), 1)
    per_round[~known_NN.any(axis=1)] = np.nan
    residual_D = earned.payoff - mean_NN[earned.row, earned.column] * earned.rounds
    share_D = residual_D / rounds_NN[earned.row, earned.column]
    with few_threads(results.n):
        covariance, clusters = _per_entrant(earned, share_D / known_NN.sum(axis=1)[earned.row], results.n)
    q_N = quantile(clusters)
    reach_NN = np.maximum(q_N[:, None], q_N[None, :]) * difference_deviation(covariance)
    best, worst = rank_interval(per_round, reach_NN)
    return PayoffTable(
        names=results.entrants,
        mean=mean_NN,
        half=_per_pair(earned, share_D, results.n),
        met=results.met,
        per_round=per_round,
        per_round_half=q_N * deviation(covariance),
        covariance=covariance,
        clusters=clusters,
        best_rank=best,
        worst_rank=worst,
        wins=results.wins.sum(axis=1),
        draws=results.draws.sum(axis=1),
        losses=results.wins.sum(axis=0),
        illegal_rate=_ratio(results.totals.illegal, results.totals.turns),
        tokens=_ratio(results.totals.tokens, results.totals.seats),
        seconds=_ratio(results.totals.seconds, results.totals.seats),
    )


@dataclass(frozen=True)
class _Earned:
    """Each cell twice, once for either of its entrants: what ``row`` earned from ``column``; D items."""

    row: IntArray
    column: IntArray
    block: IntArray
    payoff: FloatArray
    rounds: FloatArray

    @classmethod
    def of(cls, cells: Cells) -> _Earned:
        return cls(
            row=np.concatenate([cells.first, cells.second]),
            column=np.concatenate([cells.second, cells.first]),
            block=np.concatenate([cells.block, cells.block]),
            payoff=np.concatenate([cells.payoff_first, cells.payoff_second]),
            rounds=np.concatenate([cells.rounds, cells.rounds]),
        )


def _per_entrant(earned: _Earned, share_D: FloatArray, n: int) -> tuple[FloatArray, IntArray]:
    """Covariance of the entrants' means (N, N), and how many blocks each played (N,)."""
    shape = (BLOCKS, n)
    played_BN = table_of(earned.block, earned.row, np.ones(len(share_D)), shape) > 0
    clusters: IntArray = played_BN.sum(axis=0)
    return clustered_covariance(table_of(earned.block, earned.row, share_D, shape), clusters), clusters


def _per_pair(earned: _Earned, share_D: FloatArray, n: int) -> FloatArray:
    """Half-widths of the pairs' means (N, N)."""
    share_K, pair_K = _summed((earned.row * n + earned.column) * BLOCKS + earned.block, share_D, n * n * BLOCKS)
    clusters = np.bincount(pair_K, minlength=n * n)
    spread = sums(pair_K, share_K**2, n * n) * clusters / np.maximum(clusters - 1, 1)
    return (quantile(clusters) * np.sqrt(spread)).reshape(n, n)


def _summed(key_D: IntArray, share_D: FloatArray, size: int) -> tuple[FloatArray, IntArray]:
    """Shares of the same pair and block summed, and the pair of each sum."""
    if size <= _DENSE:  # counting is faster than sorting
        present = np.flatnonzero(np.bincount(key_D, minlength=size))
        return sums(key_D, share_D, size)[present], present // BLOCKS
    key, place_D = np.unique(key_D, return_inverse=True)
    return sums(place_D, share_D, len(key)), key // BLOCKS


_DENSE = 1 << 23


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.where(whole > 0, part / np.maximum(whole, 1e-300), np.nan)
