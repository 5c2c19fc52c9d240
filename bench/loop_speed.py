"""Turns per second of the bare loop: scripted players in Kuhn poker, one process, nothing stored.

python bench/loop_speed.py [MATCHES]
"""

from __future__ import annotations

import statistics
import sys
import time

import games
import policies
from arena.match import run_matches
from arena.records import Match

REPEATS = 60  # short runs: on a busy machine some of them have the core to themselves


def main(matches: int) -> None:
    """Print the median and the best of many short runs, in processor time: other processes count little."""
    players = {name: policies.make(name) for name in ("kuhn-nash", "sensible")}
    _turns_per_second(matches, players)  # fills the caches
    rates = [_turns_per_second(matches, players) for _ in range(REPEATS)]
    print(f"kuhn-poker, kuhn-nash against sensible, {matches} matches, 64 at a time, {REPEATS} runs:")
    print(f"{statistics.median(rates):,.0f} turns/s (median), {max(rates):,.0f} (best); wanted: 50,000")


def _turns_per_second(matches: int, players: dict[str, policies.Policy]) -> float:
    game = games.make("kuhn-poker")
    planned = (Match(id=i, game=game, deal=i, entrants=tuple(players)) for i in range(matches))
    started = time.process_time()
    turns = sum(len(episode.turns) for episode in run_matches(planned, players, seed=0))
    return turns / (time.process_time() - started)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
