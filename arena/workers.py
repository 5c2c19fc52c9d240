"""Matches over processes and machines, as Ray's tasks: this process hands out matches and alone writes the store.

A task is a few matches, about a second of work; Ray places it, and does it again where its worker or node died, so that
a death costs what was unfinished there and nothing is lost or counted twice. Every draw is a hash of where it happens:
results are those of one process, whoever plays what.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from arena.cluster import RETRIES, cluster, plain_failures
from arena.entrants import Entrant, Named, check_all, seat_entrants
from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Episode, Match
from arena.wire import Played, Ticket, admit, arrived, pack, portable, ticket, unpack
from games import ArenaError, Game, UsageError
from policies import Policy

SECONDS = 1.0
"""Of work in a task: what a death costs at most, and enough to make Ray's own time small beside it."""
AHEAD = 2
"""Tasks handed out per processor, so that none waits for the next."""
_MOST = 4096  # matches of a task


@dataclass(frozen=True, slots=True)
class Cast:
    """What a worker must know to play a tournament's matches as this process would."""

    games: tuple[str | Game[Any], ...]
    """Specs, or objects where no spec makes them."""
    entrants: Sequence[Named] | Mapping[str, Named]
    identities: Mapping[str, str]
    """What each entrant plays like here; one that plays like something else there is refused."""
    seed: int
    live: int
    illegal: IllegalRule
    folder: str
    """Where this process works: what paths in specs are relative to."""


def cast(
    games: Sequence[Game[Any]],
    entrants: Sequence[Named] | Mapping[str, Named],
    population: Sequence[Entrant],
    *,
    seed: int,
    live: int,
    illegal: IllegalRule,
) -> Cast:
    """The cast of a tournament.

    Raises:
        UsageError: an entrant is a person at this terminal.
    """
    for entrant in population:
        if getattr(entrant.policy, "kind", "") == "human":
            raise UsageError(f"{entrant.name} sits at this terminal, workers can't ask; play without --workers")
    identities = {entrant.name: entrant.identity for entrant in population}
    return Cast(tuple(map(portable, games)), entrants, identities, seed, live, illegal, os.getcwd())


@dataclass
class Workers:
    """Plays matches on Ray's workers; what they must know is sent once.

    Args:
        games: those of the tournament.
        cast: the same for workers, entrants, and what fixes their play.
        address: ``ray`` or ``ray://HOST:PORT`` (:func:`arena.cluster.cluster`).
        together: matches of a task at least: what is gained by playing many at once.
    """

    games: Sequence[Game[Any]]
    cast: Cast
    address: str
    together: int = 1
    places: Counter[str] = field(default_factory=Counter)
    """Matches by the node that played them."""
    _box: list[Any] = field(default_factory=list)
    _key: str = field(default_factory=lambda: f"{os.getpid()}-{time.time_ns()}")

    def __call__(self, matches: Iterable[Match]) -> Iterator[Episode]:
        """Play ``matches``, read lazily and a few tasks ahead, and yield each episode as it comes back.

        Raises:
            UsageError: an entrant can't be sent to a worker.
            ArenaError: no cluster, or a task whose workers die time and again.
        """
        with cluster(self.address) as ray:
            self._box = self._box or [_sent(ray, self.cast)]
            yield from self._stream(ray, iter(matches))

    def _stream(self, ray: Any, waiting: Iterator[Match]) -> Iterator[Episode]:
        task = ray.remote(num_cpus=1, num_gpus=_gpus(ray, self.together), max_retries=RETRIES)(_play)
        running: dict[Any, tuple[Match, ...]] = {}
        size = self.together
        while True:
            while len(running) < _width(ray) and (chunk := tuple(islice(waiting, size))):
                tickets = [ticket(match, self.games) for match in chunk]
                running[task.remote(self._key, self._box, tickets)] = chunk
            if not running:
                return
            with plain_failures(ray):
                done = ray.wait(list(running), num_returns=1)[0][0]
                place, seconds, played = ray.get(done)
            chunk = running.pop(done)
            self.places[place] += len(chunk)
            size = _resized(len(chunk), seconds, self.together)
            yield from (unpack(match, parts) for match, parts in zip(chunk, played, strict=True))


def batched(population: Sequence[Entrant], live: int) -> int:
    """Matches that should be played together: as many as are kept live where a model answers them in one pass."""
    return live if any(getattr(e.policy, "kind", "") in ("llm", "adapter", "api") for e in population) else 1


def _width(ray: Any) -> int:
    """Tasks that are handed out at once; nodes may come and go."""
    return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))


def _gpus(ray: Any, together: int) -> float:
    """A GPU for each task of models where the cluster has any."""
    return 1.0 if together > 1 and ray.cluster_resources().get("GPU", 0) >= 1 else 0.0


def _resized(size: int, seconds: float, least: int) -> int:
    """Matches of the next task, so that it takes about :data:`SECONDS`; at most four times as many."""
    wanted = round(size * SECONDS / max(seconds, 1e-3))
    return max(least, min(wanted, 4 * size, _MOST), 1)


def _sent(ray: Any, cast: Cast) -> Any:
    try:
        return ray.put(cast)
    except (TypeError, AttributeError, ValueError) as error:
        first = str(error).strip().splitlines()[0][:200]
        raise UsageError(f"an entrant or game can't be sent to workers ({first}); give it as a spec") from None


# ---- what runs on a worker

_SEATED: dict[str, tuple[Cast, list[Game[Any]], dict[str, Policy]]] = {}


def _play(key: str, box: list[Any], tickets: Sequence[Ticket]) -> tuple[str, float, list[Played]]:
    """A task: play the matches, and say where it was and how long it took."""
    import ray

    there, played, players = _seated(key, box)
    started = time.perf_counter()
    matches = [admit(each, played) for each in tickets]
    episodes = run_matches(matches, players, seed=there.seed, live=there.live, illegal=there.illegal)
    packed = {e.match.id: pack(e) for e in episodes}
    node = ray.get_runtime_context().get_node_id()
    return node, time.perf_counter() - started, [packed[match.id] for match in matches]


def _seated(key: str, box: list[Any]) -> tuple[Cast, list[Game[Any]], dict[str, Policy]]:
    """The cast, its games and its players, made once for each process of a worker."""
    if key not in _SEATED:
        import ray

        _SEATED.clear()
        _SEATED[key] = _take_seats(ray.get(box[0]))
    return _SEATED[key]


def _take_seats(there: Cast) -> tuple[Cast, list[Game[Any]], dict[str, Policy]]:
    if os.path.isdir(there.folder):
        os.chdir(there.folder)
    played, population = [arrived(game) for game in there.games], seat_entrants(there.entrants)
    check_all(played, population)
    for entrant in population:
        if entrant.identity != there.identities[entrant.name]:
            raise ArenaError(
                f"{entrant.name} is another player on {os.uname().nodename} ({entrant.identity}) than here "
                f"({there.identities[entrant.name]}); give every machine the same version and files"
            )
    return there, played, {entrant.name: entrant.policy for entrant in population}
