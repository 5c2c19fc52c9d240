"""What a step is judged by."""

from __future__ import annotations

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from selfplay.metrics import match_metrics, memory


def play(*plan: tuple[str, tuple[str, str]]):
    """Matches by (game, entrants); the learner always defects or checks and folds."""
    players = {
        "learner": {"prisoners-dilemma": "always-defect", "kuhn-poker": "always-call"},
        "past-10": {"prisoners-dilemma": "always-cooperate", "kuhn-poker": "always-call"},
        "tit-for-tat": {"prisoners-dilemma": "tit-for-tat"},
    }
    out = []
    for number, (game, entrants) in enumerate(plan):
        table = {name: policies.make(players[name][game]) for name in entrants}
        out += run_matches([Match(number, games.make(game), 0, entrants)], table, seed=1)
    return out


def test_payoffs_by_opponent_and_with_itself() -> None:
    numbers = match_metrics(
        play(
            ("prisoners-dilemma", ("learner", "learner")),
            ("prisoners-dilemma", ("past-10", "learner")),
            ("prisoners-dilemma", ("learner", "tit-for-tat")),
        )
    )
    assert numbers["payoff"] == pytest.approx((1 + 1 + 5 + 1.4) / 4)  # 5 + 9 × 1 over ten rounds against tit-for-tat
    assert numbers["payoff/self"] == 1.0
    assert {k: v for k, v in numbers.items() if k.startswith("met/")} == pytest.approx(
        {"met/past": 1 / 3, "met/self": 1 / 3, "met/tit-for-tat": 1 / 3}
    )
    assert numbers["illegal"] == 0.0


def test_roles_and_games_stand_apart() -> None:
    numbers = match_metrics(play(("kuhn-poker", ("learner", "learner")), ("prisoners-dilemma", ("learner", "learner"))))
    assert numbers["prisoners-dilemma/payoff"] == 1.0
    assert "kuhn-poker/payoff" in numbers
    roles = [k for k in numbers if k.startswith("payoff/") and k != "payoff/self"]
    assert len(roles) == 2
    assert sum(numbers[r] for r in roles) == 0.0


def test_memory_is_that_of_this_process() -> None:
    assert 10 < memory() < 100_000
