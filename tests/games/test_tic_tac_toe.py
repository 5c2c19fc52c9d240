"""Tic-tac-toe: rows, texts, and the whole game tree by positions."""

from __future__ import annotations

import pytest

import games
from games import IllegalMove, Stream
from games.stream import NoChance
from games.tic_tac_toe import CELLS, LINES, Board

GAME = games.make("tic-tac-toe")


def after(*moves):
    """The state after these moves, and the last rewards."""
    state, rewards = GAME.start(Stream(0)), (0.0, 0.0)
    for move in moves:
        state, rewards = GAME.play(state, (move,), NoChance())
    return state, rewards


ROWS = ["1 2 3", "4 5 6", "7 8 9", "1 4 7", "2 5 8", "3 6 9", "1 5 9", "3 5 7"]


def test_the_eight_rows():
    assert sorted(" ".join(CELLS[i] for i in line) for line in LINES) == sorted(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_three_in_a_row_win_for_x_and_for_o(row):
    own = row.split()
    spare = [c for c in CELLS if c not in own]
    state, rewards = after(own[0], spare[0], own[1], spare[1], own[2])
    assert (GAME.to_move(state), rewards) == ((), (1, -1))
    apart = next([a, b, c] for a in spare for b in spare for c in spare if a < b < c and f"{a} {b} {c}" not in ROWS)
    state, rewards = after(apart[0], own[0], apart[1], own[1], apart[2], own[2])
    assert (GAME.to_move(state), rewards) == ((), (-1, 1))


def test_a_full_board_is_a_draw():
    state, rewards = after("1", "4", "7", "5", "2", "8", "6", "3", "9")
    assert (GAME.to_move(state), rewards) == ((), (0, 0))
    assert GAME.observe(state, 0).text == "A draw."
    assert GAME.observe(state, 1).text == "X took 9. A draw."


def test_every_position_is_reached_once():
    """5,478 positions, of which X wins 626, O wins 316 and 16 are draws; 255,168 matches by 9 or fewer moves."""
    seen, front = {Board()}, [Board()]
    ends = {1.0: 0, -1.0: 0, 0.0: 0}
    ways = {Board(): 1}
    for _ in range(9):
        following = {}
        for state in front:
            for move in GAME.moves(state, 0).texts if GAME.to_move(state) else ():
                child, rewards = GAME.play(state, (move,), NoChance())
                if child not in following and not GAME.to_move(child):
                    ends[rewards[0]] += 1
                following.setdefault(child, child)
                ways[child] = ways.get(child, 0) + ways[state]
        front = list(following)
        seen |= set(front)
    assert len(seen) == 5478
    assert ends == {1.0: 626, -1.0: 316, 0.0: 16}
    assert sum(n for state, n in ways.items() if not GAME.to_move(state)) == 255_168


def test_a_match_reads_like_this():
    state, _ = after("5", "1")
    assert GAME.observe(after()[0], 0).text == "Free: 1 2 3 4 5 6 7 8 9. Your move."
    assert GAME.observe(state, 0).text == "O took 1. Free: 2 3 4 6 7 8 9. Your move."
    assert GAME.observe(state, 1).text == "The other player is to move."
    won, _ = after("5", "1", "4", "2", "6")
    assert GAME.observe(won, 0).text == "You win."
    assert GAME.observe(won, 1).text == "X took 6. You lose."


def test_equal_positions_are_equal_states_but_not_equal_keys():
    one, other = after("1", "5", "9")[0], after("9", "5", "1")[0]
    assert one == other
    assert hash(one) == hash(other)
    assert GAME.key(one, 0) == "1 5 9"
    assert GAME.key(other, 0) == "9 5 1"


@pytest.mark.parametrize("reply", ["5", " 5 ", "5.", "I take 5", "<answer>5</answer>", "The corner is weak.\n5"])
def test_reasonable_replies_are_read(reply):
    assert GAME.parse(after("1")[0], 1, reply) == "5"


@pytest.mark.parametrize("reply", ["1", "d4", "2b", "", "5 or 6", "10", "b2"])
def test_taken_and_unclear_cells_are_refused(reply):
    with pytest.raises(IllegalMove):
        GAME.parse(after("1")[0], 1, reply)


def test_the_board_is_drawn_with_row_three_on_top():
    assert GAME.render(after("1", "5", "9")[0]) == "X 2 3\n4 O 6\n7 8 X"


def test_rules_and_forfeit():
    assert "You are X. You move first." in GAME.rules(0)
    assert "You are O. You move second." in GAME.rules(1)
    assert all(len(GAME.rules(seat).split()) <= 90 for seat in (0, 1))
    assert GAME.forfeit(after("1")[0], (1,)) == (1, -1)


def test_openspiel_plays_the_same_game():
    """OpenSpiel numbers the cells from 0 in the same order, so a move's number there is our cell less one."""
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game("tic_tac_toe")
    for number in range(400):
        rng, state, theirs = Stream(7, number), GAME.start(NoChance()), other.new_initial_state()
        totals = [0.0, 0.0]
        while movers := GAME.to_move(state):
            assert movers == (theirs.current_player(),)
            legal = GAME.moves(state, movers[0]).texts
            assert [CELLS.index(move) for move in legal] == theirs.legal_actions()
            move = rng.choice(legal)
            state, rewards = GAME.play(state, (move,), NoChance())
            theirs.apply_action(CELLS.index(move))
            totals = [t + r for t, r in zip(totals, rewards, strict=True)]
        assert theirs.is_terminal()
        assert totals == theirs.returns()
