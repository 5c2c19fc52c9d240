"""Spec strings to options and back, and the help under each field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from games.errors import BadOption, UnknownName
from games.options import build, field_help, split_spec


@dataclass(frozen=True)
class Options:
    """Options of every kind."""

    rounds: int = 10
    """Rounds of
    one match."""
    noise: float = 0.0
    """Chance that a move is flipped."""
    payoffs: tuple[float, ...] = (3.0, 0.0)
    names: tuple[str, ...] = ("a",)
    """Names, /-separated."""
    shuffled: bool = False
    label: str = "x"


@dataclass(frozen=True)
class MoreOptions(Options):
    extra: int = 1
    """Something more."""


@dataclass(frozen=True)
class NoOptions:
    """Nothing to choose."""


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("kuhn-poker", "kuhn-poker", {}),
        (" game : rounds = 3 , noise=0.1 ", "game", {"rounds": "3", "noise": "0.1"}),
        ("game:", "game", {}),
        ("game:a-b=1", "game", {"a_b": "1"}),
        ("game:a=b=c", "game", {"a": "b=c"}),
        ("game:a=", "game", {"a": ""}),
        ("game:a=1,,b=2,", "game", {"a": "1", "b": "2"}),
        ("game:a=x:y", "game", {"a": "x:y"}),
    ],
)
def test_specs_are_split(spec: str, name: str, options: dict[str, str]) -> None:
    assert split_spec(spec) == (name, options)


@pytest.mark.parametrize("spec", ["game:rounds", "game:=3", "game:rounds=1,noise"])
def test_a_part_that_is_no_option_is_named_with_the_form(spec: str) -> None:
    with pytest.raises(BadOption, match=r"is no option; write game:option=value,option=value"):
        split_spec(spec)


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ({}, Options()),
        ({"rounds": "3"}, Options(rounds=3)),
        ({"rounds": 3, "noise": 1}, Options(rounds=3, noise=1.0)),
        ({"noise": "1e-2"}, Options(noise=0.01)),
        ({"payoffs": "5/1/0.5"}, Options(payoffs=(5.0, 1.0, 0.5))),
        ({"payoffs": [5.0, 1.0]}, Options(payoffs=(5.0, 1.0))),
        ({"names": "a/b"}, Options(names=("a", "b"))),
        ({"shuffled": "Yes"}, Options(shuffled=True)),
        ({"shuffled": "0"}, Options(shuffled=False)),
        ({"label": "3"}, Options(label="3")),
    ],
)
def test_options_are_read_as_the_type_of_their_default(options: dict[str, Any], made: Options) -> None:
    built = build(Options, "game", options)
    assert built == made
    assert [type(v) for v in vars(built).values()] == [type(v) for v in vars(made).values()]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rounds": "ten"}, r'game: rounds="ten" is not a whole number \(default 10\)'),
        ({"rounds": "2.5"}, "is not a whole number"),
        ({"noise": "much"}, r'noise="much" is not a number'),
        ({"shuffled": "maybe"}, "is not true or false"),
        ({"payoffs": "3/x"}, "is not values with / between them"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_can(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        build(Options, "game", options)


def test_unknown_options_give_the_nearest() -> None:
    with pytest.raises(UnknownName, match='no option of game "round" — did you mean "rounds"'):
        build(Options, "game", {"round": "3"})
    with pytest.raises(BadOption, match="game has no options"):
        build(NoOptions, "game", {"rounds": "3"})


def test_help_is_the_string_under_each_field_bases_included() -> None:
    expected = {
        "rounds": "Rounds of one match.",
        "noise": "Chance that a move is flipped.",
        "names": "Names, /-separated.",
    }
    assert field_help(Options) == expected
    assert field_help(MoreOptions) == {**expected, "extra": "Something more."}
