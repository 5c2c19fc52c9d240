"""The parts estimators are composed of: how reward becomes return, what is subtracted, what scales it.

Every function takes plain arrays of shape (N,), one entry per turn (or round), and returns one. Conventions that
silently differ between codebases (ddof, epsilon, groups of one) are explicit parameters.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def return_to_go(reward: Floats, sequence: Ints, gamma: float = 1.0) -> Floats:
    """Discounted sum of rewards from each entry on: G_t = r_t + γ G_{t+1} within its sequence.

    Args:
        reward: (N,), entries of a sequence in order of time.
        sequence: (N,) sequence numbers; the entries of one sequence need not be adjacent.
        gamma: discount per entry.
    """
    out = np.empty_like(reward, dtype=np.float64)
    carry: dict[int, float] = {}
    for i in range(len(reward) - 1, -1, -1):
        key = int(sequence[i])
        out[i] = carry[key] = reward[i] + gamma * carry.get(key, 0.0)
    return out


def whole(value: Floats, sequence: Ints) -> Floats:
    """(N,) the value of each sequence's first entry, for all its entries: a return without credit by time."""
    _, first, of_entry = np.unique(sequence, return_index=True, return_inverse=True)
    return np.asarray(value[first][of_entry.reshape(-1)])


def z_score(x: Floats, group: Ints, eps: float = 1e-6, ddof: int = 1) -> Floats:
    """(N,) (x − mean) / (deviation + ``eps``) over each entry's group; 0 where nothing varies."""
    std = group_std(x, group, ddof)
    return np.divide(x - group_mean(x, group), std + eps, out=np.zeros(len(x)), where=std > 0)


def whiten(x: Floats, weight: Floats | None = None, eps: float = 1e-8, ddof: int = 1) -> Floats:
    """(N,) (x − μ) / √(σ² + ``eps``) over the whole batch, each entry counted ``weight`` times.

    Args:
        x: (N,) values.
        weight: (N,) how often an entry counts, such as its tokens; entries of weight 0 are shifted and scaled too.
        eps: added to the variance, inside the root.
        ddof: delta degrees of freedom of the variance; 0 where there are no more samples than that.
    """
    counts = np.ones(len(x)) if weight is None else weight
    total = counts.sum()
    if not total:
        return np.zeros(len(x))
    mean = (counts * x).sum() / total
    variance = (counts * (x - mean) ** 2).sum() / (total - ddof if total > ddof else total)
    return np.asarray((x - mean) / np.sqrt(max(variance + eps, 1e-24)))


def group_sizes(group: Ints, unit: Ints | None = None) -> Ints:
    """(N,) how many entries (or distinct units) each entry's group has."""
    if unit is not None:
        distinct = np.unique(np.stack([group, unit], 1), axis=0)[:, 0]
        return np.asarray(np.bincount(distinct, minlength=int(group.max(initial=0)) + 1)[group])
    return np.asarray(np.bincount(group)[group]) if len(group) else np.zeros(0, np.int64)


def number(*columns: Ints) -> Ints:
    """(N,) group numbers from 0: equal where all columns are equal."""
    return np.asarray(np.unique(np.stack(columns, 1), axis=0, return_inverse=True)[1]).reshape(-1)


def split(group: Ints) -> list[Ints]:
    """The entries of each group, in order: a list of index arrays."""
    order = np.argsort(group, kind="stable")
    return list(np.split(order, np.flatnonzero(np.diff(group[order])) + 1))


def group_mean(x: Floats, group: Ints) -> Floats:
    """(N,) mean of ``x`` over each entry's group."""
    total, count = _sums(x, group)
    return (total / count)[group]


def group_std(x: Floats, group: Ints, ddof: int = 1) -> Floats:
    """(N,) standard deviation of ``x`` over each entry's group; 0 for groups of ``ddof`` entries or fewer."""
    centred = x - group_mean(x, group)
    total, count = _sums(centred**2, group)
    variance = np.where(count > ddof, total / np.maximum(count - ddof, 1), 0.0)
    return np.sqrt(variance)[group]


def leave_one_out_mean(x: Floats, group: Ints, unit: Ints, alone: Literal["self", "zero"] = "self") -> Floats:
    """(N,) mean of ``x`` over the entries of the group that belong to other units (whole matches are left out).

    Args:
        x: (N,) values.
        group: (N,) group numbers.
        unit: (N,) what is left out as a whole, such as the match.
        alone: what a group of one unit gets: ``self`` (its own value, so that the advantage is 0) or ``zero``.
    """
    both = np.unique(np.stack([group, unit], 1), axis=0, return_inverse=True)[1].reshape(-1)
    total, count = _sums(x, group)
    own_total, own_count = _sums(x, both)
    others = count[group] - own_count[both]
    mean = (total[group] - own_total[both]) / np.maximum(others, 1)
    return np.where(others > 0, mean, x if alone == "self" else 0.0)


def _sums(x: Floats, group: Ints) -> tuple[Floats, Floats]:
    size = int(group.max()) + 1 if len(group) else 0
    total = np.bincount(group, x, size).astype(np.float64)
    return total, np.bincount(group, minlength=size).astype(np.float64)
