"""Split: its reference payoffs (arXiv 2511.19405), its twelve profiles, and what is told when."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

import pytest

import games
from games.errors import BadOption, IllegalMove
from games.split import PROFILES, Profile, Round, Split, State
from games.stream import CHANCE, NoChance, Stream

GAME = games.make("split")
ONE_ROUND = games.make("split", rounds=1)
HATS_OR_BOOKS: Profile = ((True, False, True), (False, True, True))  # balls are a tie

STRATEGIES: dict[str, Callable[[bool, bool], int]] = {
    "cooperative": lambda mine, theirs: 5 if mine == theirs else 10 * mine,
    "greedy": lambda mine, theirs: 10,
    "half": lambda mine, theirs: 5,
}


def play(game: Split, state: State, *claims: tuple[int, int]) -> tuple[State, tuple[float, ...]]:
    """The state after these claims, and the rewards of the last."""
    rewards: tuple[float, ...] = ()
    for pair in claims:
        state, rewards = game.play(state, tuple(map(str, pair)), Stream(0, len(state.past)))
    return state, rewards


def rewards_of(profile: Profile, one: str, other: str) -> tuple[float, ...]:
    claims = [(STRATEGIES[one](a, b), STRATEGIES[other](b, a)) for a, b in zip(profile[0], profile[1], strict=True)]
    return play(ONE_ROUND, State((), Round(profile)), *claims)[1]


@pytest.mark.parametrize(
    ("one", "other", "payoffs"),
    [
        ("cooperative", "cooperative", (127.5, 127.5)),
        ("greedy", "greedy", (82.5, 82.5)),
        ("greedy", "cooperative", (141 + 2 / 3, 68 + 1 / 3)),
        ("half", "half", (82.5, 82.5)),
    ],
)
def test_reference_payoffs_averaged_over_the_profiles(one: str, other: str, payoffs: tuple[float, float]) -> None:
    rewards = [rewards_of(profile, one, other) for profile in PROFILES]
    assert tuple(fmean(column) for column in zip(*rewards, strict=True)) == pytest.approx(payoffs)


def test_twelve_profiles_with_equal_sums_and_a_difference() -> None:
    assert len(set(PROFILES)) == 12
    assert all(sum(a) == sum(b) and a != b for a, b in PROFILES)
    assert {sum(a) for a, _ in PROFILES} == {1, 2}


def test_a_round_by_hand() -> None:
    # hats 10 and 5 of 10: 6.67 and 3.33; books 0 and 10; balls 9 and 3: 7.5 and 2.5
    _, rewards = play(ONE_ROUND, State((), Round(HATS_OR_BOOKS)), (10, 5), (0, 10), (9, 3))
    assert rewards == pytest.approx((200 / 3 + 75, 10 / 3 + 100 + 25))


def test_underclaims_leave_items_on_the_table() -> None:
    _, rewards = play(ONE_ROUND, State((), Round(HATS_OR_BOOKS)), (3, 2), (0, 0), (1, 0))
    assert rewards == (40.0, 2.0)


def test_claims_of_the_round_stay_hidden_until_all_are_made() -> None:
    start = State((), Round(HATS_OR_BOOKS))
    low, high = (play(GAME, start, (3, n))[0] for n in (0, 10))
    for look in (GAME.observe, GAME.key, GAME.render):
        assert look(low, 0) == look(high, 0)
    assert GAME.key(low, 1) != GAME.key(high, 1)


def test_each_seat_reads_only_what_is_new() -> None:
    state = State((), Round(HATS_OR_BOOKS))
    assert GAME.observe(state, 1).text == (
        "Round 1 of 10. Your values: hats 1, books 10, balls 10. Their values: hats 10, books 1, balls 10. "
        "Your claim on hats, 0 to 10?"
    )
    state, _ = play(GAME, state, (10, 0))
    assert GAME.observe(state, 1).text == "Your claim on books, 0 to 10?"
    state, _ = play(GAME, state, (0, 10), (5, 5))
    after = GAME.observe(state, 1).text
    assert after.startswith("They claimed 10 hats, 0 books, 5 balls. You got 150.0, they 150.0 points. Round 2 of 10.")
    seen = GAME.observe(state, 1).fields["history"][0]
    assert (seen.claims, seen.their_claims, seen.points) == ((0, 10, 5), (10, 0, 5), 150.0)


def test_match_ends_after_its_rounds() -> None:
    state, ticks = GAME.start(Stream(3)), 0
    while GAME.to_move(state):
        assert GAME.round(state) == ticks // 3
        state, _ = play(GAME, state, (5, 5))
        ticks += 1
    assert (ticks, GAME.round(state)) == (30, 10)
    assert GAME.observe(state, 0).text.endswith("The game is over.")


def test_measures() -> None:
    state = State((), Round(HATS_OR_BOOKS))
    state, _ = play(ONE_ROUND, state, (10, 10), (2, 10), (5, 5))
    points = (50 + 10 * 2 / 12 + 50, 5 + 100 * 10 / 12 + 50)
    measures = ONE_ROUND.measures(state)
    assert measures["efficiency"] == pytest.approx((sum(points) / 300,) * 2)
    assert measures["gini"] == pytest.approx((abs(points[0] - points[1]) * 2 / (4 * sum(points)),) * 2)
    assert measures["claim_worth_more"] == (10.0, 10.0)
    assert measures["claim_worth_less"] == (2.0, 10.0)
    assert GAME.measures(GAME.start(Stream(0))) == {}


def test_every_profile_is_equally_likely() -> None:
    drawn = [GAME.start(Stream(5, CHANCE, deal)).now.profile for deal in range(2400)]
    assert all(140 <= drawn.count(profile) <= 265 for profile in PROFILES)  # 200; 5 standard deviations are 68
    assert [state.now.profile for _, state in GAME.starts()] == list(PROFILES)


def test_illegal_claim_is_refused_and_forfeits() -> None:
    state = State((), Round(HATS_OR_BOOKS))
    with pytest.raises(IllegalMove, match="legal is one of: 0, 1, 2"):
        GAME.parse(state, 0, "11")
    assert GAME.substitute(state, 0) is None
    assert GAME.forfeit(state, (0,)) == (0.0, 0.0)


@pytest.mark.parametrize("spec", ["rounds=0", "copies=0", "high=1,low=1", "low=-1", "high=nan", "copies=1.5"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match=r"give|whole number"):
        games.make(f"split:{spec}")


def test_other_values_reach_rules_and_bounds() -> None:
    game = games.make("split:rounds=2,copies=4,high=3,low=0.5")
    assert game.spec == "split:rounds=2,copies=4,high=3,low=0.5"
    assert "there are 4 hats" in game.rules(0)
    assert "worth 3 or 0.5 points" in game.rules(0)
    assert game.info.payoff_bounds == (0.0, 52.0)  # 2 rounds of 4·(3 + 3 + 0.5)
    assert game.info.moves == tuple("01234")


def test_nothing_is_drawn_within_a_round() -> None:
    state, rewards = GAME.play(State((), Round(HATS_OR_BOOKS)), ("1", "2"), NoChance())
    assert (state.now.claims, rewards) == (((1, 2),), (0.0, 0.0))
