"""Connect four: lines in every direction, texts, and OpenSpiel's game move by move."""

from __future__ import annotations

import pytest

import games
from games import IllegalMove, Stream
from games.connect_four import HEIGHT, MOVES, Discs, completing, four_in_a_row, landings
from games.stream import NoChance

GAME = games.make("connect-four")


def after(columns):
    """The state after discs in these columns, and the last rewards."""
    state, rewards = GAME.start(NoChance()), (0.0, 0.0)
    for column in columns:
        state, rewards = GAME.play(state, (f"column {column}",), NoChance())
    return state, rewards


DRAW = "111111222222333333" + "544444455555666666777777"


@pytest.mark.parametrize(
    ("columns", "rewards"),
    [
        ("1212121", (1, -1)),  # a column
        ("1122334", (1, -1)),  # a row
        ("12233434454", (1, -1)),  # rising
        ("76655454434", (1, -1)),  # falling
        ("71212121", (-1, 1)),  # O, who moves second, can win too
        ("4455667", (1, -1)),  # a row that ends at the edge
        ("121212", (0, 0)),  # three only
        ("1231231", (0, 0)),
    ],
)
def test_four_in_a_row(columns, rewards):
    state, last = after(columns)
    assert last == rewards
    assert (GAME.to_move(state) == ()) == (rewards != (0, 0))


def bits(*cells):
    """Cells as (column, row) from 1, in bits."""
    return sum(1 << (column - 1) * HEIGHT + row - 1 for column, row in cells)


def test_lines_do_not_wrap_around_the_edges():
    assert four_in_a_row(bits((1, 3), (1, 4), (1, 5), (1, 6)))
    assert not four_in_a_row(bits((1, 4), (1, 5), (1, 6), (2, 1)))
    assert not four_in_a_row(bits((1, 5), (2, 6), (4, 1), (5, 2)))
    assert completing(bits((1, 4), (1, 5), (1, 6))) == bits((1, 3))


def test_a_full_board_is_a_draw():
    state, rewards = after(DRAW)
    assert len(state.line) == 42
    assert rewards == (0, 0)
    assert GAME.to_move(state) == ()
    assert GAME.observe(state, 0).text == "O took column 7, row 6. A draw."
    assert GAME.observe(state, 1).text == "A draw."


def test_full_columns_are_not_legal_and_named():
    state, _ = after("444444")
    assert GAME.moves(state, 0).texts == tuple(m for m in MOVES if m != "column 4")
    assert GAME.observe(state, 0).text == "O took column 4, row 6. Free columns: 1 2 3 5 6 7. Your move."
    for reply in ("column 4", "4"):
        with pytest.raises(IllegalMove, match="column 4 is full; legal is one of: column 1, column 2"):
            GAME.parse(state, 0, reply)


@pytest.mark.parametrize(
    "reply", ["column 3", "Column 3!", "3", "I play 3.", "<answer>3</answer>", "9 is none.\ncolumn 3"]
)
def test_reasonable_replies_are_read(reply):
    assert GAME.parse(after("44")[0], 0, reply) == "column 3"


@pytest.mark.parametrize("reply", ["", "column 8", "0", "3 or 4", "column 3 or column 4", "three", "b2"])
def test_unclear_replies_are_refused(reply):
    with pytest.raises(IllegalMove):
        GAME.parse(after("44")[0], 0, reply)


def test_a_match_reads_like_this():
    assert GAME.observe(after("")[0], 0).text == "Free columns: 1 2 3 4 5 6 7. Your move."
    assert GAME.observe(after("")[0], 1).text == "The other player is to move."
    assert GAME.observe(after("4")[0], 1).text == "X took column 4, row 1. Free columns: 1 2 3 4 5 6 7. Your move."
    won = after("1212121")[0]
    assert (GAME.observe(won, 0).text, GAME.observe(won, 1).text) == ("You win.", "X took column 1, row 4. You lose.")
    assert GAME.render(after("443")[0]).splitlines()[-3:] == ["2 . . . O . . .", "1 . . X X . . .", "  1 2 3 4 5 6 7"]


def test_positions_are_equal_however_they_came_about():
    one, other = after("1425")[0], after("2415")[0]
    assert one == other
    assert (GAME.key(one, 0), GAME.key(other, 0)) == ("1425", "2415")


def test_first_six_plies_reach_the_known_numbers_of_positions():
    """1, 7, 49, 238, 1120, 4263 positions after 0 to 5 discs (Tromp's count, OEIS A212693)."""
    front, counts = {Discs()}, []
    for _ in range(6):
        counts.append(len(front))
        front = {GAME.play(s, (m,), NoChance())[0] for s in front for m in GAME.moves(s, 0).texts}
    assert counts == [1, 7, 49, 238, 1120, 4263]


def test_cells_that_complete_four():
    state, _ = after("112233")
    x, o = state.stones
    cell = landings(x | o) & completing(x)
    assert cell.bit_count() == 1
    assert four_in_a_row(x | cell)
    assert completing(x) & landings(x | o) == cell
    assert (completing(o) & landings(x | o)) == 0  # O's fourth cell has nothing below it yet


def test_rules_and_forfeit():
    assert "You are X. You move first." in GAME.rules(0)
    assert "You are O. You move second." in GAME.rules(1)
    assert all(len(GAME.rules(seat).split()) <= 100 for seat in (0, 1))
    assert GAME.forfeit(after("4")[0], (1,)) == (1, -1)


def test_openspiel_plays_the_same_game():
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game("connect_four")
    for number in range(200):
        rng, state, theirs = Stream(5, number), GAME.start(NoChance()), other.new_initial_state()
        totals = [0.0, 0.0]
        while movers := GAME.to_move(state):
            assert movers == (theirs.current_player(),)
            legal = GAME.moves(state, movers[0]).texts
            assert [MOVES.index(move) for move in legal] == theirs.legal_actions()
            move = rng.choice(legal)
            state, rewards = GAME.play(state, (move,), NoChance())
            theirs.apply_action(MOVES.index(move))
            totals = [t + r for t, r in zip(totals, rewards, strict=True)]
        assert theirs.is_terminal()
        assert totals == theirs.returns()
