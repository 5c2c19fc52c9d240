"""Hanabi players: what each does with what it knows, and the scores that pairs reach."""

from __future__ import annotations

from statistics import fmean

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games._hanabi_cards import Card
from games._hanabi_state import dealt
from games.stream import NoChance, Stream
from policies import Turn
from policies.scripted._hanabi_plan import best_hint, opening, position
from policies.scripted.hanabi import possible

MINI = games.make("hanabi")


def after(deck, *moves, game=MINI):
    """The state after these moves; three cards for each seat, then the cards that are drawn."""
    state = dealt(tuple(Card("rygwb".index(word[0]), int(word[1])) for word in deck.split()), game.setup)
    for move in moves:
        state, _ = game.play(state, (move,), NoChance())
    return state


def turn_of(state, game=MINI):
    (seat,) = game.to_move(state)
    return Turn(game, 0, seat, len(state.log), game.observe(state, seat), game.moves(state, seat), Stream(0))


def says(spec, deck, *moves, game=MINI):
    (reply,) = policies.make(spec).act([turn_of(after(deck, *moves, game=game), game)])
    return reply.text


def episodes(spec, names, matches):
    game = games.make(spec)
    players = {name: policies.make(name) for name in names}
    return list(run_matches((Match(i, game, i, tuple(names)) for i in range(matches)), players, seed=7))


def score(spec, names, matches):
    return fmean(e.payoffs[0] for e in episodes(spec, names, matches))


DECK = "r1 y1 y2 r2 r1 y1 r1 y1"


def test_what_a_card_may_be_counts_what_is_in_sight():
    fields = turn_of(after(DECK)).observation.fields
    assert possible(fields, 0) == [Card(0, 1), Card(1, 1), Card(1, 2)]  # the red 2 is in the other's hand
    fields = turn_of(after(DECK, "hint 1")).observation.fields
    assert possible(fields, 0) == [Card(0, 2)]  # not a 1, and the other holds the yellow 2
    assert possible(fields, 1) == [Card(0, 1), Card(1, 1)]


@pytest.mark.parametrize(
    ("spec", "moves", "wanted"),
    [
        ("hanabi-cautious", ["hint 1"], "play 3"),  # a 1 for sure, nothing is built: fits whichever it is
        ("hanabi-cautious", [], "hint 1"),  # tells of two cards that fit, each colour of one
        ("hanabi-lazy", ["hint 1"], "play 3"),
        ("hanabi-lazy", [], "play 1"),  # may not discard, will not hint
        ("hanabi-lazy", ["hint red"], "discard 1"),
        ("hanabi-reckless", ["hint 1"], "play 3"),
    ],
)
def test_moves(spec, moves, wanted):
    assert says(spec, "r1 y1 y1 r2 r1 y1 r1 y2", *moves) == wanted


def test_cautious_discards_what_is_useless():
    game = games.make("hanabi:colours=1,ranks=5")
    moves = ["hint 1", "play 2", "play 1", "hint 3", "hint 5"]
    # the second seat holds the 5, a 1 (both known, 2 is built) and a new card; the other knows of its 3
    assert says("hanabi-cautious", "r2 r3 r4 r5 r1 r1 r2 r1 r3 r4", *moves, game=game) == "discard 2"


def test_the_plan_follows_the_log_as_the_game_does():
    players = {"random": policies.make("random")}
    plan = (Match(i, MINI, i, ("random", "random")) for i in range(30))
    for episode in run_matches(plan, players, seed=9):
        state = MINI.start(Stream(9, 1, episode.match.deal, 0))
        for turn in episode.turns:
            fields = MINI.observe(state, turn.seat).fields
            now = position(fields)
            assert (now.built, now.hints, now.lives, now.deck) == (
                state.built,
                state.hints,
                state.lives,
                len(state.deck),
            )
            assert now.known == state.knowledge
            assert now.turn == len(state.log)
            assert not now.over
            state, _ = MINI.play(state, (turn.move,), NoChance())
        assert position(MINI.observe(state, 0).fields).over
        assert position(MINI.observe(state, 0).fields).score == state.score


def test_the_convention_hints_at_what_a_literal_listener_would_play():
    now = opening(MINI.setup)
    hand = after(DECK).hands[1]  # red 2, red 1, yellow 1
    assert best_hint(now, hand) == "1"  # two cards that fit; after "red" the listener might play the 2


def test_the_convention_pair_reaches_nine_tenths_of_the_best_score():
    """Every deal of the mini game could be played to 4 by players that see all cards."""
    assert score("hanabi", ("hanabi-convention",) * 2, 250) >= 0.9 * 4


def test_partners_that_let_the_pair_down():
    pair = score("hanabi", ("hanabi-convention",) * 2, 100)
    lazy = episodes("hanabi", ("hanabi-convention", "hanabi-lazy"), 100)
    assert fmean(e.payoffs[0] for e in lazy) < pair - 0.6
    assert all(e.measures["hints_given"][1] == 0 for e in lazy)
    assert score("hanabi", ("hanabi-reckless",) * 2, 100) < 3


def test_the_full_game():
    assert score("hanabi:preset=full", ("hanabi-cautious",) * 2, 15) > 14
    assert score("hanabi:preset=full", ("hanabi-lazy",) * 2, 15) < 10
    assert score("hanabi:preset=full", ("hanabi-reckless",) * 2, 15) == 0
    assert score("hanabi:preset=full,players=4", ("hanabi-cautious",) * 4, 8) > 12


def test_the_convention_says_what_it_can_not_plan():
    policy = policies.make("hanabi-convention")
    assert policy.check(MINI) == ""
    assert "at most 10 cards; try hanabi-cautious" in policy.check(games.make("hanabi:preset=full"))
    assert "plays hanabi, not kuhn-poker" in policy.check(games.make("kuhn-poker"))
