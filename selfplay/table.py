"""One flat table of turns: what every advantage estimator reads."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.records import Episode
from games.errors import UsageError
from selfplay.columns import Place, facts, share_of_range

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _absent() -> Any:
    return np.zeros(0)


@dataclass(frozen=True)
class TurnTable:
    """N turns of finished matches, in order of match, seat and tick. Every column has shape (N,).

    A turn's reward is everything its seat receives until its next turn, divided by the game's unit. Columns of names
    hold indices into ``names``, so that every column can be grouped by. Columns after ``names`` are read by few
    estimators and may be absent (shape (0,)) from a table written by hand; :meth:`column` says so.
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
    state: Ints = field(default_factory=_absent)
    """All that the seat had read and done when it moved: its information state."""
    observed: Ints = field(default_factory=_absent)
    """What the seat read just now."""
    action: Ints = field(default_factory=_absent)
    """The move that was played."""
    outcome: Floats = field(default_factory=_absent)
    """The seat's payoff of the match as a share of the payoff range, 0 to 1."""
    length: Ints = field(default_factory=_absent)
    """Tokens of the reply that had a choice behind them: those that carry loss."""
    thoughts: Ints = field(default_factory=_absent)
    """How many of the reply's tokens are thinking."""
    talk: Ints = field(default_factory=_absent)
    """1 where the turn was a message (free text), 0 where it was a move."""
    illegal: Ints = field(default_factory=_absent)
    """1 where the reply was refused."""
    logp: Floats = field(default_factory=_absent)
    """Log-probability of the reply as it was sampled, in nats, over its ``length`` tokens."""
    reference: Floats = field(default_factory=_absent)
    """The same under the base model (adapter switched off); added by :class:`selfplay.sources.Sources`."""
    value: Floats = field(default_factory=_absent)
    """The critic's value at the turn, in units; added by :class:`selfplay.sources.Sources`."""

    def __len__(self) -> int:
        return len(self.match)

    def keys(self, *columns: str) -> Ints:
        """(N,) group numbers: equal where all named columns are equal."""
        stacked = np.stack([self.column(c) for c in columns], axis=1)
        return np.asarray(np.unique(stacked, axis=0, return_inverse=True)[1]).reshape(-1)

    def column(self, name: str) -> Any:
        """(N,) the column ``name``.

        Raises:
            UsageError: this table lacks it.
        """
        values = getattr(self, name)
        if len(values) != len(self):
            raise UsageError(
                f'this table has no column "{name}"; a training run fills it, a table by hand must name it'
            )
        return values


_FLOATS = ("reward", "floor", "outcome", "logp")
_ADDED = ("reference", "value")
_COLUMNS = tuple(f.name for f in fields(TurnTable) if f.name not in ("names", *_ADDED))


def turn_table(episodes: Sequence[Episode], learner: str, std_floor: float = 0.0) -> TurnTable:
    """The table of ``episodes``, in which the entrant called ``learner`` is trained."""
    names: dict[Hashable, int] = {}

    def name(value: Hashable) -> int:
        return names.setdefault(value, len(names))

    rows: list[tuple[Any, ...]] = []
    for episode in episodes:
        match, game = episode.match, episode.match.game
        info, spec = game.info, game.spec
        floor = std_floor * (info.payoff_bounds[1] - info.payoff_bounds[0]) / info.unit
        deal = -1 if info.deterministic else match.deal
        rewards = np.array(episode.rewards)
        for seat in range(game.seats):
            mine = [(i, t) for i, t in enumerate(episode.turns) if t.seat == seat]
            others = name(("others", *(e for s, e in enumerate(match.entrants) if s != seat)))
            who = (name(spec), name(("role", info.roles[seat])), name(match.entrants[seat]), others, deal)
            received = _received(rewards[:, seat], [t.tick for _, t in mine]) / info.unit
            trained, outcome = match.entrants[seat] == learner, share_of_range(episode.payoffs[seat], info)
            place = Place(name, name(("start", spec, seat)))
            for k, (i, t) in enumerate(mine):
                known = (match.id, seat, t.tick, t.round, received[k], trained, *who, k, floor, i)
                rows.append((*known, *place.move_on(t), outcome, *facts(t, info)))
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    kinds: dict[str, Any] = {"learner": np.bool_, **dict.fromkeys(_FLOATS, np.float64)}
    arrays: dict[str, Any] = {
        name: np.array(column, kinds.get(name, np.int64)) for name, column in zip(_COLUMNS, columns, strict=True)
    }
    return TurnTable(**arrays, names=tuple(names))


def _received(rewards: Floats, ticks: Sequence[int]) -> Floats:
    """What a seat receives from each of its turns until the next; what comes before its first counts to the first."""
    sums = np.concatenate([[0.0], np.cumsum(rewards)])
    starts = [0, *ticks[1:]]
    ends = [*ticks[1:], len(rewards)]
    return np.array([sums[b] - sums[a] for a, b in zip(starts, ends, strict=True)]) if ticks else np.zeros(0)
