"""One entrant's line on a leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboards.arrays import FloatArray
from leaderboards.bootstrap import NashInterval
from leaderboards.intervals import NORMAL_95
from leaderboards.payoffs import PayoffTable
from leaderboards.ratings.bradley_terry import Rating
from leaderboards.ratings.nash_average import NashAverage
from leaderboards.ratings.population import population_score
from leaderboards.sharing import company, pareto_efficiency, pareto_front
from leaderboards.snapshots import histories
from leaderboards.table import Results

_BIAS_MOST, _BIAS_DRAWS = 200, 200  # entrants up to which the bias of the worst opponent is simulated, and how often


@dataclass(frozen=True)
class Standing:
    """One entrant's line. Numbers are NaN where nothing is known."""

    rank: int
    best_rank: int
    worst_rank: int
    entrant: str
    spec: str
    kind: str
    matches: int
    payoff: float
    """Per round, self-matches included, every opponent weighted equally."""
    payoff_half: float
    """Half the 95 % interval."""
    wins: int
    draws: int
    losses: int
    elo: float
    elo_half: float
    nash_mass: float
    nash_mass_low: float
    """Ends of the 95 % bootstrap interval."""
    nash_mass_high: float
    nash_skill: float
    nash_skill_low: float
    nash_skill_high: float
    illegal_rate: float
    tokens: float
    """Per match and seat."""
    seconds: float
    """Per match and seat."""
    payoff_per_1000_tokens: float
    efficient: bool
    """Whether nobody is as strong (in what is ranked by) for fewer tokens; where nobody uses tokens, seconds."""
    by_seat: tuple[float, ...]
    """Payoff per round in each seat."""
    welfare: float
    """What everybody at its tables earned a round, itself included."""
    exploits: float
    """How much more a round it took from its opponents than they from it, where it did."""
    exploited: float
    """How much less, where it did."""
    pareto: float
    """Share of its pairings, itself included, that no pairing of the population beats for both sides."""
    self_play: float
    """Payoff per round with a copy of itself."""
    cross_play: float
    """Payoff per round with others."""
    worst: float
    """What the opponent that is worst for it takes from it a round: its exploitability within the population."""
    worst_bias: float
    """By how much noise alone inflates ``worst``, the greatest of many noisy means."""
    nemesis: str
    """Who that opponent is; empty where nobody was met."""
    measures: Mapping[str, float]
    marks: tuple[str, ...]
    """Why the Elo is less certain than it looks: ``prior-bound``, ``preliminary``, ``unplayed``."""
    history: tuple[float, ...]
    """What is ranked by of the snapshots of its training run up to this one; empty where there is no run."""
    change: int | None = None
    """Ranks gained since the board it is compared with; None: not compared, or new."""
    elo_change: float = float("nan")
    payoff_change: float = float("nan")

    @property
    def aggregate(self) -> float:
        """Payoff minus what the worst opponent takes (arXiv 2303.03196): for zero-sum games."""
        return self.payoff - self.worst

    @property
    def coordination_gap(self) -> float:
        """Self-play minus cross-play: what is lost with strangers."""
        return self.self_play - self.cross_play


NUMBERS: Mapping[str, Callable[[Standing], float]] = {
    "rank": lambda s: float(s.rank),
    "matches": lambda s: float(s.matches),
    "payoff": lambda s: s.payoff,
    "elo": lambda s: s.elo,
    "mass": lambda s: s.nash_mass,
    "skill": lambda s: s.nash_skill,
    "illegal": lambda s: s.illegal_rate,
    "tokens": lambda s: s.tokens,
    "seconds": lambda s: s.seconds,
}
"""The number behind a column, by the column's name: what boards are sorted by."""


def standings(
    results: Results, payoffs: PayoffTable, rating: Rating, nash: NashAverage, interval: NashInterval, ranked_by: str
) -> list[Standing]:
    """The lines of one game's board, best first; equals in the order of their names."""
    by_elo = ranked_by == "elo"
    value = rating.elo if by_elo else np.nan_to_num(payoffs.per_round, nan=-np.inf)
    best, worst = (rating.best_rank, rating.worst_rank) if by_elo else (payoffs.best_rank, payoffs.worst_rank)
    columns = {
        "best_rank": best,
        "worst_rank": worst,
        **_columns(results, payoffs, rating, nash, interval),
        **_cost(results, payoffs, value),
        **_company(results, payoffs),
        **_worst(payoffs),
    }
    lists = {name: column.tolist() for name, column in columns.items()}
    followed = histories(results.specs, (rating.elo if by_elo else payoffs.per_round).tolist())
    order = sorted(range(results.n), key=lambda k: (-round(float(value[k]), 9), results.entrants[k]))
    return [
        Standing(
            rank=1 + int((value > value[k] + 1e-9).sum()),
            entrant=results.entrants[k],
            spec=results.specs[k],
            kind=results.kinds[k],
            by_seat=tuple(results.totals.by_seat[k].tolist()),
            measures={name: float(values[k]) for name, values in results.totals.measures.items()},
            marks=rating.marks[k],
            history=followed[k],
            **{name: column[k] for name, column in lists.items()},
        )
        for k in order
    ]


def _columns(
    results: Results, payoffs: PayoffTable, rating: Rating, nash: NashAverage, interval: NashInterval
) -> dict[str, NDArray[Any]]:
    whole = {"matches": results.totals.matches, "wins": payoffs.wins, "draws": payoffs.draws, "losses": payoffs.losses}
    return {
        **{name: values.astype(np.int64) for name, values in whole.items()},
        "payoff": payoffs.per_round,
        "payoff_half": payoffs.per_round_half,
        "elo": rating.elo,
        "elo_half": rating.half,
        "nash_mass": nash.mass,
        "nash_mass_low": interval.mass_low,
        "nash_mass_high": interval.mass_high,
        "nash_skill": nash.skill + 0.0,
        "nash_skill_low": interval.skill_low + 0.0,
        "nash_skill_high": interval.skill_high + 0.0,
        "illegal_rate": payoffs.illegal_rate,
        "tokens": payoffs.tokens,
        "seconds": payoffs.seconds,
    }


def _cost(results: Results, payoffs: PayoffTable, strength: FloatArray) -> dict[str, NDArray[Any]]:
    totals = results.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        per_token = np.where(totals.tokens > 0, 1000 * totals.payoff / totals.tokens, np.nan)
    front = pareto_front(strength, payoffs.tokens if totals.tokens.any() else payoffs.seconds)
    efficient = np.zeros(results.n, dtype=bool)
    efficient[front] = totals.tokens.any() or totals.seconds.any()
    return {"payoff_per_1000_tokens": per_token, "efficient": efficient}


def _company(results: Results, payoffs: PayoffTable) -> dict[str, NDArray[Any]]:
    found, totals = company(payoffs.mean), results.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        joint = totals.joint / totals.rounds
    return {
        "welfare": found.welfare if results.seats == 2 else joint,
        "exploits": found.exploits,
        "exploited": found.exploited,
        "pareto": pareto_efficiency(payoffs.mean, payoffs.half),
        "self_play": found.self_play,
        "cross_play": found.cross_play,
    }


def _worst(payoffs: PayoffTable) -> dict[str, NDArray[Any]]:
    """Each entrant's worst opponent, itself included, as far as it was met."""
    loss_NN = np.where(np.isnan(payoffs.mean), -np.inf, -payoffs.mean)
    place = loss_NN.argmax(axis=1)
    met = np.asarray(np.isfinite(loss_NN).any(axis=1))
    names = [payoffs.names[k] if known else "" for k, known in zip(place.tolist(), met.tolist(), strict=True)]
    worst = np.where(met, loss_NN.max(axis=1), np.nan)
    return {"worst": worst, "worst_bias": _bias(payoffs), "nemesis": np.array(names, dtype=object)}


def _bias(payoffs: PayoffTable) -> FloatArray:
    """What noise adds to the greatest of many means; NaN where a pair has fewer than two deals, or with too many."""
    known = np.isfinite(payoffs.mean).all() and np.isfinite(payoffs.half).all()
    if not known or len(payoffs.names) > _BIAS_MOST:
        return np.full(len(payoffs.names), np.nan)
    errors = payoffs.half / NORMAL_95
    return np.maximum(population_score(payoffs.mean, errors=errors, draws=_BIAS_DRAWS).noise_bias, 0.0)
