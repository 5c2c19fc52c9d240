"""Shared arms: sharing, the pure equilibrium and the regret of arXiv 2305.19158 by hand, and what is seen."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games import conformance
from games.errors import BadOption, IllegalMove
from games.shared_arms import Pull, State, equilibrium, is_unique
from games.stream import CHANCE, Stream

GAME = games.make("shared-arms")
CHANCES = (80, 50, 30, 10)
START = State(CHANCES)


def test_players_on_an_arm_share_its_point() -> None:
    pull = Pull((0, 0, 2), (True, False, False, True))
    assert [pull.share(seat) for seat in range(3)] == [0.5, 0.5, 0.0]


def test_arms_pay_by_their_chance() -> None:
    paid = [GAME.play(START, ("1", "2", "3"), Stream(0, CHANCE, deal))[1] for deal in range(4000)]
    for seat, chance in enumerate((0.8, 0.5, 0.3)):
        assert sum(rewards[seat] for rewards in paid) / 4000 == pytest.approx(chance, abs=0.04)  # 5 deviations


@pytest.mark.parametrize(
    ("means", "players", "counts"),
    [
        ((0.8, 0.5, 0.3), 3, (2, 1, 0)),  # .8, .5, .4 > .3
        ((0.8, 0.5, 0.3), 4, (2, 1, 1)),  # .8, .5, .4, .3
        ((0.9, 0.2), 3, (3, 0)),  # .9, .45, .3 > .225, .2
        ((0.6, 0.55, 0.5), 3, (1, 1, 1)),
    ],
)
def test_equilibrium_by_hand(means: tuple[float, ...], players: int, counts: tuple[int, ...]) -> None:
    assert is_unique(means, players)
    assert equilibrium(means, players) == counts


def test_equal_worths_at_the_margin_are_not_unique() -> None:
    assert not is_unique((0.8, 0.4), 2)  # .8, then .4 and .8 / 2


@given(st.integers(2, 5), st.lists(st.integers(5, 95), min_size=2, max_size=4, unique=True))
def test_nobody_gains_by_leaving_the_equilibrium(players: int, chances: list[int]) -> None:
    means = [chance / 100 for chance in chances]
    counts = equilibrium(means, players)
    if not is_unique(means, players):
        return
    assert sum(counts) == players
    for here, there in product(range(len(means)), repeat=2):
        if counts[here] and here != there:
            assert means[there] / (counts[there] + 1) <= means[here] / counts[here]


def test_every_start_has_a_unique_equilibrium() -> None:
    starts = [GAME.start(Stream(0, CHANCE, deal)) for deal in range(300)]
    assert all(is_unique(state.means, 3) and len(set(state.chances)) == 4 for state in starts)
    assert len({state.chances for state in starts}) > 290


def test_measures_by_hand() -> None:
    # counts (2, 1, 0, 0) are the equilibrium: .8, .5, .4 > .3; then all on arm 2: each expects .5 / 3
    state = State(CHANCES, (Pull((0, 0, 1), (True,) * 4), Pull((1, 1, 1), (False,) * 4)))
    measures = GAME.measures(state)
    assert measures["equilibrium"] == (0.5, 0.5, 0.5)
    assert measures["regret"] == pytest.approx(((0.8 - 0.5 / 3) / 2,) * 3)
    assert measures["efficiency"] == pytest.approx(((1.3 + 0.5) / (2 * 1.6),) * 3)
    expected = (0.4 + 0.5 / 3, 0.4 + 0.5 / 3, 0.5 + 0.5 / 3)
    assert measures["gini"] == pytest.approx((2 * 2 * 0.1 / (6 * sum(expected)),) * 3)
    assert GAME.measures(START) == {}


def test_a_seat_sees_its_arm_and_its_share_only() -> None:
    assert GAME.observe(START, 0).text == "Round 1 of 20. Your arm, 1 to 4?"
    one = State(CHANCES, (Pull((0, 1, 1), (True, False, False, False)),))
    other = State((9, 9, 9, 9), (Pull((0, 2, 3), (True, True, True, True)),))
    assert GAME.observe(one, 0).text == "Arm 1 paid 1; your share is 1. Round 2 of 20. Your arm, 1 to 4?"
    assert GAME.observe(one, 1).text.startswith("Arm 2 paid 0. Round 2")
    for look in (GAME.observe, GAME.key, GAME.render):
        assert look(one, 0) == look(other, 0)
    crowded = State(CHANCES, (Pull((0, 0, 0), (True, False, False, False)),))
    assert "your share is 0.333." in GAME.observe(crowded, 0).text


def test_chances_are_told_where_they_are_known() -> None:
    game = games.make("shared-arms:known=true")
    text = game.observe(START, 0).text
    assert text.startswith("Chances: arm 1 0.80, arm 2 0.50, arm 3 0.30, arm 4 0.10. Round 1")
    assert GAME.observe(START, 0).fields["means"] is None


def test_an_illegal_arm_ends_the_match() -> None:
    with pytest.raises(IllegalMove, match="legal is one of: 1, 2, 3, 4"):
        GAME.parse(START, 0, "5")
    assert GAME.substitute(START, 0) is None
    assert GAME.forfeit(START, (0,)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("spec", ["known=true,seats=5,rounds=6", "arms=10,rounds=5"])
def test_variants_conform(spec: str) -> None:
    conformance.check(f"shared-arms:{spec}", matches_played=4)


@pytest.mark.parametrize("spec", ["seats=1", "seats=0", "arms=1", "rounds=0", "known=maybe"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match=r"give a whole number from|true or false"):
        games.make(f"shared-arms:{spec}")
