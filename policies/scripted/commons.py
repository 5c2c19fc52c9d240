"""Players of Commons: what each catches, and what it says where players talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.stream import Stream
from policies.policy import Script, Turn
from policies.registry import script

COMMONS = ("commons",)
_PAPER = "arXiv 2404.16698"
_PLEAS = ("Let us each take at most {}.", "I will take {}. Please do the same.", "{} each keeps the stock full.")
_EXCUSES = ("I need a little more.", "There is plenty for all.", "Take what you like.")


def sustainable(fields: Mapping[str, Any]) -> int:
    """An equal part of the half that grows back."""
    return int(fields["stock"]) // 2 // int(fields["players"])


def overfished(fields: Mapping[str, Any]) -> bool:
    """Whether somebody ever caught more than was sustainable."""
    return any(max(caught) > stock // 2 // len(caught) for stock, caught in fields["history"])


class _Fisher(Script):
    """A player with something to catch and something to say."""

    def decide(self, turn: Turn) -> str:
        """A message or a catch, whichever is asked for."""
        fields = turn.observation.fields
        return self.say(fields, turn.rng) if turn.moves.free is not None else str(self.catch(fields))

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """What to tell the others: the sustainable catch."""
        return rng.choice(_PLEAS).format(sustainable(fields))

    def catch(self, fields: Mapping[str, Any]) -> int:
        """How much to catch."""
        raise NotImplementedError


@script("sustainable", games=COMMONS, paper=_PAPER)
class Sustainable(_Fisher):
    """Takes an equal part of the half that grows back."""

    def catch(self, fields: Mapping[str, Any]) -> int:
        """The sustainable catch."""
        return sustainable(fields)


@script("over-harvester", games=COMMONS, paper=_PAPER)
class OverHarvester(_Fisher):
    """Takes an equal part of everything: the stock collapses when all do."""

    def say(self, fields: Mapping[str, Any], rng: Stream) -> str:
        """An excuse."""
        return rng.choice(_EXCUSES)

    def catch(self, fields: Mapping[str, Any]) -> int:
        """Twice what is sustainable."""
        return int(fields["stock"]) // int(fields["players"])


@script("stock-grabber", games=COMMONS)
class StockGrabber(OverHarvester):
    """Wants the whole stock at once."""

    def catch(self, fields: Mapping[str, Any]) -> int:
        """Everything."""
        return int(fields["stock"])


@script("trigger-harvester", games=COMMONS)
class TriggerHarvester(_Fisher):
    """Sustainable until somebody takes more than that, then an equal part of everything for good."""

    def catch(self, fields: Mapping[str, Any]) -> int:
        """Twice as much after the first offence."""
        return sustainable(fields) if not overfished(fields) else int(fields["stock"]) // int(fields["players"])


@script("last-month-harvester", games=COMMONS)
class LastMonthHarvester(_Fisher):
    """Sustainable until the last month, then an equal part of everything: the best that all can do together."""

    def catch(self, fields: Mapping[str, Any]) -> int:
        """Everything there is for it in the last month."""
        last = fields["month"] == fields["months"]
        return int(fields["stock"]) // int(fields["players"]) if last else sustainable(fields)
