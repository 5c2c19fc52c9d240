"""``best-response:A``: what earns most against A in every other seat, exactly, in games small enough to enumerate.

A is asked for its move probabilities at every information state, once per game; language models can be answered like
scripts. Where A never lets play come, the first legal move is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import Game, Move, exact
from games.errors import BadOption, UsageError
from policies.combinators._parts import Combined, Find
from policies.policy import Policy, Reply, Turn
from policies.strategies import check_keys, key_of, strategy

LARGEST = 50_000  # states of a game whose best responses are computed


class BestResponse(Combined):
    """The exact best response to a policy."""

    def __init__(self, part: Policy) -> None:
        super().__init__([part])
        self._plans: dict[tuple[Game[Any], int], Mapping[str, Move]] = {}
        self._strategies: dict[Game[Any], Sequence[exact.Strategy]] = {}

    def check(self, game: Game[Any]) -> str:
        """Why there is no exact best response in ``game``, or an empty string."""
        if reason := super().check(game):
            return reason
        if getattr(self.parts[0], "probabilities", None) is None:
            return f'"{self.parts[0].name}" gives no move probabilities, so nothing is known to be best against it'
        try:
            exact.tree(game, LARGEST)
            check_keys(game)
            self._plan(game, 0)
        except UsageError as error:
            return str(error)
        except RuntimeError:  # what NoChance raises
            return f"{game.spec} does not list its chance, so best responses can't be computed"
        return ""

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """The best move of each turn."""
        return [Reply(self.decide(turn)) for turn in turns]

    def decide(self, turn: Turn) -> Move:
        """The best move of the turn's information state."""
        return self._plan(turn.game, turn.seat).get(key_of(turn), turn.moves.texts[0])

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Certainty."""
        return [{self.decide(turn): 1.0} for turn in turns]

    def _plan(self, game: Game[Any], seat: int) -> Mapping[str, Move]:
        if game not in self._strategies:
            self._strategies[game] = strategy(game, self.parts[0])
        if (game, seat) not in self._plans:
            self._plans[game, seat] = exact.best_response(game, seat, self._strategies[game]).moves
        return self._plans[game, seat]


def make(rest: str, find: Find) -> BestResponse:
    """The policy of ``best-response:A``.

    Raises:
        BadOption: A is missing.
    """
    if not rest.strip():
        raise BadOption('"best-response": write best-response:A with an entrant or a spec, as in best-response:random')
    return BestResponse(find(rest.strip()))
