"""One flat table of turns: what every advantage estimator reads."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.records import Episode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TurnTable:
    """N turns of finished matches, in order of match, seat and tick. Every column has shape (N,).

    A turn's reward is everything its seat receives until its next turn, divided by the game's unit. Columns of names
    hold indices into ``names``, so that every column can be grouped by.
    """

    match: Ints
    seat: Ints
    tick: Ints
    round: Ints
    reward: Floats
    learner: NDArray[np.bool_]
    """Whether the turn was taken by the policy that is trained."""
    game: Ints
    role: Ints
    entrant: Ints
    others: Ints
    """Who sits in the other seats, in order of seats."""
    deal: Ints
    """The deal, or -1 for games without chance, whose matches are all comparable."""
    turn: Ints
    """Which turn of its seat it is, from 0."""
    floor: Floats
    """Smallest standard deviation to divide by: a share of the game's payoff range, in units."""
    record: Ints
    """Index of the turn in its episode's ``turns``."""
    names: tuple[Hashable, ...]

    def __len__(self) -> int:
        return len(self.match)

    def keys(self, *columns: str) -> Ints:
        """(N,) group numbers: equal where all named columns are equal."""
        stacked = np.stack([getattr(self, c) for c in columns], axis=1)
        return np.asarray(np.unique(stacked, axis=0, return_inverse=True)[1]).reshape(-1)


_COLUMNS = {
    f.name: {"reward": np.float64, "floor": np.float64, "learner": np.bool_}.get(f.name, np.int64)
    for f in fields(TurnTable)
    if f.name != "names"
}


def turn_table(episodes: Sequence[Episode], learner: str, std_floor: float = 0.0) -> TurnTable:
    """The table of ``episodes``, in which the entrant called ``learner`` is trained."""
    names: dict[Hashable, int] = {}

    def name(value: Hashable) -> int:
        return names.setdefault(value, len(names))

    rows: list[tuple[Any, ...]] = []
    for episode in episodes:
        match, game = episode.match, episode.match.game
        info = game.info
        floor = std_floor * (info.payoff_bounds[1] - info.payoff_bounds[0]) / info.unit
        deal = -1 if info.deterministic else match.deal
        rewards = np.array(episode.rewards)
        for seat in range(game.seats):
            mine = [(i, t) for i, t in enumerate(episode.turns) if t.seat == seat]
            others = name(("others", *(e for s, e in enumerate(match.entrants) if s != seat)))
            who = (name(game.spec), name(("role", info.roles[seat])), name(match.entrants[seat]), others, deal)
            received = _received(rewards[:, seat], [t.tick for _, t in mine]) / info.unit
            for k, (i, t) in enumerate(mine):
                trained = match.entrants[seat] == learner
                rows.append((match.id, seat, t.tick, t.round, received[k], trained, *who, k, floor, i))
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    arrays: dict[str, Any] = {
        name: np.array(column, kind) for (name, kind), column in zip(_COLUMNS.items(), columns, strict=True)
    }
    return TurnTable(**arrays, names=tuple(names))


def _received(rewards: Floats, ticks: Sequence[int]) -> Floats:
    """What a seat receives from each of its turns until the next; what comes before its first counts to the first."""
    sums = np.concatenate([[0.0], np.cumsum(rewards)])
    starts = [0, *ticks[1:]]
    ends = [*ticks[1:], len(rewards)]
    return np.array([sums[b] - sums[a] for a, b in zip(starts, ends, strict=True)]) if ticks else np.zeros(0)
