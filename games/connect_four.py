"""Connect four: seven columns of six cells, four in a row wins.

The rules are those of OpenSpiel's ``connect_four``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property

from games.errors import IllegalMove
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

COLUMNS, ROWS = 7, 6
MARKS = ("X", "O")
MOVES = tuple(f"column {number}" for number in range(1, COLUMNS + 1))
HEIGHT = ROWS + 1
"""Bits of a column: cell (column, row), both from 0, is bit ``column * HEIGHT + row``; the top bit stays empty."""

_DIRECTIONS = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)  # up, right and the two diagonals
_CELLS = COLUMNS * ROWS
_BOTTOM_ROW = sum(1 << column * HEIGHT for column in range(COLUMNS))
_BOARD = _BOTTOM_ROW * ((1 << ROWS) - 1)
_NUMBERS = Moves(tuple(str(number) for number in range(1, COLUMNS + 1)))


@dataclass(frozen=True, slots=True)
class Discs:
    """A position; equal positions are equal states, however they came about."""

    stones: tuple[int, int] = (0, 0)
    """The cells of each seat as bits, see ``HEIGHT``."""
    line: tuple[Move, ...] = field(default=(), compare=False)
    """The moves so far, oldest first."""


@dataclass(frozen=True)
class ConnectFour(Game[Discs]):
    """Connect four: drop discs into seven columns, four in a row wins."""

    @cached_property
    def info(self) -> GameInfo:
        """What is true of connect four."""
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 2),
            roles=MARKS,
            payoff_bounds=(-1.0, 1.0),
            max_ticks=_CELLS,
            moves=MOVES,
            zero_sum=True,
            perfect_information=True,
            deterministic=True,
            paper="Allis 1988, A knowledge-based approach of Connect-Four, Vrije Universiteit Amsterdam IR-163",
        )

    def start(self, rng: Stream) -> Discs:
        """The empty board; draws nothing."""
        return Discs()

    def to_move(self, state: Discs) -> tuple[int, ...]:
        """X and O in turn, until four in a row or a full board."""
        moved = len(state.line)
        return () if moved == _CELLS or four_in_a_row(state.stones[1 - moved % 2]) else (moved % 2,)

    def moves(self, state: Discs, seat: int) -> Moves:
        """The columns that are not full."""
        return _free((state.stones[0] | state.stones[1]) >> (ROWS - 1) & _BOTTOM_ROW)

    def parse(self, state: Discs, seat: int, reply: str) -> Move:
        """A column, also by its number alone.

        Raises:
            IllegalMove: the reply names no free column, or more than one.
        """
        free = self.moves(state, seat)
        try:
            return read_move(reply, free)
        except IllegalMove as error:
            named = _numbered(reply)
            if named in free.texts:
                return named
            raise IllegalMove(f"{named} is full; legal is {free.describe()}") if named else error from None

    def play(self, state: Discs, moves: tuple[Move, ...], rng: Stream) -> tuple[Discs, Rewards]:
        """The disc falls; four in a row give 1 to the mover and -1 to the other."""
        seat = len(state.line) % 2
        own, other = state.stones[seat], state.stones[1 - seat]
        own |= landings(own | other) & column_of(MOVES.index(moves[0]))
        stones = (own, other) if seat == 0 else (other, own)
        won = (1.0, -1.0) if seat == 0 else (-1.0, 1.0)
        return Discs(stones, (*state.line, moves[0])), won if four_in_a_row(own) else (0.0, 0.0)

    def observe(self, state: Discs, seat: int) -> Observation:
        """The other's disc and the free columns."""
        free = self.moves(state, seat).texts
        fields = {"mark": MARKS[seat], "stones": state.stones, "line": state.line, "free": free}
        theirs = bool(state.line) and (len(state.line) - 1) % 2 != seat
        news = _last(state) if theirs else ""
        return Observation(news + self._outlook(state, seat), fields)

    def _outlook(self, state: Discs, seat: int) -> str:
        if not self.to_move(state):
            winner = next((s for s in (0, 1) if four_in_a_row(state.stones[s])), None)
            return "A draw." if winner is None else "You win." if winner == seat else "You lose."
        if len(state.line) % 2 != seat:
            return "The other player is to move."
        columns = " ".join(move[-1] for move in self.moves(state, seat).texts)
        return f"Free columns: {columns}. Your move."

    def key(self, state: Discs, seat: int) -> str:
        """The columns so far, as in ``443``: both see everything."""
        return "".join(move[-1] for move in state.line)

    def rules(self, seat: int) -> str:
        """The whole game in fewer than 100 words."""
        order = "You move first." if seat == 0 else "You move second."
        return (
            "You play connect four with one other player. The board has seven columns, 1 to 7 from left to right, and "
            f"six rows, 1 at the bottom. You are {MARKS[seat]}. {order} In turn each player drops a disc into a column "
            "that is not full; it falls to the lowest free row. Four own discs side by side in a row, a column or a "
            "diagonal win 1, and the other player loses 1. A full board is a draw, 0.\n"
            "Answer with one column, such as column 4."
        )

    def render(self, state: Discs, seat: int | None = None) -> str:
        """The board, row 6 on top."""
        rows = [f"{r + 1} " + " ".join(_mark(state, c, r) for c in range(COLUMNS)) for r in reversed(range(ROWS))]
        return "\n".join([*rows, "  " + " ".join(str(c + 1) for c in range(COLUMNS))])


def four_in_a_row(stones: int) -> bool:
    """Whether these cells hold four in a row."""
    for step in _DIRECTIONS:
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def landings(taken: int) -> int:
    """The lowest free cell of each column that is not full; ``taken`` are the cells that hold discs."""
    return (taken + _BOTTOM_ROW) & _BOARD


def column_of(column: int) -> int:
    """All cells of a column (from 0)."""
    return ((1 << ROWS) - 1) << column * HEIGHT


def completing(stones: int) -> int:
    """The cells, free or not, that would make four in a row together with ``stones``."""
    found = 0
    for step in _DIRECTIONS:
        above, below = stones << step, stones >> step
        two_above, two_below = above & stones << 2 * step, below & stones >> 2 * step
        found |= two_above & (stones << 3 * step | below) | two_below & (stones >> 3 * step | above)
    return found & _BOARD


@cache
def _free(top_row: int) -> Moves:
    """The columns that ``top_row``, the cells of row 6 moved down to row 1, leaves free."""
    return Moves(tuple(move for column, move in enumerate(MOVES) if not top_row >> column * HEIGHT & 1))


def _numbered(reply: str) -> Move | None:
    """The column whose number the reply names, if it names exactly one."""
    try:
        return f"column {read_move(reply, _NUMBERS)}"
    except IllegalMove:
        return None


def _last(state: Discs) -> str:
    """Whose disc landed last, and where."""
    mark, row = MARKS[(len(state.line) - 1) % 2], state.line.count(state.line[-1])
    return f"{mark} took {state.line[-1]}, row {row}. "


def _mark(state: Discs, column: int, row: int) -> str:
    bit = 1 << column * HEIGHT + row
    return next((mark for mark, stones in zip(MARKS, state.stones, strict=True) if stones & bit), ".")


GAME = ConnectFour
