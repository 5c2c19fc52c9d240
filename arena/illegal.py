"""What becomes of an illegal reply: a rule per run, the same for every player."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.records import TurnRecord
from games import BadOption, Game
from policies import Reply, Turn

GAME, FORFEIT, RANDOM = "game", "forfeit", "random-legal"
_THEN = (GAME, FORFEIT, RANDOM)
_RULE = re.compile(rf"(?P<plain>{'|'.join(_THEN)})|retry:(?P<retries>[0-9]{{1,3}})(:(?P<then>{'|'.join(_THEN)}))?")
_MOST = 100
_LABEL = 0x111E6A1  # keeps the draws of this rule apart from the player's own


@dataclass(frozen=True, slots=True)
class IllegalRule:
    """How often an illegal reply may be mended, and what it counts as when it stays illegal."""

    retries: int = 0
    then: str = GAME
    """``game``: the game's own substitute, a forfeit where it has none; ``forfeit``; or ``random-legal``."""

    @classmethod
    def parse(cls, text: str) -> IllegalRule:
        """The rule of ``game``, ``forfeit``, ``random-legal``, ``retry:N`` or ``retry:N:THEN``.

        Raises:
            BadOption: it is none of these.
        """
        found = _RULE.fullmatch(text)
        if found is None or int(found["retries"] or 0) > _MOST:
            known = f"{', '.join(_THEN)}, retry:N, or retry:N:THEN with one of the former; N is at most {_MOST}"
            raise BadOption(f'illegal="{text}" is no rule; use {known}')
        return cls(int(found["retries"] or 0), found["then"] or found["plain"] or GAME)

    def counts_as(self, game: Game[Any], state: Any, turn: Turn) -> str | None:
        """The move that a reply which stayed illegal counts as; None: the seat forfeits.

        A random legal move of free text can't be drawn: there the game's own rule holds.
        """
        if self.then == FORFEIT:
            return None
        if self.then == RANDOM and turn.moves.texts:
            return turn.rng.apart(_LABEL).choice(turn.moves.texts)
        return game.substitute(state, turn.seat)


def notice(reason: str) -> str:
    """What a player reads when it is asked again."""
    return f"Your last reply was refused: {reason}. Reply again."


def mended(earlier: Reply, reply: Reply) -> Reply:
    """``reply`` after a refused one: what both cost, and the tokens of the refused one as part of the prompt."""
    sample = reply.sample
    if sample is not None and earlier.sample is not None:
        sample = sample.after(earlier.sample)
    return replace(
        reply,
        prompt_tokens=earlier.prompt_tokens + reply.prompt_tokens,
        completion_tokens=earlier.completion_tokens + reply.completion_tokens,
        seconds=earlier.seconds + reply.seconds,
        cost=earlier.cost + reply.cost,
        sample=sample,
    )


def conduct(turns: Sequence[TurnRecord], seats: int) -> Mapping[str, tuple[float, ...]]:
    """What a match is also judged by, for each seat: the share of turns tried again (``retried``), money ``spent``."""
    out = {}
    if any(t.refused for t in turns):
        out["retried"] = tuple(_mean([float(bool(t.refused)) for t in turns if t.seat == s]) for s in range(seats))
    if any(t.cost for t in turns):
        out["spent"] = tuple(sum(t.cost for t in turns if t.seat == s) for s in range(seats))
    return out


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
