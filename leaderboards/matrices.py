"""Antisymmetric tables for Nash averaging and its kin: what row wins of column, and in which sense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from leaderboards.arrays import FloatArray
from leaderboards.table import Results

Link = Literal["linear", "logit"]


@dataclass(frozen=True)
class Advantage:
    """An antisymmetric table and what it means."""

    table: FloatArray
    """(N, N), A = -Aᵀ."""
    says: str
    """What a cell is, as a board prints it."""
    unplayed: int
    """Pairs that never met; their cell is 0."""


def advantage(results: Results) -> Advantage:
    """What Nash averaging is done of: win probabilities where wins are what counts, payoff differences elsewhere."""
    if results.ranked_by == "elo":
        return win_advantage(results)
    with np.errstate(divide="ignore", invalid="ignore"):
        return payoff_advantage(results.payoff / results.rounds)


def win_advantage(results: Results, link: Link = "linear") -> Advantage:
    """From win probabilities, a draw half a win, half a win added to either side so that none is certain.

    Args:
        results: of one game.
        link: ``linear``: 2P - 1, bounded, a draw is 0; ``logit``: log(P / (1 - P)), the original proposal.
    """
    wins, met = results.wins, results.met - np.diag(np.diag(results.met))
    probability = (wins + results.draws / 2 + 0.5) / (met + 1)
    if link == "logit":
        table, says = np.log(probability / (1 - probability)), "log-odds of winning, log P/(1−P)"
    else:
        table, says = 2 * probability - 1, "win probability, 2P−1"
    return Advantage((table - table.T) / 2, f"{says}, P = (wins + draws/2 + ½)/(matches + 1)", _unplayed(met))


def payoff_advantage(mean: FloatArray) -> Advantage:
    """From payoffs per round: half of what row earns of column more than column of row.

    A game that isn't zero-sum has no antisymmetric table of its own; this one asks who gets the better of whom.

    Args:
        mean: (N, N), row's payoff per round against column, NaN where they never met.
    """
    table = np.nan_to_num((mean - mean.T) / 2, nan=0.0)
    met = (~np.isnan(mean)).astype(np.float64)
    return Advantage(
        table, "payoff difference (who gets the better of whom), (M−Mᵀ)/2, M = payoff per round", _unplayed(met)
    )


def _unplayed(met: FloatArray) -> int:
    return int((met[np.triu_indices(len(met), k=1)] == 0).sum())
