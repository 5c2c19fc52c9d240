"""The scripted players of Deal or No Deal: the open share nearly all there is, the greedy and the false get nothing."""

from __future__ import annotations

from statistics import fmean

import pytest

import arena
from policies.scripted.deal_or_no_deal import proposed, tell_values, values_told

POOL = (2, 1, 3)


def result(one: str, other: str, matches: int = 40) -> tuple[float, float]:
    """The mean efficiency, and what ``one`` earns, seats swapped."""
    episodes = arena.play("deal-or-no-deal", [one, other], matches=matches)
    swapped = arena.play("deal-or-no-deal", [other, one], matches=matches)
    earned = [e.payoffs[0] for e in episodes] + [e.payoffs[1] for e in swapped]
    return fmean(e.measures["efficiency"][0] for e in episodes + swapped), fmean(earned)


def test_open_dealers_reach_nine_tenths_of_the_best_possible() -> None:
    efficiency, earned = result("open-dealer", "open-dealer")
    assert efficiency > 0.95
    assert earned > 7


@pytest.mark.parametrize("player", ["greedy-dealer", "double-crosser"])
def test_two_who_want_everything_get_nothing(player: str) -> None:
    assert result(player, player) == (0.0, 0.0)


def test_conceding_dealers_agree_and_are_exploited_by_greed() -> None:
    efficiency, earned = result("conceding-dealer", "conceding-dealer")
    assert efficiency > 0.85
    assert earned > 6
    assert result("greedy-dealer", "conceding-dealer")[1] > result("conceding-dealer", "greedy-dealer")[1]


def test_selecting_other_than_agreed_costs_both() -> None:
    assert result("open-dealer", "double-crosser")[0] < 0.3


@pytest.mark.parametrize(
    ("messages", "mine"),
    [
        ([], None),
        ([(True, "I take 2 books 0 hats 0 balls.")], (2, 0, 0)),
        ([(False, "I take 2 books 0 hats 0 balls.")], (0, 1, 3)),
        ([(False, "You take 2 books 0 hats 0 balls.")], (2, 0, 0)),
        ([(False, "I take 2 books 0 hats 0 balls."), (True, "deal")], (0, 1, 3)),
        ([(True, "I take 2 books 1 hat 3 balls."), (False, "I take 0 books 1 hat 3 balls.")], (2, 0, 0)),
        ([(False, "I take 3 books 0 hats 0 balls.")], None),  # there are only two
    ],
)
def test_the_last_proposal_counts_whoever_made_it(
    messages: list[tuple[bool, str]], mine: tuple[int, ...] | None
) -> None:
    assert proposed(messages, POOL) == mine


def test_values_are_told_and_understood() -> None:
    talk = [(True, tell_values((1, 8, 0))), (False, "Books are 2, hats 3, balls 1 to me.")]
    assert values_told(talk, own=True) == (1, 8, 0)
    assert values_told(talk, own=False) == (2, 3, 1)
    assert values_told([(False, "hats are worth 3")], own=False) is None
