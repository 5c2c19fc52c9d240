"""The scripted negotiators: words with a meaning find nearly all there is to gain, stubbornness finds nothing."""

from __future__ import annotations

from statistics import fmean

import pytest

import arena
from policies.scripted._splits import fair_split, modest_demand, wanted, welfare_split
from policies.scripted.negotiation import decode, encode


def result(one: str, other: str, spec: str = "negotiation") -> tuple[float, float]:
    """Mean efficiency and share of agreements."""
    episodes = arena.play(spec, [one, other], matches=80)
    efficiency = [e.measures["efficiency"][0] for e in episodes if "efficiency" in e.measures]
    return fmean(efficiency), fmean(e.measures["agreement"][0] for e in episodes)


def test_open_negotiators_reach_nine_tenths_of_the_best_possible() -> None:
    efficiency, agreement = result("open-negotiator", "open-negotiator")
    assert efficiency > 0.92
    assert agreement > 0.97


def test_words_help() -> None:
    with_words = result("open-negotiator", "open-negotiator")[0]
    assert with_words > result("open-negotiator", "open-negotiator", "negotiation:length=0")[0] + 0.02
    assert with_words > result("conceding-negotiator", "conceding-negotiator")[0] + 0.1


def test_the_stubborn_agree_only_where_they_want_different_items() -> None:
    assert result("stubborn-negotiator", "stubborn-negotiator")[1] < 0.15


@pytest.mark.parametrize(("values", "word"), [((0, 10, 5), "aec"), ((2, 3, 8), "bbd")])
def test_letters_stand_for_values(values: tuple[int, ...], word: str) -> None:
    assert encode(values, 10, "abcde") == word
    assert all(abs(a - b) <= 1.25 for a, b in zip(decode(word, 10, "abcde"), values, strict=True))


def test_splits_by_hand() -> None:
    pool, mine, theirs = (2, 1, 3), (1, 8, 0), (2, 3, 1)
    assert fair_split(pool, mine, theirs) == (0, 1, 0)  # 8 · 7
    assert wanted(pool, mine) == (2, 1, 0)
    assert modest_demand(pool, mine, 8) == (0, 1, 0)
    assert modest_demand(pool, mine, 9) == (1, 1, 0)
    # products: one item each 10 · 1, sum 11; both to the second give 0 · 2
    assert welfare_split((2,), (10,), (1,), 0.9) == (1,)
    assert welfare_split((2,), (10,), (1,), 0.0) == (2,)
