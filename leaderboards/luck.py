"""Payoffs with the luck of the deal taken out, where a game says how likely each of its starts is.

Which hands were dealt is chance with known odds. Weighting each start by its odds instead of by how often it happened
(post-stratification: control variates that indicate the start, Glasserman 2003, Monte Carlo Methods in Financial
Engineering, chapter 4) keeps the estimate unbiased and makes the interval narrower: the same certainty takes fewer
matches. Chance later in the match stays in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import games
from games.stream import CHANCE, Stream
from leaderboards.arrays import FloatArray, IntArray, table_of
from leaderboards.intervals import NORMAL_95

if TYPE_CHECKING:
    from arena.columns import Columns
    from arena.store import Store

MOST_STARTS = 500
"""Starts that a game may have at most; each must have been dealt twice to everybody."""


@dataclass(frozen=True)
class LuckFree:
    """Payoffs per match of N entrants in one game, with and without the luck of the start."""

    game: str
    names: tuple[str, ...]
    deals: IntArray
    """Deals that each played (N,)."""
    payoff: FloatArray
    """Mean over the deals (N,)."""
    half: FloatArray
    """Half its 95 % interval (N,)."""
    free: FloatArray
    """Mean with every start weighted by its odds (N,); NaN where a start was dealt less than twice."""
    free_half: FloatArray
    """Half its 95 % interval (N,)."""
    note: str
    """Why there is nothing to see, where there isn't."""

    @property
    def worth(self) -> FloatArray:
        """How many times as many matches the narrower interval would take without this (N,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio: FloatArray = np.square(self.half / self.free_half)
        return ratio


def luck_free(store: Store) -> list[LuckFree]:
    """For each game of a store, in the order in which they were played.

    Assumes that different deals are independent and that each entrant met the same company on every deal, as in a
    round-robin.

    Args:
        store: an open store; its seed and deals give back every start.
    """
    parts: dict[str, list[Columns]] = {}
    for columns in store.columns():
        parts.setdefault(columns.game, []).append(columns)
    return [of_game(spec, columns, store.seed) for spec, columns in parts.items()]


def of_game(spec: str, parts: Sequence[Columns], seed: int) -> LuckFree:
    """One game: what each entrant earned on each deal, averaged plainly and start by start."""
    names = parts[0].names
    deals, place_M = np.unique(np.concatenate([part.deal for part in parts]), return_inverse=True)
    payoff_ND, met_ND = _by_deal(parts, place_M, len(names), len(deals))
    playing = np.flatnonzero(met_ND.any(axis=1))
    start_D, odds_K, note = _starts(spec, deals, seed)
    found = np.array([_entrant(payoff_ND[k], met_ND[k] > 0, start_D, odds_K) for k in playing]).reshape(-1, 5)
    if np.isnan(found[:, 3]).any() and not note:
        note = f"{len(odds_K)} starts are possible, and not all were dealt twice to everybody: play more deals"
    deals_N, mean, half, free, free_half = found.T
    title = tuple(names[k] for k in playing)
    return LuckFree(spec, title, deals_N.astype(np.int64), mean, half, free, free_half, note)


def _by_deal(parts: Sequence[Columns], place_M: IntArray, n: int, deals: int) -> tuple[FloatArray, FloatArray]:
    """Mean payoff of each entrant on each deal (N, D), and how many seats that is the mean of."""
    total, seats = np.zeros((n, deals)), np.zeros((n, deals))
    start = 0
    for part in parts:
        place = place_M[start : start + len(part.deal)]
        start += len(part.deal)
        column = np.repeat(place, part.entrant.shape[1])
        total += table_of(part.entrant.ravel(), column, part.payoff.ravel(), (n, deals))
        seats += table_of(part.entrant.ravel(), column, np.ones(part.payoff.size), (n, deals))
    return total / np.maximum(seats, 1), seats


def _starts(spec: str, deals: IntArray, seed: int) -> tuple[IntArray, FloatArray, str]:
    """Which start each deal has (D,), the odds of the starts (K,), and why that isn't known where it isn't."""
    game = games.make(spec)
    listed = _listed(game)
    if listed is None or len(listed) < 2:
        why = "its chance isn't laid open" if listed is None else "nothing is dealt at its start"
        return np.zeros(len(deals), dtype=np.int64), np.ones(1), f"{why}: there is no luck to take out"
    number = {text: k for k, text in enumerate(listed)}
    dealt = [number.get(repr(game.start(Stream(seed, CHANCE, deal, 0)))) for deal in deals.tolist()]
    if None in dealt:
        return (
            np.zeros(len(deals), dtype=np.int64),
            np.ones(1),
            "it was dealt what it doesn't list: nothing is taken out",
        )
    return np.array(dealt, dtype=np.int64), np.array(list(listed.values())), ""


def _listed(game: games.Game[Any]) -> dict[str, float] | None:
    """The odds of each start, or None where the game doesn't say, or has too many."""
    found: dict[str, float] = {}
    try:
        for odds, state in game.starts():
            found[repr(state)] = found.get(repr(state), 0.0) + odds
            if len(found) > MOST_STARTS:
                return None
    except (RuntimeError, games.ArenaError):  # it draws without laying open what
        return None
    return found


def _entrant(
    payoff_D: FloatArray, played_D: FloatArray, start_D: IntArray, odds_K: FloatArray
) -> tuple[int, float, float, float, float]:
    """(deals, mean, half-width, luck-free mean, half-width) of one entrant."""
    values, starts = payoff_D[played_D.astype(bool)], start_D[played_D.astype(bool)]
    n = len(values)
    half = NORMAL_95 * float(np.std(values, ddof=1)) / np.sqrt(n) if n > 1 else float("nan")
    often = np.bincount(starts, minlength=len(odds_K)).astype(np.float64)
    if len(odds_K) < 2 or often.min() < 2:
        return n, float(values.mean()), half, float("nan"), float("nan")
    mean_K = np.bincount(starts, weights=values, minlength=len(odds_K)) / often
    squares_K = np.bincount(starts, weights=(values - mean_K[starts]) ** 2, minlength=len(odds_K))
    variance = float((odds_K**2 * squares_K / (often - 1) / often).sum())
    return n, float(values.mean()), half, float(odds_K @ mean_K), NORMAL_95 * np.sqrt(variance)
