"""Matches spent where they settle most: next come the meetings that lessen the expected ranking error fastest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arena.adaptive import Meeting
from arena.beliefs import Array, Beliefs, by_payoff, by_wins
from games import Game

LEAST_ROUND = 8
"""Meetings of one game that a round has at least, where there are so many pairs."""
_WORTH = 0.25  # of the best meeting's gain: what is worth less isn't played in the same round
_PER_ROUND = 2  # meetings of one entrant in a round: what it teaches is seen before it plays on


class Active:
    """Plays until pairs are expected to stand in the right order with the confidence asked for, game by game.

    Competitive games are ordered by Bradley–Terry, which assumes one strength for each; all others by mean payoff over
    the population, for which everybody meets everybody once first.

    Args:
        games: each is settled on its own.
        entrants: the population.
        confidence: 0.95: of all pairs of entrants, 95 % are expected to stand in the right order.
        by: ``wins`` or ``payoff``, for all games; None: wins where a match is won or lost and that is all.
    """

    def __init__(
        self, games: Sequence[Game[Any]], entrants: Sequence[str], confidence: float, by: str | None = None
    ) -> None:
        names = sorted(entrants)
        self._pools = {
            game.spec: Pool(game, names, confidence, by or ("wins" if game.info.win_or_lose else "payoff"))
            for game in games
        }

    def next(self) -> list[tuple[Game[Any], str, str, int]]:
        """The next meetings of every game that isn't settled."""
        return [(pool.game, *meeting) for pool in self._pools.values() for meeting in pool.next()]

    def learn(self, meetings: Sequence[Meeting]) -> None:
        """Take in a round's results."""
        for meeting in meetings:
            self._pools[meeting.game].learn(meeting)

    def confidence(self) -> dict[str, float]:
        """For each game the share of pairs that are expected to stand in the right order; nothing before a result."""
        pools = {spec: pool for spec, pool in self._pools.items() if pool.rounds > 1}
        return {spec: 1 - pool.beliefs().wrong for spec, pool in pools.items()}


class Pool:
    """The meetings of one game so far, summed."""

    def __init__(self, game: Game[Any], names: list[str], confidence: float, by: str) -> None:
        self.game, self.names, self._confidence, self._by = game, names, confidence, by
        self._place = {name: k for k, name in enumerate(names)}
        shape = (len(names), len(names))
        self._met, self._played, self._score = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._total, self._squares = np.zeros(shape), np.zeros(shape)
        self._planned = np.zeros(shape, dtype=np.int64)
        self.rounds = 0

    def next(self) -> list[tuple[str, str, int]]:
        """(first, second, deal) of the next meetings; the n-th meeting of any pair is on deal n."""
        self.rounds += 1
        pairs = self._opening() if self.rounds == 1 else self._chosen()
        return [self._meeting(*pair) for pair in pairs]

    def learn(self, meeting: Meeting) -> None:
        """Add the result of one meeting."""
        a, b = self._place[meeting.first], self._place[meeting.second]
        sides = ((a, b, 0, meeting.score), (b, a, 1, 1 - meeting.score)) if a != b else ((a, a, 0, 0.5),)
        for row, column, side, score in sides:
            payoff = meeting.payoffs[side]
            self._met[row, column] += 1
            self._total[row, column] += payoff
            self._squares[row, column] += payoff**2
            if row != column:
                self._played[row, column] += meeting.matches
                self._score[row, column] += score * meeting.matches

    def beliefs(self) -> Beliefs:
        """What the results say."""
        if self._by == "wins":
            return by_wins(self._score, self._played)
        return by_payoff(self._total, self._squares, self._met)

    def _opening(self) -> list[tuple[int, int]]:
        """Everybody against everybody, or where strengths alone count, against who stands 1, 2, 4, … places on."""
        n = len(self.names)
        if self._by == "payoff":
            return [(a, b) for a in range(n) for b in range(a, n)]
        steps = [2**k for k in range(n.bit_length()) if 2**k < n]
        return sorted({(min(a, b), max(a, b)) for a in range(n) for b in ((a + s) % n for s in steps) if a != b})

    def _chosen(self) -> list[tuple[int, int]]:
        found = self.beliefs()
        if found.wrong <= 1 - self._confidence:
            return []
        return best_pairs(found.gain, max(LEAST_ROUND, len(self.names) // 2), self_matches=self._by == "payoff")

    def _meeting(self, a: int, b: int) -> tuple[str, str, int]:
        deal = int(self._planned[a, b])
        self._planned[a, b] += 1
        return self.names[a], self.names[b], deal


def best_pairs(gain: Array, most: int, *, self_matches: bool) -> list[tuple[int, int]]:
    """The pairs of greatest gain, nobody in more than a few of them; equals in the order of their places."""
    rows, columns = np.triu_indices(len(gain), k=0 if self_matches else 1)
    used, found = np.zeros(len(gain), dtype=np.int64), []
    order = np.argsort(-gain[rows, columns], kind="stable")
    for place in order[gain[rows, columns][order] >= _WORTH * gain[rows, columns].max()].tolist():
        a, b = int(rows[place]), int(columns[place])
        if used[a] < _PER_ROUND and used[b] < _PER_ROUND:
            found.append((a, b))
            used[a] += 1
            used[b] += a != b
        if len(found) == most:
            break
    return found
