"""What a board says of itself: how to read it, and what is wrong with the data."""

from __future__ import annotations

import numpy as np

from leaderboards.bootstrap import NashInterval
from leaderboards.matrices import Advantage
from leaderboards.payoffs import PayoffTable
from leaderboards.ratings.bradley_terry import Rating
from leaderboards.ratings.nash_average import NashAverage
from leaderboards.table import Results

_TIES = {"davidson": "draws by Davidson's model", "half-win": "a draw half a win"}


def caption(
    results: Results, ranked_by: str, rating: Rating, advantage: Advantage, nash: NashAverage, interval: NashInterval
) -> list[str]:
    """What it ranks by, the Elo scale, the matrix behind Nash averaging, and what the intervals are."""
    if ranked_by == "elo":
        first = "Ranked by Elo: the game is competitive."
    else:
        why = (
            "more is won in some matches than in others" if results.stakes else f"the game is {_article(results.kind)}"
        )
        first = f"Ranked by payoff per round (self-matches included, each opponent weighted equally): {why}."
    return [
        first,
        f"Elo: Bradley–Terry, a win is a higher payoff, {_TIES[rating.ties]}{_first_seat(rating)}; 400 points are odds "
        f"of 10 to 1, mean {rating.anchor:g}, prior sd {rating.prior_sd:g}.",
        f"Nash: mass and skill by maximum-entropy Nash averaging of the {advantage.says}{_nash(nash, interval)}.",
        f"± are 95 % intervals, clustered by deal (Elo's at least half of the model's own); {_seats(results)}",
    ]


def _first_seat(rating: Rating) -> str:
    if np.isnan(rating.seat_advantage_half):
        return ""
    return f", sitting first worth {rating.seat_advantage:+.0f} ±{rating.seat_advantage_half:.0f} points"


def _nash(nash: NashAverage, interval: NashInterval) -> str:
    """Its temperature, and where its intervals come from."""
    warm = f", temperature {nash.temperature:g}" if nash.temperature > 0 else ""
    if not interval.replicates:
        return warm
    jumps = f", {interval.supports} different supports" if interval.supports > 1 and not nash.temperature else ""
    return f"{warm}; ± by bootstrap over deals ({interval.replicates} replicates, seed {interval.seed}{jumps})"


def _article(kind: str) -> str:
    return {"social-dilemma": "a social dilemma", "mixed": "of mixed motives"}.get(kind, kind)


def _seats(results: Results) -> str:
    if results.seats > 2:
        return f"W/D/L and Elo compare the {results.seats} seats of a match in pairs."
    return "W/D/L leave self-matches out."


def notes(payoffs: PayoffTable, rating: Rating, results: Results) -> list[str]:
    """Where the data fall short, with what to play next."""
    found = [f"Elo {note}" for note in rating.notes]
    if payoffs.unplayed:
        pair = _first_unplayed(payoffs)
        found.append(
            f"{payoffs.unplayed} pairs never met: Nash averaging takes them for even, and payoffs leave them out; "
            f'play "{pair[0]}" against "{pair[1]}"'
        )
    if payoffs.without_self and results.kind != "competitive":
        found.append(f"{payoffs.without_self} entrants never met themselves; their payoffs are against others only")
    if int(payoffs.clusters.max()) < 2:
        found.append("a single deal was played: there are no intervals for payoffs; play more deals")
    return found


def _first_unplayed(payoffs: PayoffTable) -> tuple[str, str]:
    row, column = np.argwhere(np.triu(payoffs.met == 0, k=1))[0]
    return payoffs.names[row], payoffs.names[column]
