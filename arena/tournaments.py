"""A tournament: entrants meet on the same deals, every match is stored, a killed run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import games
from arena.cluster import check_workers, cluster
from arena.entrants import Entrant, Named, check_all, seat_entrants
from arena.illegal import GAME, IllegalRule
from arena.match import run_matches
from arena.plans import Pairings, Play, Say, Schedule, episodes_of
from arena.records import Episode, Match
from arena.store import Store
from games import Game, UsageError

Watch = Callable[[Iterator[Episode], int, int], Iterator[Episode]]
"""Sees every episode pass: (episodes, matches in all, matches finished before)."""


def tournament(
    games: str | Game[Any] | Sequence[str | Game[Any]],
    entrants: Iterable[Named] | Mapping[str, Named],
    *,
    deals: int = 10,
    seed: int = 0,
    store: str | Path | None = None,
    live: int = 64,
    illegal: str = GAME,
    schedule: str | Schedule = "round-robin",
    workers: str = "",
    watch: Watch | None = None,
    say: Say | None = None,
) -> Store:
    """Play a tournament and return its results.

    Args:
        games: one game or several, as specs or objects.
        entrants: specs, ``NAME=SPEC``, policy objects, or a mapping from names to these.
        deals: how many deals each table of entrants plays (:mod:`arena.schedule`).
        seed: fixes all chance; the same arguments give the same results.
        store: the SQLite file to write, taken up again where it exists; None keeps the results in memory.
        live: matches kept going at once; changes speed, never results.
        illegal: what becomes of illegal replies: ``game`` (its own rule), ``forfeit``, ``random-legal``, ``retry:N``.
        schedule: how matches are chosen: ``round-robin``, ``gauntlet``, ``swiss``, ``active``, or with settings.
        workers: who plays: this process, or Ray's (:mod:`arena.workers`): ``ray``, ``ray://HOST:PORT``.
        watch: wraps the stream of episodes, for progress.
        say: told in a sentence how sure an ``active`` tournament is at its end.

    Raises:
        UsageError: an unknown name, an entrant that can't play, or a store of another configuration.
        ArenaError: the store can't be used, or the disk is full; what was finished is saved.
    """
    check_workers(workers)
    listed = [games] if isinstance(games, str | Game) else list(games)
    entrants = entrants if isinstance(entrants, Mapping) else list(entrants)
    played, rule = [_game(item) for item in listed], IllegalRule.parse(illegal)
    population = seat_entrants(entrants)
    pairings = Pairings(played, [e.name for e in population], deals)
    chosen = _schedule(schedule, pairings.names)
    check_all(played, population)
    config = _config(played, population, deals, seed, illegal) | chosen.settings()
    options: dict[str, Any] = {"seed": seed, "live": _at_least_one(live), "illegal": rule}
    plays = _here_or_there(workers, played, entrants, population, options)
    results = Store.open(store, config, played, [e.row for e in population])
    try:
        with cluster(workers):
            before = len(results)
            episodes, total = episodes_of(chosen, pairings, results, plays, say)
            for episode in watch(episodes, total, before) if watch else episodes:
                results.add(episode)
    except BaseException:
        results.close()
        raise
    return results


def play(
    game: str | Game[Any],
    entrants: Sequence[Named],
    *,
    matches: int = 1,
    seed: int = 0,
    live: int = 64,
    illegal: str = GAME,
) -> list[Episode]:
    """Play matches of one table and return their episodes, in order.

    Args:
        game: a spec or an object.
        entrants: one for each seat: a spec, ``NAME=SPEC`` or a policy object; the same one may sit twice.
        matches: how many, each with a deal of its own.
        seed: fixes all chance.
        live: matches kept going at once; changes speed, never results.
        illegal: what becomes of illegal replies: ``game`` (its own rule), ``forfeit``, ``random-legal``, ``retry:N``.

    Raises:
        UsageError: an unknown name, the wrong number of entrants, or one that can't play.
    """
    episodes = stream(game, entrants, matches=matches, seed=seed, live=live, illegal=illegal)
    return sorted(episodes, key=lambda episode: episode.match.id)


def stream(
    game: str | Game[Any],
    entrants: Sequence[Named],
    *,
    matches: int = 1,
    seed: int = 0,
    live: int = 64,
    illegal: str = GAME,
) -> Iterator[Episode]:
    """:func:`play`, each episode as soon as it ends."""
    table = _game(game)
    if len(entrants) != table.seats:
        raise UsageError(f"{table.spec} has {table.seats} seats, not {len(entrants)}; give a player for each")
    names, population = _table(entrants)
    check_all([table], population)
    planned = (Match(id=i, game=table, deal=i, entrants=names) for i in range(matches))
    rule = IllegalRule.parse(illegal)
    return run_matches(planned, _by_name(population), seed=seed, live=_at_least_one(live), illegal=rule)


def _here_or_there(
    workers: str,
    played: Sequence[Game[Any]],
    entrants: Sequence[Named] | Mapping[str, Named],
    population: Sequence[Entrant],
    options: Mapping[str, Any],
) -> Play:
    """What plays matches: the turn loop in this process, or on workers."""
    if not workers:
        return partial(run_matches, policies=_by_name(population), **options)
    from arena.workers import Workers, batched, cast

    there, together = cast(played, entrants, population, **options), batched(population, options["live"])
    return Workers(played, there, workers, together)


def _table(entrants: Sequence[Named]) -> tuple[tuple[str, ...], list[Entrant]]:
    """The name in each seat, and the population: an entrant named twice is one entrant in two seats."""
    distinct: list[Named] = []
    for item in entrants:
        if not any(item is seen or (isinstance(item, str) and item == seen) for seen in distinct):
            distinct.append(item)
    population = seat_entrants(distinct)
    place = [next(i for i, seen in enumerate(distinct) if seen is item or seen == item) for item in entrants]
    return tuple(population[i].name for i in place), population


def _game(item: str | Game[Any]) -> Game[Any]:
    return games.make(item) if isinstance(item, str) else item


def _schedule(asked: str | Schedule, names: Sequence[str]) -> Schedule:
    """The schedule with everything filled in."""
    found = Schedule(asked) if isinstance(asked, str) else asked
    return replace(found, focus=tuple(names[:1])) if found.kind == "gauntlet" and not found.focus else found


def _by_name(population: Sequence[Entrant]) -> dict[str, Any]:
    return {entrant.name: entrant.policy for entrant in population}


def _at_least_one(live: int) -> int:
    if live < 1:
        raise UsageError(f"live={live} is not allowed; give 1 or more matches at a time")
    return live


def _config(
    played: Sequence[Game[Any]], population: Sequence[Entrant], deals: int, seed: int, illegal: str
) -> dict[str, Any]:
    """What decides the results, and nothing else: the order of entrants and ``live`` don't."""
    return {
        "games": {game.spec: game.info.version for game in played},
        "entrants": {e.name: e.identity for e in sorted(population, key=lambda e: e.name)},
        "deals": deals,
        "seed": seed,
        **({"illegal": illegal} if illegal != GAME else {}),
    }
