"""What decides: the policy contract, the turn it is handed and the reply it gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

from games import Game, Moves, Observation, Stream

MatchId = int


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier turn of a seat: what it read and what it answered."""

    observation: str
    reply: str
    turn: Turn | None = None
    """The turn as it was, where it is known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One seat's decision at one tick, as the policy sees it."""

    game: Game[Any]
    match: MatchId
    seat: int
    tick: int
    observation: Observation
    moves: Moves
    rng: Stream
    """Noise of this (run seed, match, seat, tick) alone: never draw from anything else."""
    notice: str = ""
    """Why the last try at this turn was refused, where the run allows retries."""
    state: Any = None
    """The game's state, only where the game has perfect information (search needs it)."""
    past: tuple[Exchange, ...] = ()
    """The seat's earlier turns; filled only for :meth:`probabilities`, which keeps no memory."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The tokens behind a reply, as sampled, for training.

    ``prompt_ids`` are the ids that were appended to the seat's conversation before the reply (on its first turn the
    rules too); ``reply_ids`` the sampled ids, end token included; ``logprobs`` one number per reply id, of the
    distribution really sampled from; ``allowed`` the ids that each was chosen among, or None where the whole
    vocabulary was.
    """

    prompt_ids: tuple[int, ...]
    reply_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    fresh: bool = False
    """Whether the conversation begins (anew) with this prompt."""
    version: int = 0
    """Training step of the adapter that sampled it."""

    def after(self, refused: Sample) -> Sample:
        """This sample where it mends a refused reply: what was refused is read, like a prompt, and not trained on."""
        if self.fresh:
            return self  # the conversation began anew meanwhile
        return replace(self, prompt_ids=refused.prompt_ids + refused.reply_ids + self.prompt_ids, fresh=refused.fresh)

    thought: int = 0
    """How many of ``reply_ids``, from the first, are thinking kept apart from the answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and what it cost."""

    text: str
    thought: str = ""
    """Reasoning kept apart from the answer."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    error: str = ""
    """What went wrong outside the game (a timeout, a refusal); the turn then counts as illegal."""
    cost: float = 0.0
    """Money, in the currency of the prices that the player was given; 0 where it was given none."""
    sample: Sample | None = None


@runtime_checkable
class Policy(Protocol):
    """What can sit in a seat. Always asked in batches; answers in order.

    Two more are optional: ``probabilities(turns)``, one exact distribution over legal moves per turn; and ``team``, a
    value that policies share which may be asked at once, by ``act_together([(policy, turns), …])`` of any of them.
    """

    name: str
    kind: str
    """``script``, ``llm``, ``adapter``, ``api``, ``human`` or ``hosted``."""

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn, in order."""

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop what is kept for these matches."""


class BasePolicy:
    """What most policies share: a name, nothing remembered, every game played."""

    name = ""
    kind = "script"
    games: tuple[str, ...] | None = None
    """Names of the games it can play; None: all of them."""

    def check(self, game: Game[Any]) -> str:
        """Why this policy can't play ``game``, or an empty string."""
        if self.games is None or game.name in self.games:
            return ""
        return f'"{self.name}" plays {", ".join(self.games)}, not {game.name}'

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop what is kept for these matches: nothing."""


@lru_cache(maxsize=4096)
def _plain(text: str) -> Reply:
    """A reply that is a text and nothing else; scripts give the same few over and over."""
    return Reply(text)


class Script(BasePolicy):
    """A plain scripted player: one turn at a time."""

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn, each decided on its own."""
        return [_plain(self.decide(turn)) for turn in turns]

    def decide(self, turn: Turn) -> str:
        """The move for one turn."""
        raise NotImplementedError

    def probabilities(self, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
        """Exact distributions over legal moves, where :meth:`distribution` gives them."""
        return [self.distribution(turn) for turn in turns]

    def distribution(self, turn: Turn) -> dict[str, float]:
        """The probability of each legal move; by default certainty of what :meth:`decide` answers without drawing."""
        from games.stream import NoChance

        return {self.decide(replace(turn, rng=NoChance())): 1.0}
