"""The learning results of the README: train each task from ``llm:tiny`` with three seeds, measure, print a table.

    python bench/learning.py                        # every task, three seeds
    python bench/learning.py ipd-aligned --seeds 1  # one task, one seed
    python bench/learning.py ipd-aligned --seeds 1 --steps 500

A run that is there already is not run again. Times are wall clock of this machine, two runs side by side.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import arena
import games
import policies
from arena.exploitability import exploitability
from games import exact
from policies.strategies import strategy
from selfplay.log import read_metrics
from selfplay.recipes import recipe

FOLDER = Path("runs/learning")
Figures = Mapping[str, float]
Floats = NDArray[np.float64]


def shares(game: str, seated: tuple[str, ...], matches: int, seed: int) -> Floats:
    """(matches, seats) payoffs."""
    return np.array([e.payoffs for e in arena.play(game, list(seated), matches=matches, seed=seed)])


def versus(game: str, model: str, other: str, matches: int, seed: int) -> tuple[Floats, Floats]:
    """Payoffs of ``model`` and of ``other`` over both seats of a two-player game, ``matches`` each."""
    first, second = shares(game, (model, other), matches, seed), shares(game, (other, model), matches, seed + 1)
    return np.append(first[:, 0], second[:, 1]), np.append(first[:, 1], second[:, 0])


def dilemma(game: str, model: str) -> Figures:
    """Cooperation with itself; what always-defect takes from it and what it keeps, per round, over both seats."""
    own = arena.play(game, [model, model], matches=64, seed=77)
    rounds = own[0].rounds
    earned, conceded = versus(game, model, "always-defect", 32, 78)
    return {
        "cooperation": float(np.mean([c for e in own for c in e.measures["cooperation"]])),
        "payoff": float(np.mean([p / e.rounds for e in own for p in e.payoffs])),
        "earned": float(earned.mean() / rounds),
        "conceded": float(conceded.mean() / rounds),
    }


def kuhn(game: str, model: str) -> Figures:
    """Exploitability, exact over all information states."""
    return {"exploitability": exploitability(games.make(game), policies.make(model))}


def leduc(game: str, model: str) -> Figures:
    """Exploitability and what it wins a hand from random play and from a player that always calls; all exact."""
    rules = games.make(game)
    own = strategy(rules, policies.make(model))
    found = {"exploitability": exact.exploitability(rules, own)}
    for other in ("random", "leduc-caller"):
        theirs = strategy(rules, policies.make(other))
        first, second = (exact.expected_payoffs(rules, pair) for pair in ((own[0], theirs[1]), (theirs[0], own[1])))
        found[f"from {other}"] = float(first[0] + second[1]) / 2
    return found


def draws(game: str, model: str) -> Figures:
    """Share of draws with perfect play, by seat."""
    first, second = shares(game, (model, "minimax"), 200, 78), shares(game, ("minimax", model), 200, 79)
    return {"draws moving first": float((first == 0).all(1).mean()), "second": float((second == 0).all(1).mean())}


def interval(x: Floats, name: str = "mean") -> Figures:
    """The mean of independent matches and half the width of its 95 % interval."""
    return {name: float(x.mean()), "±": float(1.96 * x.std(ddof=1) / len(x) ** 0.5)}


def together(game: str, model: str) -> Figures:
    """What the players of a match get on average in the game's unit, every seat the model."""
    rules = games.make(game)
    return interval(shares(game, (model,) * rules.seats, 200, 77).mean(1) / rules.info.unit)


def walking(game: str, model: str) -> Figures:
    """Share of the way: two together; one alone with the whole map; two after a mapper's first message each.

    Alone minus together is the collaboration gap (arXiv 2511.02687), the last one its relay.
    """
    pair = interval(shares(game, (model, model), 150, 77)[:, 0], "together")
    alone = float(shares("maze:form=solo", (model,), 100, 78).mean())
    begun = f"relay:1:maze-mapper,{model}"
    relay = float(shares(game, (begun, begun), 60, 79).mean())
    met = versus(game, model, "maze-mapper", 50, 80)[0]
    return {**pair, "alone": alone, "gap": alone - pair["together"], "relay": relay, "with mapper": float(met.mean())}


def dealing(game: str, model: str) -> Figures:
    """Points of a match with a partner that keeps to what was proposed, over both seats; with itself."""
    met = interval(versus(game, model, "open-dealer", 100, 78)[0], "with open-dealer")
    return {
        **met,
        "in ten messages": _mean("deal-or-no-deal", model, "open-dealer"),
        "itself": _mean(game, model, model),
    }


def sharing(game: str, model: str) -> Figures:
    """Share of the best joint payoff with itself; what greedy play gets a round, and gets of an even splitter."""
    own = arena.play(game, [model, model], matches=200, seed=77)
    taken, even = (
        versus(game, other, "greedy-split", 100, 78)[1].mean() / own[0].rounds for other in (model, "equal-split")
    )
    found = interval(np.array([e.measures["efficiency"][0] for e in own]), "efficiency")
    return {**found, "greedy gets": float(taken), "of an even splitter": float(even)}


def trust(game: str, model: str) -> Figures:
    """Points of a player and round with itself; what greedy play takes a round, and what is left to the model."""
    own = interval(shares(game, (model, model), 32, 77).mean(1) / 10, "itself")
    kept, taken = versus(game, model, "greedy", 16, 78)
    return {**own, "greedy takes": float(taken.mean() / 10), "leaves": float(kept.mean() / 10)}


def _mean(game: str, model: str, other: str) -> float:
    return float(versus(game, model, other, 50, 80)[0].mean())


TASKS: Mapping[str, Callable[[str, str], Figures]] = {
    "ipd-selfish": dilemma,
    "ipd-aligned": dilemma,
    "kuhn": kuhn,
    "leduc": leduc,
    "tic-tac-toe": draws,
    "hanabi": together,
    "commons": together,
    "deal": dealing,
    "split": sharing,
    "trust-selfish": trust,
    "trust-aligned": trust,
    "maze": walking,
}


def main() -> None:
    """Train what is missing, measure everything, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS), help=f"of {', '.join(TASKS)}")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds")
    parser.add_argument("--steps", type=int, default=0, help="train to this step instead of the recipe's")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side, one thread each")
    arguments = parser.parse_args()
    if unknown := set(arguments.tasks) - set(TASKS):
        parser.error(f"no such task: {', '.join(sorted(unknown))}; known are {', '.join(TASKS)}")
    if arguments.seeds < 1 or arguments.jobs < 1 or arguments.steps < 0:
        parser.error("--seeds and --jobs are 1 or more, --steps 0 or more")
    arguments.tasks = list(dict.fromkeys(arguments.tasks))
    torch.set_num_threads(1)
    runs = [(task, seed) for task in arguments.tasks for seed in range(arguments.seeds)]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda run: _train(*run, arguments.steps), runs))
    for task in arguments.tasks:
        _print(task, arguments.seeds)


def _train(task: str, seed: int, steps: int) -> None:
    """One run in a process of its own."""
    settings = {**recipe(task), "seed": seed, "out": str(FOLDER / f"{task}-{seed}"), "threads": 1}
    if steps:
        settings["steps"] = steps
    code = f"import selfplay; selfplay.train(selfplay.TrainConfig(**{settings!r}))"
    subprocess.run([sys.executable, "-c", code], check=True)


def _print(task: str, seeds: int) -> None:
    game = str(recipe(task)["game"])
    rows = [("before", TASKS[task](game, "llm:tiny"))]
    for seed in range(seeds):
        folder = FOLDER / f"{task}-{seed}"
        metrics = read_metrics(folder)
        newest = max((folder / "state").glob("step-*/state.json"))
        steps = json.loads(newest.read_text())["step"]
        minutes = sum(m["seconds"] for m in metrics) / 60
        figures = TASKS[task](game, f"llm:tiny+{folder / 'adapter'}")
        rows.append((f"seed {seed}, {steps} steps, {minutes:.1f} min", figures))
    print(f"\n{task}")
    for label, figures in rows:
        print(f"  {label:<28}", "  ".join(f"{name} {value:.3f}" for name, value in figures.items()), flush=True)


if __name__ == "__main__":
    main()
