"""The player that plays anything: uniformly at random among the legal moves."""

from __future__ import annotations

from policies.policy import Script, Turn
from policies.registry import script

_WORDS = ("hello", "ok", "maybe", "yes", "no", "let us see", "I am not sure")


@script("random")
class Random(Script):
    """Uniformly random among the legal moves; a few words where the move is free text."""

    def decide(self, turn: Turn) -> str:
        """Any legal move, each equally likely."""
        if turn.moves.free is not None:
            return turn.rng.choice(_WORDS)[: turn.moves.free.max_length]
        return turn.rng.choice(turn.moves.texts)

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Uniform over the legal moves."""
        return {move: 1.0 / len(turn.moves.texts) for move in turn.moves.texts}
