"""Goofspiel: points by hand, texts, options, bounds over all matches, and OpenSpiel's game bid by bid."""

from __future__ import annotations

import itertools

import pytest

import games
from games import BadOption, IllegalMove, Stream, exact
from games.goofspiel import Bidding
from games.stream import CHANCE, NoChance

GAME = games.make("goofspiel")
FOUR = games.make("goofspiel:cards=4,order=descending")


def after(*bids, game=FOUR):
    """The state after these bids of both, and the rewards of each round."""
    state, rewards = game.start(NoChance()), []
    for pair in bids:
        state, won = game.play(state, tuple(map(str, pair)), NoChance())
        rewards.append(won)
    return state, rewards


def test_the_higher_card_wins_and_equal_cards_discard_the_prize():
    state, rewards = after((4, 3), (2, 2), (1, 4))
    # prizes 4, 3, 2 and, with the last cards 3 and 1, 1
    assert rewards == [(4, -4), (0, 0), (-2 + 1, 2 - 1)]
    assert state == Bidding((4, 3, 2, 1), ((4, 3), (2, 2), (1, 4), (3, 1)))
    assert GAME.to_move(Bidding((5,))) == (0, 1)
    assert FOUR.to_move(state) == ()
    assert FOUR.round(state) == 4
    assert FOUR.measures(state) == {"points": (5.0, 2.0)}


def test_win_pays_once_at_the_end():
    game = games.make("goofspiel:cards=4,order=descending,payoff=win")
    assert after((4, 3), (2, 2), (1, 4), game=game)[1] == [(0, 0), (0, 0), (1, -1)]
    assert after((4, 4), (3, 3), (2, 2), game=game)[1][-1] == (0, 0)
    assert after((3, 4), (2, 1), (1, 2), game=game)[1][-1] == (-1, 1)


def test_a_match_reads_like_this():
    state, _ = after()
    assert FOUR.observe(state, 0).text == "Prize 4. Your cards: 1 2 3 4. Your bid?"
    state, _ = after((4, 3))
    assert FOUR.observe(state, 0).text == "You bid 4, they bid 3: you win 4. Prize 3. Your cards: 1 2 3. Your bid?"
    assert FOUR.observe(state, 1).text == "You bid 3, they bid 4: they win 4. Prize 3. Your cards: 1 2 4. Your bid?"
    state, _ = after((4, 3), (2, 2), (1, 4))
    assert FOUR.observe(state, 1).text == (
        "You bid 4, they bid 1: you win 2. The last cards are played. "
        "You bid 1, they bid 3: they win 1. Points: you 2, they 5. You lose."
    )
    assert FOUR.observe(after((4, 4), (3, 3), (2, 2))[0], 0).text.endswith(
        "You bid 1, they bid 1: nobody wins 1. Points: you 0, they 0. A draw."
    )


def test_keys_put_the_own_bids_first():
    state, _ = after((4, 3), (2, 1))
    assert (FOUR.key(state, 0), FOUR.key(state, 1)) == ("4:4/3 3:2/1 2", "4:3/4 3:1/2 2")


def test_cards_are_used_once():
    state, _ = after((4, 3))
    assert (FOUR.moves(state, 0).texts, FOUR.moves(state, 1).texts) == (("1", "2", "3"), ("1", "2", "4"))
    with pytest.raises(IllegalMove, match="one of: 1, 2, 3"):
        FOUR.parse(state, 0, "4")
    assert FOUR.parse(state, 0, "I bid my 2.") == "2"


@pytest.mark.parametrize(("order", "prizes"), [("descending", (4, 3, 2, 1)), ("ascending", (1, 2, 3, 4))])
def test_fixed_orders(order, prizes):
    game = games.make(f"goofspiel:cards=4,order={order}")
    assert after((1, 1), (2, 2), (3, 3), game=game)[0].prizes == prizes
    assert game.info.deterministic


def test_random_orders_are_even():
    drawn = []
    for deal in range(600):
        state = GAME.start(Stream(3, CHANCE, deal, 0))
        for tick in range(1, 5):
            hand = GAME.moves(state, 0).texts
            state, _ = GAME.play(state, (hand[0], hand[0]), Stream(3, CHANCE, deal, tick))
        assert sorted(state.prizes) == [1, 2, 3, 4, 5]
        drawn.append(state.prizes)
    assert len(set(drawn)) == 120  # all of them
    assert all(abs(sum(p[0] == n for p in drawn) - 120) < 50 for n in range(1, 6))  # five standard deviations


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_payoff_bounds_are_reached_and_never_passed(cards):
    game = games.make(f"goofspiel:cards={cards},order=descending")
    hands = list(itertools.permutations(range(1, cards + 1)))
    found = [sum(r[0] for r in after(*list(zip(a, b, strict=True))[:-1], game=game)[1]) for a in hands for b in hands]
    assert (min(found), max(found)) == game.info.payoff_bounds


def test_matching_the_prize_is_the_best_answer_to_random_bids():
    """Ross 1971: against uniform bids each card wins with (card - 1) / (n - 1) less the chance that it loses."""
    game = games.make("goofspiel:cards=3")
    best = exact.best_response(game, 0, exact.uniform(game))
    # prizes 1, 2, 3 matched: 3 wins 2/3 of 3, 2 wins and loses 1/3 each, 1 loses 2/3 of 1
    assert best.value == pytest.approx(3 * 2 / 3 - 1 * 2 / 3)
    assert all(move == key.split()[-1] for key, move in best.moves.items() if ":" not in key)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ("cards=1", "2 to 13"),
        ("cards=14", "2 to 13"),
        ("order=up", "random, descending"),
        ("payoff=money", "points or win"),
    ],
)
def test_bad_options_say_what_is_allowed(options, allowed):
    with pytest.raises(BadOption, match=allowed):
        games.make(f"goofspiel:{options}")


def test_rules_say_order_and_payoff():
    assert "in random order" in GAME.rules(0)
    assert "in descending order" in FOUR.rules(1)
    assert "wins 1, the other loses 1" in games.make("goofspiel:payoff=win").rules(0)


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
def test_openspiel_plays_the_same_game(order):
    pyspiel = pytest.importorskip("pyspiel")
    for payoff, returns, scale in (("points", "point_difference", 2.0), ("win", "win_loss", 1.0)):
        game = games.make(f"goofspiel:order={order},payoff={payoff}")
        other = pyspiel.load_game(
            f"goofspiel(imp_info=false,num_cards=5,points_order={order},returns_type={returns},players=2)"
        )
        for number in range(60):
            _compare(game, other, Stream(8, number), scale)


def _compare(game, other, rng, scale):
    theirs, state, totals = other.new_initial_state(), None, [0.0, 0.0]
    moves, rewards = None, (0.0, 0.0)
    while True:
        prize = None
        if theirs.is_chance_node():
            action = rng.choice(theirs.legal_actions())
            prize = int(theirs.action_to_string(theirs.current_player(), action).removeprefix("Deal "))
            theirs.apply_action(action)
        following = game.starts() if state is None else [o[:2] for o in game.outcomes(state, moves)]
        state, before = next(s for _, s in following if prize in (None, s.prizes[-1])), state
        if before is not None:
            rewards = next(o[2] for o in game.outcomes(before, moves) if o[1] == state)
            totals = [t + r for t, r in zip(totals, rewards, strict=True)]
        if theirs.is_terminal():
            break
        legal = [game.moves(state, seat).texts for seat in game.to_move(state)]
        assert [[int(m) - 1 for m in texts] for texts in legal] == [theirs.legal_actions(seat) for seat in (0, 1)]
        moves = tuple(rng.choice(texts) for texts in legal)
        theirs.apply_actions([int(m) - 1 for m in moves])
    assert game.to_move(state) == ()
    assert totals == [scale * x for x in theirs.returns()]
