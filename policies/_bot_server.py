"""The other end of :mod:`policies._bots`: ``python -m policies._bot_server MODULE`` answers questions on stdin.

Bots are kept between questions; one that is not at the point that a question asks about is made anew and replayed. An
exception in a bot ends the process after its message is sent: nothing of a broken library is trusted any further.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

MOST = 4_096
"""Bots kept at once."""

Question = Mapping[str, Any]


class Player(Protocol):
    """A bot in a match; moves are numbers."""

    def throw(self) -> int:
        """Its move in this round; asked once a round."""

    def see(self, own: int, other: int) -> None:
        """What both played."""


@dataclass(slots=True)
class Seat:
    """A bot, the histories that it has seen, and the move that it answered them with."""

    player: Player
    own: str
    other: str
    move: int


class Server:
    """Answers questions with the players that ``make`` gives."""

    def __init__(self, make: Callable[[Question], Player]) -> None:
        self._make = make
        self._seats: OrderedDict[tuple[Any, ...], Seat] = OrderedDict()
        self._blocks: dict[int, tuple[int, list[Player]]] = {}

    def move(self, question: Question) -> int:
        """The move that a question asks for."""
        place = tuple(question[part] for part in ("bot", "match", "seat", "seed"))
        seat = self._at(self._seats.pop(place, None), question)
        self._seats[place] = seat
        if len(self._seats) > MOST:
            self._seats.popitem(last=False)
        return seat.move

    def _at(self, seat: Seat | None, question: Question) -> Seat:
        """The bot as it stands at the question: kept, moved on by a round, or made and replayed."""
        own, other = question["own"], question["other"]
        if seat is not None and (seat.own, seat.other) == (own, other):
            return seat
        if seat is not None and own and (seat.own, seat.other) == (own[:-1], other[:-1]):
            seat.player.see(int(own[-1]), int(other[-1]))
            return Seat(seat.player, own, other, seat.player.throw())
        player = self._make(question)
        for mine, theirs in zip(own, other, strict=True):
            player.throw()
            player.see(int(mine), int(theirs))
        return Seat(player, own, other, player.throw())

    def throws(self, question: Question) -> str | None:
        """The moves of a block of matches, a digit each; None where the block is not at the point asked about.

        The players of a block are made in its first round and dropped after its last.
        """
        block, round = question["block"], question["round"]
        if round == 0:
            players = [self._make({**question, "seed": seed}) for seed in question["seeds"]]
        else:
            seen, players = self._blocks.pop(block, (-1, []))
            if seen != round:
                return None
            for player, mine, theirs in zip(players, question["own"], question["other"], strict=True):
                player.see(int(mine), int(theirs))
        if round + 1 < question["rounds"]:
            self._blocks[block] = (round + 1, players)
        return "".join(str(player.throw()) for player in players)

    def drop(self, bot: str, match: int) -> None:
        """Let go what is kept of a bot's match."""
        for place in [place for place in self._seats if place[:2] == (bot, match)]:
            del self._seats[place]


def main(module: str) -> None:
    """Answer until the input ends."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints must not get between the answers

    def send(answer: Mapping[str, Any]) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    def report(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
        send({"died": f"{kind.__name__}: {error}"})

    sys.excepthook = report
    bots = importlib.import_module(module)
    server = Server(bots.make)
    send({"ready": True})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("names"):
            send({"names": bots.names()})
            continue
        if "block" in message:
            send({"throws": server.throws(message)})
            continue
        for bot, match in message["over"]:
            server.drop(bot, match)
        send({"moves": [server.move(question) for question in message["questions"]]})


if __name__ == "__main__":
    main(sys.argv[1])
