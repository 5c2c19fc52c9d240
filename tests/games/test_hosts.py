"""PettingZoo environments as games: classic tic-tac-toe, rock-paper-scissors, and our own games there and back."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import games
from games import conformance
from games.errors import BadOption, IllegalMove, MissingExtra, UnknownName
from games.hosts import _live
from games.hosts.pettingzoo import HostedGame, Position, _rules_text
from games.stream import NoChance, Stream

TICTACTOE = "pettingzoo:classic/tictactoe-v3"
RPS = "pettingzoo:classic/rps-v2:max_cycles=3"


@pytest.mark.parametrize(
    "spec",
    [
        TICTACTOE,
        RPS,
        "pettingzoo:classic/rps-v2:api=aec,max_cycles=3",
        "pettingzoo:arena/kuhn-poker-v0:api=aec",
        "pettingzoo:arena/kuhn-poker-v0",
        "pettingzoo:arena/trust-and-split-v0:api=aec,rounds=2",
        "pettingzoo:arena/trust-and-split-v0:rounds=2",
    ],
)
def test_hosted_game_conforms(spec: str) -> None:
    conformance.check(spec, matches_played=6)


def line(game: games.Game[Any], *ticks: tuple[str, ...]) -> tuple[Any, games.Rewards]:
    state, rewards = game.start(Stream(0)), ()
    for moves in ticks:
        state, rewards = game.play(state, moves, NoChance())
    return state, rewards


def test_tictactoe_is_won_down_a_column() -> None:
    game = games.make(TICTACTOE)
    state, rewards = line(game, ("0",), ("3",), ("1",), ("4",), ("2",))
    assert rewards == (1.0, -1.0)
    assert game.to_move(state) == ()
    assert game.observe(state, 0).text == "[1 0] [1 0] [1 0]\n[0 1] [0 1] [0 0]\n[0 0] [0 0] [0 0]"


def test_legal_moves_are_those_of_the_mask() -> None:
    game = games.make(TICTACTOE)
    state, _ = line(game, ("4",))
    assert game.to_move(state) == (1,)
    assert game.moves(state, 1).texts == ("0", "1", "2", "3", "5", "6", "7", "8")
    assert game.observe(state, 1).text.endswith("Legal moves: 0, 1, 2, 3, 5, 6, 7, 8")
    assert "Legal" not in game.observe(state, 0).text
    assert game.parse(state, 1, "I take 5.") == "5"
    with pytest.raises(IllegalMove, match="legal is one of: 0, 1, 2, 3, 5"):
        game.parse(state, 1, "4")
    assert game.forfeit(state, (1,)) == (0.0, -1.0)


def test_simultaneous_environment_moves_all_seats_at_once() -> None:
    game = games.make(RPS)
    state = game.start(Stream(0))
    assert game.to_move(state) == (0, 1)
    assert game.info.simultaneous
    state, rewards = game.play(state, ("1", "0"), NoChance())  # paper, rock
    assert rewards == (1.0, -1.0)
    assert [game.observe(state, seat).fields["observation"] for seat in (0, 1)] == [0, 1]
    state, _ = line(game, ("0", "0"), ("0", "0"), ("0", "0"))
    assert game.to_move(state) == ()


@pytest.mark.parametrize("api", ["aec", "parallel"])
@pytest.mark.parametrize("name", ["kuhn-poker", "prisoners-dilemma", "trust-and-split"])
def test_our_games_come_back_as_they_went(name: str, api: str) -> None:
    native, hosted = games.make(name), games.make(f"pettingzoo:arena/{name}-v0", api=api)
    at = hosted.start(Stream(4))
    state = native.start(Stream(at.seed, 1, 0, 0))
    for tick in count(1):
        movers = native.to_move(state)
        if not movers:
            break
        rng = Stream(9, tick)
        moves = [rng.choice(native.moves(state, s).texts or ("hello", "I have rock.")) for s in movers]
        for seat in movers:
            assert native.observe(state, seat).text in hosted.observe(at, seat).text
        state, rewards = native.play(state, tuple(moves), Stream(at.seed, 1, 0, tick))
        got = (0.0,) * 2
        for part in hosted_parts(native, hosted, movers, moves, api):
            at, got = hosted.play(at, part, NoChance())
        assert got == rewards
    assert hosted.to_move(at) == ()


def hosted_parts(
    native: games.Game[Any], hosted: games.Game[Any], movers: tuple[int, ...], moves: list[str], api: str
) -> list[tuple[str, ...]]:
    """The moves of one native tick as hosted ticks: AEC asks one seat a time; Parallel asks whoever has no mask too."""
    texts = moves if native.info.free else [str((native.info.moves or ()).index(move)) for move in moves]
    if api == "aec":
        return [(text,) for text in texts]
    if native.info.free:
        return [tuple(texts[movers.index(seat)] if seat in movers else "-" for seat in range(2))]
    return [tuple(texts)]


def test_a_state_nobody_stands_at_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.make(TICTACTOE)
    early, _ = line(game, ("4",))
    late, _ = line(game, ("4",), ("0",), ("8",))
    before = [game.observe(state, 0) for state in (early, late)]
    monkeypatch.setattr("games.hosts.pettingzoo._CACHE", _live.Cache())
    assert [game.observe(state, 0) for state in (early, late)] == before
    assert game.observe(early, 0) == before[0]
    assert game.play(early, ("0",), NoChance())[0] == Position(early.seed, (("4",), ("0",)))


def test_live_environments_move_on_without_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.make(TICTACTOE)
    made: list[Any] = []
    seat_at = sys.modules["games.hosts.pettingzoo"]._seat_at
    monkeypatch.setattr("games.hosts.pettingzoo._CACHE", _live.Cache())
    monkeypatch.setattr("games.hosts.pettingzoo._seat_at", lambda g: made.append(g) or seat_at(g))
    one = other = game.start(Stream(0))
    for move in "40812":  # two matches that go the same way keep an environment each
        for seat in game.to_move(one):
            game.observe(one, seat)
        one, _ = game.play(one, (move,), NoChance())
        other, _ = game.play(other, (move,), NoChance())
    assert one == other
    assert len(made) == 2


class Closing:
    def __init__(self) -> None:
        self.env = self
        self.closed = False

    def close(self) -> None:
        self.closed = True


def test_cache_closes_what_was_used_least_recently() -> None:
    cache: Any = _live.Cache(size=2)
    lives = [Closing() for _ in range(3)]
    for key in (0, 1):
        cache.file(key, lives[key])
    assert cache.file(0, cache.take(0, Closing)) is lives[0]
    cache.file(2, lives[2])
    assert [live.closed for live in lives] == [False, True, False]
    assert len(cache) == 2
    assert cache.take(1, lambda: "replayed") == "replayed"


def test_spec_makes_the_same_game() -> None:
    game = games.make("pettingzoo:classic/rps_v2", max_cycles=4, kind="competitive")
    assert game.spec == "pettingzoo:classic/rps-v2:kind=competitive,max_cycles=4"
    assert games.make(game.spec) == game
    assert games.make(TICTACTOE).spec == TICTACTOE
    assert games.make("pettingzoo:classic/tictactoe").spec == TICTACTOE, "without a version: the latest"
    assert games.make("pettingzoo:classic/rps-v2:api=aec").spec == "pettingzoo:classic/rps-v2:api=aec"


def test_hosted_games_are_not_listed() -> None:
    assert not any("pettingzoo" in name for name in games.names())


@pytest.mark.parametrize(
    ("spec", "error", "sentence"),
    [
        ("classic/tictacto-v3", UnknownName, 'did you mean "classic/tictactoe-v3"'),
        ("classic/rps-v2:colour=red", BadOption, "refuses its options {'colour': 'red'}"),
        ("classic/rps-v2:num_actions=2", BadOption, "must be equal or greater than 3"),
        ("classic/rps-v2:kind=nice", BadOption, 'kind="nice" is not allowed; give competitive'),
        ("classic/rps-v2:max_ticks=0", BadOption, "give 1 or more"),
        ("classic/rps-v2:max_ticks=ten", BadOption, "is not a whole number"),
        ("classic/rps-v2:api=both", BadOption, "give aec or parallel"),
        ("classic/tictactoe-v3:api=parallel", UnknownName, "no PettingZoo environment"),
    ],
)
def test_bad_specs_are_named(spec: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        games.make(f"pettingzoo:{spec}")


def test_a_missing_package_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rlcard", None)
    with pytest.raises(MissingExtra, match=r'needs rlcard.*pip install "pettingzoo\[classic\]"'):
        games.make("pettingzoo:classic/leduc_holdem-v4")


def test_actions_that_are_no_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    box = spaces.Box(0, 1, (2,))
    env = type("Env", (), {"possible_agents": ["a"], "action_space": lambda self, agent: box})
    monkeypatch.setattr("games.hosts.pettingzoo._environment", lambda game: env())
    with pytest.raises(BadOption, match="only numbered"):
        assert HostedGame("classic/never-v0", "aec").info


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array(3), "3"),
        (2, "2"),
        (np.array([1, 0, 2]), "1 0 2"),
        (np.array([[1, 0], [0, 2]]), "1 0\n0 2"),
        (np.array([[[1, 0]], [[0, 2]]]), "[1 0]\n[0 2]"),
        (np.zeros((0, 3)), "shape 0x3, not zero at: "),
        ({"text": "hello"}, "text: hello"),
        ({"a": np.array([1.5]), "b": 2}, "a: 1.5\nb: 2"),
        ((np.array([1]), 2), "1; 2"),
    ],
)
def test_observations_as_text(value: Any, text: str) -> None:
    assert _live.describe(value) == text


def test_large_arrays_show_what_is_not_zero() -> None:
    board = np.zeros((10, 10))
    board[2, 3], board[9, 0] = 1, -2
    assert _live.describe(board) == "shape 10x10, not zero at: 2,3=1.0 9,0=-2.0"
    other = board.copy()
    other[2, 3] = 0.5
    assert _live.describe(other) != _live.describe(board)


def test_plain_values_compare() -> None:
    value = {"a": np.array([1, 2]), "b": (np.int8(3), "x")}
    assert _live.plain(value) == {"a": [1, 2], "b": [3, "x"]}
    assert type(_live.plain(np.float32(0.5))) is float


def test_numbers_count_from_zero_where_a_space_does_not() -> None:
    assert _live.legal_moves(spaces.Discrete(3, start=5), None) == ("0", "1", "2")
    assert _live.legal_moves(spaces.Discrete(3), np.array([0, 1, 1])) == ("1", "2")
    assert _live.legal_moves(spaces.Text(5), None) is None


def test_rules_are_the_documentation_without_its_frame() -> None:
    doc = "---\ntitle: x\n---\n\n# Game\n\n```{figure} x.gif\n:width: 1\n```\n\nPlay it.\n\n### Version History\n\n* v0"
    assert _rules_text(doc).split() == ["#", "Game", "Play", "it."]
    rules = games.make(TICTACTOE).rules(1)
    assert rules.startswith(
        "You are player_2 in classic/tictactoe-v3. On your turn reply with the number of one legal move"
    )
    assert "take turns marking spaces" in rules
    assert "Version History" not in rules


def test_position_is_a_value() -> None:
    game = games.make(TICTACTOE)
    state, _ = line(game, ("4",))
    assert state == replace(state)
    assert hash(state) == hash(Position(state.seed, (("4",),)))
