"""What a run plays: one game, several with weights, or other ones from some step on (a curriculum)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import games
from games import Game
from games.errors import BadOption
from games.stream import Stream

PLUS = " + "


@dataclass(frozen=True)
class Menu:
    """The games of a run, by the step from which on they are played.

    Args:
        pages: (first step, ((weight, game), ...)) in order of steps; the first page begins with step 0.
    """

    pages: tuple[tuple[int, tuple[tuple[float, Game[Any]], ...]], ...]

    @property
    def games(self) -> list[Game[Any]]:
        """Every game that is played at some step, in order of first mention."""
        return list({game.spec: game for _, page in self.pages for _, game in page}.values())

    def draw(self, step: int, rng: Stream) -> Game[Any]:
        """The game of one group of matches of ``step``."""
        page = [page for first, page in self.pages if first <= step][-1]
        return page[0][1] if len(page) == 1 else rng.weighted([g for _, g in page], [w for w, _ in page])


def menu(game: str, curriculum: Sequence[str] = ()) -> Menu:
    """The menu of a configuration.

    Args:
        game: GAME, or several as ``2*kuhn-poker + tic-tac-toe``, sampled by their weights (1 where none is given).
        curriculum: entries ``STEP:GAME``, each in the same form, in force from its step on.

    Raises:
        ArenaError: an unknown game or option, a weight that is no positive number, steps out of order.
    """
    pages = [(0, _page(game)), *(_entry(text) for text in curriculum)]
    if [first for first, _ in pages] != sorted({first for first, _ in pages}):
        raise BadOption("the steps of a curriculum must rise from 1 on, such as 50:goofspiel:cards=4 100:goofspiel")
    return Menu(tuple(pages))


def _entry(text: str) -> tuple[int, tuple[tuple[float, Game[Any]], ...]]:
    head, _, rest = text.partition(":")
    if not head.isdigit() or not rest:
        raise BadOption(f'curriculum entry "{text}" has no step; write STEP:GAME, such as 50:goofspiel:cards=4')
    return int(head), _page(rest)


def _page(text: str) -> tuple[tuple[float, Game[Any]], ...]:
    return tuple(_weighted(part.strip()) for part in text.split(PLUS))


def _weighted(text: str) -> tuple[float, Game[Any]]:
    head, star, spec = text.partition("*")
    if not star:
        return 1.0, games.make(text)
    try:
        weight = float(head)
    except ValueError:
        weight = -1.0
    if not 0 < weight < float("inf"):
        raise BadOption(f'game "{text}": "{head}" is no positive weight; write WEIGHT*GAME, such as 2*kuhn-poker')
    return weight, games.make(spec.strip())
