"""Players of the public goods game: what each puts into the pot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policies.policy import Script, Turn
from policies.registry import script

PUBLIC_GOODS = ("public-goods",)


class _Giver(Script):
    """A player that gives a number of tokens."""

    def decide(self, turn: Turn) -> str:
        """The contribution."""
        return str(self.give(turn.observation.fields))

    def give(self, fields: Mapping[str, Any]) -> int:
        """How many tokens to give."""
        raise NotImplementedError


@script("full-contributor", games=PUBLIC_GOODS)
class FullContributor(_Giver):
    """Gives everything: the best for all together."""

    def give(self, fields: Mapping[str, Any]) -> int:
        """Every token."""
        return int(fields["endowment"])


@script("free-rider", games=PUBLIC_GOODS)
class FreeRider(_Giver):
    """Gives nothing: the best answer to whatever the others do."""

    def give(self, fields: Mapping[str, Any]) -> int:
        """No token."""
        return 0


@script("conditional-contributor", games=PUBLIC_GOODS, paper="doi 10.1016/S0165-1765(01)00394-9")
class ConditionalContributor(_Giver):
    """Gives everything first, then what the others gave on average in the last round (Fischbacher et al. 2001)."""

    def give(self, fields: Mapping[str, Any]) -> int:
        """The others' mean, rounded."""
        if not fields["others"]:
            return int(fields["endowment"])
        last = fields["others"][-1]
        return int(sum(last) / len(last) + 0.5)


@script("half-contributor", games=PUBLIC_GOODS)
class HalfContributor(_Giver):
    """Gives half of its tokens."""

    def give(self, fields: Mapping[str, Any]) -> int:
        """Half."""
        return int(fields["endowment"]) // 2
