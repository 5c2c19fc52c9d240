"""``context-mixing``: a forecast of the other's next move, mixed from a hundred small ones whose weights are learnt.

Strategies for this game used to pick one predictor by its record. Data compressors do better with many weak models:
each gives probabilities, and they are mixed with weights that follow how well they forecast. Here the models are counts
after contexts of both players' moves, of results, of phases; counts of by how much the move differs from one that may
explain it (the last moves, what followed a similar past); and counts relative to what a model of *oneself* expects,
which finds out opponents who read their opponent. A second mixer learns how the other answers the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from games.matrix import Ints
from policies.registry import script
from policies.rps.bank import Bank, Mixer, Singles
from policies.rps.evidence import ROWS, WINDOWS, Codes, agreements, bases, contexts, frequencies
from policies.rps.memory import Arrays, Pasts, no_counts
from policies.rps.thrower import GAME, Plan, Thrower, mixed
from policies.scripted.matrix import Carry, View

FAST, QUICK, STEADY, SLOW = 0.8, 0.9, 0.95, 0.995


@dataclass(frozen=True, slots=True)
class Source:
    """A tally of the other's moves: after which context, counted from which base, how fast it fades."""

    context: str
    base: str = ""
    decay: float = SLOW


SELF = ("own 1", "own 2", "own 3", "other 1", "other 2", "both 1", "both 2", "both 3", "other 0")
"""Contexts after which its own moves are counted, as an opponent might."""
_MATCHES = [f"{kind} {window}" for kind in Pasts().kinds for window in WINDOWS]


def _sources() -> list[Source]:
    always = "other 0"
    return [
        *(Source(always, "", decay) for decay in (FAST, STEADY, 1.0)),
        *(Source(always, base, d) for base in ("own", "other", "sum", "own before") for d in (FAST, STEADY, SLOW)),
        *(Source(f"{seat} {n}", "", d) for seat in ("other", "own") for n in (1, 2) for d in (STEADY, 1.0)),
        *(Source(name) for name in ("other 3", "other 4", "other 5", "own 3", "own 4")),
        *(Source(f"both {n}", "", decay) for n in (1, 2) for decay in (QUICK, SLOW)),
        *(Source(name) for name in ("both 3", "own 1 other 2", "own 2 other 1", "other before", "own before")),
        *(Source(f"phase {n}", "other") for n in (2, 3, 6)),
        *(Source("phase 3"), Source("fared 1", "other", STEADY), Source("fared 2", "other")),
        *(Source("fared 3", "other"), Source("fared 2", "own"), Source("turned 2", "other")),
        *(Source(f"{seat} order") for seat in ("other", "own")),
        *(Source(always, f"{rank} {seat}", STEADY) for rank in ("most", "least") for seat in ("own", "other")),
        *(Source(f"length {match}", f"other after {match}", decay) for match in _MATCHES for decay in (QUICK, SLOW)),
        *(Source(always, f"own after {match}", decay) for match in _MATCHES for decay in (FAST, STEADY)),
        *(Source(always, f"self {name}", decay) for name in SELF for decay in (FAST, STEADY)),
    ]


SOURCES = tuple(_sources())


@script("context-mixing", games=(GAME,), paper="our own; context mixing: Mattern 2012, doi 10.1109/DCC.2012.46")
class ContextMixing(Thrower):
    """Mixes a hundred small forecasts of the other's move, weights learnt, and plays what earns most against them.

    It plays at random while that would have lost of late.
    """

    memory = np.float32(0.97)
    """What its results are worth a round later."""
    answers_fade = (0.8, 0.95, 0.99)
    """How fast the counts of answers to its plan fade."""

    def __init__(self) -> None:
        super().__init__()
        self.pasts = Pasts()
        self.bank = Bank("bank", [ROWS[s.context] for s in SOURCES], [s.decay for s in SOURCES])
        self.mirror = Bank("mirror", [ROWS[name] for name in SELF], [0.98] * len(SELF))
        self.answers = Bank("answers", [1] * len(self.answers_fade), self.answers_fade)
        self.mixer = Mixer("mixer", [1.5 / len(SOURCES)] * len(SOURCES), 0.004, haste=3.0)
        self.second_mixer = Mixer("second mixer", [1.0] + [0.0] * len(self.answers_fade), 0.02)

    def plan(self, view: View, carry: Carry) -> tuple[Plan, Carry]:
        """The best reply to the forecast; ``balance`` ``(B,)`` is how its plans have done."""
        if carry is None:
            carry = self._fresh(view)
        else:
            self._learn(view, carry)
        codes, moves = self._evidence(view, carry)
        rows, starts = np.stack([codes[s.context] for s in SOURCES]), np.stack([moves[s.base] for s in SOURCES])
        forecast = self.mixer.mix(carry, _logs(self.bank.read(carry, rows, starts)))
        carry["plan"] = _best_reply(self._checked(carry, forecast))
        return mixed(carry["plan"], carry["balance"] < 0), carry

    def _fresh(self, view: View) -> Arrays:
        parts = (self.bank, self.mirror, self.answers, self.mixer, self.second_mixer)
        carry = self.pasts.fresh(view.size, view.game.rounds)
        for part in parts:
            carry |= part.fresh(view.size)
        counts = {f"count {seat}": no_counts(view.size) for seat in ("own", "other")}
        return carry | counts | {"plan": np.zeros(view.size, np.int8), "balance": np.zeros(view.size, np.float32)}

    def _learn(self, view: View, carry: Arrays) -> None:
        own, other, lanes = view.own[:, -1], view.other[:, -1], np.arange(view.size)
        self.pasts.learn(carry, view)
        carry["count own"][lanes, own] += 1
        carry["count other"][lanes, other] += 1
        self.mirror.learn(carry, own)
        for bank, mixer in ((self.bank, self.mixer), (self.answers, self.second_mixer)):
            bank.learn(carry, other)
            mixer.learn(carry, other, view.round)
        carry["balance"] = carry["balance"] * self.memory + ((carry["plan"] - other + 1) % 3 - 1)

    def _evidence(self, view: View, carry: Arrays) -> tuple[Codes, Codes]:
        """Every context, and every move to count from."""
        codes = contexts(view)
        moves = bases(codes)
        for found, explained in (frequencies(carry), agreements(self.pasts, carry, view.round)):
            codes |= found
            moves |= explained
        rows = np.stack([codes[name] for name in SELF])
        expected = self.mirror.read(carry, rows, np.zeros_like(rows)).argmax(axis=1)
        return codes, moves | {f"self {name}": expected[k] for k, name in enumerate(SELF)}

    def _checked(self, carry: Arrays, forecast_3B: Singles) -> Singles:
        """The forecast mixed with how the other has answered such plans before."""
        first = np.tile(_best_reply(forecast_3B), (len(self.answers_fade), 1))
        counts = self.answers.read(carry, np.zeros_like(first), first)
        logs = np.concatenate([np.log(forecast_3B)[None], _logs(counts, 2.0)])
        return self.second_mixer.mix(carry, logs)


def _logs(counts_K3B: Singles, prior: float = 0.5) -> Singles:
    """Logarithms of the moves' probabilities, ``prior`` added to each count."""
    total = counts_K3B[:, 0] + counts_K3B[:, 1] + counts_K3B[:, 2]
    logs: Singles = np.log((counts_K3B + np.float32(prior)) / (total + np.float32(3 * prior))[:, None])
    return logs


def _best_reply(forecast_3B: Singles) -> Ints:
    """The move that earns most ``(B,)``."""
    rock, paper, scissors = forecast_3B
    best: Ints = np.stack([scissors - paper, rock - scissors, paper - rock]).argmax(axis=0)
    return best
