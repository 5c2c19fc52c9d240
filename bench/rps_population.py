"""Throws per second: our rock-paper-scissors players on arrays against OpenSpiel's bots in C++, in one run on one core.

python bench/rps_population.py [DEALS] [THROWS]

The seeds that both have play a round-robin among themselves, then the whole populations of 43 do. Time is the
process's own (CPU seconds), so that other work on the machine counts little. OpenSpiel's matches are run by its
compiled loop (``evaluate_bots``), every pair once; ours are many at once, DEALS for each pair and 16 times as many
among the seeds.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import itertools
import sys
import time
from collections.abc import Sequence

import games
import policies
from arena.lanes import play_block
from arena.populations import TOGETHER
from arena.records import Match
from policies.openspiel import BOTS
from policies.rps import EXACT, POPULATION


def ours(names: Sequence[str], deals: int, throws: int, together: int) -> float:
    """Throws a second of a round-robin, both seatings and self-matches included."""
    game = games.make(f"rock-paper-scissors:rounds={throws}")
    players = {name: policies.make(name) for name in names}
    tables = itertools.product(range(deals), names, names)
    matches = [Match(number, game, deal, (a, b)) for number, (deal, a, b) in enumerate(tables, 1)]
    started = time.process_time()
    for first in range(0, len(matches), together):
        play_block(matches[first : first + together], players, seed=0)
    return len(matches) * throws / (time.process_time() - started)


def theirs(names: Sequence[str], throws: int) -> float:
    """The same of OpenSpiel's bots, each pair once."""
    import pyspiel

    game = pyspiel.load_game(f"repeated_game(stage_game=matrix_rps(),num_repetitions={throws},recall=1)")
    started, count = time.process_time(), 0
    for a, b in itertools.product(names, names):
        # greenberg writes beyond its memory in shorter matches
        bots = [pyspiel.make_roshambo_bot(seat, name, max(throws, 1_000)) for seat, name in enumerate((a, b))]
        pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
        count += 1
    return count * throws / (time.process_time() - started)


def main(deals: int, throws: int) -> None:
    """Print both, and how many times as fast ours are."""
    for title, names, bots, together in (
        ("the seeds both have", EXACT, EXACT, 8 * TOGETHER),
        ("whole populations", POPULATION, BOTS, 4 * TOGETHER),
    ):
        mine = ours(names, deals if names is POPULATION else 16 * deals, throws, together)
        other = theirs(bots, throws)
        print(f"{title}: {mine:,.0f} throws/s, OpenSpiel {other:,.0f}: {mine / other:.1f} times as fast", flush=True)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [2, 1_000][len(given) :]))
