"""The repeated matrix games: payoffs, texts, noise, random end, the kernel on arrays."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import games
from games import BadOption, IllegalMove, Stream
from games.matrix import Family, MatrixGame, round_chance
from games.stream import CHANCE, derive_array

# own payoff, other's payoff, for each joint move: (seat 0's move, seat 1's move)
TABLES = {
    "prisoners-dilemma": {
        ("cooperate", "cooperate"): (3, 3),
        ("cooperate", "defect"): (0, 5),
        ("defect", "cooperate"): (5, 0),
        ("defect", "defect"): (1, 1),
    },
    "stag-hunt": {
        ("stag", "stag"): (4, 4),
        ("stag", "hare"): (0, 3),
        ("hare", "stag"): (3, 0),
        ("hare", "hare"): (2, 2),
    },
    "chicken": {
        ("swerve", "swerve"): (3, 3),
        ("swerve", "straight"): (1, 5),
        ("straight", "swerve"): (5, 1),
        ("straight", "straight"): (0, 0),
    },
    "battle-of-the-sexes": {
        ("opera", "opera"): (3, 2),
        ("opera", "football"): (0, 0),
        ("football", "opera"): (0, 0),
        ("football", "football"): (2, 3),
    },
    "matching-pennies": {
        ("heads", "heads"): (1, -1),
        ("heads", "tails"): (-1, 1),
        ("tails", "heads"): (-1, 1),
        ("tails", "tails"): (1, -1),
    },
    "rock-paper-scissors": {
        ("rock", "rock"): (0, 0),
        ("rock", "paper"): (-1, 1),
        ("rock", "scissors"): (1, -1),
        ("paper", "rock"): (1, -1),
        ("paper", "paper"): (0, 0),
        ("paper", "scissors"): (-1, 1),
        ("scissors", "rock"): (-1, 1),
        ("scissors", "paper"): (1, -1),
        ("scissors", "scissors"): (0, 0),
    },
}
ALL = sorted(TABLES)


def line(game, *joints):
    """The state after these joint moves, and the rewards of each round."""
    state, rewards = game.start(Stream(0)), []
    for tick, joint in enumerate(joints):
        state, got = game.play(state, joint, Stream(0, CHANCE, 0, tick + 1))
        rewards.append(got)
    return state, rewards


@pytest.mark.parametrize("name", ALL)
def test_rewards_are_the_table(name):
    game = games.make(name)
    assert set(TABLES[name]) == set(itertools.product(game.info.moves, repeat=2))
    for joint, wanted in TABLES[name].items():
        assert line(game, joint)[1] == [wanted]


@pytest.mark.parametrize("name", ALL)
def test_each_seat_reads_the_table_from_its_own_side(name):
    game, words = games.make(name), games.make(name).info.moves
    for (a, b), rewards in TABLES[name].items():
        i, j = words.index(a), words.index(b)
        assert (game.tables[0][i][j], game.tables[1][j][i]) == rewards


@pytest.mark.parametrize(
    ("name", "kind", "unit", "zero_sum", "bounds"),
    [
        ("prisoners-dilemma", "social-dilemma", 5, False, (0, 50)),
        ("stag-hunt", "social-dilemma", 4, False, (0, 40)),
        ("chicken", "social-dilemma", 5, False, (0, 50)),
        ("battle-of-the-sexes", "cooperative", 3, False, (0, 30)),
        ("matching-pennies", "competitive", 1, True, (-10, 10)),
        ("rock-paper-scissors", "competitive", 1, True, (-10, 10)),
    ],
)
def test_info(name, kind, unit, zero_sum, bounds):
    info = games.make(name).info
    assert (info.kind, info.unit, info.zero_sum, info.payoff_bounds) == (kind, unit, zero_sum, bounds)
    assert info.simultaneous
    assert info.deterministic
    assert info.max_ticks == 10


def test_info_follows_the_options():
    info = games.make("prisoners-dilemma:payoffs=-1/-5/0/-3,rounds=4,noise=0.1").info
    assert (info.unit, info.payoff_bounds, info.max_ticks, info.deterministic) == (5, (-20, 0), 4, False)
    assert not games.make("rock-paper-scissors:payoffs=2/0/-1").info.zero_sum


def test_a_match_reads_like_this():
    game = games.make("prisoners-dilemma:rounds=2")
    start = game.start(Stream(0))
    middle, _ = line(game, ("cooperate", "defect"))
    end, _ = line(game, ("cooperate", "defect"), ("defect", "defect"))
    assert game.observe(start, 0).text == "Round 1 of 2. Cooperate or defect?"
    assert game.observe(middle, 0).text == "You: cooperate. Other: defect. You got 0. Round 2 of 2."
    assert game.observe(middle, 1).text == "You: defect. Other: cooperate. You got 5. Round 2 of 2."
    assert (
        game.observe(end, 0).text
        == "You: defect. Other: defect. You got 1. The match is over. You have 1, the other 6."
    )
    assert game.to_move(start) == game.to_move(middle) == (0, 1)
    assert game.to_move(end) == ()


def test_fields_tell_programs_everything_the_seat_knows():
    game = games.make("battle-of-the-sexes:rounds=5")
    state, _ = line(game, ("opera", "football"), ("football", "football"))
    fields = game.observe(state, 1).fields
    assert fields["own"] == (1, 1)
    assert fields["other"] == (0, 1)
    assert (fields["round"], fields["rounds"], fields["payoff"]) == (3, 5, 3.0)
    assert fields["moves"] == ("opera", "football")
    assert fields["payoffs"] == ((2, 0), (0, 3))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seat", [0, 1])
def test_rules_are_short_and_complete(name, seat):
    game = games.make(f"{name}:rounds=7,noise=0.25")
    rules = game.rules(seat)
    assert len(games.make(f"{name}:rounds=7").rules(seat).split()) <= 85
    assert len(rules.split()) <= 95
    assert "7 rounds" in rules
    assert "0.25" in rules
    assert "one word" in rules
    for word in game.info.moves:
        assert word in rules.casefold()
    assert ".0" not in rules


def test_rules_hold_the_payoffs_of_their_seat():
    game = games.make("battle-of-the-sexes")
    assert "opera against opera: you get 3, the other 2." in game.rules(0)
    assert "opera against opera: you get 2, the other 3." in game.rules(1)
    assert "You are the football fan." in game.rules(1)
    assert "A win gives 2.5, a draw 0, a loss -1." in games.make("rock-paper-scissors:payoffs=2.5/0/-1").rules(0)


def test_a_random_end_hides_how_long_the_match_is():
    game = games.make("prisoners-dilemma:rounds=50,end=0.2")
    state = game.start(Stream(0))
    shown = game.rules(0) + game.observe(state, 0).text
    assert "50" not in shown
    assert "ends with probability 0.2" in shown
    assert game.observe(state, 0).fields["rounds"] is None


def test_a_random_end_ends_with_its_probability():
    game = games.make("prisoners-dilemma:rounds=1000,end=0.25")
    lengths = []
    for deal in range(400):
        state, tick = game.start(Stream(0)), 0
        while game.to_move(state):
            tick += 1
            state, _ = game.play(state, ("cooperate", "cooperate"), Stream(3, CHANCE, deal, tick))
        lengths.append(game.round(state))
    # geometric: mean 4, standard deviation sqrt(12), so the mean of 400 has 0.17
    assert abs(np.mean(lengths) - 4) < 0.7
    assert min(lengths) == 1


def test_the_cap_ends_a_match_with_random_end():
    game = games.make("prisoners-dilemma:rounds=2,end=0.000001")
    state, _ = line(game, ("defect", "defect"), ("defect", "defect"))
    assert game.to_move(state) == ()


def test_noise_one_always_plays_another_move():
    game = games.make("rock-paper-scissors:noise=1,rounds=300")
    state, _ = line(game, *[("paper", "rock")] * 300)
    assert set(state.played[0]) == {0, 2}
    assert set(state.played[1]) == {1, 2}
    assert abs(state.played[0].count(0) - 150) < 45  # five standard deviations
    assert set(state.chosen[0]) == {1}


def test_a_slip_is_told_to_who_slipped_and_to_nobody_else():
    game = games.make("prisoners-dilemma:noise=1,rounds=2")
    state, rewards = line(game, ("cooperate", "defect"))
    assert rewards == [(5, 0)]
    assert game.observe(state, 0).text.startswith("You: defect (you chose cooperate). Other: cooperate. You got 5.")
    assert game.key(state, 0) == "010"
    assert game.key(state, 1) == "101"


def test_keys_tell_own_choices_apart_only_where_they_can_slip():
    game = games.make("prisoners-dilemma:rounds=2")
    state, _ = line(game, ("cooperate", "defect"), ("defect", "defect"))
    assert (game.key(state, 0), game.key(state, 1)) == ("01 11.", "10 11.")
    pennies = games.make("matching-pennies")
    assert pennies.key(pennies.start(Stream(0)), 1) == "mismatcher|"


def test_outcomes_enumerate_slips_and_ends():
    game = games.make("prisoners-dilemma:noise=0.1,end=0.5,rounds=9")
    found = list(game.outcomes(game.start(Stream(0)), ("cooperate", "defect")))
    assert sum(p for p, *_ in found) == pytest.approx(1)
    chances = {(s.played[0][0], s.played[1][0], s.over): p for p, s, _ in found}
    assert chances[0, 1, False] == pytest.approx(0.9 * 0.9 * 0.5)
    assert chances[1, 1, True] == pytest.approx(0.1 * 0.9 * 0.5)
    assert len(chances) == len(found) == 8
    assert {r for _, s, r in found if s.played == ((1,), (0,))} == {(5, 0)}


def test_outcomes_of_the_last_round_list_nothing_twice():
    game = games.make("rock-paper-scissors:noise=0.3,end=0.5,rounds=1")
    found = list(game.outcomes(game.start(Stream(0)), ("rock", "rock")))
    assert len({s for _, s, _ in found}) == len(found) == 9
    assert all(s.over for _, s, _ in found)
    assert found[0][0] == pytest.approx(0.49)


@pytest.mark.parametrize(
    "spec",
    [
        "prisoners-dilemma:noise=0.3,rounds=30",
        "rock-paper-scissors:noise=0.25,end=0.05,rounds=30",
        "battle-of-the-sexes:end=0.1,rounds=30",
        "matching-pennies:noise=0.000001,rounds=30",
        "chicken:rounds=30",
    ],
)
def test_blocks_play_exactly_what_single_matches_play(spec):
    game, deals = games.make(spec), np.arange(60)
    chosen = np.random.default_rng(5).integers(len(game.info.moves), size=(30, len(deals), 2))
    block = [
        game.kernel.step(chosen[t].astype(np.int8), round_chance(derive_array(9, CHANCE, deals, t + 1)))
        for t in range(30)
    ]
    for deal in deals:
        state, t = game.start(Stream(9, CHANCE, int(deal), 0)), 0
        while game.to_move(state):
            words = tuple(game.info.moves[m] for m in chosen[t, deal])
            state, rewards = game.play(state, words, Stream(9, CHANCE, int(deal), t + 1))
            played, gained, ended = (part[deal] for part in block[t])
            assert tuple(played) == (state.played[0][-1], state.played[1][-1])
            assert tuple(gained) == rewards
            assert bool(ended) == (state.over and t + 1 < 30) or t + 1 == 30
            t += 1


def test_a_block_without_chance_needs_no_draws():
    game = games.make("rock-paper-scissors")
    played, rewards, ended = game.kernel.step(np.array([[0, 1], [2, 1]], np.int8))
    assert played.tolist() == [[0, 1], [2, 1]]
    assert rewards.tolist() == [[-1, 1], [1, -1]]
    assert ended.tolist() == [False, False]


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ("cooperate", "cooperate"),
        ("Defect.", "defect"),
        ("  COOPERATE \n", "cooperate"),
        ("**defect**", "defect"),
        ("I will cooperate this time.", "cooperate"),
        ("They may defect, or cooperate.\n<answer>defect</answer>", "defect"),
        ("Should I cooperate or defect? Let me think.\ndefect", "defect"),
    ],
)
def test_reasonable_replies_are_read(reply, move):
    game = games.make("prisoners-dilemma")
    assert game.parse(game.start(Stream(0)), 0, reply) == move


@pytest.mark.parametrize("reply", ["", "C", "cooperate or defect", "defected", "rock", "cooperate" * 5])
def test_what_names_no_single_move_is_refused(reply):
    game = games.make("prisoners-dilemma")
    with pytest.raises(IllegalMove, match="cooperate"):
        game.parse(game.start(Stream(0)), 0, reply)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("prisoners-dilemma:rounds=0", "1 to 10000"),
        ("prisoners-dilemma:rounds=10001", "1 to 10000"),
        ("prisoners-dilemma:rounds=ten", "whole number"),
        ("prisoners-dilemma:noise=1.5", "from 0 to 1"),
        ("prisoners-dilemma:noise=-0.1", "from 0 to 1"),
        ("prisoners-dilemma:noise=nan", "from 0 to 1"),
        ("prisoners-dilemma:end=1", "from 0 to below 1"),
        ("prisoners-dilemma:end=0.12345678", "six digits"),
        ("prisoners-dilemma:payoffs=3/0/5", "R/S/T/P"),
        ("prisoners-dilemma:payoffs=3/5/0/1", "T>R>P>S"),
        ("prisoners-dilemma:payoffs=3/0/3/1", "T>R>P>S"),
        ("prisoners-dilemma:payoffs=3/0/inf/1", "-1000 to 1000"),
        ("prisoners-dilemma:payoffs=3/0/5000/1", "-1000 to 1000"),
        ("stag-hunt:payoffs=3/0/4/2", "R>T>=P>S"),
        ("chicken:payoffs=3/0/5/1", "T>R>S>P"),
        ("battle-of-the-sexes:payoffs=2/3/0", "F>O>A"),
        ("matching-pennies:payoffs=-1/1", "W>L"),
        ("rock-paper-scissors:payoffs=1/1/-1", "W>D>L"),
    ],
)
def test_bad_options_say_what_is_allowed(spec, says):
    with pytest.raises(BadOption, match=says):
        games.make(spec)


@pytest.mark.parametrize("options", [{"rounds": 2.5}, {"rounds": True}, {"noise": "x"}, {"payoffs": ("a", 0, 5, 1)}])
def test_bad_values_are_refused_too(options):
    with pytest.raises(BadOption):
        games.make("prisoners-dilemma", **options)


def test_stag_and_hare_may_be_equally_safe():
    assert games.make("stag-hunt:payoffs=4/0/2/2").tables[0] == ((4, 0), (2, 2))


def test_the_spec_makes_the_game_again():
    game = games.make("prisoners-dilemma", payoffs=[4, -1, 6.5, 0], rounds=3, noise=0.05)
    assert game.spec == "prisoners-dilemma:rounds=3,payoffs=4/-1/6.5/0,noise=0.05"
    assert games.make(game.spec) == game


def test_measures_are_shares_of_executed_moves():
    joints = [("cooperate", "defect"), ("cooperate", "cooperate"), ("defect", "defect"), ("cooperate", "defect")]
    game = games.make("prisoners-dilemma:rounds=4")
    assert game.measures(line(game, *joints)[0]) == {"cooperation": (0.75, 0.25)}
    assert game.measures(game.start(Stream(0))) == {}
    sexes = games.make("battle-of-the-sexes")
    state, _ = line(sexes, ("opera", "opera"), ("football", "opera"), ("football", "football"))
    assert sexes.measures(state) == {"agreement": (2 / 3, 2 / 3)}
    assert set(games.make("stag-hunt").measures(line(games.make("stag-hunt"), ("stag", "hare"))[0])) == {"stag"}
    assert (
        games.make("rock-paper-scissors").measures(line(games.make("rock-paper-scissors"), ("rock", "rock"))[0]) == {}
    )


def test_who_forfeits_ends_with_the_lowest_payoff():
    dilemma = games.make("prisoners-dilemma")
    state, _ = line(dilemma, ("defect", "cooperate"))
    assert dilemma.forfeit(state, (0,)) == (-5, 0)
    throws = games.make("rock-paper-scissors:rounds=4")
    state, _ = line(throws, ("rock", "scissors"))
    assert throws.forfeit(state, (0,)) == (-5, 5)  # 1 + -5 = -4, the worst of four rounds
    assert throws.forfeit(state, (0, 1)) == (-5, -3)


def test_onlookers_see_both_histories():
    game = games.make("chicken:rounds=2")
    state, _ = line(game, ("swerve", "straight"))
    assert game.render(state) == "chicken, round 2 of 2\nplayer_0 (1): swerve\nplayer_1 (5): straight"
    state, _ = line(game, ("swerve", "straight"), ("straight", "straight"))
    assert game.render(state).startswith("chicken, after 2 rounds\n")


def test_a_new_member_of_the_family_is_data():
    @dataclass(frozen=True)
    class Deadlock(MatrixGame):
        """Repeated deadlock: both rather defect together."""

        family: ClassVar[Family] = Family(
            title="deadlock", moves=("yield", "hold"), symbols="RSTP", order="T>P>R>S", table=("RS", "TP")
        )
        payoffs: tuple[float, ...] = (1.0, 0.0, 3.0, 2.0)

    game = Deadlock(rounds=3)
    assert game.play(game.start(Stream(0)), ("yield", "hold"), Stream(0))[1] == (0, 3)
    with pytest.raises(BadOption, match="T>P>R>S"):
        Deadlock(payoffs=(3.0, 0.0, 5.0, 1.0))
