"""Tournaments and single tables through the Python API."""

from __future__ import annotations

import pytest

import arena
import games
from games import UnknownName, UsageError
from policies import Script, make

DILEMMA = "prisoners-dilemma:rounds=5"
POPULATION = ["tit-for-tat", "grim", "always-defect", "random"]


def table(store):
    """Everything in the store but the time it took."""
    episodes = [store.episode(row.id) for row in store.matches()]
    return [
        (e.match.id, e.match.entrants, e.payoffs, [(t.reply, t.move, t.illegal) for t in e.turns]) for e in episodes
    ]


class Named(Script):
    def __init__(self, name: str) -> None:
        self.name = name

    def decide(self, turn):
        return turn.moves.texts[0]


def test_everybody_meets_everybody_on_every_deal():
    with arena.tournament(DILEMMA, POPULATION, deals=3) as store:
        rows = list(store.matches())
    assert len(rows) == 3 * 16
    assert len({(row.entrants, row.deal) for row in rows}) == 48


@pytest.mark.parametrize("game", [DILEMMA, "kuhn-poker", "trust-and-split:rounds=2"])
def test_live_matches_and_order_change_nothing(game):
    names = {"kuhn-poker": ["random", "kuhn-nash"], "trust-and-split:rounds=2": ["random", "liar"]}
    entrants = names.get(game, POPULATION)
    with (
        arena.tournament(game, entrants, deals=4, seed=5, live=1) as one,
        arena.tournament(game, entrants, deals=4, seed=5, live=64) as many,
        arena.tournament(game, entrants[::-1], deals=4, seed=5, live=3) as other,
    ):
        assert table(one) == table(many) == table(other)


def test_another_seed_gives_other_chance():
    with (
        arena.tournament("kuhn-poker", ["random"], deals=8) as a,
        arena.tournament("kuhn-poker", ["random"], deals=8, seed=1) as b,
    ):
        assert table(a) != table(b)


def test_an_interrupted_run_plays_exactly_what_is_missing(tmp_path):
    path = tmp_path / "arena.sqlite"

    def stop_after_ten(episodes, total, before):
        assert (total, before) == (48, 0)
        for done, episode in enumerate(episodes):
            if done == 10:
                raise KeyboardInterrupt
            yield episode

    with pytest.raises(KeyboardInterrupt):
        arena.tournament(DILEMMA, POPULATION, deals=3, store=path, watch=stop_after_ten)
    resumed = []

    def count(episodes, total, before):
        assert (total, before) == (48, 10)
        for episode in episodes:
            resumed.append(episode.match.id)
            yield episode

    with (
        arena.tournament(DILEMMA, POPULATION, deals=3, store=path, watch=count) as store,
        arena.tournament(DILEMMA, POPULATION, deals=3) as whole,
    ):
        assert len(resumed) == len(set(resumed)) == 38
        assert table(store) == table(whole)


def test_several_games_in_one_tournament():
    with arena.tournament([DILEMMA, games.make("stag-hunt:rounds=2")], ["random", "tit-for-tat"], deals=2) as store:
        assert [g.spec for g in store.games()] == [DILEMMA, "stag-hunt:rounds=2"]
        assert len(store) == 16


def test_entrants_as_mapping_and_objects():
    with arena.tournament(DILEMMA, {"mine": Named("x"), "good": "always-cooperate"}, deals=1) as store:
        assert [(e.name, e.spec) for e in store.entrants()] == [("mine", "x"), ("good", "always-cooperate")]


def test_other_weights_under_the_same_name_are_another_configuration(tmp_path):
    player = Named("x")
    player.fingerprint = "abc"
    arena.tournament(DILEMMA, [player], deals=1, store=tmp_path / "arena.sqlite").close()
    player.fingerprint = "def"
    with pytest.raises(UsageError, match=r'entrants\.x: "x #abc" there, "x #def" now'):
        arena.tournament(DILEMMA, [player], deals=1, store=tmp_path / "arena.sqlite")


def test_play_gives_episodes_in_order():
    episodes = arena.play("kuhn-poker", ["random", "tight"], matches=5, seed=2)
    assert [e.match.id for e in episodes] == [e.match.deal for e in episodes] == [0, 1, 2, 3, 4]
    assert {e.match.entrants for e in episodes} == {("random", "tight")}


def test_one_policy_may_sit_in_two_seats():
    player = make("random")
    [by_spec] = arena.play("kuhn-poker", ["random", "random"])
    [by_object] = arena.play("kuhn-poker", [player, player])
    assert by_spec.match.entrants == by_object.match.entrants == ("random", "random")
    assert by_spec.payoffs == by_object.payoffs


def test_two_policies_of_one_name_are_refused():
    with pytest.raises(UsageError, match='two entrants are called "x"'):
        arena.play("kuhn-poker", [Named("x"), Named("x")])
    with pytest.raises(UsageError, match="NAME=SPEC"):
        arena.tournament("kuhn-poker", ["random", "random"])


@pytest.mark.parametrize(
    ("game", "entrants", "message"),
    [
        ("kuhn-pokr", ["random"], 'no game "kuhn-pokr" — did you mean "kuhn-poker"'),
        ("kuhn-poker", ["randm"], 'did you mean "random"'),
        ("kuhn-poker:cards=4x", ["random"], "kuhn-poker"),
        ("prisoners-dilemma:round=3", ["random"], 'did you mean "rounds"'),
        ("prisoners-dilemma:rounds=0", ["random"], "rounds"),
        ("kuhn-poker", ["tit-for-tat"], "can't play kuhn-poker"),
        ("kuhn-poker", ["a="], "no spec"),
    ],
)
def test_bad_names_are_one_line(game, entrants, message):
    with pytest.raises(UsageError, match=message) as caught:
        arena.tournament(game, entrants)
    assert "\n" not in str(caught.value)


def test_the_wrong_number_of_players():
    with pytest.raises(UsageError, match="has 2 seats, not 3"):
        arena.play("kuhn-poker", ["random", "random", "random"])


def test_live_must_be_positive():
    with pytest.raises(UsageError, match="live=0"):
        arena.tournament("kuhn-poker", ["random"], live=0)


def test_the_public_names_are_there():
    for name in arena.__all__:
        assert getattr(arena, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        arena.nothing  # noqa: B018


def test_a_refused_entrant_leaves_no_store_behind(tmp_path):
    with pytest.raises(UnknownName):
        arena.tournament("kuhn-poker", ["randm"], store=tmp_path / "arena.sqlite")
    assert list(tmp_path.iterdir()) == []
