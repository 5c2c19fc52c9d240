"""Auctions: who wins and pays what in each format, what is revealed, and how the open one goes on and ends."""

from __future__ import annotations

import pytest

import games
from games import conformance
from games.auction import Auction, Lot, State
from games.errors import BadOption, IllegalMove
from games.stream import CHANCE, Stream

VALUES = (70, 50, 90)


def start(game: Auction) -> State:
    return State((), Lot(VALUES))


def make(form: str, **options: int) -> Auction:
    game = games.make("auction", format=form, **options)
    assert isinstance(game, Auction)
    return game


def play(game: Auction, state: State, *ticks: tuple[object, ...], seed: int = 0) -> tuple[State, tuple[float, ...]]:
    rewards: tuple[float, ...] = ()
    for bids in ticks:
        state, rewards = game.play(state, tuple(map(str, bids)), Stream(seed))
    return state, rewards


@pytest.mark.parametrize(
    ("form", "bids", "rewards"),
    [
        ("first-price", (40, 30, 60), (0.0, 0.0, 30.0)),
        ("second-price", (40, 30, 60), (0.0, 0.0, 50.0)),
        ("first-price", (100, "pass", 60), (-30.0, 0.0, 0.0)),
        ("second-price", ("pass", "pass", 60), (0.0, 0.0, 90.0)),  # no second bid: nothing to pay
        ("first-price", ("pass", "pass", "pass"), (0.0, 0.0, 0.0)),
    ],
)
def test_sealed_bids(form: str, bids: tuple[object, ...], rewards: tuple[float, ...]) -> None:
    game = make(form, lots=1)
    state, paid = play(game, start(game), bids)
    assert paid == rewards
    assert game.to_move(state) == ()


@pytest.mark.parametrize("form", ["first-price", "second-price"])
def test_among_equal_bids_the_winner_is_drawn(form: str) -> None:
    game = make(form, lots=1)
    sales = [play(game, start(game), (60, 20, 60), seed=seed)[0].now for seed in range(200)]
    assert 70 < sum(lot.leader == 0 for lot in sales) < 130
    assert {lot.leader for lot in sales} == {0, 2}
    assert {lot.price for lot in sales} == {60}


def test_open_bids_go_on_until_nobody_bids_more() -> None:
    game = make("ascending", lots=1)
    state, _ = play(game, start(game), (20, "pass", 10))
    assert game.to_move(state) == (1, 2)
    assert game.moves(state, 1).texts == (*map(str, range(25, 101)), "pass")
    assert game.observe(state, 0).text == "You lead with 20. Wait."
    assert game.observe(state, 1).text == "player_0 leads with 20. Your bid, 25 to 100, or pass?"
    state, _ = play(game, state, ("pass", 30), (35, "pass"))  # player_2 leads, then player_0 again
    assert (state.now.leader, state.now.price) == (0, 35)
    state, rewards = play(game, state, ("pass", "pass"))
    assert rewards == (35.0, 0.0, 0.0)
    assert game.observe(state, 0).text == "You won lot 1 for 35 and get 35 points. The game is over."
    assert game.observe(state, 2).text == "player_0 won lot 1 for 35. The game is over."


def test_an_open_lot_ends_when_no_higher_bid_can_be_made() -> None:
    game = make("ascending", lots=1)
    state, rewards = play(game, start(game), ("pass", 96, "pass"))
    assert (game.to_move(state), rewards) == ((), (0.0, -46.0, 0.0))


def test_the_longest_open_auction_fits_its_ticks() -> None:
    game = make("ascending", lots=1, top=20, step=5, seats=2)
    state, ticks = State((), Lot((20, 20))), 0
    while movers := game.to_move(state):
        state, _ = game.play(state, (str(game.least(state.now)),) + ("pass",) * (len(movers) - 1), Stream(0))
        ticks += 1
    assert ticks == 4 <= game.info.max_ticks


def test_lots_follow_one_another_with_new_values() -> None:
    game = make("first-price")
    state, _ = play(game, start(game), (40, 30, 60), ("pass", "pass", "pass"))
    assert game.round(state) == 2
    assert state.now.values != VALUES
    text = game.observe(state, 0).text
    assert (
        text
        == f"Nobody bid for lot 2. Lot 3 of 3. It is worth {state.now.values[0]} to you. Your bid, 1 to 100, or pass?"
    )
    assert game.observe(state, 2).fields["history"][0] == (90, 2, 60)


def test_values_and_sealed_bids_of_others_stay_hidden() -> None:
    game = make("first-price")
    one = State((Lot((70, 50, 90), ((40, 30, 60),), ((2, 60),)),), Lot((1, 2, 3)))
    other = State((Lot((70, 1, 99), ((40, 10, 60),), ((2, 60),)),), Lot((1, 50, 60)))
    for look in (game.observe, game.key, game.render):
        assert look(one, 0) == look(other, 0)
    assert game.key(one, 1) != game.key(other, 1)


def test_values_are_uniform() -> None:
    game = make("first-price", top=10)
    drawn = [v for deal in range(1000) for v in game.start(Stream(1, CHANCE, deal)).now.values]
    assert set(drawn) == set(range(1, 11))
    assert all(210 < drawn.count(v) < 390 for v in range(1, 11))  # 300; 5 standard deviations are 82


def test_measures_by_hand() -> None:
    game = make("first-price", lots=2)
    lots = (Lot((70, 50, 90), ((40, 30, 60),), ((2, 60),)), Lot((80, 60, 10), ((10, 20, 0),), ((1, 20),)))
    measures = game.measures(State(lots, lots[-1]))
    assert measures["efficiency"] == pytest.approx((150 / 170,) * 3)  # 90 + 60 of 90 + 80
    assert measures["pareto"] == (0.5,) * 3
    assert measures["revenue"] == pytest.approx((80 / 170,) * 3)
    assert measures["nash"] == measures["kalai_smorodinsky"] == pytest.approx((0.0, 40 * 3 / 110, 30 * 3 / 100))
    assert measures["gini"] == pytest.approx((2 * (40 + 30 + 10) / (6 * 70),) * 3)
    lost = State((Lot((1, 2, 3), ((50, 0, 0),), ((0, 50),)),), lots[0])
    assert "gini" not in game.measures(lost)
    assert game.measures(start(game)) == {}


def test_illegal_replies_count_as_pass() -> None:
    game = make("ascending")
    with pytest.raises(IllegalMove, match="legal is one of: 5, 6"):
        game.parse(start(game), 0, "4")
    assert game.substitute(start(game), 0) == "pass"


@pytest.mark.parametrize("spec", ["format=ascending", "format=second-price,seats=2", "format=ascending,seats=8,lots=1"])
def test_variants_conform(spec: str) -> None:
    conformance.check(f"auction:{spec}", matches_played=4)


@pytest.mark.parametrize("spec", ["seats=1", "seats=9", "seats=0", "lots=0", "format=dutch", "step=101", "top=0"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match=r"give (a whole number from|first-price or)"):
        games.make(f"auction:{spec}")
