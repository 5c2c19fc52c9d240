"""Leduc poker: payoffs by hand, texts, what stays hidden, exact values, and OpenSpiel's game move by move."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import games
from games import IllegalMove, Stream, exact
from games.leduc_poker import LeducState
from games.stream import CHANCE

GAME = games.make("leduc-poker")
JACK, QUEEN, KING = range(3)


def after(cards, board, *moves):
    """The state after these moves, and the sum of rewards; ``board`` is what is dealt."""
    state, totals = LeducState(cards), (0.0, 0.0)
    for move in moves:
        found = [o[1:] for o in GAME.outcomes(state, (move,)) if o[1].board in (None, board)]
        assert len(found) == 1
        state, rewards = found[0]
        totals = (totals[0] + rewards[0], totals[1] + rewards[1])
    return state, totals


@pytest.mark.parametrize(
    ("cards", "board", "moves", "won"),
    [
        ((JACK, KING), QUEEN, "check check check check", -1),
        ((KING, JACK), JACK, "check check check check", -1),  # a pair beats the king
        ((JACK, KING), JACK, "raise call check check", 3),
        ((KING, QUEEN), JACK, "raise raise call raise raise call", 13),  # 1 + 2 + 2 + 4 + 4
        ((QUEEN, KING), JACK, "check raise raise call check raise call", -9),  # 1 + 2 + 2 + 4
        ((KING, KING), JACK, "raise raise call raise raise call", 0),
        ((JACK, KING), None, "raise fold", 1),
        ((KING, JACK), None, "check raise fold", -1),
        ((KING, JACK), None, "raise raise fold", -3),
        ((JACK, KING), QUEEN, "raise call raise fold", 3),
        ((KING, JACK), QUEEN, "raise call check raise fold", -3),
        ((KING, JACK), QUEEN, "check check raise raise fold", -5),
    ],
)
def test_payoffs(cards, board, moves, won):
    state, totals = after(cards, board, *moves.split())
    assert totals == (won, -won)
    assert GAME.to_move(state) == ()
    assert GAME.round(state) == 1


@pytest.mark.parametrize(
    ("moves", "seat", "legal"),
    [
        ("", 0, "check raise"),
        ("check", 1, "check raise"),
        ("raise", 1, "fold call raise"),
        ("check raise", 0, "fold call raise"),
        ("raise raise", 0, "fold call"),
        ("check raise raise", 1, "fold call"),
        ("check check", 0, "check raise"),
        ("raise raise call", 0, "check raise"),  # raises are counted in each round
        ("raise call raise", 1, "fold call raise"),
    ],
)
def test_who_moves_and_what_is_legal(moves, seat, legal):
    state, _ = after((JACK, QUEEN), KING, *moves.split())
    assert GAME.to_move(state) == (seat,)
    assert GAME.moves(state, seat).texts == tuple(legal.split())


@pytest.mark.parametrize(
    ("moves", "seat", "text"),
    [
        ("", 0, "You hold the king. Check or raise?"),
        ("", 1, "You hold the queen. The other player is to move."),
        ("raise", 1, "You hold the queen. They raise. Fold, call or raise?"),
        ("raise raise", 0, "They raise. Fold or call?"),
        ("raise call", 0, "They call. The board shows the jack. Check or raise?"),
        ("raise call", 1, "The board shows the jack. The other player is to move."),
        ("raise call check", 1, "The board shows the jack. They check. Check or raise?"),
        ("raise raise call check", 1, "They call. The board shows the jack. They check. Check or raise?"),
        ("raise call check check", 0, "They check. They hold the queen. You win 3."),
        ("raise call check check", 1, "They hold the king. You lose 3."),
        ("raise fold", 0, "They fold. You win 1."),
        ("raise fold", 1, "You lose 1."),
    ],
)
def test_texts(moves, seat, text):
    assert GAME.observe(after((KING, QUEEN), JACK, *moves.split())[0], seat).text == text


def test_a_shared_pot_is_a_draw():
    state, _ = after((KING, KING), JACK, *["check"] * 4)
    assert GAME.observe(state, 0).text == "They check. They hold the king. A draw."
    assert GAME.observe(state, 1).text == "They hold the king. A draw."


@pytest.mark.parametrize("moves", ["", "raise", "raise call", "raise call raise", "raise call raise fold"])
def test_the_other_card_stays_hidden_without_a_showdown(moves):
    one, other = (after((KING, card), JACK, *moves.split())[0] for card in (JACK, QUEEN))
    faces = [(GAME.key(s, 0), GAME.observe(s, 0), GAME.render(s, 0)) for s in (one, other)]
    assert faces[0] == faces[1]


def test_the_other_card_is_seen_at_a_showdown():
    state, _ = after((KING, QUEEN), JACK, *["check"] * 4)
    assert GAME.key(state, 0) == "K|check check|J|check check|Q"
    assert GAME.observe(state, 0).fields["shown"] == "queen"
    assert "player_1 [queen]" in GAME.render(state, 0)


def test_fields_tell_what_was_put_in():
    fields = GAME.observe(after((KING, QUEEN), JACK, "check", "raise")[0], 0).fields
    assert fields == {
        "card": "king",
        "board": None,
        "bets": (("check", "raise"), ()),
        "stakes": (1, 3),
        "shown": None,
    }


def test_deals_follow_their_probabilities():
    drawn = Counter(GAME.start(Stream(1, CHANCE, deal, 0)).cards for deal in range(6000))
    for p, state in GAME.starts():
        assert abs(drawn[state.cards] - 6000 * p) < 5 * (6000 * p) ** 0.5
    chances = {o[1].board: o[0] for o in GAME.outcomes(after((KING, JACK), None, "raise")[0], ("call",))}
    assert chances == {JACK: 0.25, QUEEN: 0.5, KING: 0.25}


def test_exact_values_are_those_of_the_literature():
    """288 information states; NashConv of uniform play as OpenSpiel 2.0.2 computes it."""
    assert len(exact.information_states(GAME)) == 288
    assert exact.nash_conv(GAME, exact.uniform(GAME)) == pytest.approx(4.747222222222222, abs=1e-12)


@pytest.mark.parametrize("reply", ["fold or call", "", "check", "bet 4"])
def test_unclear_replies_are_refused(reply):
    with pytest.raises(IllegalMove, match="fold, call"):
        GAME.parse(after((KING, JACK), None, "raise", "raise")[0], 0, reply)


def test_rules_and_forfeit():
    assert "You move first in both rounds." in GAME.rules(0)
    assert "You move second in both rounds." in GAME.rules(1)
    assert all(len(GAME.rules(seat).split()) <= 170 for seat in (0, 1))
    assert GAME.forfeit(LeducState((0, 1)), (1,)) == (13, -13)


def theirs_after(pyspiel_state, rng):
    """Let OpenSpiel's chance draw; returns the cards dealt, as ranks (its cards 0 and 1 are the jacks)."""
    dealt = []
    while pyspiel_state.is_chance_node():
        card = rng.choice(pyspiel_state.legal_actions())
        pyspiel_state.apply_action(card)
        dealt.append(card // 2)
    return dealt


def test_openspiel_plays_the_same_game():
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game("leduc_poker")
    names = ["fold", "call", "raise"]
    for number in range(400):
        rng, theirs = Stream(6, number), other.new_initial_state()
        cards = theirs_after(theirs, rng)
        state, totals, moves = LeducState(tuple(cards)), [0.0, 0.0], []
        while movers := GAME.to_move(state):
            assert movers == (theirs.current_player(),)
            legal = ["call" if move == "check" else move for move in GAME.moves(state, movers[0]).texts]
            assert sorted(map(names.index, legal)) == theirs.legal_actions()
            place = rng.integers(len(legal))
            moves.append(GAME.moves(state, movers[0]).texts[place])
            theirs.apply_action(names.index(legal[place]))
            board = theirs_after(theirs, rng)
            cards += board
            state, got = after(tuple(cards[:2]), cards[2] if len(cards) > 2 else None, *moves)
            totals = list(got)
        assert theirs.is_terminal()
        assert totals == theirs.returns()


def test_openspiel_computes_the_same_values():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    other = pyspiel.load_game("leduc_poker")
    wanted = exploitability.nash_conv(other, policy.UniformRandomPolicy(other))
    assert exact.nash_conv(GAME, exact.uniform(GAME)) == pytest.approx(wanted, abs=1e-9)


def test_every_pair_of_ranks_is_a_start():
    assert [state.cards for _, state in GAME.starts()] == list(itertools.product(range(3), repeat=2))
