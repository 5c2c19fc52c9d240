"""Where more is won in some matches than in others, payoff ranks and not the number of wins."""

from __future__ import annotations

import arena
import games
import leaderboards
from leaderboards.table import seat_names


def board(game: str, *entrants: str):
    [section] = leaderboards.from_store(arena.tournament(game, list(entrants), deals=20, seed=3)).sections
    return section


def test_poker_ranks_by_what_is_won() -> None:
    section = board("kuhn-poker", "nash", "tight", "random", "always-bet")
    assert section.ranked_by == "payoff"
    assert "more is won in some matches than in others" in section.caption[0]
    assert section.standings[0].entrant == "nash"
    by_elo = max(section.standings, key=lambda line: line.elo)
    assert by_elo.entrant == "always-bet"  # it wins most hands, and small ones


def test_a_game_that_is_won_or_lost_ranks_by_elo() -> None:
    section = board("tic-tac-toe", "minimax", "random")
    assert section.ranked_by == "elo"
    assert section.standings[0].entrant == "minimax"


def test_games_say_which_they_are() -> None:
    assert games.make("tic-tac-toe").info.win_or_lose
    assert games.make("liars-dice").info.win_or_lose
    assert not games.make("kuhn-poker").info.win_or_lose
    assert not games.make("stag-hunt").info.win_or_lose


def test_seats_of_one_role_are_told_apart_by_number() -> None:
    assert seat_names(("first", "second")) == ["first", "second"]
    assert seat_names(("player", "player")) == ["seat 0", "seat 1"]
