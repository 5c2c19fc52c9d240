"""The checks one by one; each takes a game and the matches played, and raises with a sentence."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import games
from games.conformance.faces import check_keys, check_observations, check_parsing, check_refusals, check_rules
from games.conformance.sampling import ConformanceError, Playthrough, matches, playthrough, require
from games.game import KINDS, Game
from games.stream import CHANCE, Stream

Check = Callable[[Game[Any], Sequence[Playthrough]], None]


def check(game: Game[Any] | str, matches_played: int = 12, seed: int = 0) -> None:
    """Run every check on a game.

    Args:
        game: a game or its spec string.
        matches_played: how many matches by random play the checks look at.
        seed: seeds them.

    Raises:
        ConformanceError: the contract is broken; the message names the check and says what is wrong.
    """
    made = games.make(game) if isinstance(game, str) else game
    for name, one in CHECKS.items():
        try:
            one(made, list(matches(made, matches_played, seed)))
        except ConformanceError as error:
            raise ConformanceError(f"{made.spec}: {name}: {error}") from error


def check_info(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """What the game says of itself is complete and consistent."""
    info = game.info
    require(info.name == game.name and info.name, f'info.name is "{info.name}", the game is called "{game.name}"')
    require(info.summary and "\n" not in info.summary, "info.summary must be one line")
    require(info.kind in KINDS, f'info.kind is "{info.kind}"; allowed: {", ".join(KINDS)}')
    require(info.seats[0] <= len(info.roles) <= info.seats[1], f"{len(info.roles)} roles, but seats={info.seats}")
    require(info.payoff_bounds[0] <= info.payoff_bounds[1], f"payoff_bounds {info.payoff_bounds} are no range")
    require(info.max_ticks >= 1 and info.unit > 0, "max_ticks must be at least 1 and unit positive")
    require(info.moves or info.free, "info names neither moves nor a free form")
    several = any(len(step.movers) > 1 for match in played for step in match.steps)
    require(info.simultaneous or not several, "several seats move in one tick, but info.simultaneous is False")


def check_determinism(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """The same streams give the same match, and nothing is drawn from global random state."""
    before = (random.getstate(), repr(np.random.get_state()))
    for seed in range(len(played)):
        first, again = playthrough(game, seed), playthrough(game, seed)
        require(first == again, f"two matches from the same streams (seed {seed}) differ")
    after = (random.getstate(), repr(np.random.get_state()))
    require(before == after, "the game draws from a global random state instead of the stream it is handed")
    starts = {game.start(Stream(0, CHANCE, deal)) for deal in range(len(played))}
    ends = {(match.end, match.steps) for match in (playthrough(game, 0, deal, 0) for deal in range(len(played)))}
    dealt = len(starts) > 1 or len(ends) > 1
    require(not (game.info.deterministic and dealt), "info.deterministic is True, but the deals differ")


def check_states(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """States are frozen and hashable, and playing changes none."""
    for match in played:
        for state in match.states:
            require(_frozen(state), f"the state {type(state).__name__} can be changed; make it a frozen dataclass")
            hash(state)
        for step in match.steps:
            before = repr(step.state)
            game.play(step.state, step.moves, Stream(1))
            require(repr(step.state) == before, "play changes the state it is given")


def _frozen(state: object) -> bool:
    if is_dataclass(state):
        parameters: Any = vars(type(state))["__dataclass_params__"]
        return bool(parameters.frozen) and all(_frozen(getattr(state, f.name)) for f in fields(state))
    if isinstance(state, tuple | frozenset):
        return all(_frozen(part) for part in state)
    return not isinstance(state, list | dict | set | bytearray | np.ndarray)


def check_turns(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Seats move in ascending order, always with something legal to do, and the rounds count up."""
    for match in played:
        require(match.steps, "a match is over before it begins")
        rounds = [game.round(state) for state in match.states]
        require(rounds == sorted(rounds), f"rounds completed go down: {rounds}")
        require(rounds[0] == 0 and rounds[-1] >= 1, f"rounds go from {rounds[0]} to {rounds[-1]}; want 0 to at least 1")
        for step in match.steps:
            seats = list(step.movers)
            require(seats == sorted(set(seats)), f"to_move gives {seats}; want seats ascending, each once")
            require(set(seats) <= set(range(game.seats)), f"to_move gives {seats} of {game.seats} seats")


def check_moves(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Every legal move is one that ``info`` names."""
    known, free = set(game.info.moves or ()), game.info.free
    for match in played:
        for step in match.steps:
            for seat in step.movers:
                moves = game.moves(step.state, seat)
                require(moves.texts or moves.free, f"player_{seat} must move but has no legal move")
                require(not (moves.texts and moves.free), "a turn is either finite or free text, not both")
                require(len(set(moves.texts)) == len(moves.texts), f"a move is listed twice: {moves.texts}")
                require(set(moves.texts) <= known, f"{sorted(set(moves.texts) - known)} is not in info.moves")
                require(moves.free is None or moves.free == free, "the free form differs from info.free")


def check_payoffs(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Rewards are a finite number for each seat, payoffs lie within their bounds and sum to zero where claimed."""
    low, high = game.info.payoff_bounds
    for match in played:
        for rewards in [s.rewards for s in match.steps] + [game.forfeit(s.state, (s.movers[0],)) for s in match.steps]:
            require(len(rewards) == game.seats, f"{len(rewards)} rewards for {game.seats} seats")
            require(all(type(r) is float and math.isfinite(r) for r in rewards), f"rewards {rewards} are no floats")
        payoffs = [match.payoff(seat) for seat in range(game.seats)]
        slack = 1e-9 * max(1.0, *(abs(p) for p in payoffs))
        inside = all(low - slack <= p <= high + slack for p in payoffs)
        require(inside, f"payoffs {payoffs} are outside payoff_bounds {low, high}")
        zero = abs(sum(payoffs)) <= slack
        require(zero or not game.info.zero_sum, f"info.zero_sum is True, but payoffs are {payoffs}")


def check_render(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Every state can be shown, to everybody and to each seat."""
    for state in played[0].states:
        for seat in (None, *range(game.seats)):
            shown = game.render(state, seat)
            require(isinstance(shown, str) and shown.strip(), f"render shows nothing to {seat}")


def check_spec(game: Game[Any], _played: Sequence[Playthrough]) -> None:
    """The spec string makes the same game."""
    require(games.make(game.spec) == game, f'games.make("{game.spec}") is another game')


def check_measures(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Each measure is a finite number for each seat."""
    for match in played:
        for name, values in game.measures(match.end).items():
            fine = len(values) == game.seats and all(math.isfinite(v) for v in values)
            require(fine, f'measure "{name}" is {values}; want a finite number for each of {game.seats} seats')


def check_chance(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """``starts`` and ``outcomes``, where the game has them, sum to 1 and cover what is drawn."""
    try:
        starts = list(game.starts())
    except RuntimeError:
        return
    _covers("starts()", [p for p, _ in starts], [s for _, s in starts], [m.states[0] for m in played])
    for match in played[:4]:
        for step, after in zip(match.steps, match.states[1:], strict=True):
            found = list(game.outcomes(step.state, step.moves))
            _covers("outcomes()", [p for p, *_ in found], [o[1:] for o in found], [(after, step.rewards)])


def _covers(what: str, chances: list[float], outcomes: list[Any], drawn: list[Any]) -> None:
    require(abs(sum(chances) - 1) < 1e-9 and min(chances) > 0, f"the probabilities of {what} sum to {sum(chances)}")
    require(len(set(outcomes)) == len(outcomes), f"{what} lists an outcome twice")
    require(all(one in outcomes for one in drawn), f"something was drawn that {what} does not list")


CHECKS: dict[str, Check] = {
    "info": check_info,
    "turns": check_turns,
    "moves": check_moves,
    "states": check_states,
    "determinism": check_determinism,
    "payoffs": check_payoffs,
    "parsing": check_parsing,
    "refusals": check_refusals,
    "observations": check_observations,
    "keys": check_keys,
    "rules": check_rules,
    "render": check_render,
    "spec": check_spec,
    "measures": check_measures,
    "chance": check_chance,
}
