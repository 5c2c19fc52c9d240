"""Ranking error against matches played: active choice of who meets next, and everybody against everybody.

Simulated matches: of the 43 published rock-paper-scissors bots (Lanctot et al. 2023, arXiv 2303.03196; ranked by mean
payoff over the population, a match's payoff normal around the published mean with a spread that is assumed, see
:func:`bots`), and of synthetic populations (ranked by strength, wins and losses by Bradley–Terry). The error is the
share of pairs of entrants that stand in the wrong order.

python bench/schedules.py [REPEATS]
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import games
from arena.active import Active, Pool
from arena.adaptive import Results, play_plan
from arena.records import Episode, Match

TABLE = Path(__file__).parents[1] / "tests" / "data" / "rps_population.csv"
WILD = ("inocencio", "peterbot", "actr_lag2_decay")
"""Bots whose matches' payoffs vary most: standard deviations of 280 to 450 were measured; 300 is assumed here."""
Play = Callable[[list[Match]], Iterator[Episode]]


def bots() -> tuple[np.ndarray, np.ndarray]:
    """Payoffs of the published table, its antisymmetric part, and the assumed standard deviations of a match's payoff.

    Uniform play varies by 26 in a thousand throws, what always wins hardly at all.
    """
    with TABLE.open(encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    table = np.array([[float(cell) for cell in row[1:]] for row in rows])
    table = (table - table.T) / 2
    wild = np.isin(head[1:], WILD)
    spread = np.where(wild[:, None] | wild[None, :], 300.0, 26.0)
    return table, np.where(np.abs(table) > 990, 1.0, spread)


def player(payoff: Callable[[int, int, np.random.Generator], float], seed: int) -> Play:
    """Plays matches by drawing their payoffs."""
    rng = np.random.default_rng(seed)

    def play(matches: list[Match]) -> Iterator[Episode]:
        for match in matches:
            first, second = (int(name) for name in match.entrants)
            won = payoff(first, second, rng)
            yield Episode(match, (), (), (won, -won), 1, "finished")

    return play


class Open(Active):
    """With its sums in the open."""

    @property
    def pool(self) -> Pool:
        """Of the one game."""
        return next(iter(self._pools.values()))


def error(value: np.ndarray, truth: np.ndarray) -> float:
    """Share of the pairs that stand in the wrong order."""
    pairs = np.triu_indices(len(truth), k=1)
    found, wanted = (np.sign(x[:, None] - x[None, :])[pairs] for x in (value, truth))
    return float(np.abs(found - wanted).mean() / 2)


def curve(n: int, by: str, truth: np.ndarray, play: Play, limits: list[int], *, active: bool) -> list[float]:
    """The error after so many matches."""
    game, names = games.make("kuhn-poker"), [f"{k:03d}" for k in range(n)]
    plan, found, played = Open([game], names, 0.99999, by), [], 0
    if active:
        for _ in play_plan(plan, {}, limits[-1] + 2, play):
            played += 1
            if len(found) < len(limits) and played > limits[len(found)]:  # what came before has been learned
                found.append(error(plan.pool.beliefs().value, truth))
        return found + [error(plan.pool.beliefs().value, truth)] * (len(limits) - len(found))
    return _uniform(plan, names, truth, play, limits)


def _uniform(plan: Open, names: list[str], truth: np.ndarray, play: Play, limits: list[int]) -> list[float]:
    """Everybody against everybody, in random order within a deal."""
    rng, found, done = np.random.default_rng(1), [], 0
    pairs = [(a, b) for a in range(len(names)) for b in range(a, len(names))]
    while len(found) < len(limits):
        for place in rng.permutation(len(pairs)).tolist():
            done += _one(plan, names, pairs[place], play)
            if len(found) < len(limits) and done >= limits[len(found)]:
                found.append(error(plan.pool.beliefs().value, truth))
    return found


def _one(plan: Open, names: list[str], pair: tuple[int, int], play: Play) -> int:
    """Plays one meeting and takes it in."""
    from arena.adaptive import _meeting, tables

    game, results = plan.pool.game, Results()
    seated = tables(names[pair[0]], names[pair[1]], game.seats)
    matches = [Match(k, game, 0, table) for k, table in enumerate(seated)]
    results.update({episode.match.id: episode.payoffs for episode in play(matches)})
    plan.pool.learn(_meeting(matches, results))
    return len(matches)


def compare(title: str, n: int, by: str, worlds: list[tuple[np.ndarray, Any]], limits: list[int]) -> None:
    """Print both curves, averaged over repetitions."""
    curves = {True: [], False: []}
    for seed, (truth, payoff) in enumerate(worlds):
        for active in curves:
            curves[active].append(curve(n, by, truth, player(payoff, seed), limits, active=active))
    print(f"\n{title}: share of pairs in the wrong order, mean of {len(worlds)}")
    print("matches  " + "".join(f"{limit:>8}" for limit in limits))
    for active, name in ((False, "uniform"), (True, "active")):
        print(f"{name:<9}" + "".join(f"{x:>8.4f}" for x in np.mean(curves[active], axis=0)), flush=True)


def table_worlds(repeats: int) -> list[tuple[np.ndarray, Any]]:
    """The published table, again and again with other noise."""
    table, spread = bots()
    return [(table.mean(axis=1), lambda a, b, rng: table[a, b] + spread[a, b] * rng.normal())] * repeats


def strength_worlds(n: int, repeats: int) -> list[tuple[np.ndarray, Any]]:
    """Normal strengths, new ones each time."""

    def world(seed: int) -> tuple[np.ndarray, Any]:
        truth = np.random.default_rng(1000 + seed).normal(size=n)
        return truth, lambda a, b, rng: 1.0 if rng.random() < 1 / (1 + np.exp(truth[b] - truth[a])) else -1.0

    return [world(seed) for seed in range(repeats)]


def main(repeats: int) -> None:
    """Print the comparisons."""
    n = 43
    once = n * n
    limits = [once, once + 800, 2 * once, 3 * once, 5 * once]
    compare("43 published bots, by payoff", n, "payoff", table_worlds(repeats), limits)
    for size in (12, 30):
        limits = [size * size * k // 2 for k in (1, 2, 4, 8, 16)]
        compare(f"{size} of normal strengths, by wins", size, "wins", strength_worlds(size, repeats), limits)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
