"""One rating over several games, each of which weighs the same however many matches it had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leaderboards.arrays import FloatArray, IntArray, TableError
from leaderboards.ratings.bradley_terry import ANCHOR, Rating, Ties, rate
from leaderboards.ratings.counts import Counts
from leaderboards.table import BLOCKS, Results


def combined(
    games: Sequence[Results],
    *,
    ties: Ties = "davidson",
    prior_sd: float = 1000.0,
    anchor: float = ANCHOR,
    preliminary: int = 10,
) -> Rating:
    """One Bradley–Terry rating of everybody who played, from a single fit over all games.

    A match of game g counts H / matches_g times, with H the harmonic mean of the games' matches: every game has the
    same weight, and all weights together are as many matches as such a weighted sample is worth (Kish 1965, Survey
    Sampling). Assumes one strength for all games; who is good at one game only gets something in between. Intervals
    are clustered by game and deal, at least half of the model's own.

    Args:
        games: results of one game each; pairs of a larger table count as matches.
        ties: as for :func:`leaderboards.bradley_terry`.
        prior_sd: as for :func:`leaderboards.bradley_terry`.
        anchor: the mean rating.
        preliminary: entrants with fewer matches, over all games, are marked so.

    Raises:
        TableError: there is no game, or none has a match of two different entrants.
    """
    names = tuple(dict.fromkeys(name for results in games for name in results.entrants))
    place = {name: k for k, name in enumerate(names)}
    parts = [results.counts() for results in games]
    played = [(g, part) for g, part in enumerate(parts) if part.matches.sum() > 0]
    if not played:
        raise TableError("no game has a match between two different entrants; play some before rating over games")
    harmonic = len(played) / sum(1 / part.matches.sum() for _, part in played)
    items = [_moved(part, games[g], place, harmonic / part.matches.sum(), g) for g, part in played]
    rating = rate(_joined(items, len(names)), names=names, ties=ties, prior_sd=prior_sd, anchor=anchor, preliminary=0)
    return _counted(rating, [(games[g], part) for g, part in played], place, preliminary)


def _moved(part: Counts, results: Results, place: dict[str, int], weight: float, number: int) -> Counts:
    """A game's results with its entrants' common numbers, weighted, its clusters apart from those of other games."""
    to_N = np.array([place[name] for name in results.entrants], dtype=np.int64)
    block = np.zeros(len(part.first), dtype=np.int64) if part.cluster is None else part.cluster
    first, second, wins, draws, losses = part.first, part.second, part.wins, part.draws, part.losses
    cluster = number * BLOCKS + block
    return Counts(len(place), to_N[first], to_N[second], weight * wins, weight * draws, weight * losses, cluster)


def _joined(items: Sequence[Counts], n: int) -> Counts:
    columns = zip(*((c.first, c.second, c.wins, c.draws, c.losses, c.cluster) for c in items), strict=True)
    first, second, wins, draws, losses, cluster = (np.concatenate(column) for column in columns)
    return Counts(n, first, second, wins, draws, losses, cluster)


def _counted(
    rating: Rating, parts: Sequence[tuple[Results, Counts]], place: dict[str, int], preliminary: int
) -> Rating:
    """The rating with matches as they were played, not as they were weighted."""
    matches: FloatArray = np.zeros(len(place))
    for results, part in parts:
        to_N: IntArray = np.array([place[name] for name in results.entrants], dtype=np.int64)
        np.add.at(matches, to_N, part.played())
    marks = tuple(
        (*mark, "preliminary") if 0 < played < preliminary else mark
        for mark, played in zip(rating.marks, matches, strict=True)
    )
    return replace(rating, matches=matches, marks=marks)
