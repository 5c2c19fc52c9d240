"""A person at this terminal: shown what the seat sees, asked for a move, asked again while it is illegal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from games import ArenaError, IllegalMove, UsageError
from games.inert import inert
from games.parsing import read_move
from policies.policy import BasePolicy, MatchId, Reply, Turn

_HELP = ("?", "help")
_QUIT = ("quit", "exit")


class LeftError(ArenaError):
    """The person left the match."""


class Human(BasePolicy):
    """A person, asked turn by turn.

    Args:
        ask: prints a prompt and returns a line; EOFError means that nobody is there any more.
        say: prints a text.
    """

    name = "human"
    kind = "human"

    def __init__(self, ask: Callable[[str], str] = input, say: Callable[[str], None] = print) -> None:
        self._ask, self._say = ask, say
        self._met: set[tuple[int, int]] = set()

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn, one after the other.

        Raises:
            LeftError: the person wrote ``quit`` or closed the input.
        """
        return [self._answer(turn) for turn in turns]

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Greet anew in these matches."""
        over = set(matches)
        self._met = {(match, seat) for match, seat in self._met if match not in over}

    def _answer(self, turn: Turn) -> Reply:
        if (turn.match, turn.seat) not in self._met:
            self._met.add((turn.match, turn.seat))
            role = turn.game.info.roles[turn.seat]
            self._say(f"You are {role} (seat {turn.seat}) in {inert(turn.game.name)}. `?` shows the rules.\n")
        self._say(inert(turn.observation.text))
        start = time.monotonic()
        text = self._legal(turn)
        return Reply(text, seconds=time.monotonic() - start)

    def _legal(self, turn: Turn) -> str:
        """Ask until the answer is a legal move."""
        while True:
            text = self._line()
            if text in _HELP:
                self._say(f"{inert(turn.game.rules(turn.seat))}\n\nNow: {inert(turn.moves.describe())}")
                continue
            try:
                read_move(text, turn.moves)
            except IllegalMove as error:
                self._say(inert(str(error)))
            else:
                return text

    def _line(self) -> str:
        try:
            text = self._ask("> ").strip()
        except EOFError:
            raise LeftError("the input ended") from None
        if text in _QUIT:
            raise LeftError("the person left")
        return text


def make(rest: str) -> Human:
    """The policy of the spec ``human``.

    Raises:
        UsageError: something follows the name.
    """
    if rest:
        raise UsageError(f'"human" takes no arguments, not "{rest}"; write human')
    return Human()
