"""One policy against a population: the benchmark of repeated rock-paper-scissors (Lanctot et al., arXiv 2303.03196).

Every entrant plays every member of the population in matches of many throws, on the same deals with seats changing from
match to match; also itself, where it belongs to the population.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import games
from arena.entrants import Entrant, Named, check_all, seat_entrants
from arena.lanes import Block, play_block, plays_in_blocks
from arena.match import run_matches
from arena.records import Episode, Match
from arena.store import Store
from games import Game, Stream, UsageError
from games.stream import SCHEDULE
from policies import Policy
from policies.openspiel import BOTS
from policies.rps import POPULATION

Watch = Callable[[Iterator[Match], int, int], Iterator[Match]]
"""Sees every match pass once it is saved: (matches, how many in all, how many finished before)."""
THROWS = 1_000
"""Throws of a match where published figures are to compare."""
HELD_OUT = 10
"""Members of a population that are held out of its training part."""
TOGETHER = 1_024
"""Matches of array bots played in one block, at most."""
WHICH = ("all", "train", "test", "originals", "originals-train", "originals-test")
"""The populations: ours and OpenSpiel's 43 bots (an extra), whole or split into 33 to learn from and 10 held out."""


@dataclass(frozen=True, slots=True)
class Returns:
    """What E entrants earned against M members in N matches each."""

    entrants: tuple[str, ...]
    members: tuple[str, ...]
    throws: int
    returns: NDArray[np.float64]
    """Total reward of the entrant ``(E, M, N)``."""

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean return ``(E, M)``."""
        mean: NDArray[np.float64] = self.returns.mean(axis=2)
        return mean

    @property
    def error(self) -> NDArray[np.float64]:
        """Standard error of the mean ``(E, M)``; NaN for a single match."""
        count = self.returns.shape[2]
        if count < 2:
            return np.full(self.returns.shape[:2], np.nan)
        error: NDArray[np.float64] = self.returns.std(axis=2, ddof=1) / np.sqrt(count)
        return error


def members(which: str = "all", split: int = 0) -> tuple[str, ...]:
    """The specs of a population, in alphabetical order.

    Args:
        which: one of :data:`WHICH`.
        split: the seed of the split into training and test part; every seed gives another.

    Raises:
        UsageError: there is no such population.
    """
    if which not in WHICH:
        raise UsageError(f'no population "{which}"; there are {", ".join(WHICH)}')
    everybody = sorted(f"openspiel:{bot}" for bot in BOTS) if which.startswith("originals") else sorted(POPULATION)
    part = which.removeprefix("originals").removeprefix("-")
    if part not in ("train", "test"):
        return tuple(everybody)
    shuffled = Stream(split, SCHEDULE).shuffled(everybody)
    return tuple(sorted(shuffled[:HELD_OUT] if part == "test" else shuffled[HELD_OUT:]))


def score(
    entrants: Iterable[Named] | Mapping[str, Named],
    population: Sequence[str] = POPULATION,
    *,
    throws: int = THROWS,
    matches: int = 20,
    seed: int = 0,
    store: str | Path | None = None,
    live: int = 64,
    watch: Watch | None = None,
) -> Returns:
    """Play entrants against a population and return what they earned.

    Args:
        entrants: specs, ``NAME=SPEC``, policy objects, or a mapping from names to these.
        population: specs of its members; each is named by its spec.
        throws: rounds of a match. Returns of different lengths don't compare, not even per throw.
        matches: for each pair.
        seed: fixes all chance.
        store: the SQLite file to write, taken up again where it exists; None keeps the results in memory.
        live: matches kept going at once where a player is no array bot; changes speed, never results.
        watch: wraps the stream of finished matches, for progress.

    Raises:
        UsageError: an unknown name, an entrant that can't play, fewer than one match, or a store of another run.
    """
    results, plan = _open(entrants, population, throws, matches, seed, store)
    with results:
        finished = results.finished()
        saved = _saved(results, play(plan.missing(finished), plan.policies, seed=seed, live=live))
        for _ in watch(saved, plan.total, len(finished)) if watch else saved:
            pass
        return Returns(plan.entrants, tuple(population), throws, plan.returns(results))


def play(
    matches: Iterable[Match], policies: Mapping[str, Policy], *, seed: int, live: int = 64
) -> Iterator[Block | Episode]:
    """Play matches of one game, those between array bots in blocks, the others in the turn loop.

    Args:
        matches: what to play; read lazily, a block at a time.
        policies: the policy of each entrant name.
        seed: the run's seed.
        live: matches kept going at once in the turn loop.
    """
    waiting = iter(matches)
    while batch := list(itertools.islice(waiting, TOGETHER)):
        fits = [all(plays_in_blocks(match.game, policies[name]) for name in match.entrants) for match in batch]
        together = [match for match, fit in zip(batch, fits, strict=True) if fit]
        if together:
            yield play_block(together, policies, seed=seed)
        others = (match for match, fit in zip(batch, fits, strict=True) if not fit)
        yield from run_matches(others, policies, seed=seed, live=live)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Who meets whom: match ``1 + (deal * E + e) * M + m``, the entrant in seat 0 of even deals and 1 of odd ones."""

    game: Game[Any]
    entrants: tuple[str, ...]
    members: tuple[str, ...]
    matches: int
    policies: Mapping[str, Policy]

    @property
    def total(self) -> int:
        """How many matches there are in all."""
        return self.matches * len(self.entrants) * len(self.members)

    def missing(self, finished: set[int]) -> Iterator[Match]:
        """The matches that are not finished yet, deal by deal."""
        tables = itertools.product(range(self.matches), self.entrants, self.members)
        for number, (deal, entrant, member) in enumerate(tables, 1):
            if number not in finished:
                pair = (entrant, member) if deal % 2 == 0 else (member, entrant)
                yield Match(id=number, game=self.game, deal=deal, entrants=pair)

    def returns(self, results: Store) -> NDArray[np.float64]:
        """The payoffs of the entrants' seats ``(E, M, N)``."""
        shape = (self.matches, len(self.entrants), len(self.members))
        payoffs = np.full((int(np.prod(shape)), 2), np.nan)
        for row in results.seats():
            payoffs[row.match - 1, row.seat] = row.payoff
        by_deal = payoffs.reshape(*shape, 2)
        own = [by_deal[deal, ..., deal % 2] for deal in range(self.matches)]
        return np.stack(own, axis=-1)


def _open(
    entrants: Iterable[Named] | Mapping[str, Named],
    population: Sequence[str],
    throws: int,
    matches: int,
    seed: int,
    store: str | Path | None,
) -> tuple[Store, _Plan]:
    """The store to write to, and the plan."""
    if matches < 1:
        raise UsageError(f"matches={matches} is not allowed; give 1 or more for each pair")
    game = games.make(f"rock-paper-scissors:rounds={throws}")
    named = seat_entrants(entrants)
    seated = _together(named, population)
    check_all([game], seated)
    config = {
        "games": {game.spec: game.info.version},
        "entrants": {e.name: e.identity for e in named},
        "population": {e.name: e.identity for e in seated if e.name in population},
        "matches": matches,
        "seed": seed,
    }
    results = Store.open(store, config, [game], [e.row for e in seated])
    policies = {entrant.name: entrant.policy for entrant in seated}
    return results, _Plan(game, tuple(e.name for e in named), tuple(population), matches, policies)


def _together(named: Sequence[Entrant], population: Sequence[str]) -> list[Entrant]:
    """Entrants and members; who is both sits down once.

    Raises:
        UsageError: an entrant has the name of a member but is another policy.
    """
    own = {entrant.name: entrant for entrant in named}
    taken = [name for name in population if name in own and own[name].spec != name]
    if taken:
        raise UsageError(f'"{taken[0]}" is a member of the population; give the entrant another name with NAME=SPEC')
    return [*named, *seat_entrants([spec for spec in population if spec not in own])]


def _saved(results: Store, played: Iterable[Block | Episode]) -> Iterator[Match]:
    """Each match, once it is saved."""
    for item in played:
        if isinstance(item, Block):
            results.add_block(item)
            yield from item.matches
        else:
            results.add(item)
            yield item.match
