"""Bots of other libraries, in a process of their own: it may die, hang or print without taking the arena along.

The arena and the process exchange lines of JSON over pipes. Every question holds the whole history of its match, so a
fresh process can take over at any time: it replays what it is missing. When the process dies, each question of the
batch is put again, alone, to a fresh one; the bot that kills it again gets an error, which is data, and the others
their answers.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import select
import subprocess
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from games import ArenaError, Game
from games.matrix import Ints, MatrixGame
from games.stream import extend_array, uniform_array
from policies.policy import BasePolicy, MatchId, Reply, Turn
from policies.scripted.matrix import View

START_SECONDS, ANSWER_SECONDS = 600.0, 120.0
"""How long a process may take to import its library, and to answer a batch."""

Question = Mapping[str, Any]


class DiedError(ArenaError):
    """The process of the bots has ended; the message says how."""


class Worker:
    """The process that holds the bots of one library; started when it is first asked, and again when it has died.

    Args:
        module: what the child imports; it has ``make(question) -> Player`` and ``names()``.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self._process: subprocess.Popen[str] | None = None
        self._over: list[list[Any]] = []

    def ask(self, questions: Sequence[Question]) -> list[int | str]:
        """For each question the number of a move, or a sentence that says why there is none."""
        try:
            return self._moves(questions)
        except DiedError:
            return [self._alone(question) for question in questions]

    def throws(self, question: Question) -> str:
        """The moves of a block of matches at its next round, a digit each.

        Raises:
            DiedError: the process has ended; a block can't be taken up again.
        """
        moves = self._exchange(question)["throws"]
        if moves is None:
            raise DiedError(f'the process of "{question["bot"]}" was started anew within a block of matches')
        return str(moves)

    def names(self) -> list[str]:
        """The bots that there are.

        Raises:
            DiedError: the library can't be used.
        """
        return list(self._exchange({"names": True})["names"])

    def forget(self, bot: str, matches: Iterable[MatchId]) -> None:
        """Drop what is kept for these matches (with the next question)."""
        self._over += [[bot, match] for match in matches]

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _alone(self, question: Question) -> int | str:
        try:
            return self._moves([question])[0]
        except DiedError as error:
            return f'the bot "{question["bot"]}" gives no move: {error}'

    def _moves(self, questions: Sequence[Question]) -> list[int | str]:
        answer = self._exchange({"questions": questions, "over": self._over})
        self._over = []
        return list(answer["moves"])

    def _exchange(self, message: Mapping[str, Any]) -> dict[str, Any]:
        process = self._process or self._start()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        except OSError:  # it ended since the last answer
            raise self._died("") from None
        return self._read(process, ANSWER_SECONDS)

    def _start(self) -> subprocess.Popen[str]:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", "policies._bot_server", self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self._read(process, START_SECONDS)
        return process

    def _read(self, process: subprocess.Popen[str], seconds: float) -> dict[str, Any]:
        """The next line; a process that takes longer is ended."""
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], seconds)[0]:
            raise self._died(f"no answer in {seconds:g} seconds")
        line = process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line.endswith("\n") else {"died": ""}
        if "died" in answer:
            raise self._died(str(answer["died"]))
        return answer

    def _died(self, said: str) -> DiedError:
        """End the process for good; the error says what it said, else the signal or code that it ended with."""
        process, self._process = self._process, None
        assert process is not None
        if said:
            process.kill()
        process.communicate()
        code = process.returncode
        return DiedError(said or f"its process ended with {f'signal {-code}' if code < 0 else f'code {code}'}")


@cache
def worker(library: str) -> Worker:
    """The one process for a library's bots."""
    made = Worker(f"policies._{library}_bots")
    atexit.register(made.close)
    return made


class HostedBot(BasePolicy):
    """A bot of another library that plays one of our repeated matrix games.

    Its noise comes from a seed that is a function of (run seed, match, seat), so that a match replays the same.

    Args:
        library: whose bot it is.
        bot: its name there.
        game: the game of ours that it plays.
    """

    kind = "hosted"

    def __init__(self, library: str, bot: str, game: str) -> None:
        self.library, self.bot, self.games = library, bot, (game,)

    def check(self, game: Game[Any]) -> str:
        """Why it can't play ``game``, or an empty string."""
        if isinstance(game, MatrixGame) and game.name in (self.games or ()):
            return ""
        return super().check(game) or f'"{self.name}" plays our own {game.name} alone'

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn; a bot that fails gives an error."""
        answers = worker(self.library).ask([self._question(turn) for turn in turns])
        return [
            Reply("", error=answer) if isinstance(answer, str) else Reply(turn.moves.texts[answer])
            for turn, answer in zip(turns, answers, strict=True)
        ]

    def throw(self, view: View, carry: Any) -> tuple[Ints, Any]:
        """The moves ``(B,)`` of a whole block of matches, played in step; they are those that :meth:`act` gives.

        Raises:
            DiedError: the bots' process has ended; the block must be played again.
        """
        carry = next(_BLOCKS) if carry is None else carry
        last = {} if not view.round else {"own": _digits(view.own[:, -1]), "other": _digits(view.other[:, -1])}
        moves = worker(self.library).throws(self._block(view) | {"block": carry, "round": view.round} | last)
        return np.frombuffer(moves.encode("ascii"), np.int8) - np.int8(ord("0")), carry

    def _block(self, view: View) -> dict[str, Any]:
        game = view.game
        asked = {"bot": self.bot, "seat": view.seat, "rounds": game.rounds, "ends": game.end > 0}
        if view.round:
            return asked
        assert view.roots is not None
        label = zlib.crc32(self.name.encode())
        seeds = uniform_array(extend_array(view.roots, label), 0) * 2**31  # the same 31 bits as in `_question`
        return asked | {"payoffs": game.payoffs, "noise": game.noise, "seeds": seeds.astype(int).tolist()}

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Let the bots of these matches go."""
        worker(self.library).forget(self.bot, matches)

    def _question(self, turn: Turn) -> Question:
        game, fields = turn.game, turn.observation.fields
        assert isinstance(game, MatrixGame)
        return {
            "bot": self.bot,
            "match": turn.match,
            "seat": turn.seat,
            "seed": turn.rng.above(zlib.crc32(self.name.encode())).bits() >> 33,
            "own": _digits(fields["own"]),
            "other": _digits(fields["other"]),
            "rounds": game.rounds,
            "ends": game.end > 0,
            "payoffs": game.payoffs,
            "noise": game.noise,
        }


_ASCII = bytes((number + ord("0")) % 256 for number in range(256))


_BLOCKS = itertools.count()


def _digits(history: Iterable[int]) -> str:
    """A history as a text of digits; by way of bytes, which is many times as fast as number by number."""
    return bytes(history).translate(_ASCII).decode("ascii")
