"""The equilibrium player of every game whose equilibrium is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.matrix import Ints
from policies.policy import BasePolicy, MatchId, Reply, Script, Turn
from policies.registry import script
from policies.scripted.kuhn import KuhnNash
from policies.scripted.matrix import MATRIX_GAMES, ArrayBot, Carry, View
from policies.scripted.matrix_throws import StageNash
from policies.scripted.minimax import Minimax


@script("nash", games=(*MATRIX_GAMES, "kuhn-poker", "tic-tac-toe"))
class Nash(BasePolicy):
    """Plays an exact equilibrium: of one round in matrix games (the mixed one), elsewhere of the match."""

    def __init__(self) -> None:
        self.players: dict[str, ArrayBot | Script] = {
            **dict.fromkeys(MATRIX_GAMES, StageNash()),
            "kuhn-poker": KuhnNash(),
            "tic-tac-toe": Minimax(),
        }

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn, by the player of its game."""
        games = [turn.game.name for turn in turns]
        if len(set(games)) == 1:
            return self.players[games[0]].act(turns)
        return [self.players[name].act([turn])[0] for name, turn in zip(games, turns, strict=True)]

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """The equilibrium's distributions."""
        return [self.players[turn.game.name].distribution(turn) for turn in turns]

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The moves of a block of matrix games."""
        player = self.players[view.game.name]
        assert isinstance(player, ArrayBot)
        return player.throw(view, carry)

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Nothing is kept."""
