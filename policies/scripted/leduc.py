"""Players of Leduc poker: a sensible one, and players with one flaw each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from policies.policy import Script, Turn
from policies.registry import script

LEDUC = ("leduc-poker",)
Weights = tuple[float, float, float]
"""How likely a player gives up, goes along and raises."""


class LeducPlayer(Script):
    """A player that weighs its moves by what it holds; the weight of a move that is not legal goes to a meeker one."""

    def weights(self, strength: str, fields: Mapping[str, Any]) -> Weights:
        """What it is inclined to do.

        Args:
            strength: ``pair`` (with the board), else ``king``, ``queen`` or ``jack``.
            fields: the observation's.
        """
        raise NotImplementedError

    def distribution(self, turn: Turn) -> dict[str, float]:
        """The probability of each legal move."""
        fields = turn.observation.fields
        strength = "pair" if fields["card"] == fields["board"] else fields["card"]
        meek, along, bold = self.weights(strength, fields)
        if "check" in turn.moves.texts:
            return {"check": meek + along, "raise": bold}
        if "raise" in turn.moves.texts:
            return {"fold": meek, "call": along, "raise": bold}
        return {"fold": meek, "call": along + bold}

    def decide(self, turn: Turn) -> str:
        """A move drawn from the distribution."""
        likely = {move: p for move, p in self.distribution(turn).items() if p > 0}
        return next(iter(likely)) if len(likely) == 1 else turn.rng.weighted(list(likely), list(likely.values()))


@script("leduc-sensible", games=LEDUC)
class LeducSensible(LeducPlayer):
    """Raises pairs and kings, goes along with the middle, folds what can hardly win, bluffs with a late jack."""

    first = MappingProxyType({"king": (0.0, 0.2, 0.8), "queen": (0.1, 0.9, 0.0), "jack": (0.9, 0.1, 0.0)})
    second = MappingProxyType(
        {"pair": (0.0, 0.0, 1.0), "king": (0.1, 0.9, 0.0), "queen": (0.7, 0.3, 0.0), "jack": (0.8, 0.0, 0.2)}
    )

    def weights(self, strength: str, fields: Mapping[str, Any]) -> Weights:
        """By round and strength."""
        return (self.first if fields["board"] is None else self.second)[strength]


@script("leduc-tight", games=LEDUC)
class LeducTight(LeducPlayer):
    """Raises with a king or a pair and folds everything else: never bluffs, gives way to every bluff."""

    def weights(self, strength: str, fields: Mapping[str, Any]) -> Weights:
        """All or nothing."""
        return (0.0, 0.0, 1.0) if strength in ("king", "pair") else (1.0, 0.0, 0.0)


@script("leduc-caller", games=LEDUC)
class LeducCaller(LeducPlayer):
    """Checks and calls with every card: never raises, never folds."""

    def weights(self, strength: str, fields: Mapping[str, Any]) -> Weights:
        """Always along."""
        return 0.0, 1.0, 0.0


@script("leduc-raiser", games=LEDUC)
class LeducRaiser(LeducPlayer):
    """Raises whenever it may, whatever it holds."""

    def weights(self, strength: str, fields: Mapping[str, Any]) -> Weights:
        """Always up."""
        return 0.0, 0.0, 1.0
