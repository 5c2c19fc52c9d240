"""The only turn loop. It keeps many matches live, groups waiting turns by policy, asks once, applies the moves.

What a player does wrong is data: an illegal reply is recorded on its turn and handled by the game's stated rule. What
the program does wrong is an error and passes through; everything yielded before it stays with the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena.illegal import IllegalRule, conduct, mended, notice
from arena.records import Episode, Match, TurnRecord
from games import ArenaError, Game, IllegalMove, Stream
from games.inert import clip
from games.stream import CHANCE, POLICY
from policies import Policy, Reply, Turn

KEPT = 4_000
"""Characters of a reply or thought that a record keeps; it is parsed whole."""
_GAMES_OWN = IllegalRule()
_ATTEMPT = 40  # bits above every tick: where a further try at a turn draws its noise
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
    refused: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Tries at this tick that were refused, by seat."""
    marked: bool = False
    """Whether something was spent or tried again: only then the turns are looked through at the end."""
    turns: list[TurnRecord] = field(default_factory=list)
    rewards: list[tuple[float, ...]] = field(default_factory=list)
    ending: str = ""


def run_matches(
    matches: Iterable[Match],
    policies: Mapping[str, Policy],
    *,
    seed: int,
    live: int = 64,
    illegal: IllegalRule = _GAMES_OWN,
) -> Iterator[Episode]:
    """Play ``matches``, at most ``live`` of them at a time, and yield each episode as it ends.

    Args:
        matches: what to play; read lazily.
        policies: the policy of each entrant name.
        seed: the run's seed; with the match's deal it fixes chance, with match, seat and tick each policy's noise.
        live: how many matches are kept going at once. It changes speed, never results.
        illegal: what becomes of illegal replies.

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
        _tick(table, policies, seed, illegal)
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


def _tick(table: Sequence[_Live], policies: Mapping[str, Policy], seed: int, rule: IllegalRule) -> None:
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
    for lives, turns, replies in _answers(waiting, policies):
        for live, turn, reply in zip(lives, turns, replies, strict=True):
            live.asked[turn.seat] = (turn, reply)
    for attempt in range(1, rule.retries + 1):
        _ask_again(table, policies, seed, attempt)
    for live in table:
        _apply(live, seed, rule)


def _ask_again(table: Sequence[_Live], policies: Mapping[str, Policy], seed: int, attempt: int) -> None:
    """Ask every player whose reply was illegal once more, each policy once, saying what was wrong."""
    waiting: dict[str, tuple[list[_Live], list[Turn]]] = {}
    for live in table:
        for seat, (turn, reply) in live.asked.items():
            if reason := _judge(live, turn, reply)[1]:
                live.refused[seat] = (*live.refused.get(seat, ()), (clip(reply.text, KEPT), clip(reason, KEPT)))
                lives, turns = waiting.setdefault(live.match.entrants[seat], ([], []))
                lives.append(live)
                # The attempt is part of the tick: draws of a whole match (its part of a mix) stay what they are.
                rng = Stream(seed, POLICY, turn.match, seat, turn.tick + (attempt << _ATTEMPT))
                turns.append(replace(turn, notice=notice(reason), rng=rng))
    for lives, turns, replies in _answers(waiting, policies):
        for live, turn, reply in zip(lives, turns, replies, strict=True):
            live.asked[turn.seat] = (turn, mended(live.asked[turn.seat][1], reply))


def _answers(
    waiting: Mapping[str, tuple[list[_Live], list[Turn]]], policies: Mapping[str, Policy]
) -> Iterator[tuple[list[_Live], list[Turn], Sequence[Reply]]]:
    """Ask each policy once with all its turns; those of one team (adapters of one base model) are asked together."""
    teams: dict[Any, list[str]] = {}
    for name in sorted(waiting):
        teams.setdefault(getattr(policies[name], "team", name), []).append(name)
    for names in teams.values():
        asked = [waiting[name][1] for name in names]
        for name, replies in zip(names, _ask([policies[name] for name in names], asked), strict=True):
            lives, turns = waiting[name]
            if len(replies) != len(turns):
                fault = f"gave {len(replies)} replies to {len(turns)} turns; act() must answer each"
                raise ArenaError(f'policy "{name}" {fault}')
            yield lives, turns, replies


def _ask(asked: Sequence[Policy], turns: Sequence[list[Turn]]) -> Sequence[Sequence[Reply]]:
    if len(asked) == 1:
        return [asked[0].act(turns[0])]
    together: Callable[..., Sequence[Sequence[Reply]]] = asked[0].act_together  # type: ignore[attr-defined]
    return together(list(zip(asked, turns, strict=True)))


def _turn(live: _Live, seat: int, seed: int) -> Turn:
    match, state, tick = live.match, live.state, live.tick
    game, number = match.game, match.id
    rng = Stream(seed, POLICY, number, seat, tick)
    seen, moves = game.observe(state, seat), game.moves(state, seat)
    return Turn(game, number, seat, tick, seen, moves, rng, "", state if live.open else None)


def _apply(live: _Live, seed: int, rule: IllegalRule) -> None:
    """Parse and record every seat's reply of the tick, then forfeit or play."""
    game = live.match.game
    if not live.movers:
        live.ending = "finished"
        return
    round_ = game.round(live.state)
    records = [_read(live, round_, rule, *live.asked[seat]) for seat in live.movers]
    live.asked, live.refused = {}, {}
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


def _read(live: _Live, round_: int, rule: IllegalRule, turn: Turn, reply: Reply) -> TurnRecord:
    """The record of a turn; a reply that was refused carries the reason and what it counts as."""
    text, thought = reply.text, reply.thought
    move: str | None
    if text in turn.moves.texts[:_FEW] and not reply.error:
        move, illegal = text, ""  # the canonical text needs no parsing: most of what scripts answer
    else:
        move, illegal = _judge(live, turn, reply)
    if illegal:
        move = rule.counts_as(live.match.game, live.state, turn)
    refused = live.refused.get(turn.seat, ()) if live.refused else ()
    if refused or reply.cost:
        live.marked = True
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
        cost=reply.cost,
        refused=refused,
        sample=reply.sample,
    )


def _judge(live: _Live, turn: Turn, reply: Reply) -> tuple[str | None, str]:
    """(the move, nothing) for a legal reply, (None, why it is refused) for another."""
    if reply.error:
        return None, reply.error
    try:
        return live.match.game.parse(live.state, turn.seat, reply.text), ""
    except IllegalMove as error:
        return None, str(error) or "it is no legal move"


def _episode(live: _Live) -> Episode:
    game = live.match.game
    extra = conduct(live.turns, len(live.match.entrants)) if live.marked else {}
    return Episode(
        match=live.match,
        turns=tuple(live.turns),
        rewards=tuple(live.rewards),
        payoffs=tuple([sum(column) for column in zip(*live.rewards, strict=True)]) or (0.0,) * len(live.match.entrants),
        rounds=max(1, game.round(live.state)),
        ending=live.ending,
        measures={**game.measures(live.state), **extra} if extra else game.measures(live.state),
    )
