"""Dataclasses as flags and TOML."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Literal

import pytest

from arena.flags import Parser, add_flags, build, read_toml
from games import UsageError


@dataclass(frozen=True)
class Settings:
    """Some settings."""

    steps: int = 5
    """How many steps, 100% of them."""
    rate_of_change: float = 0.5
    """A rate."""
    name: str = ""
    """A name."""
    fast: bool = False
    """Whether it is fast."""
    words: tuple[str, ...] = ("a",)
    """Some words."""
    mode: Literal["up", "down"] = "up"
    """Which way."""
    limit: int | None = None
    """A limit, or none."""


def parse(*words: str) -> Settings:
    parser = Parser("arena x", "About.", "arena x --steps 3")
    add_flags(parser, Settings)
    return build(Settings, vars(parser.read(words)))


def test_flags_fill_their_fields():
    numbers = "--steps 7 --rate-of-change 2 --limit 4"
    words = f"{numbers} --name n --fast --words b c --mode down".split()
    assert parse(*words) == Settings(7, 2.0, "n", True, ("b", "c"), "down", 4)


def test_no_flags_leave_the_defaults():
    assert parse() == Settings()
    assert parse("--no-fast") == Settings()


def test_later_layers_lie_over_earlier_ones():
    assert build(Settings, {"steps": 1, "name": "preset"}, {"steps": 2}, {"name": "flag"}) == Settings(2, name="flag")


def test_toml_values_become_the_fields_types(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('steps = 9\nrate-of-change = 1\nwords = ["x", "y"]\nfast = true\n')
    assert build(Settings, read_toml(str(path))) == Settings(9, 1.0, fast=True, words=("x", "y"))


def test_a_toml_table_names_its_entries():
    assert build(Settings, {"words": {"old": "random", "new": "nash"}}).words == ("old=random", "new=nash")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"stepz": 1}, 'no setting "stepz"; known: steps'),
        ({"steps": "many"}, "steps = 'many' does not fit; give a whole number"),
        ({"steps": 1.5}, "a whole number"),
        ({"steps": True}, "a whole number"),
        ({"fast": 1}, "true or false"),
        ({"words": "x"}, "a list, each a text"),
        ({"words": [1]}, "a text"),
        ({"mode": "sideways"}, "one of up, down"),
        ({"limit": "x"}, "a whole number"),
    ],
)
def test_what_does_not_fit_is_named(values, message):
    with pytest.raises(UsageError, match=message) as caught:
        build(Settings, values)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--stepz", "3"], "unknown flag --stepz — did you mean --steps"),
        (["--step", "3"], "unknown flag --step "),
        (["--steps", "x"], '"x" is no whole number'),
        (["--rate-of-change", "x"], '"x" is no number'),
        (["--steps"], "expected one argument"),
        (["--mode", "sideways"], "invalid choice"),
        (["stray"], 'unexpected word "stray"'),
    ],
)
def test_wrong_words_are_one_line(words, message):
    with pytest.raises(UsageError, match=message) as caught:
        parse(*words)
    assert "arena x --help" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_help_shows_the_strings_under_the_fields(capsys):
    with pytest.raises(SystemExit) as caught:
        parse("--help")
    out = capsys.readouterr().out
    assert caught.value.code == 0
    assert "How many steps, 100% of them. (default: 5)" in out
    assert "arena x --steps 3" in out


@pytest.mark.parametrize(
    ("content", "message"), [(None, "can't read"), ("steps = = 3", "no TOML"), (b"\xff", "no TOML")]
)
def test_files_that_can_not_be_read(tmp_path, content, message):
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError, match=message):
        read_toml(str(path))


def test_flags_may_stand_between_words():
    parser = Parser("arena x", "", "")
    parser.add_argument("words", nargs="*")
    add_flags(parser, Settings, skip={"words"})
    assert parser.read(["a", "--steps", "3", "b"]) == argparse.Namespace(words=["a", "b"], steps=3)
