"""Swiss rounds: who has done equally well so far meets next, nobody twice while that can be helped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.adaptive import Meeting
from games import Game


class Swiss:
    """Rounds of pairings by standing: a win is a point, a draw half of one; in games that aren't competitive, payoffs.

    Whoever is left over in a round, of an odd number, sits out and counts as having won (or earned the mean).

    Args:
        games: each has its own standing.
        entrants: the population.
        rounds: how many.
        deals: deals that each pairing plays.
    """

    def __init__(self, games: Sequence[Game[Any]], entrants: Sequence[str], rounds: int, deals: int) -> None:
        self._rounds, self._deals, self._round = rounds, deals, 0
        self._pools = [_Pool(game, sorted(entrants)) for game in games]

    def next(self) -> list[tuple[Game[Any], str, str, int]]:
        """The pairings of the next round, every game on the same deals."""
        if self._round == self._rounds:
            return []
        deals = range(self._round * self._deals, (self._round + 1) * self._deals)
        self._round += 1
        return [(pool.game, *pair, deal) for pool in self._pools for pair in pool.pairings() for deal in deals]

    def learn(self, meetings: Sequence[Meeting]) -> None:
        """Count points."""
        for pool in self._pools:
            pool.count([meeting for meeting in meetings if meeting.game == pool.game.spec])


class _Pool:
    """The standing of one game."""

    def __init__(self, game: Game[Any], names: list[str]) -> None:
        self.game = game
        self._points = dict.fromkeys(names, 0.0)
        self._met: set[frozenset[str]] = set()
        self._sat_out: list[str] = []

    def pairings(self) -> list[tuple[str, str]]:
        """Equals together, and nobody who has met already where that can be helped."""
        waiting = sorted(self._points, key=lambda name: (-self._points[name], name))
        if len(waiting) % 2:
            out = next((name for name in reversed(waiting) if name not in self._sat_out), waiting[-1])
            waiting.remove(out)
            self._sat_out.append(out)
        found = []
        while waiting:
            first = waiting.pop(0)
            second = next((name for name in waiting if frozenset((first, name)) not in self._met), waiting[0])
            waiting.remove(second)
            found.append((first, second))
        return found

    def count(self, meetings: Sequence[Meeting]) -> None:
        """Add the points of a round."""
        wins = self.game.info.win_or_lose
        paired = {frozenset((meeting.first, meeting.second)) for meeting in meetings}
        share = len(paired) / max(1, len(meetings))  # of one of a pairing's deals
        for meeting in meetings:
            scores = (meeting.score, 1 - meeting.score) if wins else meeting.payoffs
            self._points[meeting.first] += share * scores[0]
            self._points[meeting.second] += share * scores[1]
        self._met |= paired
        playing = {name for pair in paired for name in pair}
        for name in self._points.keys() - playing:
            self._points[name] += 1.0 if wins else _mean([x for m in meetings for x in m.payoffs])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
