"""Players of the maze: one that shares its map, and two that show how a pair fails."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games._maze_map import HIDDEN, WALL, merged, neighbours, route, rows
from policies.policy import Script, Turn
from policies.registry import script

MAZE = ("maze",)


class MazeWalker(Script):
    """What the players of the maze share: maps, the other's words, routes."""

    def decide(self, turn: Turn) -> str:
        """The next message."""
        return self.say(turn.observation.fields)

    def say(self, fields: Mapping[str, Any]) -> str:
        """The next message."""
        raise NotImplementedError

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Its one message."""
        return {self.decide(turn): 1.0}


@script("maze-mapper", games=MAZE)
class MazeMapper(MazeWalker):
    """Tells its map, puts both maps together, proposes the shortest way and agrees to any that is free."""

    def say(self, fields: Mapping[str, Any]) -> str:
        """Its map once, an answer to what is proposed, and its own proposal once it knows a way."""
        known = known_map(fields)
        words = [] if told(fields) else [f"My map: {' / '.join(rows(fields['maps'][0], fields['size']))}."]
        proposal = standing(fields)
        end = walk(known, fields["size"], fields["at"], proposal)
        if proposal and end is not None:
            return " ".join([*words, "AGREE"])
        if proposal:
            words.append("There is a wall on that way.")
        steps = route(known, fields["size"], fields["at"])
        return " ".join([*words, f"MOVE {' '.join(steps)}"] if steps else words or ["Please tell me your map."])


@script("maze-trusting", games=MAZE)
class MazeTrusting(MazeWalker):
    """Never tells what it sees: takes hidden cells for free, proposes step by step and agrees to every proposal."""

    def say(self, fields: Mapping[str, Any]) -> str:
        """AGREE, or the next step of the way that its own copy suggests."""
        return "AGREE" if standing(fields) else _suggestion(fields)


@script("maze-stubborn", games=MAZE)
class MazeStubborn(MazeWalker):
    """Never tells what it sees, proposes its own way again and again and agrees to nothing else."""

    def say(self, fields: Mapping[str, Any]) -> str:
        """The next step of the way that its own copy suggests, whatever the other says."""
        return _suggestion(fields)


def standing(fields: Mapping[str, Any]) -> Sequence[str]:
    """The steps that the other's last message proposes."""
    log = fields["log"]
    return log[-1].proposed if log and log[-1].seat != fields["seat"] else ()


def told(fields: Mapping[str, Any]) -> bool:
    """Whether there is nothing left to tell: the own map was told, or nobody listens."""
    own = (said.message for said in fields["log"] if said.seat == fields["seat"])
    return fields["form"] != "paired" or any(_read_map(message, fields["size"]) for message in own)


def known_map(fields: Mapping[str, Any]) -> str:
    """All that is known of the map: what the player sees, and what the other told."""
    others = (said.message for said in fields["log"] if said.seat != fields["seat"])
    heard = [found for message in others if (found := _read_map(message, fields["size"]))]
    return merged([*fields["maps"], *heard])


def _read_map(message: str, size: int) -> str | None:
    """The map that a message spells out, row by row, with slashes between rows."""
    row = f"[SG.#?]{{{size}}}"
    found = re.search(rf"{row}(?:/{row}){{{size - 1}}}", re.sub(r"\s", "", message))
    return found.group().replace("/", "") if found else None


def walk(cells: str, size: int, at: int, steps: Sequence[str]) -> int | None:
    """Where these steps lead; None where one of them is into a known wall or off the map."""
    for step in steps:
        following = neighbours(size)[at].get(step)
        if following is None or cells[following] == WALL:
            return None
        at = following
    return at


def _suggestion(fields: Mapping[str, Any]) -> str:
    """The first step of a shortest way on the own map, hidden cells taken for free."""
    (own, *_), size = fields["maps"], fields["size"]
    steps = route(own.replace(HIDDEN, "."), size, fields["at"], WALL)
    return f"MOVE {steps[0]}" if steps else "I see no way."
