"""Matches by random play, which the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.errors import ArenaError
from games.game import Game, Move, Moves, Rewards
from games.stream import CHANCE, POLICY, Stream

WORDS = ("hello", "I agree", 'say "rock" or 7', "no")


class ConformanceError(ArenaError, AssertionError):
    """A game breaks its contract; the message says where and how."""


@dataclass(frozen=True, slots=True)
class Step:
    """One tick: the state before it, who moved, what was played and what everybody got."""

    state: Any
    movers: tuple[int, ...]
    moves: tuple[Move, ...]
    rewards: Rewards


@dataclass(frozen=True, slots=True)
class Playthrough:
    """One match by random play, from start to end."""

    steps: tuple[Step, ...]
    end: Any

    @property
    def states(self) -> tuple[Any, ...]:
        """Every state, the last one too."""
        return (*(step.state for step in self.steps), self.end)

    def payoff(self, seat: int) -> float:
        """The sum of a seat's rewards."""
        return sum(step.rewards[seat] for step in self.steps)


def require(holds: object, sentence: str) -> None:
    """Raise :class:`ConformanceError` with ``sentence`` unless ``holds``."""
    if not holds:
        raise ConformanceError(sentence)


def sample(moves: Moves, rng: Stream) -> Move:
    """Any legal move."""
    if moves.free is None:
        return rng.choice(moves.texts)
    word = rng.choice(WORDS)[: moves.free.max_length]
    return word.ljust(moves.free.min_length, "a")


def playthrough(game: Game[Any], seed: int, deal: int = 0, players: int | None = None) -> Playthrough:
    """Play a match at random.

    Args:
        game: the game, options fixed.
        seed: seeds everything.
        deal: seeds chance alone.
        players: seeds the players' choices; by default ``deal`` does. Matches of the same ``players`` make the same
            choices whatever is dealt, which is how states that a seat can't tell apart are found.
    """
    state = game.start(Stream(seed, CHANCE, deal, 0))
    steps: list[Step] = []
    noise = deal if players is None else players
    while movers := game.to_move(state):
        tick = len(steps)
        require(tick < game.info.max_ticks, f"a match goes on after max_ticks={game.info.max_ticks}")
        moves = tuple(_choose(game, state, seat, Stream(seed, POLICY, noise, seat, tick)) for seat in movers)
        after, rewards = game.play(state, moves, Stream(seed, CHANCE, deal, tick + 1))
        steps.append(Step(state, movers, moves, rewards))
        state = after
    return Playthrough(tuple(steps), state)


def _choose(game: Game[Any], state: Any, seat: int, rng: Stream) -> Move:
    return game.parse(state, seat, sample(game.moves(state, seat), rng))


def matches(game: Game[Any], count: int, seed: int) -> Iterator[Playthrough]:
    """``count`` matches: every second one differs from the one before in chance alone."""
    for deal in range(count):
        yield playthrough(game, seed, deal, players=deal // 2)
