"""A stored match, played again: seed, deal and moves give back every observation and reward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import games
from arena.blob import decode
from arena.illegal import conduct
from arena.records import Episode, Match, TurnRecord
from arena.tables import MatchRow
from games import ArenaError, Game, Stream
from games.stream import CHANCE


@dataclass(frozen=True, slots=True)
class Frame:
    """A match at one tick."""

    tick: int
    state: Any
    rewards: tuple[float, ...]
    """What each seat has just received (empty before the first tick)."""
    turns: tuple[TurnRecord, ...]
    """The turns that led here."""


def rebuild(row: MatchRow, blob: bytes, seed: int) -> Episode:
    """The episode behind a stored match.

    Raises:
        ArenaError: played again, the match ends otherwise than it did: the game's rules have changed.
    """
    game = games.make(row.game)
    frames = _replay(game, row, decode(blob), seed)
    rewards = tuple(f.rewards for f in frames[1:])
    payoffs = tuple(sum(r[s] for r in rewards) for s in range(game.seats))
    if payoffs != row.payoffs:
        raise ArenaError(f"match {row.id} ended {row.payoffs}, but {row.game} now gives {payoffs}: its rules changed")
    turns = tuple(turn for f in frames for turn in f.turns)
    return Episode(
        match=Match(row.id, game, row.deal, row.entrants),
        turns=turns,
        rewards=rewards,
        payoffs=payoffs,
        rounds=row.rounds,
        ending=row.ending,
        measures={**game.measures(frames[-1].state), **conduct(turns, game.seats)},
    )


def frames(episode: Episode, seed: int) -> list[Frame]:
    """The states an episode went through, the start first, for people watching."""
    names = ("move", "reply", "illegal", "thought", "refused")
    kept = [{name: getattr(turn, name) for name in names} for turn in episode.turns]
    return _replay(episode.match.game, episode.match, kept, seed)


def _replay(game: Game[Any], match: Match | MatchRow, kept: list[dict[str, Any]], seed: int) -> list[Frame]:
    state = game.start(Stream(seed, CHANCE, match.deal, 0))
    found = [Frame(0, state, (), ())]
    left = iter(kept)
    while movers := game.to_move(state):
        tick = len(found)
        turns = [_turn(game, state, seat, tick - 1, data) for seat, data in zip(movers, left, strict=False)]
        if len(turns) < len(movers):
            break  # the match was truncated here
        out = tuple(t.seat for t in turns if t.move is None)
        if out:
            found.append(Frame(tick, state, game.forfeit(state, out), tuple(turns)))
            break
        moves = tuple(str(t.move) for t in turns)
        state, rewards = game.play(state, moves, Stream(seed, CHANCE, match.deal, tick))
        found.append(Frame(tick, state, rewards, tuple(turns)))
    return found


def _turn(game: Game[Any], state: Any, seat: int, tick: int, data: dict[str, Any]) -> TurnRecord:
    text = game.observe(state, seat).text
    return TurnRecord(seat=seat, tick=tick, round=game.round(state), observation=text, **data)
