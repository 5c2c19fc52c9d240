"""Plots of a board as PNG files (matplotlib, an extra): ratings, head to head, Nash mass, cost, training curves."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from games.errors import MissingExtra
from games.inert import inert_line
from leaderboards.arrays import FloatArray, TableError
from leaderboards.board import Board, Section
from leaderboards.snapshots import run_of
from leaderboards.standing import Standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 60
"""Entrants that a plot shows at most, the best."""
Plot = tuple[str, "Figure"]


def save_plots(board: Board, folder: str | Path) -> list[Path]:
    """Write the plots of every game of a board, and return the files.

    Args:
        board: from :func:`leaderboards.from_store`.
        folder: made where it isn't there.

    Raises:
        MissingExtra: matplotlib isn't installed.
        TableError: the folder can't be written.
    """
    found = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for number, section in enumerate(board.sections, 1):
            for name, figure in plots(section):
                path = Path(folder) / f"{number}-{_slug(section.game)}-{name}.png"
                figure.savefig(path, dpi=120, bbox_inches="tight", metadata={"Software": None})
                found.append(path)
    except OSError as error:
        raise TableError(f"can't write plots to {folder}: {error.strerror}") from None
    return found


def plots(section: Section) -> Iterator[Plot]:
    """(name, figure) of each plot that has something to show."""
    yield "ratings", ratings(section)
    yield "head-to-head", heat_map(section)
    yield "nash-mass", nash_mass(section)
    if (figure := cost(section)) is not None:
        yield "cost", figure
    if (figure := learning(section)) is not None:
        yield "learning", figure


def ratings(section: Section) -> Figure:
    """What is ranked by, with 95 % intervals."""
    lines = section.standings[:MOST]
    figure, axes = _figure(8, 1 + 0.28 * len(lines))
    for place, line in enumerate(lines):
        value, half = _strength(section, line), _half(section, line)
        axes.errorbar(value, place, xerr=None if math.isnan(half) else half, fmt="o", color="C0", capsize=3)
    _named(axes, lines)
    axes.set_xlabel(_unit(section))
    axes.grid(axis="x", alpha=0.3)
    _titled(axes, section, "95 % intervals")
    return figure


def heat_map(section: Section) -> Figure:
    """Row's payoff per round against column, with the number of matches where there is room."""
    lines = section.standings[:MOST]
    n = len(lines)
    table: FloatArray = section.head_to_head[:n, :n]
    figure, axes = _figure(3 + 0.5 * n, 1.5 + 0.45 * n)
    picture = axes.imshow(np.ma.masked_invalid(table), cmap="cividis", aspect="auto")
    figure.colorbar(picture, label="payoff per round of row")
    _named(axes, lines)
    axes.set_xticks(range(n), [str(k + 1) for k in range(n)])
    for row, column in np.ndindex(n, n) if n <= 20 else ():
        value = table[row, column]
        shade = "white" if value < np.nanmean(table) else "black"
        label = "" if math.isnan(value) else f"{value:.2f}\n{section.met[row, column]:.0f}"
        axes.text(column, row, label, ha="center", va="center", fontsize=7, color=shade)
    _titled(axes, section, "head to head, and matches")
    return figure


def nash_mass(section: Section) -> Figure:
    """Nash mass with its bootstrap interval, and skill beside it."""
    lines = [line for line in section.standings if line.nash_mass > 1e-3 or line.nash_mass_high > 1e-3][:MOST]
    figure, axes = _figure(8, 1 + 0.28 * len(lines))
    for place, line in enumerate(lines):
        axes.barh(place, line.nash_mass, color="C0")
        if not math.isnan(line.nash_mass_low):
            axes.plot([line.nash_mass_low, line.nash_mass_high], [place, place], color="black", linewidth=1)
    _named(axes, lines)
    axes.set_xlabel("Nash mass")
    axes.set_xlim(0, 1)
    _titled(axes, section, "most even equilibrium")
    return figure


def cost(section: Section) -> Figure | None:
    """Strength against tokens per match, or seconds where nobody uses tokens; the Pareto front is marked."""
    tokens = any(line.tokens > 0 for line in section.standings)
    spent: Callable[[Standing], float] = (lambda line: line.tokens) if tokens else (lambda line: line.seconds)
    lines = [line for line in section.standings[:MOST] if spent(line) > 0]
    if len(lines) < 2:
        return None
    figure, axes = _figure(8, 5)
    for line in lines:
        axes.scatter(spent(line), _strength(section, line), color="C1" if line.efficient else "C0")
        axes.annotate(_text(line.entrant), (spent(line), _strength(section, line)), fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel(f"{'tokens' if tokens else 'seconds'} per match")
    axes.set_ylabel(_unit(section))
    _titled(axes, section, "strength against cost; orange: nobody is as strong for less")
    return figure


def learning(section: Section) -> Figure | None:
    """The rating of each training run's snapshots; None where no run has two."""
    runs: dict[str, list[tuple[float, Standing]]] = {}
    for line in section.standings:
        if (found := run_of(line.spec)) is not None:
            runs.setdefault(found[0], []).append((found[1], line))
    runs = {run: _finite(sorted(steps, key=lambda step: step[0])) for run, steps in runs.items() if len(steps) > 1}
    if not runs:
        return None
    figure, axes = _figure(8, 5)
    for run, steps in runs.items():
        values = [_strength(section, line) for _, line in steps]
        halves = np.nan_to_num([_half(section, line) for _, line in steps])
        axes.errorbar([step for step, _ in steps], values, yerr=halves, marker="o", capsize=3, label=_text(run))
    axes.set_xlabel("training step")
    axes.set_ylabel(_unit(section))
    axes.legend(fontsize=8)
    _titled(axes, section, "ratings of snapshots")
    return figure


def _finite(steps: list[tuple[float, Standing]]) -> list[tuple[float, Standing]]:
    """The final adapter, whose step isn't known, one step's distance after the last snapshot."""
    known = [step for step, _ in steps if math.isfinite(step)]
    gap = known[-1] - known[-2] if len(known) > 1 else 1.0
    return [(step if math.isfinite(step) else (known[-1] + gap if known else 0.0), line) for step, line in steps]


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of its own: no window, no state shared with anybody's plots."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plots need matplotlib; pip install 'selfplay-arena[plots]'") from None
    figure = Figure(figsize=(width, height))
    return figure, figure.add_subplot()


def _named(axes: Axes, lines: list[Standing] | tuple[Standing, ...]) -> None:
    axes.set_yticks(range(len(lines)), [f"{line.rank} {_text(line.entrant)}" for line in lines], fontsize=8)
    axes.set_ylim(len(lines) - 0.5, -0.5)


def _titled(axes: Axes, section: Section, what: str) -> None:
    axes.set_title(f"{_text(section.game)}: {what}", fontsize=10)


def _strength(section: Section, line: Standing) -> float:
    return line.elo if section.ranked_by == "elo" else line.payoff


def _half(section: Section, line: Standing) -> float:
    return line.elo_half if section.ranked_by == "elo" else line.payoff_half


def _unit(section: Section) -> str:
    return "Elo" if section.ranked_by == "elo" else "payoff per round"


def _text(value: str) -> str:
    """A name that matplotlib shows as it is: a dollar sign would begin a formula."""
    return inert_line(value, 30).replace("$", r"\$")


def _slug(game: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")[:40]
