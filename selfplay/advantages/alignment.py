"""Advantage alignment: a learner is credited for what its past good turns make its co-player's good turns worth.

Duque et al., arXiv 2406.14662; in the form for language models of Piche et al., arXiv 2511.19405.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import Floats, Ints, leave_one_out_mean, number, return_to_go, split, whole
from selfplay.advantages.registry import preset
from selfplay.config import TrainConfig
from selfplay.table import TurnTable


def alignment_weights(own_T: Floats, gamma: float, *, including_now: bool = False) -> Floats:
    """(T,) weight of the co-player's advantage at each round: Σ_{k<t} γ^{t−k} A_k (k ≤ t: ``including_now``)."""
    out = np.zeros_like(own_T)
    past = 0.0
    for t, advantage in enumerate(own_T):
        past *= gamma
        out[t] = past + (advantage if including_now else 0.0)
        past += advantage
    return out


def align(own_T: Floats, others_T: Floats, beta: float, gamma: float, *, including_now: bool = False) -> Floats:
    """(T,) aligned advantages A*_t = A1_t + βγ (Σ_{k<t} γ^{t−k} A1_k) A2_t of one seat in one match.

    Args:
        own_T: the seat's advantages A1, one per round.
        others_T: the co-player's advantages A2; with more seats the sum of the others'.
        beta: weight of alignment.
        gamma: discount per round.
        including_now: the form that sums over k ≤ t; it has no extra factor γ.
    """
    factor = beta if including_now else beta * gamma
    return own_T + factor * alignment_weights(own_T, gamma, including_now=including_now) * others_T


def align_melting_pot(advantages_PT: Floats, weight: float = 1.0) -> Floats:
    """(P, T) undiscounted, for many players: A_t + w (Σ_{k<t} A_k) (Σ_{j≠i} A_{j,t}) / t (arXiv 2406.14662, code)."""
    past_PT = np.cumsum(advantages_PT, axis=1) - advantages_PT
    others_PT = advantages_PT.sum(axis=0) - advantages_PT
    steps_T = np.maximum(np.arange(advantages_PT.shape[1]), 1)
    return np.asarray(advantages_PT + weight * past_PT * others_PT / steps_T)


def aligned_advantages(
    table: TurnTable, beta: float, gamma: float, *, including_now: bool = False, by_round: bool = True
) -> Floats:
    """(N,) advantages of turns, aligned with the others'; every turn of a round gets the round's.

    A seat's advantage at a round is its discounted return minus the leave-one-out mean at that round over the matches
    of its group: same deal, same seat, same entrants (without chance all such matches); a group of one match gives 0.
    Without ``by_round`` every round has the return of its match.
    """
    advantage, total, player, of_turn = _by_round(table, gamma, by_round=by_round)
    out = np.empty_like(advantage)
    for rows in split(player):
        others = total[rows] - advantage[rows]
        out[rows] = align(advantage[rows], others, beta, gamma, including_now=including_now)
    return out[of_turn]


def summed_advantages(table: TurnTable, gamma: float, *, by_round: bool = True) -> Floats:
    """(N,) A1_t + A2_t: the advantages of all seats of a match at a turn's round, added up; each as for alignment."""
    _, total, _, of_turn = _by_round(table, gamma, by_round=by_round)
    return np.asarray(total[of_turn])


def _by_round(table: TurnTable, gamma: float, *, by_round: bool) -> tuple[Floats, Floats, Ints, Ints]:
    """(R,) advantages of the rounds of seats, (R,) those of all seats of the match added up, (R,) whose, (N,) which."""
    first, of_turn = _rounds(table)
    reward = np.bincount(of_turn, table.reward, len(first)).astype(np.float64)
    match, seat, round_ = table.match[first], table.seat[first], table.round[first]
    group = table.keys("game", "deal", "seat", "entrant", "others", "round")[first]
    value = return_to_go(reward, number(match, seat), gamma)
    value = value if by_round else whole(value, number(match, seat))
    advantage = value - leave_one_out_mean(value, group, match)
    total: Floats = np.bincount(number(match, round_), advantage)[number(match, round_)].astype(np.float64)
    return advantage, total, number(match, seat), of_turn


def _rounds(table: TurnTable) -> tuple[Ints, Ints]:
    """(R,) the first turn of each (match, seat, round) in order of time, and (N,) which one each turn belongs to."""
    stacked = np.stack([table.match, table.seat, table.round], 1)
    _, first, of_turn = np.unique(stacked, axis=0, return_index=True, return_inverse=True)
    return first, of_turn.reshape(-1)


@preset("advantage-alignment", "arXiv 2406.14662, 2511.19405", ("groups", "co-players"))
def advantage_alignment(
    table: TurnTable,
    config: TrainConfig,
    normaliser: Normaliser,
    *,
    including_now: bool = False,
    credit: Literal["turn", "match"] = "turn",
    norm: Literal["role", "batch"] = "role",
) -> Floats:
    """Group-relative advantage per round plus β γ (own past advantages) × (the others' advantage now).

    With ``credit=match`` every round is worth its match's return, with ``norm=batch`` advantages are divided by the
    deviation over all the learner's turns.
    """
    by_round = credit == "turn"
    found = aligned_advantages(table, config.beta, config.gamma, including_now=including_now, by_round=by_round)
    if norm == "batch":
        return np.asarray(found / max(float(np.std(found[table.learner], ddof=1)), 1e-12))
    return normaliser.scale(table, found)


@preset("sum-of-rewards", "the baseline of arXiv 2511.19405", ("groups", "co-players"))
def sum_of_rewards(
    table: TurnTable, config: TrainConfig, normaliser: Normaliser, *, credit: Literal["turn", "match"] = "turn"
) -> Floats:
    """Group-relative advantage per round plus the others' of that round: everybody's gain is one's own."""
    return normaliser.scale(table, summed_advantages(table, config.gamma, by_round=credit == "turn"))
