"""Cycles per second through ``pettingzoo.make``: our games beside PettingZoo's own of the same name.

python bench/pettingzoo_speed.py [SECONDS]

A cycle is one pass over all agents. Actions are random and legal, chosen as PettingZoo's ``performance_benchmark``
chooses them (from the mask where there is one, else a sample of the space); resets count.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from typing import Any

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np
import pettingzoo

import games

REPEATS = 5
ROUNDS = 15
PAIRS = [
    ("aec", "tic-tac-toe", {}, "classic/tictactoe-v3", {}),
    ("aec", "rock-paper-scissors", {"rounds": ROUNDS}, "classic/rps-v2", {"max_cycles": ROUNDS}),
    ("parallel", "rock-paper-scissors", {"rounds": ROUNDS}, "classic/rps-v2", {"max_cycles": ROUNDS}),
]


def main(seconds: float) -> None:
    """Print a line for each pair: medians of interleaved runs, and how many times as fast ours is."""
    for api, name, options, theirs, their_options in PAIRS:
        ours = f"arena/{name}-v{games.make(name).info.version}"
        envs = [pettingzoo.make(api, ours, **options), pettingzoo.make(api, theirs, **their_options)]
        rates = [[_rate(api, env, seconds) for env in envs] for _ in range(REPEATS)]
        mine, other = (statistics.median(column) for column in zip(*rates, strict=True))
        print(f"{api:<9}{ours:<32}{mine:>9,.0f} cycles/s   {theirs:<22}{other:>9,.0f} cycles/s   {mine / other:.1f} x")


def _rate(api: str, env: Any, seconds: float) -> float:
    loop = _aec if api == "aec" else _parallel
    cycles, started, rng = 0.0, time.process_time(), random.Random(0)
    while (spent := time.process_time() - started) < seconds:
        cycles += loop(env, rng)
    return cycles / spent


def _aec(env: Any, rng: random.Random) -> float:
    """One match; returns its cycles."""
    env.reset(seed=1)
    turns, agents = 0, env.num_agents
    while env.agents:
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else _action(env, env.agent_selection, observation, rng))
        turns += 1
    return turns / agents


def _parallel(env: Any, rng: random.Random) -> float:
    """One match; returns its cycles."""
    observations, _ = env.reset(seed=1)
    cycles = 0
    while env.agents:
        actions = {agent: _action(env, agent, observations[agent], rng) for agent in env.agents}
        observations, *_ = env.step(actions)
        cycles += 1
    return cycles


def _action(env: Any, agent: str, observation: Any, rng: random.Random) -> int:
    """A random legal action."""
    if isinstance(observation, dict) and "action_mask" in observation:
        return int(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return int(env.action_space(agent).sample())


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
