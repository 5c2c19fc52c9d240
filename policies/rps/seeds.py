"""The fixed players of D. Billings' competitions that look at the match, by their own names and exact rules."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from games.matrix import Floats, Ints
from policies.registry import script
from policies.rps.memory import ORDERS, no_counts, order_of
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


def _tabled(rule: Callable[[Ints], Plan]) -> Plan:
    """A rule on counts ``(B, 3)`` as a table by their order."""
    counts = np.array(list(itertools.product(range(3), repeat=3)))
    plans = rule(counts)
    table = np.zeros((ORDERS, *plans.shape[1:]), plans.dtype)
    table[order_of(counts)] = plans
    return table


class Counter(Thrower):
    """A strategy that goes by the order of how often a seat has played each move: ``counts`` is ``(B, 3)``."""

    table: Plan
    """What is played at each order."""

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """By the counts so far."""
        if carry is None:
            carry = {"counts": no_counts(view.size)}
        else:
            carry["counts"][np.arange(view.size), self.counted(view)[:, -1]] += 1
        return self.table[order_of(carry["counts"])], carry

    def counted(self, view: View) -> Ints:
        """Whose moves are counted: the other's."""
        return view.other


def _beat_most(counts_B3: Ints) -> Plan:
    return beats(2 - counts_B3[:, ::-1].argmax(axis=1))


@script("freqbot2", games=(GAME,), paper=BILLINGS)
class Frequent(Counter):
    """Beats the other's most frequent move; among equals scissors come before paper, paper before rock."""

    table = _tabled(_beat_most)


def _beat_least(counts_B3: Ints) -> Plan:
    rock, paper, scissors = counts_B3.T
    no_scissors = (scissors <= rock) & (scissors < paper)
    no_paper = (paper <= scissors) & (paper < rock)
    moves = np.where(no_scissors, 0, np.where(no_paper, 2, 1))
    return mixed(moves, (rock == paper) & (paper == scissors))


@script("antiflatbot", games=(GAME,), paper=BILLINGS)
class AntiFlat(Counter):
    """Beats the other's least frequent move, which is what ``flatbot3`` is about to play; anything where all are level.

    Of two moves that are the rarest, the one that loses to the other is taken.
    """

    table = _tabled(_beat_least)


def _flatten(counts_B3: Ints) -> Plan:
    rare = counts_B3 == counts_B3.min(axis=1, keepdims=True)
    plan: Plan = _FLAT[rare.sum(axis=1)[:, None], rare.astype(np.int8)]
    return plan


_FLAT = np.array([[0, 0], [0.1, 0.8], [0.1, 0.45], [0, 1 / 3]])
"""The probability of a move: by how many are the rarest, and whether it is one of them."""


@script("flatbot3", games=(GAME,), paper=BILLINGS)
class Flat(Counter):
    """Evens out its own moves: the rarest four times in five, or 45 in 100 each where two are."""

    table = _tabled(_flatten)

    def counted(self, view: View) -> Ints:
        """Its own moves."""
        return view.own


@script("antirotnbot", games=(GAME,), paper=BILLINGS)
class AntiRotation(Thrower):
    """Counts by how much the other's moves rotate; uses the rotation that stands out; at random when too far behind.

    A frequent rotation is beaten. Where the rarest stands out more, it plays what only the rarest would beat; where
    both stand out alike, either.
    """

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``turns`` ``(B, 3)`` counts rotations, ``score`` ``(B,)`` is its own."""
        if carry is None:
            return even(view.size), {"turns": no_counts(view.size), "score": np.zeros(view.size, np.int16)}
        carry["score"] += result(view)
        if view.round > 1:
            turned = (view.other[:, -1] - view.other[:, -2]) % 3
            carry["turns"][np.arange(view.size), turned] += 1
        place = (order_of(carry["turns"]) * 3 + _standing_out(carry["turns"])) * 3 + view.other[:, -1]
        lost = carry["score"] < -_BAIL * view.game.rounds
        return _TURNED[np.where(lost, len(_TURNED) - 1, place)], carry


def _standing_out(turns_B3: Ints) -> Ints:
    """0 where the rarest stands out more than the most frequent, 1 where both do alike, 2 where the latter does."""
    zero, one, two = turns_B3.T
    ends = np.maximum(np.maximum(zero, one), two) + np.minimum(np.minimum(zero, one), two)
    out: Ints = np.sign(3 * ends - 2 * (zero + one + two)) + 1
    return out


def _turned() -> Floats:
    """The mixtures of ``antirotnbot`` by order of counts, what stands out, and the other's last move; then anything."""
    table = np.full((ORDERS, 3, 3, 3), 1 / 3)
    turns = np.array([row for row in itertools.product(range(4), repeat=3) if len(set(row)) > 1])
    weight = _standing_out(turns)[:, None] / 2
    for last in range(3):
        common, rare = (last + turns.argmax(axis=1) + 1) % 3, (last + turns.argmin(axis=1) + 2) % 3
        mixture = weight * CERTAIN[common] + (1 - weight) * CERTAIN[rare]
        table[order_of(turns), _standing_out(turns), last] = mixture
    return np.concatenate([table.reshape(-1, 3), even(1)])


_TURNED = _turned()


def _favour(moves_B: Ints, probability: float) -> Floats:
    """These moves with a probability, the two others alike."""
    table = np.full((3, 3), (1 - probability) / 2)
    np.fill_diagonal(table, probability)
    return table[moves_B]
