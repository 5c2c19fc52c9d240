"""What a table of turns says of a turn beside its reward: where it was taken, what was done, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from arena.records import TurnRecord
from games import GameInfo


@dataclass(slots=True)
class Place:
    """Where one seat stands in its match: ``here`` numbers all that it has read and done so far."""

    name: Callable[[Hashable], int]
    here: int

    def move_on(self, turn: TurnRecord) -> tuple[int, int, int]:
        """(information state, observation, action) of the seat's next turn, as numbers; equal where the texts are."""
        observed, action = self.name(("observed", turn.observation)), self.name(("action", turn.move))
        state = self.name(("state", self.here, observed))
        self.here = self.name(("after", state, action))
        return state, observed, action


def share_of_range(payoff: float, info: GameInfo) -> float:
    """A payoff as a share of the game's range, 0 to 1; in a zero-sum game a draw is ½."""
    low, high = info.payoff_bounds
    return min(1.0, max(0.0, (payoff - low) / (high - low))) if high > low else 0.0


def facts(turn: TurnRecord, info: GameInfo) -> tuple[int, int, int, int, float]:
    """(tokens with a choice, tokens of thinking, message or move, illegal, log-probability) of a turn."""
    sample = turn.sample
    if sample is None:
        return turn.completion_tokens, 0, int(_is_talk(turn, info)), int(bool(turn.illegal)), 0.0
    chosen = [p for p, a in zip(sample.logprobs, sample.allowed, strict=True) if a is None or len(a) > 1]
    return len(chosen), sample.thought, int(_is_talk(turn, info)), int(bool(turn.illegal)), sum(chosen)


def _is_talk(turn: TurnRecord, info: GameInfo) -> bool:
    """Whether the turn was free text; a text that is also the name of a finite move counts as that move."""
    return info.free is not None and (info.moves is None or turn.move not in info.moves)
