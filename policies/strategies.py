"""Between policies and exact values: a policy's probabilities everywhere, the information-state key of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games import Game, Observation, exact
from games.errors import UsageError
from games.stream import NoChance
from policies.policy import Exchange, Policy, Turn

Strategy = dict[str, dict[str, float]]
"""A distribution over moves for each information-state key."""
ASKED = 1024
"""Information states that a policy is asked for at a time: what a language model reads for them is held at once."""


def strategy(game: Game[Any], policy: Policy) -> list[Strategy]:
    """For each seat, the policy's distribution over moves at each of its information states, by key.

    Each is asked with the canonical conversation that leads there, so language models answer as scripts do.

    Raises:
        UsageError: the policy has no exact probabilities, or the game is too large to enumerate.
    """
    ask = getattr(policy, "probabilities", None)
    if ask is None:
        raise UsageError(f'"{policy.name}" gives no move probabilities, so its exploitability can\'t be computed')
    places = exact.information_states(game)
    turns = _turns(game, places)
    out: list[Strategy] = [{} for _ in range(game.seats)]
    for start in range(0, len(places), ASKED):
        some = slice(start, start + ASKED)
        for place, distribution in zip(places[some], ask(turns[some]), strict=True):
            out[place.seat][place.key] = dict(distribution)
    return out


def _turns(game: Game[Any], places: list[exact.InformationState]) -> list[Turn]:
    """The turn at each information state; those of its past come before it."""
    turns: dict[tuple[int, str], Turn] = {}
    for number, place in enumerate(places):
        earlier = [turns[place.seat, key] for key in place.trail]
        turns[place.seat, place.key] = _turn(game, place, number, earlier)
    return list(turns.values())


def _turn(game: Game[Any], place: exact.InformationState, number: int, earlier: list[Turn]) -> Turn:
    past = zip(place.past, earlier, strict=True)
    return Turn(
        game=game,
        match=number,
        seat=place.seat,
        tick=len(place.past),
        observation=game.observe(place.state, place.seat),
        moves=game.moves(place.state, place.seat),
        rng=NoChance(),
        state=place.state if game.info.perfect_information else None,
        past=tuple(Exchange(observation.text, move, turn) for (observation, move), turn in past),
    )


def key_of(turn: Turn) -> str:
    """The information-state key of a turn: from its state where that is seen, else from the observation's fields.

    Raises:
        UsageError: the fields don't tell two information states apart.
    """
    if turn.state is not None:
        return turn.game.key(turn.state, turn.seat)
    return _keys(turn.game)[turn.seat, _frozen(turn.observation)]


def check_keys(game: Game[Any]) -> None:
    """Raise UsageError where :func:`key_of` can't tell a game's information states apart."""
    if not game.info.perfect_information:
        _keys(game)


@lru_cache(maxsize=8)
def _keys(game: Game[Any]) -> Mapping[tuple[int, str], str]:
    """Keys by seat and fields, for every information state."""
    keys: dict[tuple[int, str], str] = {}
    for place in exact.information_states(game):
        seen = place.seat, _frozen(game.observe(place.state, place.seat))
        if keys.setdefault(seen, place.key) != place.key:
            raise UsageError(f"in {game.spec} what a seat sees does not tell its information states apart")
    return keys


def _frozen(observation: Observation) -> str:
    return repr(sorted(observation.fields.items()))
