"""Array bots: scripted players of the repeated matrix games that throw for many matches at once.

A bot is a class with :meth:`ArrayBot.throw` (or :meth:`MixedBot.mixture`); ``act``, exact distributions and the memory
per match are derived from it here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import Game
from games.game import KINDS
from games.matrix import Floats, Ints, MatrixGame
from games.stream import Bits, uniform_array
from policies.policy import BasePolicy, MatchId, Reply, Turn

Carry = dict[str, NDArray[Any]] | None
"""What a bot keeps between rounds: arrays whose first axis is the matches, or None."""

DILEMMAS = ("prisoners-dilemma", "stag-hunt", "chicken")
MATRIX_GAMES = (*DILEMMAS, "battle-of-the-sexes", "matching-pennies", "rock-paper-scissors")


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees in B matches of one game at the same round."""

    game: MatrixGame
    seat: int
    own: Ints
    """Own executed moves ``(B, t)``, oldest first."""
    other: Ints
    """The other's executed moves ``(B, t)``."""
    keys: Bits
    """A random key ``(B,)`` for each match's round."""
    roots: Bits | None = None
    """A random key ``(B,)`` for each match and seat, the same in every round, where the arena plays whole blocks."""

    @property
    def size(self) -> int:
        """B, the number of matches."""
        return len(self.own)

    @property
    def round(self) -> int:
        """Rounds played before this one."""
        return int(self.own.shape[1])

    @property
    def n_moves(self) -> int:
        """How many moves there are."""
        return len(self.game.family.moves)

    @property
    def payoffs(self) -> Floats:
        """This seat's payoffs ``(n, n)``: own move, other's move."""
        return np.array(self.game.tables[self.seat])

    def uniform(self, draw: int = 0) -> Floats:
        """Draw number ``draw`` of this round for every match: floats ``(B,)`` in [0, 1)."""
        return uniform_array(self.keys, draw)

    def full(self, move: int) -> Ints:
        """The same move in every match ``(B,)``."""
        return np.full(self.size, move)

    def until(self, round: int) -> View:
        """The view as it was at an earlier round (with the keys of this one)."""
        return View(self.game, self.seat, self.own[:, :round], self.other[:, :round], self.keys, self.roots)


class ArrayBot(BasePolicy):
    """A scripted player of repeated matrix games.

    The carry must be a function of the histories seen, so that it can be rebuilt from them; then ``act`` answers the
    same whatever it remembers.
    """

    kinds: tuple[str, ...] = KINDS
    """The kinds of matrix games it can play; a new game of such a kind needs no mention anywhere."""
    keeps = False
    """Whether :meth:`throw` returns a carry."""

    def __init__(self) -> None:
        self._kept: dict[tuple[MatchId, int], tuple[int, Carry]] = {}

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """The moves ``(B,)`` of this round, and what to keep for the next; ``carry`` is None in round 0."""
        raise NotImplementedError

    def mixture(self, view: View, carry: Carry) -> Floats:
        """The exact probability of each move ``(B, n)``; by default certainty of what :meth:`throw` answers."""
        moves, _ = self.throw(view, carry)
        return np.eye(view.n_moves)[moves]

    def check(self, game: Game[Any]) -> str:
        """Why this bot can't play ``game``, or an empty string."""
        if isinstance(game, MatrixGame) and game.family.kind in self.kinds:
            return ""
        return (
            f'"{self.name}" plays {", ".join(self.games or ("matrix games",))} and games of their kind, not {game.name}'
        )

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn; turns of the same game, seat and round are one throw."""
        replies = [Reply("")] * len(turns)
        for places in _groups(turns):
            group = [turns[place] for place in places]
            view = view_of(group)
            moves, carry = self.throw(view, self._recall(group, view))
            self._keep(group, view.round + 1, carry)
            for place, move in zip(places, moves, strict=True):
                replies[place] = Reply(view.game.family.moves[move])
        return replies

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions over the moves, from the turns alone."""
        return [self.distribution(turn) for turn in turns]

    def distribution(self, turn: Turn) -> dict[str, float]:
        """The exact probability of each move."""
        view = view_of([turn])
        row = self.mixture(view, self._rebuild(view))[0]
        return {word: float(p) for word, p in zip(view.game.family.moves, row, strict=True)}

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop the carries of these matches."""
        for match in matches:
            self._kept.pop((match, 0), None)
            self._kept.pop((match, 1), None)

    def _recall(self, turns: Sequence[Turn], view: View) -> Carry:
        if not self.keeps or view.round == 0:
            return None
        kept = [self._kept.get((turn.match, turn.seat), (-1, None)) for turn in turns]
        if any(t != view.round for t, _ in kept):
            return self._rebuild(view)
        rows = [carry for _, carry in kept if carry is not None]
        return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}

    def _keep(self, turns: Sequence[Turn], next_round: int, carry: Carry) -> None:
        if carry is not None:
            for b, turn in enumerate(turns):
                row = {name: array[b : b + 1] for name, array in carry.items()}
                self._kept[turn.match, turn.seat] = (next_round, row)

    def _rebuild(self, view: View) -> Carry:
        carry: Carry = None
        if self.keeps:
            for t in range(view.round):
                _, carry = self.throw(view.until(t), carry)
        return carry


class DilemmaBot(ArrayBot):
    """An array bot for dilemmas, where move 0 is the cooperative one (cooperate, stag, swerve)."""

    kinds = ("social-dilemma",)


class MixedBot(ArrayBot):
    """An array bot that draws its move: its rule is :meth:`mixture`."""

    def throw(self, view: View, carry: Carry) -> tuple[Ints, Carry]:
        """Moves drawn from the mixture with the first draw of the round."""
        below = np.cumsum(self.mixture(view, carry), axis=1)[:, :-1] <= view.uniform()[:, None]
        return below.sum(axis=1), None

    def mixture(self, view: View, carry: Carry) -> Floats:
        """The exact probability of each move ``(B, n)``."""
        raise NotImplementedError


def view_of(turns: Sequence[Turn]) -> View:
    """The view of turns that share game, seat and round."""
    first = turns[0]
    own, other = (_stacked([turn.observation.fields[seen] for turn in turns]) for seen in ("own", "other"))
    keys = np.array([turn.rng.key for turn in turns], np.uint64)
    assert isinstance(first.game, MatrixGame)
    return View(first.game, first.seat, own, other, keys)


def _stacked(histories: Sequence[tuple[int, ...]]) -> Ints:
    """Histories of one length as an array ``(B, t)``; by way of bytes, five times as fast as from tuples."""
    joined = b"".join(bytes(history) for history in histories)
    return np.frombuffer(joined, np.int8).reshape(len(histories), -1 if joined else 0)


def _groups(turns: Sequence[Turn]) -> Iterable[list[int]]:
    """Places of the turns that share game, seat and round."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    for place, turn in enumerate(turns):
        groups.setdefault((id(turn.game), turn.seat, len(turn.observation.fields["own"])), []).append(place)
    return groups.values()
