"""The only turn loop. It keeps many matches live, groups waiting turns by policy, asks once, applies the moves.

What a player does wrong is data: an illegal reply is recorded on its turn and handled by the game's stated rule. What
the program does wrong is an error and passes through; everything yielded before it stays with the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.records import Episode, Match, TurnRecord
from games import IllegalMove, Stream
from games.stream import CHANCE, POLICY
from policies import Policy, Reply, Turn


@dataclass(slots=True)
class _Live:
    """A match in progress: the one place where a match changes."""

    match: Match
    state: Any
    tick: int = 0
    turns: list[TurnRecord] = field(default_factory=list)
    rewards: list[tuple[float, ...]] = field(default_factory=list)
    ending: str = ""


def run_matches(
    matches: Iterable[Match], policies: Mapping[str, Policy], *, seed: int, live: int = 64
) -> Iterator[Episode]:
    """Play ``matches``, at most ``live`` of them at a time, and yield each episode as it ends.

    Args:
        matches: what to play; read lazily.
        policies: the policy of each entrant name.
        seed: the run's seed; with the match's deal it fixes chance, with match, seat and tick each policy's noise.
        live: how many matches are kept going at once. It changes speed, never results.
    """
    waiting = iter(matches)
    table: list[_Live] = []
    while True:
        while len(table) < live and (match := next(waiting, None)) is not None:
            table.append(_Live(match, match.game.start(Stream(seed, CHANCE, match.deal, 0))))
        if not table:
            return
        _tick(table, policies, seed)
        done = [m for m in table if m.ending]
        table = [m for m in table if not m.ending]
        for finished in done:
            for entrant in set(finished.match.entrants):
                policies[entrant].forget([finished.match.id])
            yield _episode(finished)


def _tick(table: Sequence[_Live], policies: Mapping[str, Policy], seed: int) -> None:
    """One step of every live match: ask each policy once, then apply the moves of each match."""
    asked: dict[str, list[tuple[_Live, Turn]]] = {}
    for match in table:
        for seat in match.match.game.to_move(match.state):
            turn = _turn(match, seat, seed)
            asked.setdefault(match.match.entrants[seat], []).append((match, turn))
    replies: dict[tuple[int, int], tuple[Turn, Reply]] = {}
    for name in sorted(asked):
        turns = [turn for _, turn in asked[name]]
        for turn, reply in zip(turns, policies[name].act(turns), strict=True):
            replies[turn.match, turn.seat] = (turn, reply)
    for match in table:
        _apply(match, replies, seed)


def _turn(live: _Live, seat: int, seed: int) -> Turn:
    game, match = live.match.game, live.match
    return Turn(
        game=game,
        match=match.id,
        seat=seat,
        tick=live.tick,
        observation=game.observe(live.state, seat),
        moves=game.moves(live.state, seat),
        rng=Stream(seed, POLICY, match.id, seat, live.tick),
        state=live.state if game.info.perfect_information else None,
    )


def _apply(live: _Live, replies: Mapping[tuple[int, int], tuple[Turn, Reply]], seed: int) -> None:
    """Parse and record every seat's reply of the tick, then forfeit or play."""
    game, movers = live.match.game, live.match.game.to_move(live.state)
    if not movers:
        live.ending = "finished"
        return
    records = [_read(live, *replies[live.match.id, seat]) for seat in movers]
    live.turns.extend(records)
    out = tuple(r.seat for r in records if r.move is None)
    if out:
        live.rewards.append(game.forfeit(live.state, out))
        live.ending = "forfeit"
        return
    live.tick += 1
    chance = Stream(seed, CHANCE, live.match.deal, live.tick)
    live.state, rewards = game.play(live.state, tuple(str(r.move) for r in records), chance)
    live.rewards.append(rewards)
    if not game.to_move(live.state):
        live.ending = "finished"
    elif live.tick >= game.info.max_ticks:
        live.ending = "truncated"


def _read(live: _Live, turn: Turn, reply: Reply) -> TurnRecord:
    game, state, seat = live.match.game, live.state, turn.seat
    illegal, move = reply.error, None
    if not illegal:
        try:
            move = game.parse(state, seat, reply.text)
        except IllegalMove as error:
            illegal = str(error)
    if illegal:
        move = game.substitute(state, seat)
    return TurnRecord(
        seat=seat,
        tick=turn.tick,
        round=game.round(state),
        observation=turn.observation.text,
        reply=reply.text,
        move=move,
        illegal=illegal,
        thought=reply.thought,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        seconds=reply.seconds,
        sample=reply.sample,
    )


def _episode(live: _Live) -> Episode:
    game = live.match.game
    seats = range(game.seats)
    return Episode(
        match=live.match,
        turns=tuple(live.turns),
        rewards=tuple(live.rewards),
        payoffs=tuple(sum(r[s] for r in live.rewards) for s in seats),
        rounds=max(1, game.round(live.state)),
        ending=live.ending,
        measures=game.measures(live.state),
    )
