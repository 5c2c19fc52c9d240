"""Games of other libraries in the arena: at least five of each host, played to the end by ``random`` and a model."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import pytest

import arena
import games
import policies

PETTINGZOO = [
    "classic/tictactoe-v3",
    "classic/connect_four-v3",
    "classic/rps-v2:max_cycles=3",
    "classic/go-v5:board_size=3",
    "butterfly/knights_archers_zombies-v11:max_cycles=2",
    "sisl/pursuit-v5:max_cycles=2",
]
OPENSPIEL = [
    "tic_tac_toe",
    "kuhn_poker",
    "goofspiel(players=3,num_cards=4)",
    "liars_dice",
    "tiny_hanabi",
    "first_sealed_auction",
    "repeated_game(stage_game=matrix_rps(),num_repetitions=3)",
]
TEXTARENA = [
    "TicTacToe-v0",
    "KuhnPoker-v0",
    "IteratedPrisonersDilemma-v0",
    "Nim-v0",
    "SimpleNegotiation-v0",
    "2048-v0",
]
PACKAGES = {"pettingzoo": "pygame", "openspiel": "pyspiel", "textarena": "textarena"}
HOSTED_SPECS = [
    f"{host}:{game}"
    for host, hosted in (("pettingzoo", PETTINGZOO), ("openspiel", OPENSPIEL), ("textarena", TEXTARENA))
    for game in hosted
]
HOSTED = [
    pytest.param(spec, marks=pytest.mark.skipif(find_spec(package) is None, reason=f"needs {package}"))
    for spec in HOSTED_SPECS
    for package in [PACKAGES[spec.partition(":")[0]]]
]


@pytest.fixture(scope="module")
def tiny() -> Any:
    """One model for all games; where moves are free text it says little."""
    return policies.make("llm:tiny?max_new_tokens=6")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("spec", HOSTED)
def test_random_and_a_model_play_it_to_the_end(spec: str, tiny: Any) -> None:
    game = games.make(spec)
    seat = HOSTED_SPECS.index(spec) % game.seats
    entrants = ["random"] * game.seats
    entrants[seat] = tiny
    [episode] = arena.play(game, entrants, seed=1)
    assert episode.ending == "finished"
    assert all(map(math.isfinite, episode.payoffs))
    if game.info.free is None:
        assert not any(turn.illegal for turn in episode.turns)
        assert seat in {turn.seat for turn in episode.turns}
