"""The only turn loop. It keeps many matches live, groups waiting turns by policy, asks once, applies the moves.

What a player does wrong is data: an illegal reply is recorded on its turn and handled by the game's stated rule. What
the program does wrong is an error and passes through; everything yielded before it stays with the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.records import Episode, Match, TurnRecord
from games import ArenaError, Game, IllegalMove, Stream
from games.inert import clip
from games.stream import CHANCE, POLICY
from policies import Policy, Reply, Turn

KEPT = 4_000
"""Characters of a reply or thought that a record keeps; it is parsed whole."""
_FEW = 32  # moves that are compared with a reply before it is parsed


@dataclass(slots=True)
class _Live:
    """A match in progress: the one place where a match changes."""

    match: Match
    state: Any
    movers: tuple[int, ...]
    open: bool
    """Whether policies may see the state (perfect information)."""
    max_ticks: int
    tick: int = 0
    asked: dict[int, tuple[Turn, Reply]] = field(default_factory=dict)
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

    Raises:
        ArenaError: a policy answered another number of turns than it was asked.
    """
    waiting = iter(matches)
    facts: dict[int, tuple[Game[Any], bool, int]] = {}
    table: list[_Live] = []
    while True:
        while len(table) < live and (match := next(waiting, None)) is not None:
            table.append(_seat(match, seed, facts))
        if not table:
            return
        _tick(table, policies, seed)
        done = [m for m in table if m.ending]
        if done:
            table = [m for m in table if not m.ending]
        for finished in done:
            for entrant in set(finished.match.entrants):
                policies[entrant].forget([finished.match.id])
            yield _episode(finished)


def _seat(match: Match, seed: int, facts: dict[int, tuple[Game[Any], bool, int]]) -> _Live:
    """Start a match. What the loop needs of ``game.info`` is looked up once per game: building it is dear."""
    game = match.game
    if id(game) not in facts:
        facts[id(game)] = (game, game.info.perfect_information, game.info.max_ticks)
    _, perfect, max_ticks = facts[id(game)]
    state = game.start(Stream(seed, CHANCE, match.deal, 0))
    return _Live(match, state, game.to_move(state), perfect, max_ticks)


def _tick(table: Sequence[_Live], policies: Mapping[str, Policy], seed: int) -> None:
    """One step of every live match: ask each policy once, then apply the moves of each match."""
    waiting: dict[str, tuple[list[_Live], list[Turn]]] = {}
    for live in table:
        for seat in live.movers:
            name = live.match.entrants[seat]
            if name not in waiting:
                waiting[name] = ([], [])
            lives, turns = waiting[name]
            lives.append(live)
            turns.append(_turn(live, seat, seed))
    for name in sorted(waiting):
        lives, turns = waiting[name]
        for live, turn, reply in zip(lives, turns, _ask(name, policies[name], turns), strict=True):
            live.asked[turn.seat] = (turn, reply)
    for live in table:
        _apply(live, seed)


def _ask(name: str, policy: Policy, turns: list[Turn]) -> Sequence[Reply]:
    replies = policy.act(turns)
    if len(replies) != len(turns):
        raise ArenaError(f'policy "{name}" gave {len(replies)} replies to {len(turns)} turns; act() must answer each')
    return replies


def _turn(live: _Live, seat: int, seed: int) -> Turn:
    match, state, tick = live.match, live.state, live.tick
    game, number = match.game, match.id
    rng = Stream(seed, POLICY, number, seat, tick)
    seen, moves = game.observe(state, seat), game.moves(state, seat)
    return Turn(game, number, seat, tick, seen, moves, rng, "", state if live.open else None)


def _apply(live: _Live, seed: int) -> None:
    """Parse and record every seat's reply of the tick, then forfeit or play."""
    game = live.match.game
    if not live.movers:
        live.ending = "finished"
        return
    round_ = game.round(live.state)
    records = [_read(live, round_, *live.asked[seat]) for seat in live.movers]
    live.asked = {}
    live.turns.extend(records)
    out = tuple([r.seat for r in records if r.move is None])
    if out:
        live.rewards.append(game.forfeit(live.state, out))
        live.ending = "forfeit"
        return
    live.tick += 1
    chance = Stream(seed, CHANCE, live.match.deal, live.tick)
    live.state, rewards = game.play(live.state, tuple([r.move for r in records if r.move is not None]), chance)
    live.rewards.append(rewards)
    live.movers = game.to_move(live.state)
    if not live.movers:
        live.ending = "finished"
    elif live.tick >= live.max_ticks:
        live.ending = "truncated"


def _read(live: _Live, round_: int, turn: Turn, reply: Reply) -> TurnRecord:
    """The record of a turn; a reply that was refused carries the reason and what it counts as."""
    text, thought = reply.text, reply.thought
    if text in turn.moves.texts[:_FEW] and not reply.error:
        move, illegal = text, ""  # the canonical text needs no parsing: most of what scripts answer
    else:
        move, illegal = _move(live, turn, reply)
    return TurnRecord(
        turn.seat,
        turn.tick,
        round_,
        turn.observation.text,
        text if len(text) <= KEPT else clip(text, KEPT),
        move,
        clip(illegal, KEPT) if illegal else "",
        clip(thought, KEPT) if thought else "",
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        seconds=reply.seconds,
        sample=reply.sample,
    )


def _move(live: _Live, turn: Turn, reply: Reply) -> tuple[str | None, str]:
    """What is played (None: the seat forfeits), and why the reply was refused."""
    game, state, seat = live.match.game, live.state, turn.seat
    if reply.error:
        return game.substitute(state, seat), reply.error
    try:
        return game.parse(state, seat, reply.text), ""
    except IllegalMove as error:
        return game.substitute(state, seat), str(error)


def _episode(live: _Live) -> Episode:
    game = live.match.game
    return Episode(
        match=live.match,
        turns=tuple(live.turns),
        rewards=tuple(live.rewards),
        payoffs=tuple([sum(column) for column in zip(*live.rewards, strict=True)]) or (0.0,) * len(live.match.entrants),
        rounds=max(1, game.round(live.state)),
        ending=live.ending,
        measures=game.measures(live.state),
    )
