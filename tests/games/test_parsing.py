"""From a reply to a move: what a reasonable player writes is read, and nothing is guessed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import IllegalMove
from games.game import FreeText, Moves
from games.parsing import read_move

HANDS = Moves(("rock", "paper", "scissors"))
CLAIMS = Moves(tuple(map(str, range(11))))
COLUMNS = Moves(("column 1", "column 10", "column 2"))
CALLS = Moves(("check", "check call", "bet"))
CELLS = Moves(("a1", "b2", "c3"))
SIGNED = Moves(("-1", "0", "1"))
TALK = Moves(free=FreeText(20, min_length=2))

READ = [
    (HANDS, "rock", "rock"),
    (HANDS, "  ROCK!\n", "rock"),
    (HANDS, '"Rock."', "rock"),
    (HANDS, "**rock**", "rock"),
    (HANDS, "(`rock`)", "rock"),
    (HANDS, "I play rock.", "rock"),
    (HANDS, "rock, yes, rock", "rock"),
    (HANDS, "My move:\n\nscissors", "scissors"),
    (HANDS, "They have played paper, so I cut.\nscissors", "scissors"),
    (HANDS, "rock or paper?\n<answer>paper</answer>", "paper"),
    (HANDS, "<ANSWER>\n Paper. </ANSWER>", "paper"),
    (HANDS, "<answer>rock</answer> no: <answer>paper</answer>", "paper"),
    (HANDS, "<answer>I choose paper</answer> rock", "paper"),
    (HANDS, "An <answer> tag: <answer>paper</answer>", "paper"),
    (CLAIMS, "7", "7"),
    (CLAIMS, "10.", "10"),
    (CLAIMS, "I claim 7 coins", "7"),
    (CLAIMS, "I take 10, thanks", "10"),
    (COLUMNS, "Column   10", "column 10"),
    (COLUMNS, "I drop it in column 1.", "column 1"),
    (CALLS, "I check call", "check call"),
    (CALLS, "Check", "check"),
    (CELLS, "B2", "b2"),
    (CELLS, "mark b2 please", "b2"),
    (SIGNED, "-1", "-1"),
    (SIGNED, "I say -1", "-1"),
    (TALK, "  hello there ", "hello there"),
    (TALK, "hm\n<answer>hello</answer>", "hello"),
    (TALK, "ab", "ab"),
]

REFUSED = [
    (HANDS, "", "no legal move in the reply ''"),
    (HANDS, "banana", "no legal move in the reply 'banana'; legal is one of: rock, paper, scissors"),
    (HANDS, "rocket", "no legal move"),
    (HANDS, "bedrock", "no legal move"),
    (HANDS, "rock or paper", r"names 2 moves \(rock, paper\); name one of them alone"),
    (HANDS, "<answer>banana</answer>\nrock", "no legal move"),
    (HANDS, "<answer></answer> rock", "no legal move"),
    (HANDS, "rock paper scissors", "names 3 moves"),
    (CLAIMS, "11", "no legal move"),
    (CLAIMS, "-3", "no legal move"),
    (CLAIMS, "7.5", "no legal move"),
    (CLAIMS, "1,000", "no legal move"),
    (CLAIMS, "between 3 and 5", "names 2 moves"),
    (CLAIMS, "seven", "no legal move"),
    (COLUMNS, "column 3", "no legal move"),
    (CELLS, "a1b2", "no legal move"),
    (TALK, "a", "1 characters; legal is a text of 2 to 20 characters"),
    (TALK, "x" * 21, "21 characters"),
]


@pytest.mark.parametrize(("moves", "reply", "move"), READ)
def test_what_a_reasonable_player_writes_is_read(moves: Moves, reply: str, move: str) -> None:
    assert read_move(reply, moves) == move


@pytest.mark.parametrize(("moves", "reply", "sentence"), REFUSED)
def test_what_names_no_move_or_several_is_refused(moves: Moves, reply: str, sentence: str) -> None:
    with pytest.raises(IllegalMove, match=sentence):
        read_move(reply, moves)


@pytest.mark.parametrize("moves", [HANDS, CLAIMS, COLUMNS, CALLS, CELLS, SIGNED])
def test_canonical_moves_read_as_themselves(moves: Moves) -> None:
    for move in moves.texts:
        for reply in (move, move.upper(), f"{move}.", f" '{move}' ", f"Well.\n{move}", f"x<answer>{move}</answer>y"):
            assert read_move(reply, moves) == move


def outcome(reply: str, moves: Moves) -> tuple[str, str]:
    """The move read, or the refusal."""
    try:
        return read_move(reply, moves), ""
    except IllegalMove as error:
        return "", str(error)


@given(st.text(max_size=300))
def test_any_reply_gives_a_legal_move_or_a_short_refusal(reply: str) -> None:
    for moves in (HANDS, CLAIMS, COLUMNS):
        move, refusal = outcome(reply, moves)
        assert (move in moves.texts) != bool(refusal)
        assert len(refusal) < 500


@given(st.text(max_size=60))
def test_free_text_reads_again_as_itself(reply: str) -> None:
    moves = Moves(free=FreeText(60))
    once = read_move(reply, moves)
    assert read_move(once, moves) == once


@given(st.sampled_from(HANDS.texts), st.sampled_from(HANDS.texts), st.text("abc ,.!?\n", max_size=40))
def test_two_moves_on_one_line_are_never_guessed_between(one: str, other: str, between: str) -> None:
    reply = f"{one} {' '.join(between.split())} {other}"
    if one == other:
        assert read_move(reply, HANDS) == one
    else:
        with pytest.raises(IllegalMove):
            read_move(reply, HANDS)


@pytest.mark.parametrize(
    "reply", ["z" * 100_000, "rock paper " * 9_000, "<answer>" * 12_500, "\n" * 100_000, "<" * 100_000]
)
def test_very_long_replies_are_read_fast_and_refused_shortly(reply: str) -> None:
    for moves in (HANDS, Moves(free=FreeText(500, min_length=1))):
        began = time.perf_counter()
        refusal = outcome(reply, moves)[1]
        assert time.perf_counter() - began < 0.5
        assert 0 < len(refusal) < 500


def test_a_move_at_the_end_of_a_long_reply_counts() -> None:
    assert read_move("Let me think. " * 5_000 + "\nrock", HANDS) == "rock"


def test_many_moves_are_not_all_listed() -> None:
    with pytest.raises(IllegalMove, match=r"one of: 0, 1, .*39, …$"):
        read_move("no", Moves(tuple(map(str, range(1000)))))
