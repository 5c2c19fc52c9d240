"""Liar's dice: bids and wilds by hand, texts, more seats, options, and OpenSpiel's game move by move."""

from __future__ import annotations

from collections import Counter

import pytest

import games
from games import BadOption, IllegalMove, Stream, exact
from games.liars_dice import Table
from games.stream import CHANCE, NoChance

GAME = games.make("liars-dice")
THREE = games.make("liars-dice:players=3,dice=2")


def after(hands, *line, game=GAME):
    """The state after these moves, and the last rewards."""
    state, rewards = Table(hands), ()
    for move in line:
        state, rewards = game.play(state, (move,), NoChance())
    return state, rewards


@pytest.mark.parametrize(
    ("hands", "line", "first_wins"),
    [
        (((3,), (5,)), "1 x 3, liar", True),
        (((3,), (5,)), "1 x 2, liar", False),
        (((3,), (6,)), "2 x 3, liar", True),  # the six is wild
        (((6,), (6,)), "2 x 1, liar", True),
        (((3,), (6,)), "2 x 6, liar", False),  # nothing but a six counts as a six
        (((3,), (5,)), "1 x 2, 1 x 5, liar", False),
        (((3,), (5,)), "1 x 2, 2 x 5, liar", True),
    ],
)
def test_who_wins(hands, line, first_wins):
    state, rewards = after(hands, *line.split(", "))
    assert rewards == ((1, -1) if first_wins else (-1, 1))
    assert GAME.to_move(state) == ()
    assert GAME.round(state) == 1


def test_higher_bids_name_more_dice_or_a_higher_face():
    assert GAME.bids == tuple(f"{n} x {face}" for n in (1, 2) for face in range(1, 7))
    assert GAME.moves(Table(((1,), (2,))), 0).texts == GAME.bids
    state, _ = after(((1,), (2,)), "1 x 5")
    assert GAME.moves(state, 1).texts == ("1 x 6", "2 x 1", "2 x 2", "2 x 3", "2 x 4", "2 x 5", "2 x 6", "liar")
    state, _ = after(((1,), (2,)), "1 x 5", "2 x 6")
    assert GAME.moves(state, 0).texts == ("liar",)


@pytest.mark.parametrize(
    ("line", "seat", "text"),
    [
        ([], 0, "You rolled 3. Your bid?"),
        ([], 1, "You rolled 6. Wait for your turn."),
        (["1 x 3"], 1, "You rolled 6. They bid 1 x 3. A higher bid, or liar?"),
        (["1 x 3"], 0, "Wait for your turn."),
        (["1 x 3", "2 x 6"], 0, "They bid 2 x 6. Only liar is left."),
        (["1 x 3", "2 x 6", "liar"], 0, "They rolled 6. The bid 2 x 6 does not hold. You win."),
        (["1 x 3", "2 x 6", "liar"], 1, "They say liar. They rolled 3. The bid 2 x 6 does not hold. You lose."),
        (["1 x 3", "liar"], 0, "They say liar. They rolled 6. The bid 1 x 3 holds. You win."),
    ],
)
def test_texts(line, seat, text):
    assert GAME.observe(after(((3,), (6,)), *line)[0], seat).text == text


def test_three_seats():
    hands = ((1, 2), (3, 6), (4, 4))
    state, rewards = after(hands, "1 x 4", "2 x 4", "3 x 4", "liar", game=THREE)
    assert rewards == (-1, 0, 1)  # two fours and a six: player_2's bid holds against player_0
    assert THREE.observe(state, 1).text == (
        "player_2 bids 3 x 4. player_0 says liar. player_0 rolled 1 2. player_2 rolled 4 4. The bid 3 x 4 holds. "
        "You neither win nor lose."
    )
    assert THREE.to_move(after(hands, "1 x 4", "2 x 4", "3 x 4", game=THREE)[0]) == (0,)
    assert THREE.key(state, 1) == "3 6|1 x 4, 2 x 4, 3 x 4, liar|1 2|3 6|4 4"
    assert "You are player_1; player_0 bids first." in THREE.rules(1)
    assert THREE.forfeit(state, (1,)) == (0.5, -1, 0.5)


def test_the_other_dice_stay_hidden_until_liar():
    one, other = (after(((3,), (die,)), "1 x 3", "2 x 1")[0] for die in (1, 6))
    faces = [(GAME.key(s, 0), GAME.observe(s, 0), GAME.render(s, 0)) for s in (one, other)]
    assert faces[0] == faces[1]
    assert GAME.render(one) == "player_0 [3]: 1 x 3\nplayer_1 [1]: 2 x 1"
    assert GAME.render(one, 0) == "player_0 [3]: 1 x 3\nplayer_1 [?]: 2 x 1"
    over, _ = after(((3,), (1,)), "1 x 3", "2 x 1", "liar")
    assert GAME.render(over, 0).endswith("player_1 [1]: 2 x 1\nplayer_0 wins")


@pytest.mark.parametrize(
    "reply",
    ["2 x 5", "2x5", "2 X 5.", "two fives", "I say two 5s", "2 of 5", "<answer>2 × 5</answer>", "hm\n2 times five"],
)
def test_bids_in_other_words(reply):
    assert GAME.parse(after(((3,), (5,)), "1 x 3")[0], 1, reply) == "2 x 5"


def test_six_is_spelt_with_es():
    assert GAME.parse(Table(((3,), (5,))), 0, "two sixes") == "2 x 6"
    assert GAME.parse(after(((3,), (5,)), "1 x 3")[0], 1, "Liar!") == "liar"


@pytest.mark.parametrize("reply", ["", "1 x 2", "3 x 1", "2 x 7", "2 x 4 or 2 x 5", "12", "2 x 5, no, liar"])
def test_unclear_and_lower_bids_are_refused(reply):
    with pytest.raises(IllegalMove):
        GAME.parse(after(((3,), (5,)), "1 x 3")[0], 1, reply)


@pytest.mark.parametrize("spec", ["liars-dice", "liars-dice:dice=2,sides=3"])
def test_rolls_follow_their_probabilities(spec):
    game = games.make(spec)
    drawn = Counter(game.start(Stream(1, CHANCE, deal, 0)) for deal in range(4000))
    starts = {state: p for p, state in game.starts()}
    assert sum(starts.values()) == pytest.approx(1)
    assert set(drawn) == set(starts)
    assert all(abs(drawn[state] - 4000 * p) < 5 * (4000 * p) ** 0.5 for state, p in starts.items())


def test_too_many_rolls_are_not_enumerated():
    with pytest.raises(RuntimeError, match="draws chance"):
        games.make("liars-dice:players=6,dice=5").starts()


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ("players=1", "2 to 6"),
        ("players=0", "2 to 6"),
        ("dice=0", "1 to 5"),
        ("sides=1", "2 to 6"),
        ("sides=7", "2 to 6"),
    ],
)
def test_bad_options_say_what_is_allowed(options, allowed):
    with pytest.raises(BadOption, match=f"is not allowed; give {allowed}"):
        games.make(f"liars-dice:{options}")


def test_rules_name_dice_and_wild():
    assert "rolls one die with 6 faces" in GAME.rules(0)
    assert "The face 6 is wild" in GAME.rules(1)
    assert "from 1 x 1 to 6 x 6" in THREE.rules(2)
    assert all(len(g.rules(s).split()) <= 160 for g in (GAME, THREE) for s in range(g.seats))


def test_game_with_one_coin_each_by_hand():
    """Dice of two faces, everybody makes the lowest bid."""
    coins = games.make("liars-dice:sides=2")
    believe = {i.key: {i.moves[0]: 1.0} for i in exact.information_states(coins)}
    # the second seat makes the last bid, 2 x 2, which holds once in four rolls
    assert exact.expected_payoffs(coins, believe) == pytest.approx((0.5, -0.5))


@pytest.mark.parametrize("dice", [1, 2])
def test_openspiel_plays_the_same_game(dice):
    pyspiel = pytest.importorskip("pyspiel")
    game, other = games.make(f"liars-dice:dice={dice}"), pyspiel.load_game(f"liars_dice(numdice={dice})")
    for number in range(200):
        rng, theirs, rolls = Stream(9, number), other.new_initial_state(), []
        while theirs.is_chance_node():
            action = rng.choice(theirs.legal_actions())
            rolls.append(int(theirs.action_to_string(theirs.current_player(), action).removeprefix("Roll ")))
            theirs.apply_action(action)
        state = Table((tuple(sorted(rolls[:dice])), tuple(sorted(rolls[dice:]))))
        rewards = (0.0, 0.0)
        while movers := game.to_move(state):
            assert movers == (theirs.current_player(),)
            legal = game.moves(state, movers[0]).texts
            assert [game.info.moves.index(move) for move in legal] == theirs.legal_actions()
            move = rng.choice(legal[-4:])
            state, rewards = game.play(state, (move,), NoChance())
            theirs.apply_action(game.info.moves.index(move))
        assert theirs.is_terminal()
        assert list(rewards) == theirs.returns()


def test_openspiel_computes_the_same_values():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game, other = games.make("liars-dice:sides=3"), pyspiel.load_game("liars_dice(dice_sides=3)")
    wanted = exploitability.nash_conv(other, policy.UniformRandomPolicy(other))
    assert exact.nash_conv(game, exact.uniform(game)) == pytest.approx(wanted, abs=1e-9)
