"""Policies by spec string."""

from __future__ import annotations

import pytest

import games
import policies
from games import BadOption, UnknownName, UsageError


def test_every_script_makes_a_policy_that_says_what_it_is():
    for name, entry in policies.scripts().items():
        policy = policies.make(name)
        assert isinstance(policy, policies.Policy), name
        assert policy.name == name
        assert entry.summary, name


def test_every_script_names_games_that_exist():
    known = set(games.names())
    for entry in policies.scripts().values():
        assert set(entry.games or ()) <= known, entry.name


def test_every_game_has_a_script_of_its_own_and_random():
    for name in games.names():
        players = [p for p in policies.scripts() if not policies.make(p).check(games.make(name))]
        assert "random" in players
        assert len(players) > 1, name


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("tit-for-tatt", UnknownName, 'no policy "tit-for-tatt" — did you mean "tit-for-tat"'),
        ("", UnknownName, "no policy"),
        ("random:3", BadOption, "takes no arguments"),
        ("kuhn-nash:lots", BadOption, "kuhn-nash:ALPHA"),
    ],
)
def test_bad_specs(spec, error, message):
    with pytest.raises(error, match=message):
        policies.make(spec)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("random", ("random", "random")),
        ("me=random", ("me", "random")),
        (" me = kuhn-nash:0.2 ", ("me", "kuhn-nash:0.2")),
        ("mix:a=0.7,b=0.3", ("mix:a=0.7,b=0.3", "mix:a=0.7,b=0.3")),
        ("llm:x+a=b", ("llm:x+a=b", "llm:x+a=b")),
        ("=random", ("=random", "=random")),
    ],
)
def test_names_and_specs(text, pair):
    assert policies.split_name(text) == pair


def test_a_name_needs_a_spec():
    with pytest.raises(UsageError, match="no spec"):
        policies.split_name("me=")


def test_check_names_what_a_policy_plays():
    assert policies.make("tight").check(games.make("kuhn-poker")) == ""
    assert "kuhn-poker" in policies.make("tight").check(games.make("tic-tac-toe"))


def test_default_distribution_is_certain_of_the_decision():
    class First(policies.Script):
        def decide(self, turn):
            return turn.moves.texts[0]

    game = games.make("kuhn-poker")
    state = game.start(games.Stream(0))
    turn = policies.Turn(game, 0, 0, 0, game.observe(state, 0), game.moves(state, 0), games.Stream(1))
    assert First().probabilities([turn]) == [{"check": 1.0}]
