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
    "kuhn-poker": {"random": 0.3, "bluffer": 0.7},
    "tic-tac-toe": {"random": 0.1, "win-block": 0.4, "minimax": 0.5},
    "trust-and-split": {
        "honest-cooperative": 0.25,
        "reciprocal": 0.40,
        "greedy": 0.15,
        "always-half": 0.08,
        "liar": 0.12,
    },
    "commons": {  # a fifth seat that takes all ends the match for everybody
        "sustainable": 0.45,
        "trigger-harvester": 0.30,
        "last-month-harvester": 0.10,
        "over-harvester": 0.06,
        "stock-grabber": 0.03,
        "random": 0.06,
    },
    "hanabi": {
        "random": 0.45,
        "hanabi-convention": 0.20,
        "hanabi-cautious": 0.15,
        "hanabi-lazy": 0.10,
        "hanabi-reckless": 0.10,
    },
}

SHARES: Mapping[str, float] = {
    "auction": 1.0,
    "battle-of-the-sexes": 0.5,
    "buy-sell": 1.0,
    "chicken": 0.4,
    "commons": 0.8,
    "connect-four": 1.2,
    "deal-or-no-deal": 1.2,
    "deliberation": 0.5,
    "goofspiel": 1.4,
    "hanabi": 1.3,
    "kuhn-poker": 10.0,
    "leduc-poker": 1.8,
    "liars-dice": 1.8,
    "matching-pennies": 0.4,
    "maze": 0.9,
    "negotiation": 1.2,
    "prisoners-dilemma": 1.7,
    "public-goods": 0.6,
    "rock-paper-scissors": 0.5,
    "shared-arms": 0.5,
    "split": 0.5,
    "stag-hunt": 0.4,
    "tic-tac-toe": 7.0,
    "trust-and-split": 2.3,
    "ultimatum": 1.2,
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


def _one_of(*options: str) -> Callable[[Stream], str]:
    return lambda rng: rng.choice(options)


def _rounds(most: int) -> Callable[[Stream], str]:
    return lambda rng: f"rounds={1 + rng.integers(most)}"


def _trade(rng: Stream) -> str:
    return f"cost={20 + rng.integers(30)},value={50 + rng.integers(30)}"


def _goods(rng: Stream) -> str:
    return f"seats={3 + rng.integers(3)},rounds={1 + rng.integers(10)},endowment={5 * (1 + rng.integers(4))}"


def _catch(rng: Stream) -> str:
    return f"seats={3 + rng.integers(3)},months={3 + rng.integers(10)}"


VARIATIONS: Mapping[str, Callable[[Stream], str]] = {
    "prisoners-dilemma": _dilemma,
    "stag-hunt": _length,
    "chicken": _length,
    "battle-of-the-sexes": _length,
    "matching-pennies": _length,
    "rock-paper-scissors": _length,
    "trust-and-split": _few_rounds,
    "auction": _one_of("seats=2", "seats=4", "format=second-price", "format=ascending,lots=1", "lots=2"),
    "buy-sell": _trade,
    "commons": _catch,
    "goofspiel": _one_of("cards=4", "cards=6", "order=descending", "order=ascending", "payoff=win"),
    "hanabi": _one_of("hints=2", "lives=2", "hand=2", "ranks=3"),
    "liars-dice": _one_of("sides=4", "sides=5", "dice=2", "players=3"),
    "maze": _one_of("form=solo", "form=solo-partial", "size=5", "size=4", "walls=0.2", "turns=20", "overlap=0.4"),
    "negotiation": _one_of("items=4", "items=6", "length=2", "length=0", "top=8"),
    "public-goods": _goods,
    "shared-arms": _one_of("seats=2", "seats=4", "arms=3", "arms=5", "rounds=10", "known=true"),
    "split": _rounds(6),
    "ultimatum": _one_of("amount=10", "amount=50", "amount=20", "offers=2", "offers=3"),
}


DEFAULTS: Mapping[str, float] = {
    "trust-and-split": 0.15,
    "split": 0.25,
    "buy-sell": 0.7,
    "hanabi": 0.8,
    "goofspiel": 0.7,
    "maze": 0.6,
}
"""How often a game is played with its default options; half of the time where it is not named."""


def spec(game: str, rng: Stream) -> str:
    """``game`` with options drawn: some of the time the default ones."""
    if game not in VARIATIONS or rng.random() < DEFAULTS.get(game, 0.5):
        return game
    return f"{game}:{VARIATIONS[game](rng)}"
