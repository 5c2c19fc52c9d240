"""Mazes: how they are drawn, who sees which cell, and distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.stream import Stream

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""Rows and columns that a step goes."""
FREE, WALL, HIDDEN, START, GOAL = ".", "#", "?", "S", "G"

Cell = int
"""``row * size + column``, from 0, row by row."""


@dataclass(frozen=True, slots=True)
class Maze:
    """A maze and the two copies of it."""

    size: int
    cells: str
    """Every cell, row by row: ``S``, ``G``, ``.`` or ``#``."""
    copies: tuple[str, str]
    """What each of two players sees of it, ``?`` where a cell is hidden."""

    @property
    def start(self) -> Cell:
        """Where the walk starts."""
        return self.cells.index(START)

    @property
    def distances(self) -> tuple[int | None, ...]:
        """The steps from each cell to the goal, None where no way leads there."""
        return distances(self.cells, self.size, self.cells.index(GOAL))


def draw(size: int, walls: float, overlap: float, rng: Stream) -> Maze:
    """A maze whose goal is ``size + 1`` to ``size + 3`` steps away, in two copies of which neither suffices.

    Args:
        size: rows and columns.
        walls: the share of cells that are walls.
        overlap: the share of cells that both copies show, start and goal not counted.
        rng: draws everything.
    """
    count = round(walls * size * size)
    while True:
        order = rng.shuffled(range(size * size))
        blocked, start, others = set(order[:count]), order[count], order[count + 1 :]
        cells = "".join(WALL if cell in blocked else FREE for cell in range(size * size))
        away = distances(cells, size, start)
        goals = [cell for cell in others if size < (away[cell] or 0) <= size + 3]
        if goals:
            return _copied(_marked(cells, start, goals[0]), size, away, round(overlap * size * size), rng)


def _marked(cells: str, start: Cell, goal: Cell) -> str:
    """The cells with start and goal on them."""
    return "".join({start: START, goal: GOAL}.get(cell, kind) for cell, kind in enumerate(cells))


def _copied(cells: str, size: int, away: Sequence[int | None], shared: int, rng: Stream) -> Maze:
    """The maze with its copies.

    Every way to the goal passes each distance from the start. So all cells at one distance are hidden from the first
    player, all at another from the second: in neither copy do the cells that it shows connect start and goal.
    """
    first, second, *_ = rng.shuffled(range(1, away[cells.index(GOAL)] or 0))
    hidden = [{c for c, steps in enumerate(away) if steps == cut} for cut in (first, second)]
    free = [c for c in range(len(cells)) if c not in hidden[0] | hidden[1] and cells[c] not in START + GOAL]
    for place, cell in enumerate(rng.shuffled(free)[shared:]):
        hidden[place % 2].add(cell)
    copies = ["".join(HIDDEN if c in unseen else kind for c, kind in enumerate(cells)) for unseen in hidden]
    return Maze(size, cells, (copies[0], copies[1]))


@lru_cache(maxsize=64)
def neighbours(size: int) -> tuple[dict[str, Cell], ...]:
    """For each cell, where each step leads that stays on the map."""
    return tuple(
        {
            step: (row + down) * size + column + right
            for step, (down, right) in STEPS.items()
            if 0 <= row + down < size and 0 <= column + right < size
        }
        for row in range(size)
        for column in range(size)
    )


@lru_cache(maxsize=4096)
def distances(cells: str, size: int, source: Cell, closed: str = WALL) -> tuple[int | None, ...]:
    """The steps from ``source`` to each cell (breadth first); cells of a kind in ``closed`` can't be entered."""
    found: list[int | None] = [None] * len(cells)
    found[source], front, ways = 0, [source], neighbours(size)
    for cell in front:  # grows while it is read
        for following in ways[cell].values():
            if found[following] is None and cells[following] not in closed:
                found[following] = (found[cell] or 0) + 1
                front.append(following)
    return tuple(found)


def route(cells: str, size: int, start: Cell, closed: str = WALL + HIDDEN) -> list[str] | None:
    """A shortest way from ``start`` to the goal, as steps; None where there is none."""
    away, ways, steps = distances(cells, size, cells.index(GOAL), closed), neighbours(size), []
    if away[start] is None:
        return None
    while cells[start] != GOAL:
        step = min(ways[start], key=lambda s: _far(away[ways[start][s]]))
        steps.append(step)
        start = ways[start][step]
    return steps


def _far(steps: int | None) -> float:
    return float("inf") if steps is None else steps


def merged(copies: Sequence[str]) -> str:
    """One map of what several copies show."""
    return "".join(next((kind for kind in kinds if kind != HIDDEN), HIDDEN) for kinds in zip(*copies, strict=True))


def rows(cells: str, size: int) -> list[str]:
    """The rows of a map, from the top."""
    return [cells[start : start + size] for start in range(0, size * size, size)]
