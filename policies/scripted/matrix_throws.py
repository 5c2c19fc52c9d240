"""Players of any matrix game: constants, cycles, and replies to what the other did."""

from __future__ import annotations

from typing import Any

import numpy as np

from games import Game
from games.matrix import Floats, Ints, MatrixGame
from policies.registry import script
from policies.scripted.matrix import MATRIX_GAMES, ArrayBot, Carry, MixedBot, View

_LANCTOT = "Lanctot et al. 2023, arXiv 2303.03196"


@script("constant", games=MATRIX_GAMES, arguments=":MOVE")
class Constant(ArrayBot):
    """Plays MOVE in every round (without an argument the game's first move)."""

    def __init__(self, move: str = "") -> None:
        super().__init__()
        self.move = move

    def check(self, game: Game[Any]) -> str:
        """Why this bot can't play ``game``: the move must be one of the game's."""
        why = super().check(game)
        if why or not self.move or not isinstance(game, MatrixGame) or self.move in game.family.moves:
            return why
        return f'"{self.name}" can\'t play {game.name}, whose moves are {", ".join(game.family.moves)}'

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The one move."""
        return view.full(view.game.family.moves.index(self.move) if self.move else 0), None


@script("rotate", games=MATRIX_GAMES, paper=_LANCTOT)
class Rotate(ArrayBot):
    """Plays the moves in turn, over and over."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The round's number, modulo the moves."""
        return view.full(view.round % view.n_moves), None


@script("turn-taking", games=("battle-of-the-sexes",))
class TurnTaking(Rotate):
    """Opera in odd rounds, football in even ones: both get their favourite half of the time."""

    kinds = ("cooperative",)


@script("counter-last", games=MATRIX_GAMES, paper=_LANCTOT)
class CounterLast(ArrayBot):
    """Plays the best reply to the other's last move, and to its first move in round one ("copybot")."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The best reply to the last move."""
        last = view.other[:, -1] if view.round else view.full(0)
        return view.payoffs.argmax(axis=0)[last], None


@script("frequency", games=MATRIX_GAMES, paper=_LANCTOT)
class Frequency(ArrayBot):
    """Plays the best reply to the other's most frequent move so far; first, and among equals, the earliest move."""

    keeps = True

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The best reply to the fullest count; ``counts`` is ``(B, n)``."""
        if carry is None:
            return view.full(0), {"counts": np.zeros((view.size, view.n_moves), np.int32)}
        counts = carry["counts"] + np.eye(view.n_moves, dtype=np.int32)[view.other[:, -1]]
        return view.payoffs.argmax(axis=0)[counts.argmax(axis=1)], {"counts": counts}


class StageNash(MixedBot):
    """Plays an equilibrium of the single round: the mixed one where there is one, else the dominant move."""

    def mixture(self, view: View, carry: Carry) -> Floats:
        """The same mixture in every match and round."""
        return np.tile(stage_equilibrium(view.game, view.seat), (view.size, 1))


def stage_equilibrium(game: MatrixGame, seat: int) -> Floats:
    """The seat's part ``(n,)`` of the mixed equilibrium of one round, noise counted in.

    With two moves the mixture leaves the other indifferent; where no mixture does, a move dominates. With three it is
    uniform: every row of rock-paper-scissors sums to the same.
    """
    n = len(game.family.moves)
    slip = np.full((n, n), game.noise / (n - 1))
    np.fill_diagonal(slip, 1 - game.noise)
    own, other = (slip @ np.array(game.tables[s]) @ slip.T for s in (seat, 1 - seat))
    if n > 2:
        return np.full(n, 1 / n)
    spread = other[0, 0] - other[0, 1] - other[1, 0] + other[1, 1]
    first = (other[1, 1] - other[0, 1]) / spread if abs(spread) > 1e-12 else -1.0
    if not 0 <= first <= 1:
        first = float(own[0].sum() > own[1].sum())
    return np.array([first, 1 - first])
