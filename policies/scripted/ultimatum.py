"""Players of the ultimatum game: what each offers, and from what offer on it accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policies.policy import Script, Turn
from policies.registry import script

ULTIMATUM = ("ultimatum",)


class _Divider(Script):
    """A player with an offer and a least offer that it accepts."""

    def decide(self, turn: Turn) -> str:
        """The offer or the answer."""
        fields = turn.observation.fields
        if fields["offer"] is None:
            return str(self.offer(fields))
        return "accept" if fields["offer"] >= self.least(fields) else "reject"

    def offer(self, fields: Mapping[str, Any]) -> int:
        """What to offer the other."""
        raise NotImplementedError

    def least(self, fields: Mapping[str, Any]) -> float:
        """The least offer to accept."""
        raise NotImplementedError


@script("even-splitter", games=ULTIMATUM)
class EvenSplitter(_Divider):
    """Offers half, accepts three tenths or more: about what people do."""

    def offer(self, fields: Mapping[str, Any]) -> int:
        """Half."""
        return int(fields["amount"]) // 2

    def least(self, fields: Mapping[str, Any]) -> float:
        """Three tenths."""
        return 0.3 * float(fields["amount"])


@script("subgame-perfect", games=ULTIMATUM)
class SubgamePerfect(_Divider):
    """Gives one point to whom can't make the last offer, and all others to whom can: the equilibrium of the selfish."""

    def offer(self, fields: Mapping[str, Any]) -> int:
        """One, or all but one."""
        return 1 if fields["last_proposer"] else int(fields["amount"]) - 1

    def least(self, fields: Mapping[str, Any]) -> float:
        """One, or all but one where one's own last offer will bring that."""
        return float(fields["amount"]) - 1 if fields["last_proposer"] else 1.0


@script("hard-bargainer", games=ULTIMATUM)
class HardBargainer(_Divider):
    """Offers a tenth and accepts no less than half: two of them end with nothing."""

    def offer(self, fields: Mapping[str, Any]) -> int:
        """A tenth."""
        return int(fields["amount"]) // 10

    def least(self, fields: Mapping[str, Any]) -> float:
        """Half."""
        return 0.5 * float(fields["amount"])
