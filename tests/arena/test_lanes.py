"""Blocks of array bots: seats that differ, what doesn't fit, what is stored of them."""

from __future__ import annotations

import numpy as np
import pytest

import games
import policies
from arena.blob import decode, encode
from arena.lanes import play_block, plays_in_blocks
from arena.match import run_matches
from arena.records import Match
from arena.store import Store
from arena.tables import EntrantRow
from arena.throws import encode_throws
from games import ArenaError

BOTS = ("constant", "nash", "rotate")


def setting(spec, names=BOTS):
    """All ordered pairs at a game, and the players."""
    game = games.make(spec)
    pairs = [(a, b) for a in names for b in names]
    matches = [Match(id=7 + i, game=game, deal=i, entrants=pair) for i, pair in enumerate(pairs)]
    return matches, {name: policies.make(name) for name in names}


def store(matches, names=BOTS):
    return Store.open(None, {"seed": 3}, [matches[0].game], [EntrantRow(name, name, "script") for name in names])


@pytest.mark.parametrize(
    "spec",
    [
        "battle-of-the-sexes:rounds=20",
        "matching-pennies:rounds=20",
        "prisoners-dilemma:rounds=20",
        "rock-paper-scissors:rounds=20,payoffs=2/0/-1",
    ],
)
def test_a_block_is_stored_as_the_turn_loop_stores_it(spec):
    matches, players = setting(spec)
    block = play_block(matches, players, seed=3)
    episodes = sorted(run_matches(matches, players, seed=3), key=lambda episode: episode.match.id)
    together, one_by_one = store(matches), store(matches)
    together.add_block(block)
    for number, episode in enumerate(episodes):
        one_by_one.add(episode)
        assert encode_throws(matches[0].game.family.moves, block.throws[:, number]) == encode(episode.turns)
        assert together.episode(episode.match.id) == one_by_one.episode(episode.match.id)
    assert list(together.seats()) == list(one_by_one.seats())
    assert list(together.matches()) == list(one_by_one.matches())


def test_a_thousand_random_throws_take_less_than_a_byte_each():
    throws = np.random.default_rng(0).integers(0, 3, (1000, 2)).astype(np.int8)
    record = encode_throws(("rock", "paper", "scissors"), throws)
    assert len(record) < 800
    assert [turn["move"] for turn in decode(record)][:4] == [
        ("rock", "paper", "scissors")[move] for move in throws.ravel()[:4]
    ]


def test_payoffs_by_hand():
    matches, players = setting("rock-paper-scissors:rounds=9", ("rockbot", "rotatebot", "copybot"))
    block = play_block(matches, players, seed=0)
    by_pair = {match.entrants: tuple(pay) for match, pay in zip(matches, block.payoffs, strict=True)}
    assert by_pair["rockbot", "copybot"] == (-9, 9)
    assert by_pair["rotatebot", "copybot"] == (-1, 1)
    assert by_pair["copybot", "rotatebot"] == (1, -1)
    assert by_pair["rockbot", "rotatebot"] == (0, 0)
    assert block.throws.shape == (9, 9, 2)


def test_what_does_not_fit():
    matches, players = setting("prisoners-dilemma:rounds=5,noise=0.1")
    with pytest.raises(ArenaError, match="without chance"):
        play_block(matches, players, seed=0)
    plain = games.make("prisoners-dilemma:rounds=5")
    assert plays_in_blocks(plain, players["rotate"])
    assert not plays_in_blocks(plain, policies.make("random"))
    assert not plays_in_blocks(games.make("prisoners-dilemma:end=0.1"), players["rotate"])
    assert not plays_in_blocks(games.make("kuhn-poker"), policies.make("random"))
    mixed = [matches[0], Match(id=99, game=plain, deal=0, entrants=("rotate", "nash"))]
    with pytest.raises(ArenaError, match="one matrix game"):
        play_block(mixed, players, seed=0)


def test_hosted_bots_are_lanes_too():
    pytest.importorskip("pyspiel")
    names = ("openspiel:granite", "openspiel:randbot", "markov-5")
    matches, players = setting("rock-paper-scissors:rounds=25", names)
    block = play_block(matches, players, seed=3)
    for number, episode in enumerate(sorted(run_matches(matches, players, seed=3), key=lambda e: e.match.id)):
        moves = [("rock", "paper", "scissors").index(turn.move) for turn in episode.turns]
        assert moves == block.throws[:, number].ravel().tolist()
