"""A thousand matches of each game between its scripted players and ``random``: all legal, all within bounds."""

from __future__ import annotations

import itertools

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match

GAMES = ["connect-four", "goofspiel", "hanabi", "leduc-poker", "liars-dice", "maze"]


@pytest.mark.parametrize("name", GAMES)
def test_scripted_players_play_a_thousand_matches(name):
    game = games.make(name)
    own = [p for p, entry in policies.scripts().items() if entry.games and name in entry.games]
    players = {player: policies.make(player) for player in ["random", *own]}
    tables = itertools.cycle(itertools.product(players, repeat=game.seats))
    low, high = game.info.payoff_bounds
    count = 0
    for episode in run_matches((Match(i, game, i, next(tables)) for i in range(1000)), players, seed=11):
        count += 1
        assert episode.ending == "finished", episode.match
        assert not any(turn.illegal for turn in episode.turns)
        assert all(low - 1e-9 <= payoff <= high + 1e-9 for payoff in episode.payoffs)
        assert len({turn.tick for turn in episode.turns}) <= game.info.max_ticks
    assert count == 1000
