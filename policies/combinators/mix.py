"""``mix:A=0.7,B=0.3``: one of the parts, drawn once per match and seat, plays the whole match.

The draw is a pure function of (run seed, match, seat): a turn's stream is keyed by (run seed, match, seat, tick), and
``above`` puts a number that no tick has in the tick's place and this policy's own label behind it. So every turn of a
match finds the same part with nothing kept, whatever the batches are, and a mix inside a mix draws independently.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from games.errors import BadOption, UsageError
from policies.combinators._parts import Combined, Find, ask, odds
from policies.policy import Policy, Reply, Turn


class Mix(Combined):
    """A draw among policies."""

    def __init__(self, parts: Sequence[Policy], weights: Sequence[float]) -> None:
        super().__init__(parts)
        self.weights = tuple(weight / math.fsum(weights) for weight in weights)

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """Each turn goes to the part that was drawn for its match and seat."""
        return ask(turns, [self.drawn(turn) for turn in turns])

    def drawn(self, turn: Turn) -> Policy:
        """The part that plays this match in this seat."""
        return turn.rng.above(self.label).weighted(self.parts, self.weights)

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions, not knowing what was drawn: a part counts as much as its earlier moves make it likely.

        So the turns of a match hang together as they do in play (Kuhn 1953: what a mixture does, information state by
        information state).

        Raises:
            UsageError: a turn does not hold the turns of its past, or a part gives no probabilities.
        """
        asked = {id(turn): turn for one in turns for turn in (one, *_earlier(one))}
        tables = [dict(zip(asked, odds(part, list(asked.values())), strict=True)) for part in self.parts]
        return [self._marginal(turn, tables) for turn in turns]

    def _marginal(self, turn: Turn, tables: Sequence[Mapping[int, Mapping[str, float]]]) -> dict[str, float]:
        steps = [(id(e.turn), e.reply) for e in turn.past]
        likely = [
            weight * math.prod(table[at].get(reply, 0.0) for at, reply in steps)
            for weight, table in zip(self.weights, tables, strict=True)
        ]
        likely = likely if sum(likely) > 0 else list(self.weights)  # no part ever comes here: any answer is right
        total = math.fsum(likely)
        moves = dict.fromkeys(move for table in tables for move in table[id(turn)])
        here = [table[id(turn)] for table in tables]
        return {m: math.fsum(p * t.get(m, 0.0) for p, t in zip(likely, here, strict=True)) / total for m in moves}


def _earlier(turn: Turn) -> list[Turn]:
    found = [exchange.turn for exchange in turn.past if exchange.turn is not None]
    if len(found) < len(turn.past):
        raise UsageError("a mix has exact probabilities only where the turns of the past are known")
    return found


def make(rest: str, find: Find) -> Mix:
    """The policy of ``mix:A=P,B=Q``; weights are divided by their sum.

    Raises:
        BadOption: a part without a weight above 0.
    """
    pairs = [part.rpartition("=") for part in rest.split(",")]
    weights = [_weight(text) for _, _, text in pairs]
    if not all(name.strip() for name, _, _ in pairs) or not all(weight > 0 for weight in weights):
        raise BadOption(
            f'"mix:{rest}": write mix:A=P,B=Q with entrants or specs and weights above 0, as in mix:a=0.7,b=0.3; '
            "a spec that has a comma itself needs a name (NAME=SPEC)"
        )
    return Mix([find(name.strip()) for name, _, _ in pairs], weights)


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        return 0.0
    return weight if math.isfinite(weight) else 0.0
