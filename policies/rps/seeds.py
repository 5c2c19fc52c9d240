"""The fixed players of D. Billings' competitions that look at the match, by their own names and exact rules."""

from __future__ import annotations

import numpy as np

from games.matrix import Floats, Ints
from policies.registry import script
from policies.rps.thrower import CERTAIN, GAME, Plan, Thrower, beats, even, mixed, result
from policies.rps.words import BILLINGS
from policies.scripted.matrix import Carry, View

_BAIL = 0.04
"""Share of the match's length that ``antirotnbot`` loses before it plays at random."""


class Memoryless(Thrower):
    """A strategy that needs the last moves alone."""

    keeps = False

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """:meth:`first` in round 0, then :meth:`reply`."""
        return (self.reply(view) if view.round else self.first(view)), None

    def first(self, view: View) -> Plan:
        """The plan of round 0: anything."""
        return even(view.size)

    def reply(self, view: View) -> Plan:
        """The plan of a later round."""
        raise NotImplementedError


@script("randbot", games=(GAME,), paper=BILLINGS)
class Random(Memoryless):
    """Plays each move alike: the equilibrium."""

    def reply(self, view: View) -> Plan:
        """Anything."""
        return even(view.size)


@script("r226bot", games=(GAME,), paper=BILLINGS)
class Biased(Memoryless):
    """Plays scissors three times in five, rock and paper once each."""

    def first(self, view: View) -> Plan:
        """The same mixture from the start."""
        return self.reply(view)

    def reply(self, view: View) -> Plan:
        """The mixture."""
        return np.tile([0.2, 0.2, 0.6], (view.size, 1))


@script("copybot", games=(GAME,), paper=BILLINGS)
class Copy(Memoryless):
    """Plays what would have beaten the other's last move; paper at first."""

    def first(self, view: View) -> Plan:
        """Paper."""
        return view.full(1)

    def reply(self, view: View) -> Plan:
        """What beats the last move."""
        return beats(view.other[:, -1])


class Switcher(Memoryless):
    """Repeats its own last move with a probability of its own, the two others alike."""

    repeats = 0.0

    def first(self, view: View) -> Plan:
        """As if rock had come before."""
        return _favour(np.zeros(view.size, np.int8), self.repeats)

    def reply(self, view: View) -> Plan:
        """By its own last move."""
        return _favour(view.own[:, -1], self.repeats)


@script("switchbot", games=(GAME,), paper=BILLINGS)
class Switch(Switcher):
    """Never repeats its own last move; plays the other two alike."""


@script("switchalot", games=(GAME,), paper=BILLINGS)
class SwitchOften(Switcher):
    """Repeats its own last move in 12 of 100 rounds; plays the other two alike."""

    repeats = 0.12


@script("foxtrotbot", games=(GAME,), paper=BILLINGS)
class Foxtrot(Memoryless):
    """Plays at random in odd turns (counted from 1); in even ones its last move plus the turn's number."""

    def reply(self, view: View) -> Plan:
        """Turn ``t + 1``."""
        turn = view.round + 1
        return even(view.size) if turn % 2 else (view.own[:, -1] + turn % 3) % 3


@script("driftbot", games=(GAME,), paper=BILLINGS)
class Drift(Memoryless):
    """Plays the other's last move plus a gear that shifts every 111 turns, half of the time; else anything."""

    def reply(self, view: View) -> Plan:
        """The gear moves on by two."""
        return _favour((view.other[:, -1] + 2 * (view.round // 111) % 3) % 3, 2 / 3)


@script("adddriftbot2", games=(GAME,), paper=BILLINGS)
class AddDrift(Memoryless):
    """Plays the sum of both last moves plus a gear that shifts every 200 turns, half of the time; else anything."""

    def reply(self, view: View) -> Plan:
        """The gear moves on by two."""
        return _favour((view.own[:, -1] + view.other[:, -1] + 2 * (view.round // 200) % 3) % 3, 2 / 3)


@script("addshiftbot3", games=(GAME,), paper=BILLINGS)
class AddShift(Thrower):
    """Plays the sum of both last moves plus a gear, four times in five; shifts it when losing.

    That is when it is three behind within 20 rounds of the last shift, or later by a tenth of the rounds since.
    """

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """The gear moves on by two; ``balance`` and ``rounds`` ``(B,)`` are those since then."""
        if carry is None:
            return even(view.size), {name: np.zeros(view.size, np.int16) for name in ("gear", "balance", "rounds")}
        balance, rounds = carry["balance"] + result(view), carry["rounds"] + 1
        shift = balance <= -np.where(rounds > 20, rounds // 10, 3)
        gear = (carry["gear"] + 2 * shift) % 3
        move = (view.own[:, -1] + view.other[:, -1] + gear) % 3
        kept = {"gear": gear, "balance": balance * ~shift, "rounds": rounds * ~shift}
        return _favour(move, 0.8 + 0.2 / 3), kept


class Counter(Thrower):
    """A strategy that needs how often a seat has played each move: ``counts`` is ``(B, 3)``."""

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """By the counts so far."""
        if carry is None:
            carry = {"counts": np.zeros((view.size, 3), np.int16)}
        else:
            carry["counts"][np.arange(view.size), self.counted(view)[:, -1]] += 1
        return self.reply(carry["counts"]), carry

    def counted(self, view: View) -> Ints:
        """Whose moves are counted: the other's."""
        return view.other

    def reply(self, counts_B3: Ints) -> Plan:
        """The plan for these counts."""
        raise NotImplementedError


@script("freqbot2", games=(GAME,), paper=BILLINGS)
class Frequent(Counter):
    """Beats the other's most frequent move; among equals scissors come before paper, paper before rock."""

    def reply(self, counts_B3: Ints) -> Plan:
        """What beats the fullest count."""
        return beats(2 - counts_B3[:, ::-1].argmax(axis=1))


@script("antiflatbot", games=(GAME,), paper=BILLINGS)
class AntiFlat(Counter):
    """Beats the other's least frequent move, which is what ``flatbot3`` is about to play; anything where all are level.

    Of two moves that are the rarest, the one that loses to the other is taken.
    """

    def reply(self, counts_B3: Ints) -> Plan:
        """What beats the rarest."""
        return mixed(_counter_rarest(counts_B3), _level(counts_B3))


@script("flatbot3", games=(GAME,), paper=BILLINGS)
class Flat(Counter):
    """Evens out its own moves: the rarest four times in five, or 45 in 100 each where two are."""

    def counted(self, view: View) -> Ints:
        """Its own moves."""
        return view.own

    def reply(self, counts_B3: Ints) -> Plan:
        """By how many are the rarest."""
        rare = counts_B3 == counts_B3.min(axis=1, keepdims=True)
        plan: Plan = _FLAT[rare.sum(axis=1)[:, None], rare.astype(np.int8)]
        return plan


_FLAT = np.array([[0, 0], [0.1, 0.8], [0.1, 0.45], [0, 1 / 3]])
"""The probability of a move: by how many are the rarest, and whether it is one of them."""


@script("antirotnbot", games=(GAME,), paper=BILLINGS)
class AntiRotation(Thrower):
    """Counts by how much the other's moves rotate; uses the rotation that stands out; at random when too far behind.

    A frequent rotation is beaten. Where the rarest stands out more, it plays what only the rarest would beat.
    """

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``turns`` ``(B, 3)`` counts rotations, ``score`` ``(B,)`` is its own."""
        if carry is None:
            return even(view.size), {"turns": np.zeros((view.size, 3), np.int16), "score": np.zeros(view.size, int)}
        carry["score"] += result(view)
        if view.round > 1:
            turned = (view.other[:, -1] - view.other[:, -2]) % 3
            carry["turns"][np.arange(view.size), turned] += 1
        lost = carry["score"] < -_BAIL * view.game.rounds
        mixture = self._reply(view.other[:, -1], carry["turns"])
        return np.where((lost | _level(carry["turns"]))[:, None], 1 / 3, mixture), carry

    @staticmethod
    def _reply(last_B: Ints, turns_B3: Ints) -> Floats:
        """Where both stand out alike, either."""
        least, middle, most = np.sort(turns_B3, axis=1).T
        common = (last_B + turns_B3.argmax(axis=1) + 1) % 3
        rare = (last_B + turns_B3.argmin(axis=1) + 2) % 3
        weight = (1 + np.sign(most - middle - (middle - least)))[:, None] / 2
        mixture: Floats = weight * CERTAIN[common] + (1 - weight) * CERTAIN[rare]
        return mixture


def _level(turns_B3: Ints) -> Ints:
    """Where all counts are the same."""
    level: Ints = turns_B3.max(axis=1) == turns_B3.min(axis=1)
    return level


def _favour(moves_B: Ints, probability: float) -> Floats:
    """These moves with a probability, the two others alike."""
    table = np.full((3, 3), (1 - probability) / 2)
    np.fill_diagonal(table, probability)
    return table[moves_B]


def _counter_rarest(counts_B3: Ints) -> Ints:
    """What beats the rarest move."""
    rock, paper, scissors = counts_B3.T
    no_scissors = (scissors <= rock) & (scissors < paper)
    no_paper = (paper <= scissors) & (paper < rock)
    return np.where(no_scissors, 0, np.where(no_paper, 2, 1))
