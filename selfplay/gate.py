"""A new snapshot is promoted only if it does not regress: fixed matches, a fixed suite, confidence bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

import games
import policies
from arena.match import run_matches
from arena.records import Episode, Match
from games import Game
from games.errors import BadOption
from policies import BasePolicy, Policy
from selfplay.columns import share_of_range
from selfplay.config import TrainConfig

FIRST = 10**15  # match ids and deals of the suite; training's are far below
NEW, OLD = "new", "old"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Test:
    """One line of the suite: who is met in which game (``self``: the new snapshot, ``promoted``: the last one)."""

    label: str
    opponent: str
    game: Game[Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite says of one snapshot."""

    step: int
    promoted: bool
    change: Mapping[str, tuple[float, float]]
    """By test: mean change against the promoted snapshot on the same deals and its lower 95 % bound, in shares of the
    game's payoff range."""

    def metrics(self) -> dict[str, float]:
        """As numbers by name, for the log."""
        out = {"promoted": float(self.promoted)}
        for label, (mean, low) in self.change.items():
            out |= {f"gate/{label}": mean, f"gate/{label}/low": low}
        return out


def suite(entries: Sequence[str], default: Game[Any]) -> list[Test]:
    """The tests named by ``OPPONENT`` or ``OPPONENT@GAME`` entries.

    Raises:
        ArenaError: an unknown opponent or game, or one that can't play the other.
    """
    return [_test(entry, default) for entry in entries]


def _test(entry: str, default: Game[Any]) -> Test:
    opponent, _, game = entry.rpartition("@") if "@" in entry and "://" not in entry else (entry, "", "")
    test = Test(entry, opponent, games.make(game) if game else default)
    if opponent not in ("self", "promoted"):
        player = policies.make(opponent)
        refusal = player.check(test.game) if isinstance(player, BasePolicy) else ""
        if refusal:
            raise BadOption(f"gate {refusal}")
    return test


@dataclass
class Gate:
    """Judges snapshots one after the other; what the promoted one scored is part of the checkpoint.

    Args:
        tests: the suite; empty: everything is promoted.
        config: says how many matches a test has, and how much of a loss is let through.
    """

    tests: Sequence[Test]
    config: TrainConfig
    best: dict[str, list[float]] = field(default_factory=dict)
    """Scores of the promoted snapshot, by test and deal."""
    refused: list[int] = field(default_factory=list)
    """Steps of the snapshots that were not promoted."""

    def judge(self, step: int, new: Policy, old: Policy | None) -> Verdict:
        """Play the suite and compare with the promoted snapshot, deal by deal.

        Args:
            step: of the snapshot.
            new: the snapshot.
            old: the promoted one; None: there is none yet.
        """
        scores, change = {}, {}
        for test in self.tests:
            if test.opponent == "promoted":
                gain = self._against(test, new, old) if old is not None else np.zeros(1)
            else:
                now = self._scores(test, new)
                scores[test.label] = [float(x) for x in now]
                gain = now - np.array(self.best.get(test.label, now))
            change[test.label] = (float(gain.mean()), lower_bound(gain))
        promoted = all(low >= -self.config.gate_margin for _, low in change.values())
        if promoted:
            self.best = scores
        else:
            self.refused.append(step)
        return Verdict(step, promoted, change)

    def _scores(self, test: Test, new: Policy) -> Floats:
        """(matches,) the new snapshot's payoff as a share of the game's range; its seat rotates."""
        table = {NEW: new} if test.opponent == "self" else {NEW: new, OLD: policies.make(test.opponent)}
        other = NEW if test.opponent == "self" else OLD
        return np.array([_own(e) for e in self._play(test, table, other)])

    def _against(self, test: Test, new: Policy, old: Policy) -> Floats:
        """(matches,) how much more than the promoted snapshot the new one gets in the same matches."""
        gains = []
        for episode in self._play(test, {NEW: new, OLD: old}, OLD):
            others = [p for p, name in zip(episode.payoffs, episode.match.entrants, strict=True) if name == OLD]
            gains.append(_own(episode) - share_of_range(float(np.mean(others)), test.game.info))
        return np.array(gains)

    def _play(self, test: Test, table: Mapping[str, Policy], other: str) -> list[Episode]:
        matches = []
        for number in range(self.config.gate_matches):
            seated = [other] * test.game.seats
            seated[number % test.game.seats] = NEW
            deal = FIRST + number // test.game.seats
            matches.append(Match(FIRST + number, test.game, deal, tuple(seated)))
        episodes = run_matches(matches, table, seed=self.config.seed, live=self.config.live)
        return sorted(episodes, key=lambda e: e.match.id)


def lower_bound(x: Floats) -> float:
    """The lower end of the 95 % interval of the mean of ``x`` (Student's t); the mean itself where all are equal."""
    n, spread = len(x), float(np.std(x, ddof=1)) if len(x) > 1 else 0.0
    return float(x.mean()) - (float(t.ppf(0.975, n - 1)) * spread / math.sqrt(n) if spread else 0.0)


def _own(episode: Episode) -> float:
    """The payoff of the seat under test, as a share of the game's range."""
    game = episode.match.game
    return share_of_range(episode.payoffs[episode.match.id % game.seats], game.info)
