"""Leaderboards: from stored matches to ratings that say how sure they are, and to tables that people can read.

import leaderboards
board = leaderboards.from_store("runs/demo/arena.sqlite")
leaderboards.show(board)
rating = leaderboards.bradley_terry([[0, 7], [3, 0]], names=["new", "old"])
print(rating.elo, rating.half)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leaderboards.arrays import TableError
    from leaderboards.board import Board, Section, from_results, from_store
    from leaderboards.bootstrap import NashInterval, nash_bootstrap
    from leaderboards.changes import changed
    from leaderboards.explanation import explain
    from leaderboards.exports import export
    from leaderboards.overall import Overall
    from leaderboards.payoffs import PayoffTable, payoff_table
    from leaderboards.published import PublishedBoard, from_payoffs
    from leaderboards.ratings.alpha_rank import AlphaRank, alpha_rank
    from leaderboards.ratings.bradley_terry import Rating, bradley_terry
    from leaderboards.ratings.combined import combined
    from leaderboards.ratings.elo import EloRating, elo
    from leaderboards.ratings.glicko import Glicko, glicko, glicko2
    from leaderboards.ratings.hodge import Hodge, curl, cycles, hodge
    from leaderboards.ratings.melo import MElo, melo, melo_online
    from leaderboards.ratings.multiplayer import MultiplayerRating, multiplayer
    from leaderboards.ratings.nash_average import NashAverage, TaskAverage, nash_average, nash_average_tasks
    from leaderboards.ratings.percentiles import PercentileScore, percentile_score
    from leaderboards.ratings.performance import Performance, match_quality, rate_order
    from leaderboards.ratings.population import (
        PopulationScore,
        aggregate_score,
        population_return,
        population_score,
        within_population_exploitability,
    )
    from leaderboards.ratings.social_choice import (
        Ranking,
        borda,
        copeland,
        kemeny,
        maximal_lottery,
        preferences,
        preferences_from_scores,
    )
    from leaderboards.ratings.soft_condorcet import SoftCondorcet, soft_condorcet
    from leaderboards.selection import select
    from leaderboards.sharing import Company, collaboration_gap, company, gini, pareto_efficiency, pareto_front
    from leaderboards.standing import Standing
    from leaderboards.table import Results
    from leaderboards.tally import collect
    from leaderboards.views.svg import export_svg
    from leaderboards.views.terminal import show

_HOME = {
    "AlphaRank": "ratings.alpha_rank",
    "Board": "board",
    "Company": "sharing",
    "EloRating": "ratings.elo",
    "Glicko": "ratings.glicko",
    "Hodge": "ratings.hodge",
    "MElo": "ratings.melo",
    "MultiplayerRating": "ratings.multiplayer",
    "NashAverage": "ratings.nash_average",
    "NashInterval": "bootstrap",
    "Overall": "overall",
    "PayoffTable": "payoffs",
    "PercentileScore": "ratings.percentiles",
    "Performance": "ratings.performance",
    "PopulationScore": "ratings.population",
    "PublishedBoard": "published",
    "Ranking": "ratings.social_choice",
    "Rating": "ratings.bradley_terry",
    "Results": "table",
    "Section": "board",
    "SoftCondorcet": "ratings.soft_condorcet",
    "Standing": "standing",
    "TableError": "arrays",
    "TaskAverage": "ratings.nash_average",
    "aggregate_score": "ratings.population",
    "alpha_rank": "ratings.alpha_rank",
    "borda": "ratings.social_choice",
    "bradley_terry": "ratings.bradley_terry",
    "changed": "changes",
    "collaboration_gap": "sharing",
    "collect": "tally",
    "combined": "ratings.combined",
    "company": "sharing",
    "copeland": "ratings.social_choice",
    "curl": "ratings.hodge",
    "cycles": "ratings.hodge",
    "elo": "ratings.elo",
    "explain": "explanation",
    "export": "exports",
    "export_svg": "views.svg",
    "from_payoffs": "published",
    "from_results": "board",
    "from_store": "board",
    "gini": "sharing",
    "glicko": "ratings.glicko",
    "glicko2": "ratings.glicko",
    "hodge": "ratings.hodge",
    "kemeny": "ratings.social_choice",
    "match_quality": "ratings.performance",
    "maximal_lottery": "ratings.social_choice",
    "melo": "ratings.melo",
    "melo_online": "ratings.melo",
    "multiplayer": "ratings.multiplayer",
    "nash_average": "ratings.nash_average",
    "nash_average_tasks": "ratings.nash_average",
    "nash_bootstrap": "bootstrap",
    "pareto_efficiency": "sharing",
    "pareto_front": "sharing",
    "payoff_table": "payoffs",
    "percentile_score": "ratings.percentiles",
    "population_return": "ratings.population",
    "population_score": "ratings.population",
    "preferences": "ratings.social_choice",
    "preferences_from_scores": "ratings.social_choice",
    "rate_order": "ratings.performance",
    "select": "selection",
    "show": "views.terminal",
    "soft_condorcet": "ratings.soft_condorcet",
    "within_population_exploitability": "ratings.population",
}

__all__ = [
    "AlphaRank",
    "Board",
    "Company",
    "EloRating",
    "Glicko",
    "Hodge",
    "MElo",
    "MultiplayerRating",
    "NashAverage",
    "NashInterval",
    "Overall",
    "PayoffTable",
    "PercentileScore",
    "Performance",
    "PopulationScore",
    "PublishedBoard",
    "Ranking",
    "Rating",
    "Results",
    "Section",
    "SoftCondorcet",
    "Standing",
    "TableError",
    "TaskAverage",
    "aggregate_score",
    "alpha_rank",
    "borda",
    "bradley_terry",
    "changed",
    "collaboration_gap",
    "collect",
    "combined",
    "company",
    "copeland",
    "curl",
    "cycles",
    "elo",
    "explain",
    "export",
    "export_svg",
    "from_payoffs",
    "from_results",
    "from_store",
    "gini",
    "glicko",
    "glicko2",
    "hodge",
    "kemeny",
    "match_quality",
    "maximal_lottery",
    "melo",
    "melo_online",
    "multiplayer",
    "nash_average",
    "nash_average_tasks",
    "nash_bootstrap",
    "pareto_efficiency",
    "pareto_front",
    "payoff_table",
    "percentile_score",
    "population_return",
    "population_score",
    "preferences",
    "preferences_from_scores",
    "rate_order",
    "select",
    "show",
    "soft_condorcet",
    "within_population_exploitability",
]


def __getattr__(name: str) -> Any:
    """Numerical libraries and rich load with the first thing that needs them."""
    if name not in _HOME:
        raise AttributeError(f"module 'leaderboards' has no attribute '{name}'")
    value = getattr(import_module(f"leaderboards.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
