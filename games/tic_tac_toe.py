"""Tic-tac-toe."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property

from games.game import Game, GameInfo, Moves, Observation, Rewards
from games.stream import Stream

CELLS = tuple("123456789")  # in reading order
MARKS = ("X", "O")
LINES = (
    *((r, r + 1, r + 2) for r in (0, 3, 6)),  # rows
    *((c, c + 3, c + 6) for c in (0, 1, 2)),  # columns
    (0, 4, 8),
    (2, 4, 6),
)


@dataclass(frozen=True, slots=True)
class Board:
    """A position; equal positions are equal states, however they came about."""

    cells: str = "." * 9
    """``X``, ``O`` or ``.`` for each of ``CELLS``."""
    line: tuple[str, ...] = field(default=(), compare=False)
    """The cells taken so far, oldest first."""


@dataclass(frozen=True)
class TicTacToe(Game[Board]):
    """Tic-tac-toe: three in a row on a three by three board."""

    @cached_property
    def info(self) -> GameInfo:
        """What is true of tic-tac-toe."""
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 2),
            roles=MARKS,
            payoff_bounds=(-1.0, 1.0),
            max_ticks=9,
            moves=CELLS,
            zero_sum=True,
            perfect_information=True,
            deterministic=True,
        )

    def start(self, rng: Stream) -> Board:
        """The empty board; draws nothing."""
        return Board()

    def to_move(self, state: Board) -> tuple[int, ...]:
        """X and O in turn, until three in a row or a full board."""
        return () if _winner(state.cells) is not None or len(state.line) == 9 else (len(state.line) % 2,)

    def moves(self, state: Board, seat: int) -> Moves:
        """The free cells."""
        return _free(state.cells)

    def play(self, state: Board, moves: tuple[str, ...], rng: Stream) -> tuple[Board, Rewards]:
        """Take a cell; three in a row give 1 to the mover and -1 to the other."""
        at, seat = CELLS.index(moves[0]), len(state.line) % 2
        cells = state.cells[:at] + MARKS[seat] + state.cells[at + 1 :]
        won = _winner(cells)
        rewards = (0.0, 0.0) if won is None else (1.0, -1.0) if won == 0 else (-1.0, 1.0)
        return Board(cells, (*state.line, moves[0])), rewards

    def observe(self, state: Board, seat: int) -> Observation:
        """The other's move and the free cells."""
        free = _free(state.cells).texts
        fields = {"mark": MARKS[seat], "cells": state.cells, "line": state.line, "free": free}
        theirs = bool(state.line) and (len(state.line) - 1) % 2 != seat
        news = f"{MARKS[1 - seat]} took {state.line[-1]}. " if theirs else ""
        return Observation(news + self._outlook(state, seat), fields)

    def _outlook(self, state: Board, seat: int) -> str:
        won = _winner(state.cells)
        if won is not None:
            return "You win." if won == seat else "You lose."
        if len(state.line) == 9:
            return "A draw."
        if len(state.line) % 2 != seat:
            return "The other player is to move."
        return f"Free: {' '.join(_free(state.cells).texts)}. Your move."

    def key(self, state: Board, seat: int) -> str:
        """The moves so far: both see everything."""
        return " ".join(state.line)

    def rules(self, seat: int) -> str:
        """The whole game in fewer than 90 words."""
        order = "You move first." if seat == 0 else "You move second."
        return (
            "You play tic-tac-toe with one other player. The cells are numbered in rows: 1 2 3, 4 5 6, 7 8 9. "
            f"You are {MARKS[seat]}. {order} In turn each player takes a free cell. "
            "Three cells in a row, in a column or on a diagonal win 1, and the other player loses 1. "
            "A full board is a draw, 0.\n"
            "Answer with the number of one free cell, such as 5."
        )

    def render(self, state: Board, seat: int | None = None) -> str:
        """The board; free cells show their numbers."""
        shown = [cell if mark == "." else mark for cell, mark in zip(CELLS, state.cells, strict=True)]
        return "\n".join(" ".join(shown[r : r + 3]) for r in (0, 3, 6))


@cache
def _winner(cells: str) -> int | None:
    """The seat with three in a row, if any."""
    for a, b, c in LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return MARKS.index(cells[a])
    return None


@cache
def _free(cells: str) -> Moves:
    return Moves(tuple(cell for cell, mark in zip(CELLS, cells, strict=True) if mark == "."))


GAME = TicTacToe
