"""Counterfactual regret minimisation on the sequence form (Zinkevich et al. 2007; CFR+: arXiv 1407.5042)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from games.game import Game, Move
from policies._sequences import Floats, Side, sequence_form

Table = Mapping[str, Mapping[Move, float]]
"""A distribution over moves for each information-state key."""


@lru_cache(maxsize=16)
def cfr(game: Game[Any], iterations: int) -> tuple[Table, Table]:
    """The average strategies of CFR+ after ``iterations``, one for each seat (Tammelin 2014, arXiv 1407.5042).

    Seats are updated in turn, regrets never fall below zero, and iteration t counts t times in the average.

    Raises:
        UsageError: the game can't be solved (:func:`sequence_form`).
    """
    form = sequence_form(game)
    regrets = [np.zeros(len(side.owner)) for side in form.sides]
    odds = [_matched(side, regret) for side, regret in zip(form.sides, regrets, strict=True)]
    plans = [realisation(side, p) for side, p in zip(form.sides, odds, strict=True)]
    totals = [np.zeros(len(side.owner)) for side in form.sides]
    for t in range(1, iterations + 1):
        for seat, side in enumerate(form.sides):
            gained = _regrets(side, form.gains(seat, plans[1 - seat]), odds[seat])
            regrets[seat] = np.maximum(regrets[seat] + gained, 0.0)
            odds[seat] = _matched(side, regrets[seat])
            plans[seat] = realisation(side, odds[seat])
            totals[seat] += t * plans[seat]
    first, second = (_table(side, _matched(side, total)) for side, total in zip(form.sides, totals, strict=True))
    return first, second


def realisation(side: Side, odds: Floats) -> Floats:
    """``(S,)`` the plan of move probabilities ``(S,)``: each sequence's own part of the chance to get there."""
    plan = np.ones(len(side.owner))
    for level in side.levels:
        own = side.sequences(level)
        plan[own] = odds[own] * plan[side.parent[side.owner[own]]]
    return plan


def _matched(side: Side, weights: Floats) -> Floats:
    """``(S,)`` weights as probabilities within each decision; uniform where they are all zero."""
    sums = np.add.reduceat(weights, side.first)[side.owner[1:]]
    counts = np.diff(np.append(side.first, len(side.owner)))[side.owner[1:]]
    odds = np.ones(len(side.owner))
    odds[1:] = np.where(sums > 0, weights[1:] / np.where(sums > 0, sums, 1.0), 1.0 / counts)
    return odds


def _regrets(side: Side, gains: Floats, odds: Floats) -> Floats:
    """``(S,)`` counterfactual regrets: how much better each move is than ``odds``; ``gains`` is used up."""
    regret = np.zeros(len(side.owner))
    for level in reversed(side.levels):
        own = side.sequences(level)
        value = np.add.reduceat(odds[own] * gains[own], side.first[level] - own.start)
        regret[own] = gains[own] - value[side.owner[own] - level.start]
        np.add.at(gains, side.parent[level], value)
    return regret


def _table(side: Side, odds: Floats) -> Table:
    rows = zip(side.keys, side.moves, side.first.tolist(), strict=True)
    return {key: dict(zip(moves, odds[at : at + len(moves)].tolist(), strict=True)) for key, moves, at in rows}
