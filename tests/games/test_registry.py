"""Games by name: a dropped-in file is a game, and unknown names give the nearest."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import pytest

import games
from games.errors import BadOption, UnknownName
from games.options import field_help
from games.registry import hosts

DROPPED_IN = '''
"""Guess a coin."""
from dataclasses import dataclass

from games.game import Game, GameInfo, Moves, Observation


@dataclass(frozen=True)
class CoinGuess(Game):
    """Guess the coin."""

    prize: float = 1.0
    """What a right guess wins."""

    @property
    def info(self):
        return GameInfo(
            name=self.name, version=0, summary="guess a coin", kind="cooperative", seats=(1, 1), roles=("guesser",),
            payoff_bounds=(0.0, self.prize), max_ticks=1, moves=("heads", "tails"),
        )

    def start(self, rng):
        return (rng.choice(("heads", "tails")), "")

    def starts(self):
        return [(0.5, (side, "")) for side in ("heads", "tails")]

    def to_move(self, state):
        return () if state[1] else (0,)

    def moves(self, state, seat):
        return Moves(("heads", "tails"))

    def observe(self, state, seat):
        return Observation(self.key(state, seat))

    def play(self, state, moves, rng):
        return (state[0], moves[0]), (self.prize if moves[0] == state[0] else 0.0,)

    def key(self, state, seat):
        return f"It was {state[0]}, you said {state[1]}." if state[1] else "Heads or tails?"

    def rules(self, seat):
        return "Say heads or tails."

    def render(self, state, seat=None):
        return self.key(state, 0)


GAME = CoinGuess
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder called games on sys.path, forgotten afterwards."""
    own = tmp_path / "games"
    own.mkdir()
    monkeypatch.setattr(games, "__path__", list(games.__path__))
    monkeypatch.syspath_prepend(tmp_path)
    return own


def test_a_dropped_in_file_is_a_game_and_conforms(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "coin_guess.py").write_text(DROPPED_IN, encoding="utf-8")
    assert "coin-guess" in games.names()
    game = games.make("coin-guess:prize=2")
    assert (game.name, game.spec, game.info.payoff_bounds) == ("coin-guess", "coin-guess:prize=2", (0.0, 2.0))
    assert field_help(type(game)) == {"prize": "What a right guess wins."}
    from games import conformance

    conformance.check(game)
    monkeypatch.delitem(sys.modules, "games.coin_guess")


def test_files_that_bind_no_game_are_none(folder: Path) -> None:
    (folder / "helper.py").write_text("GAMES = []\nGAME_OVER = 1\n# GAME = 3\n", encoding="utf-8")
    (folder / "_private.py").write_text(DROPPED_IN, encoding="utf-8")
    assert not {"helper", "private", "-private", "_private"} & set(games.names())
    with pytest.raises(UnknownName, match='no game "helper"'):
        games.make("helper")


def test_listing_games_imports_none(folder: Path) -> None:
    (folder / "explosive.py").write_text("raise SystemExit\nGAME = 1\n", encoding="utf-8")
    assert "explosive" in games.names()


def test_built_in_games_are_listed_sorted_under_their_names() -> None:
    names = games.names()
    assert names == sorted(names)
    expected = {"rock-paper-scissors", "prisoners-dilemma", "kuhn-poker", "tic-tac-toe", "trust-and-split"}
    assert expected <= set(names)
    assert not {"game", "matrix", "pettingzoo", "conformance", "hosts"} & set(names)
    for name in names:
        assert games.make(name).name == name
        assert games.make(name).spec == name


@pytest.mark.parametrize("name", games.names())
def test_every_option_has_help(name: str) -> None:
    cls = games.load(name)
    options = {option.name for option in fields(cls)}
    assert options <= set(field_help(cls)), "a string under each option is its help"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("kuhn", "kuhn-poker"),
        ("trust-and-spilt", "trust-and-split"),
        ("Kuhn-Poker", "kuhn-poker"),
        ("kuhn_poker", "kuhn-poker"),
        ("prisoner-dilemma", "prisoners-dilemma"),
    ],
)
def test_unknown_names_give_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownName, match=f'no game "{name}" — did you mean "{nearest}"'):
        games.make(name)


@pytest.mark.parametrize("name", ["", "matrix", "registry", "hosts", "../secrets", "os"])
def test_what_is_no_game_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="no game"):
        games.make(name)


def test_options_reach_the_game_as_text_or_as_values() -> None:
    assert games.make("trust-and-split:rounds=3") == games.make("trust-and-split", rounds=3)
    assert games.make("trust-and-split:rounds=3", rounds=4).spec == "trust-and-split:rounds=4"
    with pytest.raises(UnknownName, match='no option of trust-and-split "round" — did you mean "rounds"'):
        games.make("trust-and-split:round=3")
    with pytest.raises(BadOption, match="rounds=0 is not allowed; give 1 to 1000"):
        games.make("trust-and-split:rounds=0")


def test_hosts_are_the_prefixes() -> None:
    assert "pettingzoo" in hosts()
    assert not any(host.startswith("_") for host in hosts())
