"""What may tell of the other's next move: contexts, and moves from which it may differ by a fixed step."""

from __future__ import annotations

import numpy as np

from games.matrix import Ints
from policies.rps.memory import ORDERS, Arrays, Pasts, joint, order_of, recent
from policies.scripted.matrix import View

Codes = dict[str, Ints]

LONGEST = 6
"""Classes of agreement with the past: none, 1, 2-3, 4-7, 8-12, more rounds."""
_CLASS = np.array([0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4] + [5] * 4)
WINDOWS = (10, 0)
"""How far back agreement is sought; 0: over the whole match."""
ROWS = {
    **{f"other {n}": 3**n for n in range(6)},
    **{f"own {n}": 3**n for n in range(5)},
    **{f"both {n}": 9**n for n in range(1, 4)},
    **{f"fared {n}": 3**n for n in range(1, 4)},
    **{f"phase {n}": n for n in (2, 3, 6)},
    "turned 2": 9,
    "own 1 other 2": 27,
    "own 2 other 1": 27,
    "other before": 3,
    "own before": 3,
    "other order": ORDERS,
    "own order": ORDERS,
    **{f"length {kind} {window}": LONGEST for kind in Pasts().kinds for window in WINDOWS},
}
"""How many values each context has."""


def contexts(view: View) -> Codes:
    """Contexts ``(B,)`` from the last rounds, by name: last moves, results, rotations, the round's phase."""
    own, other, none = view.own, view.other, np.zeros(view.size, np.intp)
    turned = (other[:, 1:] - other[:, :-1])[:, -2:] % 3 if view.round else other
    fared = (own[:, -3:] - other[:, -3:]) % 3
    return {
        **{f"other {n}": recent(other, n) for n in range(6)},
        **{f"own {n}": recent(own, n) for n in range(5)},
        **{f"both {n}": joint(view, n) for n in range(1, 4)},
        **{f"fared {n}": recent(fared, n) for n in range(1, 4)},
        **{f"phase {n}": none + view.round % n for n in (2, 3, 6)},
        "turned 2": recent(turned, 2),
        "own 1 other 2": recent(own, 1) * 9 + recent(other, 2),
        "own 2 other 1": recent(own, 2) * 3 + recent(other, 1),
        "other before": recent(other[:, :-1], 1),
        "own before": recent(own[:, :-1], 1),
    }


def bases(codes: Codes) -> Codes:
    """Moves ``(B,)`` to count from: none (rock), the last ones, their sum, its own last but one."""
    own, other = codes["own 1"], codes["other 1"]
    before = codes["own before"]
    return {"": np.zeros_like(own), "own": own, "other": other, "sum": (own + other) % 3, "own before": before}


def frequencies(carry: Arrays) -> tuple[Codes, Codes]:
    """Contexts and bases from how often each move has come: their order, and the most and least frequent."""
    codes: Codes = {}
    moves: Codes = {}
    for seat in ("own", "other"):
        codes[f"{seat} order"] = order_of(carry[f"count {seat}"])
        moves[f"most {seat}"] = carry[f"count {seat}"].argmax(axis=1)
        moves[f"least {seat}"] = carry[f"count {seat}"].argmin(axis=1)
    return codes, moves


def agreements(pasts: Pasts, carry: Arrays, rounds: int) -> tuple[Codes, Codes]:
    """Contexts and bases from the longest agreements with the past: their class, and both moves that followed."""
    codes: Codes = {}
    moves: Codes = {}
    for kind in pasts.kinds:
        for window in WINDOWS:
            place, length = pasts.find(carry, kind, rounds, window)
            codes[f"length {kind} {window}"] = _CLASS[np.minimum(length, len(_CLASS) - 1)]
            moves[f"other after {kind} {window}"], moves[f"own after {kind} {window}"] = pasts.next_moves(
                carry, place, rounds
            )
    return codes, moves
