"""The habits that ``llm:tiny`` is given: who plays each game in its corpus, and with which options.

A game that is not named here is played by all its scripted players and ``random``, options at their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import policies
from games.stream import Stream

Mixture = Mapping[str, float]

_MATRIX: Mixture = {"random": 1.0}
_DILEMMA: Mixture = {
    "random": 0.40,
    "tit-for-tat": 0.15,
    "suspicious-tit-for-tat": 0.15,
    "grim": 0.05,
    "win-stay-lose-shift": 0.05,
    "always-cooperate": 0.08,
    "always-defect": 0.12,
}

HABITS: Mapping[str, Mixture] = {
    "prisoners-dilemma": _DILEMMA,
    "stag-hunt": {"random": 1.0},
    "chicken": {"random": 1.0},
    "battle-of-the-sexes": _MATRIX,
    "matching-pennies": _MATRIX,
    "rock-paper-scissors": _MATRIX,
    "kuhn-poker": {"random": 0.4, "bluffer": 0.6},
    "tic-tac-toe": {"random": 0.1, "win-block": 0.4, "minimax": 0.5},
    "trust-and-split": {
        "honest-cooperative": 0.25,
        "reciprocal": 0.40,
        "greedy": 0.15,
        "always-half": 0.08,
        "liar": 0.12,
    },
}

SHARES: Mapping[str, float] = {
    "prisoners-dilemma": 2.5,
    "stag-hunt": 0.5,
    "chicken": 0.5,
    "battle-of-the-sexes": 0.5,
    "matching-pennies": 0.5,
    "rock-paper-scissors": 0.7,
    "kuhn-poker": 7.0,
    "tic-tac-toe": 8.0,
    "trust-and-split": 4.0,
}
"""How many conversations of the corpus are of each game, in parts; 1 where it is not named."""


def habits(game: str) -> Mixture:
    """The players of ``game`` in the corpus, with weights."""
    if game in HABITS:
        return HABITS[game]
    own = [name for name, entry in policies.scripts().items() if entry.games and game in entry.games]
    return {"random": 0.4, **{name: 0.6 / len(own) for name in own}} if own else {"random": 1.0}


def _dilemma(rng: Stream) -> str:
    """Other payoffs T > R > P > S with 2R > T + S, other lengths, sometimes noise or a random end."""
    s = rng.integers(3)
    p = s + 1 + rng.integers(3)
    r = p + 1 + rng.integers(4)
    t = r + 1 + rng.integers(max(1, r - s - 1))
    return f"payoffs={r}/{s}/{t}/{p}," + _length(rng)


def _length(rng: Stream) -> str:
    options = [f"rounds={1 + rng.integers(16)}"]
    if rng.random() < 0.1:
        options.append(f"noise=0.{1 + rng.integers(9):02d}")
    if rng.random() < 0.1:
        options.append(f"end=0.{1 + rng.integers(3)}")
    return ",".join(options)


def _few_rounds(rng: Stream) -> str:
    return f"rounds={1 + rng.integers(8 if rng.random() < 0.2 else 4)}"


VARIATIONS: Mapping[str, Callable[[Stream], str]] = {
    "prisoners-dilemma": _dilemma,
    "stag-hunt": _length,
    "chicken": _length,
    "battle-of-the-sexes": _length,
    "matching-pennies": _length,
    "rock-paper-scissors": _length,
    "trust-and-split": _few_rounds,
}


DEFAULTS: Mapping[str, float] = {"trust-and-split": 0.15}
"""How often a game is played with its default options; half of the time where it is not named."""


def spec(game: str, rng: Stream) -> str:
    """``game`` with options drawn: some of the time the default ones."""
    if game not in VARIATIONS or rng.random() < DEFAULTS.get(game, 0.5):
        return game
    return f"{game}:{VARIATIONS[game](rng)}"
