"""How long ratings take: a leaderboard of a million stored matches, Bradley–Terry with intervals, Nash averaging.

Beside evalica's fit and OpenSpiel's Nash averaging (which needs cvxpy), where they are installed. Wall-clock times are
those of a machine that may be busy; seconds of this process's processors stand beside them.

python bench/leaderboard_speed.py [MATCHES] [ENTRANTS]
"""

from __future__ import annotations

import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import games
import leaderboards
from arena.database import create
from arena.tables import EntrantRow


def synthetic(matches: int, entrants: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Matches of a round-robin between entrants of normal strengths: who sat where, on which deal, who won."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=entrants)
    number = np.arange(matches)
    first, second = number // entrants % entrants, number % entrants
    won = rng.random(matches) < 1 / (1 + np.exp(strength[second] - strength[first]))
    return {"deal": number // entrants**2, "first": first, "second": second, "won": won}


def write_store(path: Path, table: dict[str, np.ndarray], entrants: int) -> None:
    """The matches as a store, written in one go."""
    game, names = games.make("kuhn-poker"), [f"bot-{k:03d}" for k in range(entrants)]
    db = sqlite3.connect(path)
    create(db, {"seed": 0}, [game], [EntrantRow(name, name, "script") for name in names])
    deals = enumerate(table["deal"].tolist(), 1)
    db.executemany("INSERT INTO matches VALUES (?, 1, ?, 1, 3, 'finished')", deals)
    places = zip(table["first"].tolist(), table["second"].tolist(), table["won"].tolist(), strict=True)
    seats = (
        (match, seat, entrant + 1, (1.0 if won == (seat == 0) else -1.0), 2)
        for match, (first, second, won) in enumerate(places, 1)
        for seat, entrant in enumerate((first, second))
    )
    db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0.0, '{}')", seats)
    db.commit()
    db.close()


def timed(what: str, work: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """The least of a few times, printed, and the result."""
    times, busy, result = [], [], None
    for _ in range(repeats):
        start, spent = time.perf_counter(), time.process_time()
        result = work()
        times.append(time.perf_counter() - start)
        busy.append(time.process_time() - spent)
    runs = ", ".join(f"{t:.3f}" for t in times)
    print(f"{what}: {min(times):.3f} s, of processors {min(busy):.3f} s (least of {runs})", flush=True)
    return min(times), result


def rate_matches(table: dict[str, np.ndarray], entrants: int) -> Any:
    """Bradley–Terry with intervals from the bare list of matches: counting included."""
    shape = (entrants, entrants)
    key, won = table["first"] * entrants + table["second"], table["won"]
    beat = np.bincount(key[won], minlength=entrants**2).reshape(shape)
    lost = np.bincount(key[~won], minlength=entrants**2).reshape(shape)
    wins = beat + lost.T
    np.fill_diagonal(wins, 0)
    return leaderboards.bradley_terry(wins)


def compare_evalica(table: dict[str, np.ndarray], mine: float, rating: Any) -> None:
    """The same fit by evalica, which has no intervals, if it is installed."""
    try:
        import evalica
    except ImportError:
        print("evalica isn't installed; `pip install evalica` to compare")
        return
    apart = table["first"] != table["second"]
    xs, ys = table["first"][apart].tolist(), table["second"][apart].tolist()
    winners = [evalica.Winner.X if won else evalica.Winner.Y for won in table["won"][apart].tolist()]
    theirs, found = timed("evalica.bradley_terry, no intervals", lambda: evalica.bradley_terry(xs, ys, winners))
    scores = np.log(np.array([found.scores[k] for k in range(len(rating.elo))])) * 400 / np.log(10)
    gap = np.abs(scores - scores.mean() - (rating.elo - rating.elo.mean())).max()
    print(f"{theirs / mine:.0f} times as long; greatest difference {gap:.2f} Elo points (the weak prior)")


def population(n: int, seed: int = 0) -> np.ndarray:
    """An antisymmetric table of n agents: strengths, and as much that goes round in circles."""
    rng = np.random.default_rng(seed)
    strength, noise = rng.normal(size=n), rng.normal(size=(n, n))
    return strength[:, None] - strength[None, :] + (noise - noise.T) / 2


def nash_speed() -> None:
    """Nash averaging of 43, 300 and 2,000 agents, and OpenSpiel's of 300."""
    timed("Nash averaging of 43 agents", lambda: leaderboards.nash_average(population(43)), repeats=10)
    table = population(300)
    mine, found = timed("Nash averaging of 300 agents", lambda: leaderboards.nash_average(table), repeats=5)
    compare_openspiel(table, mine, found)
    large = population(2000)
    _, found = timed("Nash averaging of 2,000 agents", lambda: leaderboards.nash_average(large), repeats=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"its exploitability {found.exploitability:.1e}; peak memory of the process {peak:,.0f} MB")


def compare_openspiel(table: np.ndarray, mine: float, found: Any) -> None:
    """The same average by OpenSpiel, if it and its solver are installed."""
    try:
        from open_spiel.python.algorithms import nash_averaging
    except ImportError:
        print("OpenSpiel's Nash averaging isn't installed; `pip install open-spiel cvxpy` to compare")
        return
    # The bare solver, without the time that it takes to read the table out of a game.
    solve = nash_averaging._max_entropy_symmetric_nash
    theirs, mass = timed("OpenSpiel's Nash averaging", lambda: solve(table, eps=0.0), repeats=2)
    gap = np.abs(np.asarray(mass).ravel() - found.mass).max()
    print(f"{theirs / mine:.0f} times as long; greatest difference in mass {gap:.1e}")


def main(matches: int, entrants: int) -> None:
    """Print the times."""
    nash_speed()
    table = synthetic(matches, entrants)
    print(f"{matches:,} matches of {entrants} entrants")
    mine, rating = timed("Bradley–Terry with intervals", lambda: rate_matches(table, entrants))
    compare_evalica(table, mine, rating)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.sqlite"
        write_store(path, table, entrants)
        timed(f"leaderboard of a store of {path.stat().st_size / 1e6:.0f} MB", lambda: leaderboards.from_store(path))


if __name__ == "__main__":
    words = [*sys.argv[1:], *("1000000", "100")[len(sys.argv) - 1 :]]
    main(int(words[0]), int(words[1]))
