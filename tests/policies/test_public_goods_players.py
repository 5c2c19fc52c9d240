"""The scripted players of the public goods game: the best for all, the free ride, and what conditional giving does."""

from __future__ import annotations

import pytest

import arena


def payoffs(*players: str) -> tuple[float, ...]:
    [episode] = arena.play("public-goods", list(players))
    return episode.payoffs


def test_full_contributors_reach_the_best_and_free_riders_gain_nothing() -> None:
    assert payoffs(*["full-contributor"] * 4) == pytest.approx((320.0,) * 4)
    assert payoffs(*["free-rider"] * 4) == pytest.approx((200.0,) * 4)
    assert payoffs(*["half-contributor"] * 4) == pytest.approx((260.0,) * 4)


def test_riding_free_pays_against_the_generous() -> None:
    free, *others = payoffs("free-rider", *["full-contributor"] * 3)
    assert free == pytest.approx(440.0)
    assert others == pytest.approx([240.0] * 3)


def test_conditional_contributors_start_full_and_follow_the_others_down() -> None:
    assert payoffs(*["conditional-contributor"] * 4) == pytest.approx((320.0,) * 4)
    [episode] = arena.play("public-goods", ["free-rider", *["conditional-contributor"] * 3])
    given = [int(turn.reply) for turn in episode.turns if turn.seat == 1]
    assert given[:3] == [20, 13, 9]  # (0 + 20 + 20) / 3, then (0 + 13 + 13) / 3
    assert given == sorted(given, reverse=True)
    assert given[-1] <= 1
