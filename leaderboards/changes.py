"""What changed since a board was last looked at: ranks, Elo and payoff, entrant by entrant."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from leaderboards.arrays import TableError
from leaderboards.board import Board, Section
from leaderboards.plain import plain
from leaderboards.standing import Standing


def remembered(board: Board) -> dict[str, Any]:
    """What has to be kept of a board so that a later one can be compared with it: plain JSON, as in ``to_json``."""
    return {"format": 1, "games": [_remembered(section) for section in board.sections]}


def changed(board: Board, before: Mapping[str, Any]) -> Board:
    """The board with ranks gained, Elo and payoff changes; games that have no more matches than before show none.

    Args:
        board: as it is now.
        before: an earlier board, from ``to_json`` or :func:`remembered`.

    Raises:
        TableError: it is no such thing.
    """
    try:
        games = {part["game"]: (part["matches"], _lines(part)) for part in before["games"]}
        sections = [_changed(section, *games.get(section.game, (section.matches, {}))) for section in board.sections]
    except (KeyError, TypeError) as error:
        raise TableError(f"this is no board to compare with ({error}); give what `--json` printed earlier") from None
    return Board(tuple(sections), board.overall)


def read_board(path: str | Path) -> dict[str, Any]:
    """An earlier board from the file that ``--json`` was written to.

    Raises:
        TableError: the file can't be read, or is no JSON object.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError(f"can't read {path}: {error.strerror}") from None
    except ValueError as error:
        raise TableError(f"{path} is no JSON ({error}); give what `--json` printed earlier") from None
    if not isinstance(found, dict):
        raise TableError(f"{path} holds no board; give what `--json` printed earlier")
    return found


def _remembered(section: Section) -> dict[str, Any]:
    kept = ("entrant", "rank", "elo", "payoff")
    lines = [{key: plain(getattr(line, key)) for key in kept} for line in section.standings]
    return {"game": section.game, "matches": section.matches, "standings": lines}


def _lines(part: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {line["entrant"]: line for line in part["standings"]}


def _changed(section: Section, matches: int, lines: Mapping[str, Mapping[str, Any]]) -> Section:
    if section.matches <= matches:
        return section
    return replace(section, standings=tuple(_line(line, lines.get(line.entrant)) for line in section.standings))


def _line(line: Standing, before: Mapping[str, Any] | None) -> Standing:
    if before is None:
        return line
    return replace(
        line,
        change=int(before["rank"]) - line.rank,
        elo_change=line.elo - _number(before["elo"]),
        payoff_change=line.payoff - _number(before["payoff"]),
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
