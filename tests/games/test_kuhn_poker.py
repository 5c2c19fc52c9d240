"""Kuhn poker: every terminal history by hand, what each seat reads, what stays hidden."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import games
from games import IllegalMove, Stream, exact
from games.kuhn_poker import CARDS, DEALS, KuhnState
from games.stream import CHANCE, NoChance

GAME = games.make("kuhn-poker")
JACK, QUEEN, KING = range(3)


def after(cards, *moves):
    """The state after these moves, and the sum of rewards."""
    state, totals = KuhnState(cards), (0.0, 0.0)
    for move in moves:
        state, rewards = GAME.play(state, (move,), NoChance())
        totals = (totals[0] + rewards[0], totals[1] + rewards[1])
    return state, totals


@pytest.mark.parametrize(
    ("moves", "first_wins", "first_loses"),
    [
        (("check", "check"), 1, -1),
        (("bet", "fold"), 1, 1),
        (("bet", "call"), 2, -2),
        (("check", "bet", "fold"), -1, -1),
        (("check", "bet", "call"), 2, -2),
    ],
)
@pytest.mark.parametrize("cards", DEALS)
def test_payoffs_of_every_ending(moves, first_wins, first_loses, cards):
    state, totals = after(cards, *moves)
    wanted = first_wins if cards[0] > cards[1] else first_loses
    assert totals == (wanted, -wanted)
    assert GAME.to_move(state) == ()
    assert GAME.round(state) == 1


def test_who_moves_and_what_is_legal():
    assert [GAME.to_move(after((0, 1), *moves)[0]) for moves in ((), ("check",), ("bet",), ("check", "bet"))] == [
        (0,),
        (1,),
        (1,),
        (0,),
    ]
    assert GAME.moves(after((0, 1))[0], 0).texts == ("check", "bet")
    assert GAME.moves(after((0, 1), "check")[0], 1).texts == ("check", "bet")
    assert GAME.moves(after((0, 1), "bet")[0], 1).texts == ("call", "fold")
    assert GAME.moves(after((0, 1), "check", "bet")[0], 0).texts == ("call", "fold")


@pytest.mark.parametrize(
    ("moves", "seat", "text"),
    [
        ((), 0, "You hold the king. Check or bet?"),
        ((), 1, "You hold the queen. The other player is to move."),
        (("check",), 1, "You hold the queen. They check. Check or bet?"),
        (("bet",), 1, "You hold the queen. They bet. Call or fold?"),
        (("check",), 0, "The other player is to move."),
        (("check", "bet"), 0, "They bet. Call or fold?"),
        (("check", "check"), 0, "They check. They hold the queen. You win 1."),
        (("check", "check"), 1, "They hold the king. You lose 1."),
        (("bet", "fold"), 0, "They fold. You win 1."),
        (("bet", "fold"), 1, "You lose 1."),
        (("bet", "call"), 0, "They call. They hold the queen. You win 2."),
        (("check", "bet", "call"), 1, "They call. They hold the king. You lose 2."),
        (("check", "bet", "fold"), 0, "You lose 1."),
        (("check", "bet", "fold"), 1, "They fold. You win 1."),
    ],
)
def test_texts(moves, seat, text):
    assert GAME.observe(after((KING, QUEEN), *moves)[0], seat).text == text


LINES = [
    (),
    ("check",),
    ("bet",),
    ("check", "bet"),
    ("check", "check"),
    ("bet", "fold"),
    ("bet", "call"),
    ("check", "bet", "fold"),
    ("check", "bet", "call"),
]


@pytest.mark.parametrize("line", LINES)
def test_the_other_card_stays_hidden_without_a_showdown(line):
    shown = line in [("check", "check"), ("bet", "call"), ("check", "bet", "call")]
    for own in range(3):
        one, other = (after((own, c), *line)[0] for c in range(3) if c != own)
        faces = [(GAME.key(s, 0), GAME.observe(s, 0), GAME.render(s, 0)) for s in (one, other)]
        assert (faces[0][:2] != faces[1][:2]) == shown
        if not shown:
            # the payoff line of a fold tells no card
            assert faces[0] == faces[1]


def test_keys_are_one_for_each_card_and_line():
    keys = {GAME.key(after(cards, *line)[0], len(line) % 2) for cards in DEALS for line in LINES[:4]}
    assert len(keys) == 12
    assert GAME.key(after((KING, JACK), "check", "bet")[0], 0) == "K|check bet"
    assert GAME.key(after((KING, JACK), "bet", "call")[0], 0) == "K|bet call|J"


def test_deals_are_even_and_enumerated():
    drawn = Counter(GAME.start(Stream(1, CHANCE, deal, 0)).cards for deal in range(6000))
    assert set(drawn) == set(itertools.permutations(range(3), 2))
    assert all(abs(n - 1000) < 150 for n in drawn.values())  # five standard deviations
    assert [p for p, _ in GAME.starts()] == [1 / 6] * 6


@pytest.mark.parametrize("reply", ["Call", "I call.", "call!", "<answer>CALL</answer>", "They bluff.\ncall"])
def test_reasonable_replies_are_read(reply):
    assert GAME.parse(after((KING, JACK), "bet")[0], 1, reply) == "call"


@pytest.mark.parametrize("reply", ["bet", "check", "call or fold", "", "raise", "cal"])
def test_what_is_not_legal_now_is_refused(reply):
    with pytest.raises(IllegalMove, match="call, fold"):
        GAME.parse(after((KING, JACK), "bet")[0], 1, reply)


def test_rules_name_the_seat_and_are_short():
    assert "You move first." in GAME.rules(0)
    assert "You move second." in GAME.rules(1)
    assert all(len(GAME.rules(seat).split()) <= 90 for seat in (0, 1))
    assert all(card in GAME.rules(0) for card in CARDS)


def test_who_forfeits_loses_the_most_to_the_other():
    assert GAME.forfeit(KuhnState((0, 1)), (1,)) == (2, -2)
    assert GAME.forfeit(KuhnState((0, 1)), (0, 1)) == (-2, -2)


def test_onlookers_see_all_and_seats_their_own():
    state, _ = after((KING, QUEEN), "bet")
    assert GAME.render(state) == "player_0 [king]: bet\nplayer_1 [queen]: -"
    assert GAME.render(state, 1) == "player_0 [?]: bet\nplayer_1 [queen]: -"
    assert GAME.render(after((KING, QUEEN), "bet", "call")[0], 1).endswith("payoffs: +2 -2")


def test_openspiel_plays_the_same_game():
    """OpenSpiel's two moves are to pass (check, fold) and to bet (bet, call); all deals, all lines."""
    pyspiel = pytest.importorskip("pyspiel")
    ended = 0
    for cards in DEALS:
        theirs = pyspiel.load_game("kuhn_poker").new_initial_state()
        for card in cards:
            theirs.apply_action(card)
        stack = [(KuhnState(cards), theirs, (0.0, 0.0))]
        while stack:
            state, theirs, totals = stack.pop()
            movers = GAME.to_move(state)
            if not movers:
                ended += 1
                assert theirs.is_terminal()
                assert list(totals) == theirs.returns()
                continue
            assert movers == (theirs.current_player(),)
            legal = GAME.moves(state, movers[0]).texts
            actions = [int(move in ("bet", "call")) for move in legal]
            assert sorted(actions) == theirs.legal_actions()
            for move, action in zip(legal, actions, strict=True):
                then, rewards = GAME.play(state, (move,), NoChance())
                stack.append((then, theirs.child(action), (totals[0] + rewards[0], totals[1] + rewards[1])))
    assert ended == 30


def test_openspiel_computes_the_same_values():
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("kuhn_poker")
    wanted = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert exact.nash_conv(GAME, exact.uniform(GAME)) == pytest.approx(wanted, abs=1e-9)
