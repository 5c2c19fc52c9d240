"""Public goods: payoffs by hand, the dilemma that the options must keep, and what is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.errors import BadOption, IllegalMove
from games.public_goods import State
from games.stream import NoChance

GAME = games.make("public-goods")


@pytest.mark.parametrize(
    ("contributions", "points"),
    [
        ((0, 0, 0, 0), (20.0, 20.0, 20.0, 20.0)),
        ((20, 20, 20, 20), (32.0, 32.0, 32.0, 32.0)),  # 1.6 · 80 / 4
        ((0, 20, 20, 20), (44.0, 24.0, 24.0, 24.0)),  # 1.6 · 60 / 4 = 24
        ((10, 0, 5, 0), (16.0, 26.0, 21.0, 26.0)),  # 1.6 · 15 / 4 = 6
    ],
)
def test_points_by_hand(contributions: tuple[int, ...], points: tuple[float, ...]) -> None:
    state, rewards = GAME.play(State(), tuple(map(str, contributions)), NoChance())
    assert rewards == pytest.approx(points)
    assert state.past == (contributions,)


@given(st.integers(2, 6), st.lists(st.integers(0, 10), min_size=6, max_size=6))
def test_a_token_given_costs_its_giver_and_gains_all(seats: int, given: list[int]) -> None:
    game = games.make("public-goods", seats=seats, endowment=11)
    before = game.points(tuple(given[:seats]))
    after = game.points((given[0] + 1, *given[1:seats]))
    assert after[0] < before[0]
    assert sum(after) > sum(before)


def test_each_round_is_read_once() -> None:
    assert GAME.observe(State(), 2).text == "Round 1 of 10. Your contribution, 0 to 20?"
    state = State(((20, 0, 5, 7),))
    assert GAME.observe(state, 2).text == (
        "You gave 5, player_0 20, player_1 0, player_3 7. You got 27.8 points. "
        "Round 2 of 10. Your contribution, 0 to 20?"
    )
    assert GAME.observe(state, 2).fields["others"] == ((20, 0, 7),)
    over = State(state.past * 10)
    assert GAME.observe(over, 2).text.endswith("The game is over.")
    assert GAME.to_move(over) == ()


def test_measures_by_hand() -> None:
    measures = GAME.measures(State(((20, 0, 10, 10), (0, 0, 10, 10))))
    assert measures["contribution"] == (0.5, 0.0, 0.5, 0.5)
    assert measures["efficiency"] == pytest.approx((0.375,) * 4)  # 60 of 160 tokens
    # points 16 + 28 = 44, 36 + 28 = 64, 26 + 18 = 44, 44: differences 6 · 20 of 2 · 4 · 196
    points = (20 - 20 + 16 + 20 + 8, 20 + 16 + 20 + 8, 10 + 16 + 10 + 8, 10 + 16 + 10 + 8)
    assert points == (44, 64, 44, 44)
    assert measures["gini"] == pytest.approx((6 * 20 / (2 * 4 * 196),) * 4)
    assert GAME.measures(State()) == {}


def test_a_reply_without_a_number_ends_the_match() -> None:
    with pytest.raises(IllegalMove, match="legal is one of: 0, 1"):
        GAME.parse(State(), 0, "nothing")
    assert GAME.substitute(State(), 0) is None
    assert GAME.forfeit(State(), (1,)) == (0.0,) * 4
    assert GAME.parse(State(), 0, "I give 7 tokens.") == "7"


@pytest.mark.parametrize("spec", ["seats=1", "seats=0", "rounds=0", "endowment=0", "endowment=-5", "rounds=1001"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match="give a whole number from"):
        games.make(f"public-goods:{spec}")


@pytest.mark.parametrize("spec", ["multiplier=1", "multiplier=4", "multiplier=-1", "seats=2,multiplier=2"])
def test_a_multiplier_without_a_dilemma_is_refused(spec: str) -> None:
    with pytest.raises(BadOption, match=r"multiplier=.* give a number"):
        games.make(f"public-goods:{spec}")


def test_options_reach_rules_and_bounds() -> None:
    game = games.make("public-goods:seats=2,rounds=3,endowment=10,multiplier=1.5")
    assert "multiplied by 1.5" in game.rules(0)
    assert game.info.payoff_bounds == (0.0, 3 * 17.5)  # keeps 10, half of 15 comes back
    assert game.spec == "public-goods:seats=2,rounds=3,endowment=10,multiplier=1.5"
