"""TextArena's games as ours: played to the end, conforming, and never touching the global random state."""

from __future__ import annotations

import random
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import arena
import games
import policies
from games import BadOption, MissingExtra, Stream, UnknownName, conformance
from games.stream import NoChance

textarena = pytest.mark.skipif(find_spec("textarena") is None, reason="needs the extra textarena")

PLAYED = [
    "TicTacToe-v0",
    "KuhnPoker-v0",
    "IteratedPrisonersDilemma-v0",
    "Nim-v0",
    "LiarsDice-v0",
    "SimpleNegotiation-v0",
    "2048-v0",
    "SecretMafia-v0",
]


@textarena
@pytest.mark.parametrize("env_id", PLAYED)
def test_random_plays_it_to_the_end(env_id):
    game = games.make(f"textarena:{env_id}")
    episodes = arena.play(game, ["random"] * game.seats, matches=2)
    assert [e.ending for e in episodes] == ["finished"] * 2
    assert episodes == arena.play(game, ["random"] * game.seats, matches=2, live=1)


@textarena
@pytest.mark.parametrize("env_id", PLAYED[:5])
def test_it_conforms(env_id):
    conformance.check(f"textarena:{env_id}", matches_played=2)


@textarena
def test_the_global_random_state_is_left_alone():
    before = random.getstate(), repr(np.random.get_state())
    game = games.make("textarena:Poker-v0:players=4,max_ticks=12")
    first, other = (arena.play(game, ["random"] * 4, seed=seed)[0] for seed in (1, 2))
    assert (random.getstate(), repr(np.random.get_state())) == before
    assert first.turns[0].observation != other.turns[0].observation  # other cards
    random.seed(5)
    assert arena.play(game, ["random"] * 4, seed=1)[0].turns == first.turns


@textarena
def test_a_match_by_hand():
    game = games.make("textarena:TicTacToe-v0")
    state = game.start(Stream(3))
    assert game.observe(state, 0).text.startswith("Game: You are Player 0 in Tic Tac Toe.")
    assert game.observe(state, 0).text.endswith("Your turn.")
    for move in ("0", "[3]", "1", "4"):  # brackets are added where there are none
        state, rewards = game.play(state, (move,), NoChance())
        assert rewards == (0, 0)
    news = game.observe(state, 0).text
    assert "in cell 4" in news
    assert "in cell 1" not in news.partition("cell 4")[2]
    state, rewards = game.play(state, ("2",), NoChance())
    assert (rewards, game.to_move(state)) == ((1, -1), ())
    assert game.observe(state, 1).text.endswith("The game is over.")


@textarena
def test_what_it_judges_illegal_it_asks_again_then_ends():
    game = games.make("textarena:TicTacToe-v0")
    [episode] = arena.play(game, ["random", "random"])
    assert [turn.seat for turn in episode.turns] == [0, 0]
    assert "attempted an invalid move" in episode.turns[1].observation
    assert episode.payoffs == (-1, 1)


@textarena
def test_specs():
    assert games.make("textarena:Poker-v0", players=4).spec == "textarena:Poker-v0:players=4"
    assert games.make("textarena:TicTacToe-v0").spec == "textarena:TicTacToe-v0"
    assert games.make("textarena:2048-v0").seats == 1
    assert "finite moves" in policies.make("cfr:1").check(games.make("textarena:Nim-v0"))


@textarena
@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("TicTacTo-v0", UnknownName, 'did you mean "TicTacToe-v0"'),
        ("TicTacToe-v0:seats=2", UnknownName, 'no option of TicTacToe-v0 "seats"'),
        ("TicTacToe-v0:players=3", BadOption, "can't be played by 3 here"),
        ("TicTacToe-v0:players=no", BadOption, "whole number"),
        ("TicTacToe-v0:kind=nice", BadOption, "give competitive"),
        ("Debate-v0", BadOption, "can't be played by 2 here: OpenRouter"),
    ],
)
def test_bad_specs(spec, error, message):
    with pytest.raises(error, match=message):
        games.make(f"textarena:{spec}")


def test_without_textarena_the_install_line_is_shown(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "textarena"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textarena", None)
    with pytest.raises(MissingExtra, match=r"pip install 'selfplay-arena\[textarena\]'"):
        games.make("textarena:TicTacToe-v0")
