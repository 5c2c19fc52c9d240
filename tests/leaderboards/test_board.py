"""Boards: what is ranked by what, what is said of it, and what programs read."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import leaderboards
from leaderboards import from_store


def test_a_dilemma_ranks_by_payoff_and_a_competitive_game_by_elo(store, dilemma, poker):
    board = from_store(store(dilemma()), store(poker(), game="kuhn-poker", kind="competitive"))
    first, second = board.sections
    assert (first.ranked_by, second.ranked_by) == ("payoff", "elo")
    assert second.names == ("strong", "medium", "weak")
    assert [line.rank for line in second.standings] == [1, 2, 3]
    assert all(np.isfinite(line.elo) and np.isfinite(line.payoff) for s in board.sections for line in s.standings)


def test_always_defect_wins_most_matches_and_is_no_champion(store):
    # Dove: (3 + 3 + 0) / 3 = 2; hawk: (5 + 5 + 1) / 3 = 11/3 here; with more doves that answer in kind it would fall.
    grim = {
        ("grim", "grim"): (3, 3),
        ("grim", "hawk"): (0.9, 1.4),
        ("hawk", "grim"): (1.4, 0.9),
        ("hawk", "hawk"): (1, 1),
    }
    plays = [(deal, [(a, pay[0]), (b, pay[1])]) for deal in range(10) for (a, b), pay in grim.items()]
    (section,) = from_store(store(plays)).sections
    assert section.names == ("grim", "hawk")
    top, hawk = section.standings
    assert (top.payoff, hawk.payoff) == (pytest.approx((3 + 0.9) / 2), pytest.approx((1.4 + 1) / 2))
    assert (hawk.wins, hawk.draws, hawk.losses) == (20, 0, 0)
    assert hawk.elo > top.elo
    assert (hawk.nash_mass, top.nash_skill) == (1.0, pytest.approx((0.9 - 1.4) / 2))


def test_copies_share_rank_mass_and_rating(store, dilemma):
    (section,) = from_store(store(dilemma())).sections
    lines = {line.entrant: line for line in section.standings}
    dove, pigeon = lines["dove"], lines["pigeon"]
    assert (dove.rank, dove.payoff, dove.nash_mass) == (pigeon.rank, pigeon.payoff, pigeon.nash_mass)
    assert dove.elo == pytest.approx(pigeon.elo)
    assert [line.rank for line in section.standings] == [1, 2, 2]


def test_the_head_to_head_is_in_the_order_of_the_standings(store, dilemma):
    (section,) = from_store(store(dilemma())).sections
    assert section.names == ("hawk", "dove", "pigeon")
    assert section.head_to_head.tolist() == [[1, 5, 5], [0, 3, 3], [0, 3, 3]]
    assert section.met.tolist() == [[12, 24, 24], [24, 12, 24], [24, 24, 12]]


def test_the_caption_says_what_it_ranks_by_the_scale_and_the_matrix(store, dilemma, poker):
    board = from_store(store(dilemma()), store(poker(), game="kuhn-poker", kind="competitive"))
    dilemma_text, poker_text = (" ".join(section.caption) for section in board.sections)
    assert "Ranked by payoff per round (self-matches included" in dilemma_text
    assert "payoff difference" in dilemma_text
    assert "a draw half a win" in dilemma_text
    assert "Ranked by Elo" in poker_text
    assert "win probability, 2P−1" in poker_text
    assert "Davidson" in poker_text
    for text in (dilemma_text, poker_text):
        assert "400 points are odds of 10 to 1, mean 1500, prior sd 1000" in text
        assert "clustered by deal" in text


def test_gaps_in_the_data_are_notes_that_say_what_to_play(store):
    plays = [(0, [("a", 1.0), ("b", 0.0)]), (0, [("c", 1.0), ("d", 2.0)])]
    (section,) = from_store(store(plays)).sections
    text = " | ".join(section.notes)
    assert 'unconnected: 2 groups; play "a" against "c"' in text
    assert "4 pairs never met" in text
    assert "4 entrants never met themselves" in text
    assert "single deal" in text
    assert {mark for line in section.standings for mark in line.marks} == {"prior-bound", "preliminary"}


def test_an_entrant_alone_has_a_board(store):
    (section,) = from_store(store([(0, [("only", 3.0), ("only", 1.0)])])).sections
    (line,) = section.standings
    assert (line.rank, line.payoff, line.elo, line.nash_mass, line.marks) == (1, 2.0, 1500.0, 1.0, ("unplayed",))


def test_json_holds_everything_and_nothing_that_json_lacks(store, dilemma):
    board = from_store(store(dilemma(1), kinds={"hawk": "llm"}, measures={"dove": {"cooperation": 1.0}}))
    data = json.loads(json.dumps(board.to_json(), allow_nan=False))
    (game,) = data["games"]
    assert (game["game"], game["kind"], game["ranked_by"]) == ("prisoners-dilemma", "social-dilemma", "payoff")
    hawk = game["standings"][0]
    assert (hawk["entrant"], hawk["kind"], hawk["payoff_half"]) == ("hawk", "llm", None)
    assert hawk["measures"] == {"cooperation": None}
    assert game["head_to_head"]["payoff"][0] == [1.0, 5.0, 5.0]
    assert game["elo"]["prior_sd"] == 1000
    assert game["nash"]["exploitability"] <= 1e-12


def test_importing_the_package_loads_neither_scipy_nor_torch():
    code = "import sys, leaderboards; print([m for m in ('scipy', 'torch', 'rich', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_public_name_is_there():
    for name in leaderboards.__all__:
        assert getattr(leaderboards, name).__doc__, name
        assert name in dir(leaderboards)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = leaderboards.nonsense


def test_a_board_of_three_hundred_entrants_is_quick(store):
    names = [f"e{k}" for k in range(300)]
    plays = [(k % 7, [(a, float(k % 5)), (names[(k * 17 + 1) % 300], 2.0)]) for k, a in enumerate(names * 4)]
    (section,) = from_store(store(plays, kind="competitive")).sections
    assert len(section.standings) == 300
    assert section.nash.exploitability <= 1e-12
