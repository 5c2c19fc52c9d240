"""``relay:K:A,B``: A plays the seat's first K turns, then B goes on.

Each part keeps a conversation of its own. A reads what it would read alone. B, whose first turn is the seat's turn
K + 1, is caught up then: its first observation begins with everything that the seat has read and answered so far, as
text, so that a language model knows the whole match (texts alone are only what is new since the last turn). From then
on it reads what it would read alone. Scripts look at an observation's fields, which always tell all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games import Observation
from games.errors import BadOption
from policies.combinators._parts import Combined, Find, ask, odds
from policies.policy import Exchange, MatchId, Policy, Reply, Turn


@dataclass(frozen=True, slots=True)
class _Past:
    """An earlier turn of a seat."""

    tick: int
    exchange: Exchange


class Relay(Combined):
    """One policy, then another."""

    def __init__(self, turns: int, first: Policy, second: Policy) -> None:
        super().__init__([first, second])
        self.turns = turns
        self._pasts: dict[MatchId, dict[int, list[_Past]]] = {}

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """Each turn goes to who has it."""
        pasts = [self._past(turn) for turn in turns]
        seen = [self._view(turn, past) for turn, past in zip(turns, pasts, strict=True)]
        replies = ask(seen, [self.parts[len(past) >= self.turns] for past in pasts])
        for turn, past, reply in zip(turns, pasts, replies, strict=True):
            past.append(_Past(turn.tick, Exchange(turn.observation.text, reply.text)))
        return replies

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """The exact distributions of who has the turn."""
        early = [turn for turn in turns if len(turn.past) < self.turns]
        late = [self._second(turn) for turn in turns if len(turn.past) >= self.turns]
        first, second = (iter(odds(part, asked)) for part, asked in zip(self.parts, (early, late), strict=True))
        return [next(first if len(turn.past) < self.turns else second) for turn in turns]

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop the pasts, and let the parts forget."""
        over = list(matches)
        super().forget(over)
        for match in over:
            self._pasts.pop(match, None)

    def _past(self, turn: Turn) -> list[_Past]:
        """The seat's earlier turns; asked again at the same tick (a retry), the last try does not count."""
        past = self._pasts.setdefault(turn.match, {}).setdefault(turn.seat, [])
        while past and past[-1].tick >= turn.tick:
            past.pop()
        return past

    def _view(self, turn: Turn, past: Sequence[_Past]) -> Turn:
        return _caught_up(turn, [p.exchange for p in past]) if len(past) == self.turns else turn

    def _second(self, turn: Turn) -> Turn:
        """The turn as the second part sees it: its own past, which begins with being caught up."""
        before, own = turn.past[: self.turns], list(turn.past[self.turns :])
        if not own:
            return _caught_up(replace(turn, past=()), before)
        own[0] = replace(own[0], observation=_caught_up_text(own[0].observation, before))
        own = [replace(e, turn=self._second(e.turn) if e.turn else None) for e in own]
        return replace(turn, past=tuple(own))


def _caught_up(turn: Turn, before: Sequence[Exchange]) -> Turn:
    seen = turn.observation
    return replace(turn, observation=Observation(_caught_up_text(seen.text, before), seen.fields))


def _caught_up_text(text: str, before: Sequence[Exchange]) -> str:
    lines = [f"{exchange.observation}\nYou answered: {exchange.reply}" for exchange in before]
    return "\n".join([*lines, text])


def make(rest: str, find: Find) -> Relay:
    """The policy of ``relay:K:A,B``.

    Raises:
        BadOption: K is no whole number of at least 1, or there are not two parts.
    """
    turns, _, both = rest.partition(":")
    parts = [part.strip() for part in both.split(",")]
    if not turns.isdecimal() or int(turns) < 1 or len(parts) != 2 or not all(parts):
        raise BadOption(
            f'"relay:{rest}": write relay:K:A,B with K of at least 1 and two entrants or specs, as in relay:2:a,b; '
            "a spec that has a comma itself needs a name (NAME=SPEC)"
        )
    return Relay(int(turns), find(parts[0]), find(parts[1]))
