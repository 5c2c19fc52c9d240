"""Perfect play by full search of small games."""

from __future__ import annotations

from typing import Any

from games import Game, Move
from games.stream import NoChance
from policies.policy import Script, Turn
from policies.registry import script

_LONGEST = 12  # ticks; what a full search can be asked for


@script("minimax", games=("tic-tac-toe",), paper="von Neumann 1928, doi 10.1007/BF01448847")
class Minimax(Script):
    """Searches the whole game and plays uniformly among the moves of greatest value."""

    def __init__(self) -> None:
        self._values: dict[tuple[Game[Any], Any], float] = {}

    def check(self, game: Game[Any]) -> str:
        """Why this game can't be searched, or an empty string."""
        info = game.info
        small = info.max_ticks <= _LONGEST and info.moves is not None and len(info.moves) <= _LONGEST
        if game.seats == 2 and info.zero_sum and info.perfect_information and info.deterministic and small:
            return ""
        return f'"minimax" searches small two-seat zero-sum games without chance or hidden information, not {game.name}'

    def decide(self, turn: Turn) -> str:
        """One of the best moves, each alike."""
        return turn.rng.choice(self.best(turn.game, turn.state))

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Uniform over the best moves."""
        best = self.best(turn.game, turn.state)
        return {move: (move in best) / len(best) for move in turn.moves.texts}

    def best(self, game: Game[Any], state: Any) -> list[Move]:
        """The moves of greatest value for the seat to move."""
        (seat,) = game.to_move(state)
        values = {move: self._after(game, state, move, seat) for move in game.moves(state, seat).texts}
        top = max(values.values())
        return [move for move, value in values.items() if value == top]

    def value(self, game: Game[Any], state: Any) -> float:
        """What seat 0 still gets when both play perfectly."""
        known = self._values.get((game, state))
        if known is None:
            known = self._values[game, state] = self._search(game, state)
        return known

    def _search(self, game: Game[Any], state: Any) -> float:
        movers = game.to_move(state)
        if not movers:
            return 0.0
        seat = movers[0]
        best = max(self._after(game, state, move, seat) for move in game.moves(state, seat).texts)
        return best if seat == 0 else -best

    def _after(self, game: Game[Any], state: Any, move: Move, seat: int) -> float:
        """What ``seat`` gets from ``move`` on."""
        following, rewards = game.play(state, (move,), NoChance())
        value = rewards[0] + self.value(game, following)
        return value if seat == 0 else -value
