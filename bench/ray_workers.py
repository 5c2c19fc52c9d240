"""Ray's workers against one process: nodes killed in the middle of a tournament, and matches a second.

    python bench/ray_workers.py                     # everything: 20 deaths, then speeds
    python bench/ray_workers.py deaths --times 20   # a two-node cluster, one node killed; the table must be the same
    python bench/ray_workers.py speed --rounds 5    # two workers against one process, turn about; medians of ratios

Speeds are wall clock of this machine, which may be busy: ratios within a round are what to look at. Beside them stands
what a match costs the workers' processors, as a share of what it costs in one process: with idle cores, two workers
get 2 / that.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import arena
import arena.workers
from arena.cluster import load_ray
from arena.records import Episode, Match

SEARCH = ("tic-tac-toe", ["mcts:100", "mcts:50", "minimax"])
SPEED = {
    "search: connect-four, mcts:200 against itself": ("connect-four", ["mcts:200"], 16),
    "search: tic-tac-toe, mcts:200 against itself": ("tic-tac-toe", ["mcts:200"], 100),
    "scripts: kuhn-poker, five of them": ("kuhn-poker", ["nash", "tight", "bluffer", "always-bet", "random"], 400),
}


def rows(store: arena.Store) -> list[tuple[Any, ...]]:
    """Every seat, and every reply; the seconds that it took aside."""
    seats = [(s.match, s.deal, s.seat, s.entrant, s.payoff, s.turns, s.illegal, s.measures) for s in store.seats()]
    return seats + [tuple(t.reply for t in store.episode(m.id).turns) for m in store.matches()]


class Seen(arena.workers.Workers):
    """Workers that can be looked at while the tournament runs."""

    latest: Seen

    def __call__(self, matches: Iterable[Match]) -> Iterator[Episode]:
        """Play, and be seen."""
        Seen.latest = self
        return super().__call__(matches)


def deaths(times: int, deals: int) -> None:
    """Kill the second of two nodes once it has played something, and compare with an undisturbed run."""
    ray = load_ray()
    from ray.cluster_utils import Cluster

    arena.workers.Workers = Seen  # type: ignore[misc]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False, logging_level="FATAL")
    same, undisturbed = 0, rows(arena.tournament(*SEARCH, deals=deals))
    for number in range(1, times + 1):
        node, killed = cluster.add_node(num_cpus=1), []

        def kill(episodes: Iterator[Episode], total: int, _: int, node: Any = node, killed: Any = killed) -> Any:
            for done, episode in enumerate(episodes, 1):
                if not killed and Seen.latest.places[node.node_id]:
                    cluster.remove_node(node, allow_graceful=False)
                    killed += [done, total]
                yield episode

        started = time.perf_counter()
        found = rows(arena.tournament(*SEARCH, deals=deals, workers="ray", watch=kill))
        same += bool(killed) and found == undisturbed
        what = f"killed after {killed[0]} of {killed[1]} matches" if killed else "not killed in time"
        print(f"{number}: {what}, {time.perf_counter() - started:.1f} s, {same} the same so far", flush=True)
        if not killed:
            cluster.remove_node(node, allow_graceful=False)
    ray.shutdown()
    cluster.shutdown()
    print(f"the same table and the same moves {same} times of {times}")


def speed(rounds: int, only: str = "") -> None:
    """Matches a second of one process and of two workers, turn about, Ray started and its workers warm."""
    ray = load_ray()
    started = time.perf_counter()
    ray.init(address="local", num_cpus=2, log_to_driver=False, logging_level="FATAL", include_dashboard=False)
    arena.tournament(*SEARCH, deals=4, workers="ray")
    print(f"Ray's start and that of its two workers: {time.perf_counter() - started:.1f} s", flush=True)
    for name, (game, entrants, deals) in SPEED.items():
        if only not in name:
            continue
        arena.tournament(game, entrants, deals=1, workers="ray")
        pairs = [(_rate(game, entrants, deals, ""), _rate(game, entrants, deals, "ray")) for _ in range(rounds)]
        here, there = (statistics.median(rate for rate, _ in side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(two[0] / one[0] for one, two in pairs)
        cost = statistics.median(two[1] / one[1] for one, two in pairs)
        print(f"{name}: {here:.1f} matches a second in one process, {there:.1f} on two workers")
        print(f"  {ratio:.2f} times (rounds: {', '.join(f'{two[0] / one[0]:.2f}' for one, two in pairs)})")
        print(f"  processor time of a match, all processes: {cost:.2f} times that of one process", flush=True)
    ray.shutdown()


def _rate(game: str, entrants: list[str], deals: int, workers: str) -> tuple[float, float]:
    """(matches a second, processor seconds a match of this process and of Ray's workers)."""
    started, before = time.perf_counter(), _spent()
    with arena.tournament(game, entrants, deals=deals, workers=workers) as store:
        matches = len(store)
    return matches / (time.perf_counter() - started), (_spent() - before) / matches


def _spent() -> float:
    """Processor seconds of this process and all that it started, Ray's own included."""
    import psutil

    own = psutil.Process()
    times = [p.cpu_times() for p in [own, *own.children(recursive=True)] if p.is_running()]
    return sum(t.user + t.system for t in times)


def main() -> None:
    """Do what was asked, by default everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="deaths, speed; both if nothing is named")
    parser.add_argument("--times", type=int, default=20, help="nodes that are killed")
    parser.add_argument("--deals", type=int, default=12, help="of the tournament in which they are killed")
    parser.add_argument("--rounds", type=int, default=3, help="of the comparison of speeds")
    parser.add_argument("--only", default="", help="compare only the speeds with this in their name")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if not arguments.what or "deaths" in arguments.what:
        deaths(arguments.times, arguments.deals)
    if not arguments.what or "speed" in arguments.what:
        speed(arguments.rounds, arguments.only)


if __name__ == "__main__":
    main()
