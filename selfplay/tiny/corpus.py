"""Conversations of scripted players: what ``llm:tiny`` reads while it is trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import games
import policies
from arena.match import run_matches
from arena.records import Episode, Match
from games.stream import TRAINING, Stream
from selfplay.tiny.habits import SHARES, habits, spec


@dataclass(frozen=True, slots=True)
class Conversation:
    """One seat's match as it was talked: the rules, then (observation, reply) pairs."""

    game: str
    rules: str
    exchanges: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Everything in one string, for training the tokenizer."""
        return "\n".join([self.rules, *(part for pair in self.exchanges for part in pair)])


def conversations(
    size: int, seed: int, names: Sequence[str] | None = None, more: Mapping[str, float] | None = None
) -> list[Conversation]:
    """About ``size`` conversations of the games in ``SHARES``, in random order, every deal drawn from ``seed``."""
    names = names or [name for name in games.names() if name in SHARES]
    parts = {name: SHARES.get(name, 1.0) * (more or {}).get(name, 1.0) for name in names}
    out: list[Conversation] = []
    for index, name in enumerate(names):
        seats = games.make(name).seats
        matches = max(1, round(size * parts[name] / sum(parts.values()) / seats))
        out += _of_game(name, matches, seed, index)
    return Stream(seed, TRAINING, 1).shuffled(out)


def _of_game(name: str, matches: int, seed: int, index: int) -> Iterator[Conversation]:
    mixture = habits(name)
    players = {player: policies.make(player) for player in mixture}
    plan = []
    for number in range(matches):
        rng = Stream(seed, TRAINING, 2, index, number)
        game = games.make(spec(name, rng))
        seated = tuple(rng.weighted(list(mixture), list(mixture.values())) for _ in range(game.seats))
        plan.append(Match(index * 10_000_000 + number, game, number, seated))
    for episode in run_matches(plan, players, seed=seed, live=256):
        yield from _seats(name, episode)


def _seats(name: str, episode: Episode) -> Iterator[Conversation]:
    for seat in range(episode.match.game.seats):
        turns = [(t.observation, t.reply) for t in episode.turns if t.seat == seat and not t.illegal]
        if turns:
            yield Conversation(name, episode.match.game.rules(seat), tuple(turns))
