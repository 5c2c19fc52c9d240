"""Several games at once: one rating in which games weigh the same, and percentiles over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboards.arrays import FloatArray
from leaderboards.ratings.bradley_terry import Rating
from leaderboards.ratings.combined import combined
from leaderboards.ratings.percentiles import PercentileScore, percentile_score
from leaderboards.sharing import collaboration_gap
from leaderboards.standing import Standing
from leaderboards.table import Results


@dataclass(frozen=True)
class OverallStanding:
    """One entrant's line over several games. Numbers are NaN where nothing is known."""

    rank: int
    entrant: str
    kind: str
    percentile: float
    """Mean over the games played of the share of the others who score less, in percent."""
    quantiles: tuple[float, ...]
    """The weak end of its percentiles, at ``Overall.levels``."""
    participation: float
    """Share of the games played."""
    elo: float
    """One rating over the competitive games, each weighted equally."""
    elo_half: float
    ranks: tuple[int | None, ...]
    """The rank in each game; None where it didn't play."""
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Overall:
    """All games of a board together."""

    games: tuple[str, ...]
    standings: tuple[OverallStanding, ...]
    levels: tuple[float, ...]
    rating: Rating | None
    """None where fewer than two games are competitive."""
    rated: tuple[str, ...]
    """The competitive games, of which the rating is made."""


def overall(results: Sequence[Results], lines: Sequence[Sequence[Standing]]) -> Overall | None:
    """All games together, or None where there is only one.

    Ranked by the mean percentile, which needs no common scale: what each game is ranked by is compared within it only.

    Args:
        results: one for each game.
        lines: the standings of each game.
    """
    if len(results) < 2:
        return None
    names = tuple(dict.fromkeys(name for game in results for name in game.entrants))
    percentiles = _percentiles(results, lines, names)
    competitive = [game for game in results if game.kind == "competitive" and game.counts().matches.sum() > 0]
    rating = combined(competitive) if len(competitive) > 1 else None
    standings = _standings(names, lines, percentiles, rating)
    rated = tuple(game.game for game in competitive) if rating is not None else ()
    return Overall(tuple(game.game for game in results), standings, percentiles.levels, rating, rated)


def collaboration(results: Sequence[Results]) -> dict[str, dict[str, float]]:
    """For each game played both alone and together, each entrant's collaboration gap.

    That is its payoff of a match alone minus that of a match with copies of itself (arXiv 2511.02687). A game played
    alone has one seat, and the same name but for its options.
    """
    found: dict[str, dict[str, float]] = {}
    for paired in results:
        for solo in results:
            if _base(solo.game) == _base(paired.game) and solo.seats == 1 < paired.seats:
                alone, together = _with_itself(solo), _with_itself(paired)
                names = [name for name in paired.entrants if name in alone]
                gaps = collaboration_gap([alone[name] for name in names], [together[name] for name in names])
                found[paired.game] = dict(zip(names, gaps.tolist(), strict=True))
    return found


def _with_itself(results: Results) -> dict[str, float]:
    """Payoff of a match in which every seat is the entrant's; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        payoff_N = np.diag(results.payoff) / (2 * np.diag(results.met))
    return dict(zip(results.entrants, payoff_N.tolist(), strict=True))


def _base(spec: str) -> str:
    return spec.partition(":")[0]


def _percentiles(
    results: Sequence[Results], lines: Sequence[Sequence[Standing]], names: tuple[str, ...]
) -> PercentileScore:
    score_NM: FloatArray = np.full((len(names), len(results)), np.nan)
    for column, (game, standings) in enumerate(zip(results, lines, strict=True)):
        for line in standings:
            score = line.elo if game.ranked_by == "elo" else line.payoff
            score_NM[names.index(line.entrant), column] = round(score, 9)
    return percentile_score(score_NM, names=names, games=[game.game for game in results])


def _standings(
    names: tuple[str, ...], lines: Sequence[Sequence[Standing]], scores: PercentileScore, rating: Rating | None
) -> tuple[OverallStanding, ...]:
    kinds = {line.entrant: line.kind for standings in lines for line in standings}
    ranks = [{line.entrant: line.rank for line in standings} for standings in lines]
    rated = _rated(rating)
    value = np.nan_to_num(scores.mean, nan=-1.0)
    order = sorted(range(len(names)), key=lambda k: (-round(float(value[k]), 9), names[k]))
    return tuple(
        OverallStanding(
            rank=1 + int((value > value[k] + 1e-9).sum()),
            entrant=names[k],
            kind=kinds[names[k]],
            percentile=float(scores.mean[k]),
            quantiles=tuple(scores.quantiles[k].tolist()),
            participation=float(scores.participation[k]),
            ranks=tuple(game.get(names[k]) for game in ranks),
            **rated.get(names[k], {"elo": np.nan, "elo_half": np.nan, "marks": ()}),
        )
        for k in order
    )


def _rated(rating: Rating | None) -> dict[str, dict[str, Any]]:
    """What the combined rating says of each entrant in it."""
    if rating is None:
        return {}
    columns = zip(rating.names, rating.elo.tolist(), rating.half.tolist(), rating.marks, strict=True)
    return {name: {"elo": elo, "elo_half": half, "marks": marks} for name, elo, half, marks in columns}
