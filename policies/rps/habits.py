"""Strategies on simple statistics of the last rounds, some after entrants, some after models of learning."""

from __future__ import annotations

import numpy as np

from games.matrix import Ints
from policies.registry import script
from policies.rps.board import Board
from policies.rps.markov import Chains
from policies.rps.memory import Arrays, Counts, Tally, joint, likeliest, recent, worth
from policies.rps.thrower import CERTAIN, GAME, Plan, Thrower, beats, even, mixed, result
from policies.scripted.matrix import Carry, View

_ENTRANT = "entrant of D. Billings' RoShamBo programming competitions, 1999 and 2000"


@script("actr-lag2", games=(GAME,), paper="Lebiere & West 1999, A dynamic ACT-R model of simple games")
class ActR(Chains):
    """A model of human memory: recalls, with noise, what has followed the other's last two moves; beats that.

    Recall is in proportion to a power of how fresh and frequent a memory is (noise 0.28).
    """

    tallies = (Tally("memory", 9),)
    decay, noise = np.float32(0.97), 0.28

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The other's last two moves."""
        return (recent(view.other, 2),)

    def note(self, view: View, carry: Arrays) -> None:
        """All memories fade, also those not called for."""
        carry["memory"] *= self.decay

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """What beats each memory, as likely as it is recalled."""
        activation = np.log(rows[0].astype(np.float64) + 0.1) / self.noise / np.sqrt(2)
        recalled = np.exp(activation - activation.max(axis=1, keepdims=True))
        total = recalled[:, 0] + recalled[:, 1] + recalled[:, 2]
        return np.roll(recalled / total[:, None], 1, axis=1)


class Sources(Chains):
    """Beats what one of several contexts says: the one that has done best by a fading record; else plays at random."""

    decay = 0.95
    rotations = slice(1, 2)
    """The rotations of a guess that may be played; 1 beats it."""
    threshold = 0.0
    """What a source must have earned of late."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board("sources", len(self.tallies), (self.decay,))

    def extra(self, view: View) -> Arrays:
        """The record of the sources."""
        return self.board.fresh(view.size)

    def note(self, view: View, carry: Arrays) -> None:
        """What each source said against what came."""
        self.board.learn(carry, view.other[:, -1])

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """By the best source."""
        self.board.note(carry, np.stack([likeliest(row) for row in rows], axis=1))
        scores = self.board.scores(carry)[:, 0, self.rotations].reshape(view.size, -1)
        place = scores.argmax(axis=1)[:, None]
        move = self.board.moves(carry, place + self.rotations.start * self.board.guesses)
        return mixed(move[:, 0], np.take_along_axis(scores, place, axis=1)[:, 0] <= self.threshold)


@script("biopic-like", games=(GAME,), paper=f"J. Schaeffer, Biopic, {_ENTRANT}")
class Biopic(Sources):
    """Counts after its own, the other's or both players' last moves; beats what the most successful source says.

    It plays at random when none succeeds. The idea is that of Biopic.
    """

    tallies = tuple(Tally(name, rows, 0.98) for name, rows in (("own", 27), ("other", 27), ("both", 81)))

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """Own moves, the other's, and both."""
        return recent(view.own, 3), recent(view.other, 3), joint(view, 2)


@script("boom-like", games=(GAME,), paper=f"J. van Rijswijk, Boom, {_ENTRANT}")
class Boom(Sources):
    """Statistics of first and second order at several lags, each in the gear (rotation) that has worked of late.

    It plays at random where none has worked clearly. The idea is that of Boom.
    """

    tallies = tuple(Tally(f"lag {lag}", rows, 0.95) for lag, rows in ((1, 3), (2, 3), (3, 9), (4, 9)))
    decay, rotations, threshold = 0.97, slice(0, 3), 2.0

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The other's last move, the one before, both of these, and both players' last moves."""
        return recent(view.other, 1), recent(view.other[:, :-1], 1), recent(view.other, 2), joint(view, 1)


@script("mixed-modes", games=(GAME,), paper=f"T. Frogley, Mixed Strategy, {_ENTRANT}")
class MixedModes(Sources):
    """Two statistics of pairs and one of frequency; the one that scores best by a fading record, or anything.

    The idea is that of Mixed Strategy.
    """

    tallies = (Tally("own pairs", 3), Tally("other pairs", 3), Tally("frequency", 1))
    decay = 0.9

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """Its own last move, the other's, and nothing."""
        return recent(view.own, 1), recent(view.other, 1), np.zeros(view.size, np.intp)


@script("robertot-like", games=(GAME,), paper=f"A. Junghanns, RoBertot, {_ENTRANT}")
class Votes(Thrower):
    """Lets what followed moves like the last one within ten rounds vote, own and other's; at random when unsure.

    The idea is that of RoBertot.
    """

    keeps = False
    window = 10

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """One vote for each kind of likeness of each of the last rounds."""
        own, other = view.own[:, -self.window :], view.other[:, -self.window :]
        if view.round < 2:
            return even(view.size), None
        votes = np.zeros((view.size, 3), np.float32)
        weight = 1 + (own[:, :-1] == own[:, -1:]).astype(np.int8) + 2 * (other[:, :-1] == other[:, -1:])
        for move in range(3):
            votes[:, move] = np.cumsum(weight * (other[:, 1:] == move), axis=1, dtype=np.int16)[:, -1]
        ranked = np.sort(votes, axis=1)
        return mixed(beats(likeliest(votes)), ranked[:, 2] - ranked[:, 1] < 2), None


@script("regret-matching", games=(GAME,), paper="Hart & Mas-Colell 2000, doi 10.1111/1468-0262.00153")
class RegretMatching(Thrower):
    """Plays each move in proportion to how much better it would have done than what was played, where it would have."""

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``regret`` ``(B, 3)``."""
        if carry is None:
            return even(view.size), {"regret": np.zeros((view.size, 3), np.float64)}
        carry["regret"] += worth(CERTAIN[view.other[:, -1]]) - result(view)[:, None]
        positive = np.maximum(carry["regret"], 0)
        total = (positive[:, 0] + positive[:, 1] + positive[:, 2])[:, None]
        return np.where(total > 0, positive / np.maximum(total, 1e-9), 1 / 3), carry


@script("q-learner", games=(GAME,), paper="Watkins & Dayan 1992, doi 10.1007/BF00992698; Lanctot et al. 2023")
class QLearner(Thrower):
    """Tabular Q-learning on both last moves, greedy nine times in ten: what an independent learner does within a match.

    Learning rate 0.1, discount 0.9.
    """

    rate, discount, explores = 0.1, 0.9, 0.1

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``value`` is ``(B, 9, 3)``."""
        if carry is None:
            return even(view.size), {"value": np.zeros((view.size, 9, 3))}
        value, lanes, now = carry["value"], np.arange(view.size), joint(view, 1)
        place = (lanes, joint(view.until(view.round - 1), 1), view.own[:, -1])
        target = result(view) + self.discount * value[lanes, now].max(axis=1)
        value[place] += self.rate * (target - value[place])
        greedy = CERTAIN[value[lanes, now].argmax(axis=1)]
        return greedy * (1 - self.explores) + self.explores / 3, carry
