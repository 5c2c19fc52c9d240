"""Strategies that look for the present in the past, and think about who else does."""

from __future__ import annotations

import numpy as np

from games.matrix import Ints
from policies.registry import script
from policies.rps.board import Board
from policies.rps.memory import Arrays, Frequencies, Pasts, Tally, joint, likeliest
from policies.rps.thrower import CERTAIN, GAME, Plan, Thrower, beats, even, mixed, result
from policies.scripted.matrix import Carry, View

_ENTRANT = "entrant of D. Billings' RoShamBo programming competitions, 1999 and 2000"
_WINDOWS = (0, 100, 20, 5)
"""How far back some predictors look; 0: over the whole match."""


@script("longest-match", games=(GAME,), paper="direct history: D. Billings' reports on the competition of 1999")
class LongestMatch(Thrower):
    """Finds the longest stretch of the past like the present, and beats what came next; at random without any."""

    pasts = Pasts(("both",))

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """The newest of the longest stretches."""
        carry = _begun(self.pasts, view, carry)
        place, length = self.pasts.find(carry, "both", view.round)
        other, _ = self.pasts.next_moves(carry, place, view.round)
        return mixed(beats(other), length == 0), carry


@script("pattern-tree", games=(GAME,), paper=f"N. Burch, ZQ Bot, {_ENTRANT}")
class PatternTree(Thrower):
    """Beats what followed the last nine rounds or fewer; looks at shorter patterns the more it loses. After ZQ Bot."""

    pasts = Pasts(("both",))
    depth = 9

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """``depth`` ``(B,)`` is how much of a pattern counts now."""
        started = carry is not None
        carry = _begun(self.pasts, view, carry)
        if not started:
            carry["depth"] = np.full(view.size, self.depth, np.int16)
            return even(view.size), carry
        carry["depth"] = np.clip(carry["depth"] + result(view), 1, self.depth)
        lengths = self.pasts.lengths(carry, "both", view.round)
        if not lengths.shape[1]:
            return even(view.size), carry
        capped = np.minimum(lengths, carry["depth"][:, None])
        place = capped.argmax(axis=1)
        other, _ = self.pasts.next_moves(carry, place, view.round)
        return mixed(beats(other), capped[np.arange(view.size), place] == 0), carry


@script("megahal-like", games=(GAME,), paper=f"J. Hutchens, MegaHAL, {_ENTRANT}")
class InfiniteOrder(Thrower):
    """A Markov model of unbounded order: contexts of every length, ranked by how well each has done of late.

    The shorter ones are counted, the longest is a search. The idea is that of MegaHAL.
    """

    pasts = Pasts(("both", "other"))
    orders = (0, 1, 2, 3)
    tallies = tuple(Tally(f"order {order}", 9**order, 0.97) for order in orders)
    board = Board("success", len(orders) + 2, (0.93,))

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """By the context of the best record; at random while none is good."""
        started = carry is not None
        carry = _begun(self.pasts, view, carry)
        if started:
            self.board.learn(carry, view.other[:, -1])
            for tally, order in zip(self.tallies, self.orders, strict=True):
                tally.learn(carry, joint(view.until(view.round - 1), order), view.other[:, -1])
        else:
            carry |= self.board.fresh(view.size)
            for tally in self.tallies:
                carry |= tally.fresh(view.size)
        self.board.note(carry, self._guesses(view, carry))
        earned = self.board.scores(carry)[:, 0, 1]
        best = earned.argmax(axis=1)
        lanes = np.arange(view.size)
        return mixed(beats(carry["success guess"][lanes, best]), earned[lanes, best] <= 0), carry

    def _guesses(self, view: View, carry: Arrays) -> Ints:
        pairs = zip(self.tallies, self.orders, strict=True)
        guesses = [likeliest(tally.row(carry, joint(view, order))) for tally, order in pairs]
        for kind in self.pasts.kinds:
            place, _ = self.pasts.find(carry, kind, view.round)
            guesses.append(self.pasts.next_moves(carry, place, view.round)[0])
        return np.stack(guesses, axis=1)


class Guesser(Thrower):
    """A strategy that keeps guesses about both seats and scores them: its rule is :meth:`choose`.

    The guesses about oneself stand for an opponent who guesses as oneself does.
    """

    pasts = Pasts()
    windows: tuple[int, ...] = _WINDOWS
    decays: tuple[float, ...] = (1.0, 0.99, 0.95, 0.8)

    def __init__(self) -> None:
        super().__init__()
        per_seat = len(self.pasts.kinds) * len(self.windows) + len(self.windows)
        self.board = Board("guesses", 2 * per_seat, self.decays)
        self.frequencies = Frequencies(self.windows)

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """Score the last guesses, make new ones, choose."""
        started = carry is not None
        carry = _begun(self.pasts, view, carry)
        if started:
            self.learn(view, carry)
        else:
            carry |= self.board.fresh(view.size) | self.frequencies.fresh(view.size) | self.extra(view)
        self.board.note(carry, self._guesses(view, carry))
        return self.choose(view, carry), carry

    def extra(self, view: View) -> Arrays:
        """What else is kept."""
        return {}

    def learn(self, view: View, carry: Arrays) -> None:
        """The other's last move."""
        self.board.learn(carry, view.other[:, -1])
        self.frequencies.learn(carry, view)

    def choose(self, view: View, carry: Arrays) -> Plan:
        """The plan, from the scores of the guesses."""
        raise NotImplementedError

    def _guesses(self, view: View, carry: Arrays) -> Ints:
        """Most frequent moves within each window, and what followed the longest match there, of both seats."""
        guesses = list(self.frequencies.most(carry).T)
        for window in self.windows:
            for kind in self.pasts.kinds:
                place, _ = self.pasts.find(carry, kind, view.round, window)
                guesses += self.pasts.next_moves(carry, place, view.round)
        return np.stack(guesses, axis=1)


@script("iocaine-like", games=(GAME,), paper="D. Egnor, Iocaine Powder, winner of D. Billings' competition of 1999")
class Iocaine(Guesser):
    """Guesses by frequency and by history, about both players; beats each guess or thinks a step or two further.

    What has earned most is played, by records of several ages; which age to trust, and whether to think further
    still, is settled by the same rule once more. After Iocaine Powder's published explanation.
    """

    def __init__(self) -> None:
        super().__init__()
        self.top = Board("ages", len(self.decays))

    def extra(self, view: View) -> Arrays:
        """The record of the ages."""
        return self.top.fresh(view.size)

    def learn(self, view: View, carry: Arrays) -> None:
        """Both records."""
        super().learn(view, carry)
        self.top.learn(carry, view.other[:, -1])

    def choose(self, view: View, carry: Arrays) -> Plan:
        """The age and rotation that have earned most; at random while none has earned anything."""
        moves, _ = self.board.best(carry)
        self.top.note(carry, moves)
        move, score = self.top.best(carry)
        return mixed(move[:, 0], score[:, 0] <= 0)


@script("phasenbott-like", games=(GAME,), paper=f"J. Mandelson, Phasenbott, {_ENTRANT}")
class Phasenbott(Guesser):
    """Searches of the past by both histories or one, from both seats, in six conjugations; the best to date is played.

    The idea is that of Phasenbott.
    """

    pasts = Pasts(("both", "other"))
    windows = (0,)
    decays = (1.0,)

    def choose(self, view: View, carry: Arrays) -> Plan:
        """What has won most; at random while nothing has."""
        move, score = self.board.best(carry)
        return mixed(move[:, 0], score[:, 0] <= 0)


@script("bandit", games=(GAME,), paper="first place of Kaggle's Rock, Paper, Scissors 2021; Freund & Schapire 1997")
class Bandit(Guesser):
    """Experts and their rotations as arms: plays each in proportion to the exponential of its fading score."""

    decays = (0.95,)
    eagerness = 1.5

    def choose(self, view: View, carry: Arrays) -> Plan:
        """The arms' moves, weighed."""
        scores = self.board.scores(carry)[:, 0]
        weight = np.exp(self.eagerness * (scores - scores.max(axis=(1, 2), keepdims=True)).astype(np.float64))
        turn = (np.arange(3)[:, None] - carry["guesses guess"][:, None]) % 3
        mass = np.cumsum(np.take_along_axis(weight, turn, axis=1), axis=2)[..., -1]  # in order, whatever the batch
        mixture: Plan = mass / (mass[:, 0] + mass[:, 1] + mass[:, 2])[:, None]
        return mixture


@script("going-meta", games=(GAME,), paper="0Zeta, Going Meta, Kaggle's Rock, Paper, Scissors 2021")
class GoingMeta(Guesser):
    """The three best rotated guesses by a fading score, blended; at random when ten behind over the last rounds."""

    decays = (0.92,)
    blend = (0.7, 0.2, 0.1)

    def extra(self, view: View) -> Arrays:
        """The fading score ``(B,)``."""
        return {"balance": np.zeros(view.size, np.float32)}

    def learn(self, view: View, carry: Arrays) -> None:
        """Its own results too."""
        super().learn(view, carry)
        carry["balance"] = carry["balance"] * np.float32(0.98) + result(view)

    def choose(self, view: View, carry: Arrays) -> Plan:
        """The blend."""
        flat = self.board.scores(carry)[:, 0].reshape(view.size, -1)
        mixture = np.zeros((view.size, 3))
        for share in self.blend:
            best = flat.argmax(axis=1)[:, None]
            mixture += share * CERTAIN[self.board.moves(carry, best)[:, 0]]
            np.put_along_axis(flat, best, -np.inf, axis=1)
        return np.where((carry["balance"] < -10)[:, None], 1 / 3, mixture)


def _begun(pasts: Pasts, view: View, carry: Carry) -> Arrays:
    """The carry with the last round learnt, or a fresh one."""
    if carry is None:
        return pasts.fresh(view.size, view.game.rounds)
    pasts.learn(carry, view)
    return carry
