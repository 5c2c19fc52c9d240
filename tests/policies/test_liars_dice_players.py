"""Liar's dice players: odds by hand, what each does, and what that earns."""

from __future__ import annotations

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games.liars_dice import Table
from games.stream import Stream
from policies import Turn
from policies.scripted.liars_dice import odds

GAME = games.make("liars-dice")


def likely(spec, hands, *line, game=GAME):
    state = Table(hands, line)
    (seat,) = game.to_move(state)
    turn = Turn(game, 0, seat, len(line), game.observe(state, seat), game.moves(state, seat), Stream(0))
    return [move for move, p in policies.make(spec).distribution(turn).items() if p > 0]


def sight(dice, hidden):
    return {"dice": dice, "hidden": hidden, "sides": 6}


@pytest.mark.parametrize(
    ("bid", "dice", "hidden", "wanted"),
    [
        ("1 x 3", (3,), 1, 1),
        ("1 x 3", (6,), 1, 1),
        ("1 x 3", (2,), 1, 1 / 3),
        ("1 x 6", (2,), 1, 1 / 6),
        ("2 x 3", (2,), 1, 0),
        ("2 x 3", (3, 3), 2, 1),
        ("3 x 3", (3, 6), 2, 1 - (2 / 3) ** 2),
        ("2 x 4", (1, 2), 2, 1 / 9),
    ],
)
def test_odds(bid, dice, hidden, wanted):
    assert odds(bid, sight(dice, hidden)) == pytest.approx(wanted)


def test_odds_player_bids_what_it_holds_and_doubts_what_is_unlikely():
    assert likely("dice-odds", ((3,), (1,))) == ["1 x 3"]
    assert likely("dice-odds", ((3,), (1,)), "1 x 3") == ["liar"]  # 2/3 against 1/3 of any higher bid
    assert likely("dice-odds", ((3,), (5,)), "1 x 3") == ["1 x 5"]  # holds for sure
    assert likely("dice-odds", ((3,), (3,)), "1 x 3") == ["1 x 4", "1 x 5", "2 x 3"]  # the bid holds
    assert likely("dice-odds", ((3,), (6,)), "1 x 5") == ["1 x 6"]


def test_believer_and_doubter():
    assert likely("dice-believer", ((3,), (1,)), "1 x 3") == ["1 x 4"]
    assert likely("dice-believer", ((3,), (1,)), "1 x 3", "2 x 6") == ["liar"]
    assert likely("dice-doubter", ((3,), (1,))) == ["1 x 3"]
    assert likely("dice-doubter", ((3,), (1,)), "1 x 3") == ["liar"]


def mean(first, second, matches=400):
    players = {"a": policies.make(first), "b": policies.make(second)}
    plan = [Match(i, GAME, i // 2, ("a", "b") if i % 2 else ("b", "a")) for i in range(matches)]
    return sum(e.payoffs[e.match.entrants.index("a")] for e in run_matches(plan, players, seed=2)) / matches


@pytest.mark.parametrize("other", ["random", "dice-believer", "dice-doubter"])
def test_odds_beat_the_others(other):
    assert mean("dice-odds", other) > 0.15


def test_more_seats_play_to_the_end():
    game = games.make("liars-dice:players=4,dice=2")
    names = ["random", "dice-odds", "dice-believer", "dice-doubter"]
    players = {name: policies.make(name) for name in names}
    for episode in run_matches((Match(i, game, i, tuple(names)) for i in range(50)), players, seed=3):
        assert episode.ending == "finished"
        assert sorted(episode.payoffs) == [-1, 0, 0, 1]
