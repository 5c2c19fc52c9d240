"""Absurd options of every game: a game that can be started, or one sentence that says what is allowed."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

import games
from games import Stream
from games.errors import UsageError

NAN = float("nan")
TEXTS = ("0", "-1", "1", "9999999999", "1e308", "nan", "-inf", "x", "", "true", "1/2", "0/0/0/0", "nan/nan/nan/nan")
VALUES: tuple[Any, ...] = (0, -1, 10**30, 1.5, NAN, None, True, "x", b"3", (), (0,), ("x",), [1, 2], {}, object())
SAYS_WHAT_IS_ALLOWED = re.compile(r"; give |is not (a whole number|a number|text|true or false|values with /)")

OPTIONS = [(name, field.name) for name in games.names() for field in fields(games.registry.load(name))]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_absurd_value_is_refused_in_a_sentence_or_makes_a_game(name: str, option: str) -> None:
    for text in TEXTS:
        begun_or_refused(f"{name}:{option}={text}", {})
    for value in VALUES:
        begun_or_refused(name, {option: value})


def begun_or_refused(spec: str, options: dict[str, Any]) -> None:
    try:
        game = games.make(spec, **options)
    except UsageError as refused:
        said = str(refused)
    else:
        can_be_started(game)
        return
    assert SAYS_WHAT_IS_ALLOWED.search(said), f"{spec} {options}: {said}"
    assert "\n" not in said
    assert len(said) < 200


def can_be_started(game: games.Game[Any]) -> None:
    assert games.make(game.spec) == game
    state = game.start(Stream(1))
    for seat in game.to_move(state):
        assert game.moves(state, seat)
        assert game.rules(seat)


@pytest.mark.parametrize(
    ("spec", "allowed"),
    [
        ("maze:size=1", "give 3 to 12"),
        ("hanabi:colours=0", "give 1 to 5"),
        ("prisoners-dilemma:payoffs=-3/0/5/1", "give R/S/T/P with T>R>P>S"),
        ("commons:seats=0", "give a whole number from 2 to 20"),
        ("auction:seats=9", "give a whole number from 2 to 8"),
        ("tic-tac-toe:size=4", "has no options"),
        ("maze:sise=4", 'did you mean "size"'),
    ],
)
def test_what_is_allowed_is_named(spec: str, allowed: str) -> None:
    with pytest.raises(UsageError, match=re.escape(allowed)):
        games.make(spec)


def test_values_of_another_type_are_refused_as_their_texts_are() -> None:
    assert games.make("commons", seats=3) == games.make("commons:seats=3")
    assert games.make("prisoners-dilemma", noise=0) == games.make("prisoners-dilemma")
    assert games.make("prisoners-dilemma", payoffs=[4, 0, 5, 1]) == games.make("prisoners-dilemma:payoffs=4/0/5/1")
    for value in (3.0, True, None, [3]):
        with pytest.raises(UsageError, match="is not a whole number"):
            games.make("commons", seats=value)
