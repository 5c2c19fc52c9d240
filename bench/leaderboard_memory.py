"""The leaderboard of ten million matches in bounded memory: shards of Parquet, a row group at a time.

Shards of a synthetic round-robin are written, rated by `leaderboards.from_store` in a process of its own, and deleted.
What counts is that process's peak of resident memory, at a tenth of the matches and at all of them.

    python bench/leaderboard_memory.py                     # 1,000,000 and 10,000,000 matches of 100 entrants
    python bench/leaderboard_memory.py --matches 2000000 --entrants 300
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import games
from arena.parquet import load_pyarrow, schema
from arena.tables import EntrantRow, GameRow

SHARD = 1_000_000
GROUP = 100_000
SPEC = "kuhn-poker"
RATE = """
import resource, sys, time, leaderboards
started = time.perf_counter()
board = leaderboards.from_store(*sys.argv[1:])
seconds, peak = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{board.sections[0].matches:,} matches: {seconds:.0f} s, peak of resident memory {peak:,.0f} MB")
"""


def about(names: list[str]) -> dict[str, Any]:
    """What a file says of its run."""
    info = games.make(SPEC).info
    row = GameRow(SPEC, info.name, info.version, info.kind, info.roles, info.payoff_bounds, info.unit, info.zero_sum)
    return {
        "format": 1,
        "config": {},
        "games": [asdict(row)],
        "entrants": [asdict(EntrantRow(n, n, "script")) for n in names],
    }


def write(folder: Path, matches: int, names: list[str]) -> list[str]:
    """Shards of a round-robin between entrants of normal strengths."""
    _, pq = load_pyarrow()
    strength, paths = np.random.default_rng(0).normal(size=len(names)), []
    for start in range(0, matches, SHARD):
        path, rng = folder / f"{start:09d}.parquet", np.random.default_rng(start)
        with pq.ParquetWriter(str(path), schema(about(names)), compression="zstd") as file:
            for first in range(start, min(start + SHARD, matches), GROUP):
                number = np.arange(first, min(first + GROUP, start + SHARD, matches))
                file.write_table(_rows(number, strength, names, rng), row_group_size=1 << 40)
        paths.append(str(path))
    return paths


def _rows(number_M: Any, strength: Any, names: list[str], rng: np.random.Generator) -> Any:
    """Two rows for each match; every pair in both orders on each deal."""
    pa, _ = load_pyarrow()
    n, size = len(names), 2 * len(number_M)
    seats = np.stack([number_M // n % n, number_M % n], axis=1)
    won = rng.random(len(number_M)) < 1 / (1 + np.exp(strength[seats[:, 1]] - strength[seats[:, 0]]))
    payoff, seat = np.stack([2.0 * won - 1, 1 - 2.0 * won], axis=1).ravel(), np.tile([0, 1], len(number_M))
    plain = {
        "match": np.repeat(number_M + 1, 2),
        "deal": np.repeat(number_M // n**2, 2),
        "seat": seat,
        "payoff": payoff,
    }
    fixed = {"rounds": 1, "turns": 2, "illegal": 0, "prompt_tokens": 0, "completion_tokens": 0, "seconds": 0.0}
    texts = {"game": [SPEC], "ending": ["finished"], "measures": ["{}"], "role": ["first", "second"], "entrant": names}
    numbers = {"role": seat, "entrant": seats.ravel()}
    columns = plain | {name: np.full(size, value) for name, value in fixed.items()}
    for name, known in texts.items():
        index = pa.array(numbers.get(name, np.zeros(size)).astype(np.int32))
        columns[name] = pa.DictionaryArray.from_arrays(index, known)
    wanted = schema({})
    return pa.table({name: pa.array(columns[name]) for name in wanted.names}).cast(wanted)


def main() -> None:
    """Write, rate, print, delete."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000_000)
    parser.add_argument("--entrants", type=int, default=100)
    arguments = parser.parse_args()
    names = [f"bot-{k:04d}" for k in range(arguments.entrants)]
    with tempfile.TemporaryDirectory() as folder:
        paths = write(Path(folder), arguments.matches, names)
        size = sum(Path(path).stat().st_size for path in paths) / 1e6
        print(f"{arguments.matches:,} matches of {arguments.entrants} entrants, {size:,.0f} MB of Parquet", flush=True)
        for some in (paths[: max(1, len(paths) // 10)], paths):
            subprocess.run([sys.executable, "-c", RATE, *some], check=True)


if __name__ == "__main__":
    main()
