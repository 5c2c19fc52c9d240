"""Strategies that count what follows what: Markov chains on one's own and the other's moves."""

from __future__ import annotations

import numpy as np

from games.matrix import Floats, Ints
from policies.registry import script
from policies.rps.memory import Arrays, Counts, Tally, joint, likeliest, recent, worth
from policies.rps.thrower import CERTAIN, GAME, Plan, Thrower, beats, even, result
from policies.scripted.matrix import Carry, View

_ENTRANT = "entrant of D. Billings' RoShamBo programming competitions, 1999 and 2000"


class Chains(Thrower):
    """A strategy on tallies: each counts what the other plays after a context of its own, learnt round by round."""

    tallies: tuple[Tally, ...] = ()

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The context ``(B,)`` of each tally before the round to come."""
        raise NotImplementedError

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """The plan from the counts ``(B, 3)`` of each context."""
        raise NotImplementedError

    def extra(self, view: View) -> Arrays:
        """What else is kept."""
        return {}

    def note(self, view: View, carry: Arrays) -> None:
        """Learn what else is to be learnt of the last round, before the tallies do."""

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """Count the last round, then reply."""
        if carry is None:
            carry = self.extra(view)
            for tally in self.tallies:
                carry |= tally.fresh(view.size)
        else:
            self.note(view, carry)
            for tally, context in zip(self.tallies, self.contexts(view.until(view.round - 1)), strict=True):
                tally.learn(carry, context, view.other[:, -1])
        pairs = zip(self.tallies, self.contexts(view), strict=True)
        return self.reply(view, tuple(tally.row(carry, context) for tally, context in pairs), carry), carry


class Scored(Chains):
    """Chains that also know how far ahead they are."""

    def extra(self, view: View) -> Arrays:
        """The score ``(B,)``."""
        return {"score": np.zeros(view.size, np.int16)}

    def note(self, view: View, carry: Arrays) -> None:
        """Its own score."""
        carry["score"] += result(view)


@script("russrocker-like", games=(GAME,), paper=f"R. Williams, RussRocker4, {_ENTRANT}")
class BackOff(Chains):
    """Beats what followed the last three rounds most often; where they are new, the last two, one, none. Never bails.

    The idea is that of RussRocker4.
    """

    tallies = tuple(Tally(f"order {order}", 9**order) for order in (3, 2, 1, 0))

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """Both players' last moves."""
        return tuple(joint(view, order) for order in (3, 2, 1, 0))

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """By the longest context that has been seen."""
        chosen = rows[-1]
        for row in reversed(rows[:-1]):
            chosen = np.where(row.sum(axis=1, keepdims=True) > 0, row, chosen)
        return beats(likeliest(chosen))


@script("markov-5", games=(GAME,), paper=f"M. Hlynka, Majikthise, {_ENTRANT}")
class Sampled(Scored):
    """A Markov chain on the other's last five moves: draws its next from it and beats that; bails when 20 behind.

    The idea is that of Majikthise.
    """

    tallies = (Tally("chain", 3**5),)
    bail = 20
    """How far behind it may be."""

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The last five moves."""
        return (recent(view.other, 5),)

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """The chain's distribution, moved on by one."""
        counts: Floats = np.roll(rows[0], 1, axis=1).astype(np.float64)
        total = counts[:, 0] + counts[:, 1] + counts[:, 2]
        lost = ~rows[0].any(axis=1) | (carry["score"] <= -self.bail)
        return np.where(lost[:, None], 1 / 3, counts / np.maximum(total, 1)[:, None])


@script("markov-bails", games=(GAME,), paper=f"M. Hlynka, Vroomfondel, {_ENTRANT}")
class SampledCarefully(Sampled):
    """``markov-5`` that bails as soon as it is 8 behind; the idea is that of Vroomfondel."""

    bail = 8


@script("predictor-like", games=(GAME,), paper=f"D. Beal, Predictor, {_ENTRANT}")
class Predictor(Chains):
    """Fading counts after last rounds of several kinds; beats what the sharpest says. After Simple Predictor."""

    tallies = (*(Tally(name, 3, 0.98) for name in ("own", "other")), Tally("both", 9, 0.98), Tally("any", 1, 0.98))

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The last move of either, of both, and nothing."""
        return recent(view.own, 1), recent(view.other, 1), joint(view, 1), np.zeros(view.size, np.intp)

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """What earns most after the context where most is to be earned."""
        gain = np.stack([worth(row) / (row.sum(axis=1, keepdims=True) + np.float32(1)) for row in rows], axis=1)
        best: Ints = gain.reshape(view.size, -1).argmax(axis=1)
        return best % 3


@script("modeller-like", games=(GAME,), paper=f"D. Beal, Simple Modeller, {_ENTRANT}")
class Modeller(Thrower):
    """Fading counts of what both players do; plays by the model that has earned most, at random where none has.

    A model of the other is beaten; one of itself is used two steps ahead, against a player who beats what it is about
    to play. After Simple Modeller.
    """

    tallies = tuple(Tally(f"{whom} {order}", 9**order, 0.98) for whom in ("other", "own") for order in (0, 1))

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``earned`` ``(B, 4)`` fades too; ``moves`` are what each model would have played."""
        if carry is None:
            carry = {"earned": np.zeros((view.size, 4), np.float32), "moves": np.zeros((view.size, 4), np.int8)}
            for tally in self.tallies:
                carry |= tally.fresh(view.size)
        else:
            self._learn(view, carry)
        carry["moves"] = self._moves(view, carry)
        best = carry["earned"].argmax(axis=1)
        lanes = np.arange(view.size)
        chosen = CERTAIN[carry["moves"][lanes, best]]
        return np.where(carry["earned"][lanes, best, None] > 0, chosen, 1 / 3), carry

    def _learn(self, view: View, carry: Arrays) -> None:
        other, before = view.other[:, -1:], view.until(view.round - 1)
        carry["earned"] *= np.float32(0.98)
        carry["earned"] += (carry["moves"] - other + 1) % 3 - 1
        for tally, move in zip(self.tallies, (other, other, view.own[:, -1:], view.own[:, -1:]), strict=True):
            tally.learn(carry, joint(before, tally.rows > 1), move[:, 0])

    def _moves(self, view: View, carry: Arrays) -> Ints:
        steps = (1, 1, 2, 2)
        pairs = zip(self.tallies, steps, strict=True)
        guesses = [likeliest(t.row(carry, joint(view, t.rows > 1))) + step for t, step in pairs]
        return (np.stack(guesses, axis=1) % 3).astype(np.int8)


@script("sweetrock-like", games=(GAME,), paper=f"L. Pena, Sweet Rocky, {_ENTRANT}")
class SweetRock(Scored):
    """Beats what followed the last round most often, either where two are within a fifth; random when 40 behind.

    The idea is that of Sweet Rocky.
    """

    tallies = (Tally("both", 9),)
    near = 0.8
    """A move counted at least this share as often as the most frequent one is beaten as well."""

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """Both last moves."""
        return (joint(view, 1),)

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """What beats the frequent moves, each alike."""
        often = rows[0] >= self.near * rows[0].max(axis=1, keepdims=True)
        mixture: Floats = np.roll(often, 1, axis=1) / often.sum(axis=1, keepdims=True)
        return np.where((carry["score"] < -40)[:, None], 1 / 3, mixture)


@script("piedra-like", games=(GAME,), paper=f"L. Pena, Piedra, {_ENTRANT}")
class Piedra(SweetRock):
    """``sweetrock-like`` that beats the most frequent move alone. After Piedra."""

    near = 1.0


@script("granite-like", games=(GAME,), paper=f"A. Davidson, Granite, {_ENTRANT}")
class Granite(Chains):
    """Fading tallies after up to three rounds, the longer the weightier; draws its reply by what each would earn.

    The idea is that of Granite.
    """

    tallies = tuple(Tally(f"order {order}", 9**order, 0.95) for order in (1, 2, 3))

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """Both players' last moves."""
        return tuple(joint(view, order) for order in (1, 2, 3))

    def reply(self, view: View, rows: tuple[Counts, ...], carry: Arrays) -> Plan:
        """In proportion to the cube of what a move would earn; at random where nothing would."""
        counts = rows[0] + np.float32(3) * rows[1] + np.float32(9) * rows[2]
        gain = np.maximum(worth(counts), 0).astype(np.float64) ** 3
        total = (gain[:, 0] + gain[:, 1] + gain[:, 2])[:, None]
        return np.where(total > 0, gain / np.maximum(total, 1e-12), 1 / 3)


@script("marble-like", games=(GAME,), paper=f"A. Davidson, Marble, {_ENTRANT}")
class Marble(Granite):
    """``granite-like`` whose shortest context is also how its own last reply fared. After Marble."""

    tallies = (Tally("fared", 27, 0.95), *Granite.tallies[1:])

    def contexts(self, view: View) -> tuple[Ints, ...]:
        """The last results and the other's last move, then both players' last moves."""
        fared = recent((view.own[:, -2:] - view.other[:, -2:]) % 3, 2)
        return fared * 3 + recent(view.other, 1), joint(view, 2), joint(view, 3)


@script("conditional-response", games=(GAME,), paper="Wang, Xu & Zhou 2014, arXiv 1404.5199")
class Conditional(Thrower):
    """How people play: stays after a win, else moves on by one, each a little more often than by chance."""

    keeps = False

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """Probabilities to stay, to move on, to move back, by the last result."""
        if not view.round:
            return even(view.size), None
        table = np.array([[0.31, 0.41, 0.28], [0.36, 0.37, 0.27], [0.52, 0.27, 0.21]])[result(view) + 1]
        turn = (np.arange(3) - view.own[:, -1:]) % 3
        return np.take_along_axis(table, turn, axis=1), None
