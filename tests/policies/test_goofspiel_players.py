"""Goofspiel players: what each bids, and what that earns."""

from __future__ import annotations

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games.stream import CHANCE, Stream

GAME = games.make("goofspiel")


def episodes(first, second, matches, game=GAME):
    players = {"a": policies.make(first), "b": policies.make(second)}
    return list(run_matches((Match(i, game, i, ("a", "b")) for i in range(matches)), players, seed=4))


@pytest.mark.parametrize(
    ("spec", "bids"),
    [
        ("goof-match", ["5", "4", "3", "2"]),
        ("goof-over", ["1", "5", "4", "3"]),
        ("goof-high", ["5", "4", "3", "2"]),
    ],
)
def test_bids_for_falling_prizes(spec, bids):
    game = games.make("goofspiel:order=descending")
    (episode,) = episodes(spec, "random", 1, game)
    assert [turn.move for turn in episode.turns if turn.seat == 0] == bids


def test_high_spends_its_cards_whatever_comes():
    game = games.make("goofspiel:order=ascending")
    (episode,) = episodes("goof-high", "goof-match", 1, game)
    assert [turn.move for turn in episode.turns if turn.seat == 0] == ["5", "4", "3", "2"]
    assert episode.payoffs == (1 + 2 - 4 - 5, 4 + 5 - 1 - 2)


@pytest.mark.parametrize("cards", [2, 5, 13])
def test_one_more_than_the_prize_beats_the_prize(cards):
    """It wins every prize but the greatest."""
    game = games.make(f"goofspiel:cards={cards}")
    most = sum(range(1, cards + 1))
    assert {e.payoffs for e in episodes("goof-over", "goof-match", 5, game)} == {
        (most - 2 * cards, 2 * cards - most),
    }


def test_matching_earns_what_theory_says_against_random():
    """Prize p meets every card alike: won with probability (p - 1) / 5, lost with (5 - p) / 5."""
    wanted = sum(p * ((p - 1) - (5 - p)) / 5 for p in range(1, 6))
    assert wanted == pytest.approx(4)
    payoffs = [e.payoffs[0] for e in episodes("goof-match", "random", 800)]
    assert sum(payoffs) / len(payoffs) == pytest.approx(wanted, abs=0.7)


def test_deals_are_those_of_the_match():
    one = episodes("goof-match", "goof-high", 20)
    for episode in one:
        first = GAME.start(Stream(4, CHANCE, episode.match.deal, 0)).prizes[0]
        assert episode.turns[0].move == str(first)
