"""Hanabi: rules by hand, texts, options, what stays hidden, and OpenSpiel's game move by move."""

from __future__ import annotations

import pytest

import games
from games import BadOption, IllegalMove, Stream
from games._hanabi_cards import COLOURS, Card
from games._hanabi_state import dealt
from games.stream import CHANCE, NoChance

GAME = games.make("hanabi")
FULL = games.make("hanabi:preset=full")
RED, YELLOW = 0, 1


def hand(text):
    """``r1 y2`` as cards."""
    return tuple(Card("rygwb".index(word[0]), int(word[1])) for word in text.split())


DECK = "r1 y1 y2 r2 r1 y1 r1 y1"
"""Three cards for each seat, then the cards that are drawn."""


def after(*moves, deck=DECK, game=GAME):
    """The state after these moves, and the rewards of each seat."""
    state, rewards = dealt(hand(deck), game.setup), []
    for move in moves:
        assert move in game.moves(state, game.to_move(state)[0]).texts, move
        state, got = game.play(state, (move,), NoChance())
        assert len(set(got)) == 1
        rewards.append(got[0])
    return state, rewards


def test_cards_that_fit_score_and_new_ones_are_drawn():
    state, rewards = after("play 1", "play 1", "play 1", "play 2")
    assert rewards == [1, 1, 1, 0]
    assert state.built == (2, 1)
    assert (state.lives, state.hints) == (2, 3)  # red is complete, but all hints are there
    assert state.hands == (hand("y2 r1"), hand("r1 y1"))
    assert state.discards == hand("y1")
    assert GAME.to_move(state) == ()  # the deck was empty after two cards


def test_a_perfect_match():
    state, rewards = after("play 1", "play 3", "play 2", "play 1")
    assert rewards == [1, 1, 1, 1]
    assert GAME.to_move(state) == ()
    assert GAME.measures(state)["normalised_score"] == (1, 1)
    assert GAME.observe(state, 0).text.endswith("Built: red 2, yellow 2. The game is over. The score is 4 of 4.")


def test_the_last_life_takes_every_point():
    state, rewards = after("play 3", "play 1", "play 1", "play 1")
    assert rewards == [0, 0, 1, -1]
    assert (state.lives, state.built, state.score) == (0, (1, 0), 0)
    assert GAME.to_move(state) == ()
    assert GAME.observe(state, 1).text == (
        "You play red 1: it does not fit, a life is lost. The last life is lost. The score is 0 of 4."
    )
    assert GAME.measures(state)["score"] == (0, 0)


def test_hints_are_spent_and_come_back():
    state, _ = after("hint red", "hint yellow")
    assert state.hints == 1
    assert [str(k) for k in state.knowledge[1]] == ["red ?", "red ?", "yellow ?"]
    assert [str(k) for k in state.knowledge[0]] == ["red ?", "yellow ?", "yellow ?"]
    state, _ = after("hint red", "discard 3")
    assert state.hints == 3
    assert state.discards == hand("y1")
    state, _ = after("hint red", "hint 1", "play 1", "play 1")  # red is complete
    assert state.hints == 2


def test_no_hint_at_nothing_and_no_discard_with_all_hints():
    state, _ = after(deck="r1 r1 r1 y1 y1 y2 y1 r2")
    assert GAME.moves(state, 0).texts == ("play 1", "play 2", "play 3", "hint yellow", "hint 1", "hint 2")
    state, _ = after("hint yellow", deck="r1 r1 r1 y1 y1 y2 y1 r2")
    wanted = [f"{action} {n}" for action in ("play", "discard") for n in (1, 2, 3)]
    assert GAME.moves(state, 1).texts == (*wanted, "hint red", "hint 1")
    state, _ = after("hint yellow", "hint 1", "hint 1", deck="r1 r1 r1 y1 y1 y2 y1 r2")
    assert GAME.moves(state, 1).texts == tuple(wanted)
    with pytest.raises(IllegalMove, match="play 1"):
        GAME.parse(state, 1, "hint red")


def test_everybody_has_one_more_turn_once_the_deck_is_empty():
    moves = ["hint red", "hint 1", "discard 1", "discard 1"]
    state, _ = after(*moves)
    assert (len(state.deck), state.turns_left, GAME.to_move(state)) == (0, 2, (0,))
    assert "The deck is empty, turns left: 2." in GAME.observe(state, 0).text
    state, _ = after(*moves, "hint red", "hint 1")
    assert GAME.to_move(state) == ()
    assert GAME.round(state) == 1


def test_a_hint_tells_what_a_card_is_not():
    state, _ = after("hint 2")
    assert [sorted(k.ranks) for k in state.knowledge[1]] == [[2], [1], [1]]
    fresh = after("hint red", "play 1")[0].knowledge[1]
    assert [str(k) for k in fresh] == ["red ?", "yellow ?", "? ?"]  # the new card is the last


def test_a_match_reads_like_this():
    state, _ = after()
    assert GAME.observe(state, 0).text == (
        "They hold red 2, red 1, yellow 1. Built: red 0, yellow 0. Hints 3. Lives 3. Deck 2. "
        "Your cards: ? ?, ? ?, ? ?. Play or hint?"
    )
    state, _ = after("hint red")
    assert GAME.observe(state, 1).text == (
        "They hint red: your cards 1 2. They hold red 1, yellow 1, yellow 2. Built: red 0, yellow 0. Hints 2. Lives 3. "
        "Deck 2. Your cards: red ?, red ?, yellow ?. Play, discard or hint?"
    )
    state, _ = after("hint red", "play 1")
    assert GAME.observe(state, 0).text == (
        "They play card 1, red 2: it does not fit, a life is lost. They hold red 1, yellow 1, red 1. "
        "Built: red 0, yellow 0. Hints 2. Lives 2. Deck 1. Your cards: ? ?, ? ?, ? ?. Play, discard or hint?"
    )
    assert GAME.observe(state, 1).text == (
        "You play red 2: it does not fit, a life is lost. Built: red 0, yellow 0. Hints 2. Lives 2. Deck 1. "
        "Your cards: red ?, yellow ?, ? ?. Wait for your turn."
    )


def test_texts_with_three_seats():
    game, deck = games.make("hanabi:players=3,hand=2"), "r1 y1 y1 y2 r2 r1 r1 y1"
    state, _ = after("hint player_2 red", "play 1", deck=deck, game=game)
    assert game.observe(state, 2).text == (
        "player_0 hints red: your cards 1 2. player_1 plays card 1, yellow 1: it fits. player_0 holds red 1, yellow 1. "
        "player_1 holds yellow 2, red 1. Built: red 0, yellow 1. Hints 2. Lives 3. Deck 1. Your cards: red ?, red ?. "
        "Play, discard or hint?"
    )
    state, _ = after("hint player_2 red", deck=deck, game=game)
    assert game.observe(state, 1).text.startswith("player_0 hints red to player_2: cards 1 2. player_0 holds red 1")
    assert game.parse(state, 1, "tell player_0 rank 1") == "hint player_0 1"
    assert "hint player_1 red" in game.rules(0)
    assert "hint player_0 red" in game.rules(2)


def test_own_cards_stay_hidden():
    one, _ = after("hint red", deck="r1 y1 y2 r2 r1 y1 r1 y1")
    other, _ = after("hint red", deck="y1 r1 y2 r2 r1 y1 y1 r1")
    faces = [(GAME.key(s, 0), GAME.observe(s, 0), GAME.render(s, 0)) for s in (one, other)]
    assert faces[0] == faces[1]
    assert GAME.key(one, 1) != GAME.key(other, 1)
    drawn = [after("play 1", deck=f"r1 y1 y2 r2 r1 y1 {new}")[0] for new in ("r1 y1", "y1 r1")]
    assert GAME.observe(drawn[0], 0) == GAME.observe(drawn[1], 0)
    assert GAME.observe(drawn[0], 1) != GAME.observe(drawn[1], 1)


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ("play card 2", "play 2"),
        ("Play 2!", "play 2"),
        ("I hint red.", "hint red"),
        ("clue colour red", "hint red"),
        ("tell rank 1", "hint 1"),
        ("<answer>discard 3</answer>", "discard 3"),
        ("discard position 3", "discard 3"),
    ],
)
def test_reasonable_replies_are_read(reply, move):
    assert GAME.parse(after("hint red")[0], 1, reply) == move


@pytest.mark.parametrize("reply", ["", "play", "play 4", "hint green", "play 1 or play 2", "red"])
def test_unclear_replies_are_refused(reply):
    with pytest.raises(IllegalMove):
        GAME.parse(after("hint red")[0], 1, reply)


def test_illegal_replies_cost_all_points():
    state, _ = after("play 1")
    assert GAME.forfeit(state, (1,)) == (-1, -1)


@pytest.mark.parametrize(
    ("options", "most", "count", "setup"),
    [
        ("", 4, 8, (2, 2, 2, 3, 3, 3)),
        ("preset=full", 25, 50, (2, 5, 5, 5, 8, 3)),
        ("preset=full,players=4", 25, 50, (4, 5, 5, 4, 8, 3)),
        ("preset=full,players=5,hand=3", 25, 50, (5, 5, 5, 3, 8, 3)),
        ("colours=3,ranks=3", 9, 18, (2, 3, 3, 3, 3, 3)),
    ],
)
def test_presets_and_options(options, most, count, setup):
    game = games.make(f"hanabi:{options}")
    assert game.setup == setup
    assert game.info.payoff_bounds == (0, most)
    assert len(game.setup.deck) == game.setup.cards == count
    assert len(game.info.roles) == setup[0]


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ("preset=small", "mini or full"),
        ("players=0", "give 2 to 5"),
        ("players=1", "give 2 to 5"),
        ("colours=0", "give 1 to 5"),
        ("ranks=1", "give 2 to 5"),
        ("hand=0", "give 1 to 5"),
        ("hints=-1", "give 0 to 20"),
        ("lives=0", "give 1 to 10"),
        ("players=3", "there are 8 cards"),
        ("colours=two", "a whole number"),
    ],
)
def test_bad_options_say_what_is_allowed(options, allowed):
    with pytest.raises(BadOption, match=allowed):
        games.make(f"hanabi:{options}")


def test_the_deck_is_whole_and_shuffled():
    starts = [GAME.start(Stream(1, CHANCE, deal, 0)) for deal in range(400)]
    for state in starts:
        assert sorted((*state.hands[0], *state.hands[1], *state.deck)) == GAME.setup.deck
    first = [state.hands[0][0] for state in starts]
    for card, share in ((Card(RED, 1), 3 / 8), (Card(YELLOW, 2), 1 / 8)):
        assert abs(first.count(card) - 400 * share) < 5 * (400 * share) ** 0.5


def test_measures_name_who_hinted_and_who_erred():
    state, _ = after("hint red", "play 1", "hint 1")
    found = GAME.measures(state)
    assert found["hints_given"] == (2, 0)
    assert found["misplays"] == (0, 1)
    assert found["lives_left"] == (2, 2)


def test_rules_tell_the_numbers():
    text = FULL.rules(0)
    assert "1 three times, 2 twice, 3 twice, 4 twice, 5 once" in text
    assert "at most 25" in text
    assert "score 0" in text


def theirs_name(move, seats, seat):
    """Our move in OpenSpiel's words."""
    action, *rest = move.split()
    if action != "hint":
        return f"({action.capitalize()} {int(rest[0]) - 1})"
    target = int(rest[0].removeprefix("player_")) if len(rest) > 1 else 1 - seat
    what = f"rank {rest[-1]}" if rest[-1].isdigit() else f"color {rest[-1][0].upper()}"
    return f"(Reveal player +{(target - seat) % seats} {what})"


@pytest.mark.parametrize(
    ("spec", "matches"),
    [("hanabi", 150), ("hanabi:preset=full", 15), ("hanabi:preset=full,players=4,colours=4,lives=9", 10)],
)
def test_openspiel_plays_the_same_game(spec, matches):
    pyspiel = pytest.importorskip("pyspiel")
    game = games.make(spec)
    setup = game.setup
    other = pyspiel.load_game(
        "hanabi",
        {
            "players": setup.players,
            "colors": setup.colours,
            "ranks": setup.ranks,
            "hand_size": setup.hand,
            "max_information_tokens": setup.hints,
            "max_life_tokens": setup.lives,
        },
    )
    for number in range(matches):
        _compare(game, other.new_initial_state(), Stream(12, number))


def _compare(game, theirs, rng):
    state, total = game.start(rng), 0.0
    deck = [card for hand in state.hands for card in hand] + list(state.deck)
    _deal(theirs, deck)
    while movers := game.to_move(state):
        (seat,) = movers
        assert theirs.current_player() == seat
        legal = {theirs_name(move, game.seats, seat): move for move in game.moves(state, seat).texts}
        actions = {theirs.action_to_string(seat, action): action for action in theirs.legal_actions()}
        assert set(legal) == set(actions)
        name = rng.choice(sorted(legal))
        state, rewards = game.play(state, (legal[name],), NoChance())
        total += rewards[0]
        theirs.apply_action(actions[name])
        _deal(theirs, deck)
    assert theirs.is_terminal()
    assert theirs.returns() == [total] * game.seats


def _deal(theirs, deck):
    """Let OpenSpiel's chance deal our cards."""
    while theirs.is_chance_node():
        card = deck.pop(0)
        wanted = f"(Deal {COLOURS[card.colour][0].upper()}{card.rank})"
        chances = {theirs.action_to_string(theirs.current_player(), a): a for a in theirs.legal_actions()}
        theirs.apply_action(chances[wanted])
