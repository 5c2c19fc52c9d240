"""Nash averaging (Balduzzi, Tuyls, Pérolat and Graepel 2018, arXiv 1806.02643), exactly.

Everybody is rated against the equilibrium of greatest entropy. Within its support the skill is 0; everyone else's is
negative or 0. Copies of an entrant (or of a task) get equal shares. Where there is one equilibrium but for the copies,
they change nobody else's numbers; where there are many, greatest entropy prefers what has more copies, unless
``merge_copies`` counts them as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboards import arrays
from leaderboards.arrays import BoolArray, FloatArray, IntArray
from leaderboards.ratings.face import most_even
from leaderboards.ratings.interior import equilibrium
from leaderboards.ratings.logit import logit_equilibrium
from leaderboards.threads import few_threads


@dataclass(frozen=True)
class NashAverage:
    """The equilibrium that N entrants are rated against."""

    names: tuple[str, ...]
    mass: FloatArray
    """The equilibrium's weight on each entrant (N,), summing to 1."""
    skill: FloatArray
    """Expected payoff against the equilibrium (N,), in units of the table."""
    exploitability: float
    """What the best reply to it would win: the certificate, 0 but for rounding (with a temperature: not 0)."""
    temperature: float
    merge_copies: bool

    @property
    def support(self) -> BoolArray:
        """Who carries the equilibrium (N,)."""
        return self.mass > 1e-12

    @property
    def entropy(self) -> float:
        """Shannon entropy of the mass, in nats."""
        return _entropy(self.mass)


@dataclass(frozen=True)
class TaskAverage:
    """The equilibrium of agents against tasks: N agents, M tasks."""

    names: tuple[str, ...]
    tasks: tuple[str, ...]
    mass: FloatArray
    """Weight on each agent (N,)."""
    task_mass: FloatArray
    """Weight on each task (M,)."""
    skill: FloatArray
    """Expected score on the equilibrium's tasks (N,)."""
    difficulty: FloatArray
    """Minus what the equilibrium's agents score on each task (M,)."""
    value: float
    """The score that either side can force."""
    exploitability: float
    """The most that either side could win by deviating: the certificate, 0 but for rounding."""


def nash_average(
    table: ArrayLike, *, names: Sequence[str] | None = None, temperature: float = 0.0, merge_copies: bool = False
) -> NashAverage:
    """Rate entrants against the most even equilibrium of the game "choose an entrant".

    Mass jumps when entrants are nearly equal; skill doesn't: rank by skill, and show mass with its bootstrap interval.

    Args:
        table: (N, N), what row wins of column (log-odds, 2P - 1, payoff difference): its antisymmetric part is used.
        names: of the entrants.
        temperature: above 0, the logit equilibrium p ∝ exp(skill / temperature) instead: steadier.
        merge_copies: whether entrants with equal rows count as one, so that copies never change anybody else's numbers.

    Raises:
        TableError: a cell is NaN or infinite, or the table isn't square.
    """
    given = arrays.square("the table", table)
    table_NN = (given - given.T) / 2
    group_N, copies_G = _distinct(table_NN)
    heads, weight_G = _heads(group_N), copies_G ** (0.0 if merge_copies else 1.0)
    game = table_NN[np.ix_(heads, heads)]
    with few_threads(len(game)):
        mass_G = logit_equilibrium(game, temperature, weight_G) if temperature > 0 else _mass(game, weight_G)
    mass = (mass_G / copies_G)[group_N]
    skill = table_NN @ mass
    title = arrays.labels(names, len(mass))
    return NashAverage(title, mass, skill, max(0.0, float(skill.max())), temperature, merge_copies)


def nash_average_tasks(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    merge_copies: bool = False,
) -> TaskAverage:
    """Rate agents on the hardest even mixture of tasks, and tasks by the best even mixture of agents.

    Args:
        scores: (N, M), the score of each agent on each task; bring tasks to one scale first.
        names: of the agents.
        tasks: their names.
        merge_copies: whether agents with equal rows, and tasks with equal columns, count as one.

    Raises:
        TableError: a cell is NaN or infinite, or the table is empty.
    """
    score_NM = arrays.matrix("scores", scores)
    agents, copies_A = _distinct(score_NM)
    kept, copies_T = _distinct(score_NM.T)
    game = score_NM[np.ix_(_heads(agents), _heads(kept))]
    power = 0.0 if merge_copies else 1.0
    with few_threads(sum(game.shape)):
        mass_A, mass_T = _two_sided(game, copies_A**power, copies_T**power)
    mass, task_mass = (mass_A / copies_A)[agents], (mass_T / copies_T)[kept]
    skill, earned = score_NM @ task_mass, score_NM.T @ mass
    return TaskAverage(
        names=arrays.labels(names, len(mass)),
        tasks=arrays.labels(tasks, len(task_mass)),
        mass=mass,
        task_mass=task_mass,
        skill=skill,
        difficulty=-earned,
        value=float(mass @ skill),
        exploitability=max(0.0, float(skill.max() - mass @ skill), float(mass @ skill - earned.min())),
    )


def _mass(table_GG: FloatArray, weight_G: FloatArray) -> FloatArray:
    """The most even equilibrium of a symmetric zero-sum game of distinct entrants, each standing for so many."""
    game = _scaled(table_GG)
    p, s = equilibrium(game, np.ones((len(game), 1)))
    inside = p > s
    equal, below = game[np.ix_(inside, inside)], game[np.ix_(~inside, inside)]
    return _spread(p, inside, most_even(p[inside] / p[inside].sum(), equal, below, weight_G[inside]))


def _two_sided(score: FloatArray, weight_A: FloatArray, weight_T: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The most even optimal mixture of either side of a zero-sum game."""
    agents, tasks = score.shape
    game = _scaled(score - score.mean())
    skew = np.block([[np.zeros((agents, agents)), game], [-game.T, np.zeros((tasks, tasks))]])
    sides = np.zeros((agents + tasks, 2))
    sides[:agents, 0], sides[agents:, 1] = 1.0, 1.0
    p, s = equilibrium(skew, sides)
    inside = p > s
    a, t = inside[:agents], inside[agents:]
    value = float(p[:agents] @ game @ p[agents:])
    return (
        _one_side(p[:agents], a, t, value - game.T, weight_A),
        _one_side(p[agents:], t, a, game - value, weight_T),
    )


def _one_side(p: FloatArray, inside: BoolArray, others: BoolArray, loss: FloatArray, weight: FloatArray) -> FloatArray:
    """Most even optimum of one side: the other side's supported replies win just nothing over the value, none more."""
    replies = loss[:, inside]
    found = most_even(p[inside] / p[inside].sum(), replies[others], replies[~others], weight[inside])
    return _spread(p, inside, found)


def _spread(p: FloatArray, inside: BoolArray, found: FloatArray | None) -> FloatArray:
    """The distribution found on the support; where there is none, the interior point, an equilibrium to 1e-14."""
    if found is None:
        point: FloatArray = p / p.sum()
        return point
    mass = np.zeros(len(p))
    mass[inside] = found
    return np.where(mass > 1e-15, mass, 0.0)


def _distinct(table: FloatArray) -> tuple[IntArray, FloatArray]:
    """For each row the number of its group of equal rows, and how many rows each group has."""
    rounded = np.round(_scaled(table), 12) + 0.0  # + 0.0: -0 and 0 are the same number
    _, group, copies = np.unique(rounded, axis=0, return_inverse=True, return_counts=True)
    return group.reshape(-1), copies.astype(np.float64)


def _heads(group_N: IntArray) -> IntArray:
    """The first member of each group."""
    first: IntArray = np.unique(group_N, return_index=True)[1]
    return first


def _scaled(table: FloatArray) -> FloatArray:
    largest = float(np.abs(table).max())
    return table / largest if largest > 0 else table


def _entropy(mass: FloatArray) -> float:
    positive = mass[mass > 0]
    return float(-(positive * np.log(positive)).sum()) + 0.0
