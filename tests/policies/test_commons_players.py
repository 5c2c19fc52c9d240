"""The scripted players of Commons: who keeps the stock, who ruins it, and what a newcomer does to the others."""

from __future__ import annotations

import pytest

import arena
from arena.records import Episode


def play(*players: str, spec: str = "commons") -> Episode:
    [episode] = arena.play(spec, list(players))
    return episode


def test_the_sustainable_reach_nine_tenths_of_the_best_possible() -> None:
    best = 11 * 50 + 100  # half of the stock in each month, all of it in the last
    episode = play(*["sustainable"] * 5)
    assert sum(episode.payoffs) == 600 >= 0.9 * best
    assert episode.measures["efficiency"] == (1.0,) * 5
    assert sum(play(*["last-month-harvester"] * 5).payoffs) == best


def test_over_harvesters_ruin_the_stock_in_the_first_month() -> None:
    episode = play(*["over-harvester"] * 5)
    assert (episode.ticks, sum(episode.payoffs)) == (1, 100.0)
    assert episode.measures["over_use"] == (1.0,) * 5


def test_a_leaderboard_ranks_who_keeps_the_stock_first() -> None:
    kept, ruined = (play(*[player] * 5) for player in ("sustainable", "over-harvester"))
    assert kept.payoffs[0] / kept.rounds == 10
    assert ruined.payoffs[0] / ruined.rounds == pytest.approx(20 / 12)


def test_one_over_harvester_gains_more_than_its_neighbours_and_costs_all() -> None:
    episode = play("over-harvester", *["sustainable"] * 4)
    assert episode.payoffs[0] > 1.5 * episode.payoffs[1]
    assert sum(episode.payoffs) < 0.6 * 600


def test_the_trigger_answers_an_offence_and_only_that() -> None:
    assert sum(play(*["trigger-harvester"] * 5).payoffs) == 600
    assert play("over-harvester", *["trigger-harvester"] * 4).ticks == 2


def test_a_greedy_newcomer_costs_the_others() -> None:
    spec = "commons:newcomer=3,months=15"
    alone = play(*["sustainable"] * 5, spec=spec)
    greedy = play(*["sustainable"] * 4, "stock-grabber", spec=spec)
    assert greedy.ticks == 3
    assert greedy.payoffs[0] < 0.4 * alone.payoffs[0]
    assert greedy.measures["survived"] == (0.0,) * 5


@pytest.mark.parametrize("player", ["sustainable", "over-harvester"])
def test_they_talk_where_talk_is_asked_for(player: str) -> None:
    episode = play(player, "sustainable", spec="commons:seats=2,talk=1,months=3")
    said = [turn.reply for turn in episode.turns if "Your message?" in turn.observation]
    assert len(said) == 4  # both after the first and after the second month
    assert all(said)
    assert not any(turn.illegal for turn in episode.turns)
