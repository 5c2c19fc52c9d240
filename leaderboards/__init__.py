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
    from leaderboards.board import Board, Section, Standing, from_store
    from leaderboards.payoffs import PayoffTable, payoff_table
    from leaderboards.ratings.bradley_terry import Rating, bradley_terry
    from leaderboards.ratings.elo import EloRating, elo
    from leaderboards.ratings.nash_average import NashAverage, TaskAverage, nash_average, nash_average_tasks
    from leaderboards.table import Results
    from leaderboards.tally import collect
    from leaderboards.views.svg import export_svg
    from leaderboards.views.terminal import show

_HOME = {
    "Board": "board",
    "EloRating": "ratings.elo",
    "NashAverage": "ratings.nash_average",
    "PayoffTable": "payoffs",
    "Rating": "ratings.bradley_terry",
    "Results": "table",
    "Section": "board",
    "Standing": "board",
    "TableError": "arrays",
    "TaskAverage": "ratings.nash_average",
    "bradley_terry": "ratings.bradley_terry",
    "collect": "tally",
    "elo": "ratings.elo",
    "export_svg": "views.svg",
    "from_store": "board",
    "nash_average": "ratings.nash_average",
    "nash_average_tasks": "ratings.nash_average",
    "payoff_table": "payoffs",
    "show": "views.terminal",
}

__all__ = [
    "Board",
    "EloRating",
    "NashAverage",
    "PayoffTable",
    "Rating",
    "Results",
    "Section",
    "Standing",
    "TableError",
    "TaskAverage",
    "bradley_terry",
    "collect",
    "elo",
    "export_svg",
    "from_store",
    "nash_average",
    "nash_average_tasks",
    "payoff_table",
    "show",
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
