"""The ultimatum game: one offer or several, and what is left when the last one is rejected."""

from __future__ import annotations

import pytest

import games
from games import conformance
from games.errors import BadOption, IllegalMove
from games.stream import NoChance
from games.ultimatum import State, Ultimatum

GAME = games.make("ultimatum")
THREE = games.make("ultimatum:offers=3")


def play(game: Ultimatum, *moves: str) -> tuple[State, tuple[float, ...]]:
    state, rewards = game.start(NoChance()), (0.0, 0.0)
    for move in moves:
        assert move in game.moves(state, game.to_move(state)[0]).texts
        state, rewards = game.play(state, (move,), NoChance())
    return state, rewards


@pytest.mark.parametrize(
    ("game", "moves", "rewards"),
    [
        (GAME, ("30", "accept"), (70.0, 30.0)),
        (GAME, ("30", "reject"), (0.0, 0.0)),
        (GAME, ("0", "accept"), (100.0, 0.0)),
        (THREE, ("30", "reject", "20", "accept"), (20.0, 80.0)),  # the second offer is the responder's
        (THREE, ("30", "reject", "20", "reject", "40", "accept"), (60.0, 40.0)),
        (THREE, ("30", "reject", "20", "reject", "40", "reject"), (0.0, 0.0)),
    ],
)
def test_an_accepted_offer_divides_the_amount(
    game: Ultimatum, moves: tuple[str, ...], rewards: tuple[float, ...]
) -> None:
    state, paid = play(game, *moves)
    assert paid == rewards
    assert game.to_move(state) == ()
    assert game.round(state) == 1
    assert game.measures(state)["agreement"] == (float(moves[-1] == "accept"),) * 2


def test_who_rejects_offers_next() -> None:
    state, _ = play(THREE, "30", "reject")
    assert THREE.to_move(state) == (1,)
    assert THREE.observe(state, 0).text == "They rejected. Wait."
    state, _ = play(THREE, "30", "reject", "45")
    assert THREE.to_move(state) == (0,)
    assert THREE.observe(state, 0).text == "They rejected. They offer you 45. Accept or reject?"


def test_what_is_read() -> None:
    state, _ = play(GAME)
    assert (GAME.observe(state, 0).text, GAME.observe(state, 1).text) == ("Your offer, 0 to 100?", "Wait.")
    state, _ = play(GAME, "30")
    assert GAME.observe(state, 1).text == "They offer you 30. Accept or reject?"
    state, _ = play(GAME, "30", "accept")
    assert GAME.observe(state, 0).text == "They accepted. You get 70 points. The game is over."
    assert GAME.observe(state, 1).text == "You accepted. You get 30 points. The game is over."
    state, _ = play(GAME, "30", "reject")
    assert GAME.observe(state, 0).text == "They rejected. You get 0 points. The game is over."


def test_measures_by_hand() -> None:
    measures = GAME.measures(play(GAME, "30", "accept")[0])
    assert measures["efficiency"] == measures["pareto"] == (1.0, 1.0)
    assert measures["nash"] == measures["kalai_smorodinsky"] == pytest.approx((1.4, 0.6))  # half each
    assert measures["gini"] == pytest.approx((0.2, 0.2))  # 2·40 / (2·2·100)
    rejected = GAME.measures(play(GAME, "30", "reject")[0])
    assert rejected["efficiency"] == rejected["pareto"] == rejected["nash"] == (0.0, 0.0)


def test_illegal_replies() -> None:
    start, _ = play(GAME)
    with pytest.raises(IllegalMove, match="legal is one of: 0, 1"):
        GAME.parse(start, 0, "101")
    assert GAME.substitute(start, 0) is None
    assert GAME.forfeit(start, (0,)) == (0.0, 0.0)
    offered, _ = play(GAME, "30")
    with pytest.raises(IllegalMove, match="accept, reject"):
        GAME.parse(offered, 1, "maybe")
    assert GAME.substitute(offered, 1) == "reject"
    assert GAME.parse(offered, 1, "I accept.") == "accept"


def test_several_offers_conform() -> None:
    conformance.check("ultimatum:offers=3,amount=10")


@pytest.mark.parametrize("spec", ["amount=0", "offers=0", "offers=51", "amount=1001"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match="give a whole number from"):
        games.make(f"ultimatum:{spec}")
