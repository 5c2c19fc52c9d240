"""Players of connect four: one that sees threats, and one that only likes the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from games.connect_four import COLUMNS, HEIGHT, MARKS, MOVES, column_of, completing, landings
from policies.policy import Script, Turn
from policies.registry import script

CONNECT_FOUR = ("connect-four",)
_MIDDLE = COLUMNS // 2


class ColumnPicker(Script):
    """A player that is a list of candidates: uniform among the columns (from 0) of :meth:`candidates`."""

    def candidates(self, own: int, other: int, free: Sequence[int]) -> Sequence[int]:
        """The columns it chooses among; ``own`` and ``other`` are the discs as bits, ``free`` the legal columns."""
        raise NotImplementedError

    def decide(self, turn: Turn) -> str:
        """One of the candidates, each alike."""
        return turn.rng.choice(self._moves(turn))

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Uniform over the candidates."""
        chosen = self._moves(turn)
        return {move: (move in chosen) / len(chosen) for move in turn.moves.texts}

    def _moves(self, turn: Turn) -> list[str]:
        seat = MARKS.index(turn.observation.fields["mark"])
        stones = turn.observation.fields["stones"]
        free = [MOVES.index(move) for move in turn.moves.texts]
        return [MOVES[column] for column in self.candidates(stones[seat], stones[1 - seat], free)]


@script("win-block-four", games=CONNECT_FOUR)
class WinBlockFour(ColumnPicker):
    """Wins, else blocks, opens no cell that loses, makes double threats and avoids them, else takes the best cell."""

    def candidates(self, own: int, other: int, free: Sequence[int]) -> Sequence[int]:
        """Each wish narrows the choice where some column fulfils it."""
        cells = landings(own | other)
        decided = completing(own) & cells or completing(other) & cells
        drops = {column: cells & column_of(column) for column in free}
        if decided:
            return [column for column, cell in drops.items() if cell & decided]
        columns = _wish(free, lambda c: not _wins_next(other, own | drops[c]))
        columns = _wish(columns, lambda c: _double(own | drops[c], other))
        columns = _wish(columns, lambda c: not _can_double(other, own | drops[c]))
        best = max(_fours_through(drops[c]) for c in columns)
        return [c for c in columns if _fours_through(drops[c]) == best]


@script("centre-four", games=CONNECT_FOUR)
class CentreFour(ColumnPicker):
    """Plays the free column nearest to the middle; looks at nothing else."""

    def candidates(self, own: int, other: int, free: Sequence[int]) -> Sequence[int]:
        """One column, or two at the same distance."""
        nearest = min(abs(column - _MIDDLE) for column in free)
        return [column for column in free if abs(column - _MIDDLE) == nearest]


def _wish(columns: Sequence[int], fulfils: Callable[[int], bool]) -> Sequence[int]:
    """The columns that fulfil a wish, or all where none does."""
    return [column for column in columns if fulfils(column)] or columns


def _wins_next(own: int, other: int) -> int:
    """The cells where the next disc of ``own`` makes four."""
    return completing(own) & landings(own | other)


def _double(own: int, other: int) -> bool:
    """Whether ``own`` could now win in two columns, so that one block is not enough."""
    return _wins_next(own, other).bit_count() > 1


def _can_double(own: int, other: int) -> bool:
    """Whether the next disc of ``own`` could make a double threat."""
    cells = landings(own | other)
    return any(
        _double(own | cells & column_of(column), other) for column in range(COLUMNS) if cells & column_of(column)
    )


@cache
def _fours_through(cell: int) -> int:
    """How many lines of four run through a cell, given as its bit: 3 in a corner, 13 in the middle."""
    return sum(bool(line & cell) for line in _lines())


@cache
def _lines() -> list[int]:
    """The 69 lines of four, as bits."""
    board = sum(map(column_of, range(COLUMNS)))
    steps = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)
    lines = (sum(1 << start + i * step for i in range(4)) for step in steps for start in range(COLUMNS * HEIGHT))
    return [line for line in lines if line & ~board == 0]
