"""Array bots: exact pairs, what each plays move by move, exact distributions, blocks against single matches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games import BadOption, Stream, exact
from games.matrix import round_chance
from games.stream import CHANCE, POLICY, derive_array
from policies import Turn
from policies.rps.thrower import Thrower
from policies.scripted.matrix import DILEMMAS, MATRIX_GAMES, ArrayBot, View
from policies.scripted.matrix_throws import stage_equilibrium

BOTS = sorted(
    name
    for name, entry in policies.scripts().items()
    if isinstance(entry.make, type) and issubclass(entry.make, ArrayBot) and not issubclass(entry.make, Thrower)
)


def play(spec, first, second, matches=1, seed=0):
    """Episodes of ``first`` against ``second``."""
    players = {"a": policies.make(first), "b": policies.make(second)}
    game = games.make(spec)
    seating = (Match(i, game, i, ("a", "b")) for i in range(matches))
    return sorted(run_matches(seating, players, seed=seed), key=lambda e: e.match.id)


def turn_after(game, own, other, seat=0, seed=1):
    """A turn of ``seat`` after these executed moves (numbers)."""
    state = game.start(Stream(0))
    for a, b in zip(own, other, strict=True):
        joint = (a, b) if seat == 0 else (b, a)
        state, _ = game.play(state, tuple(game.info.moves[m] for m in joint), Stream(0))
    t = len(own)
    rng = Stream(seed, POLICY, 7, seat, t)
    return Turn(game, 7, seat, t, game.observe(state, seat), game.moves(state, seat), rng)


# Axelrod library 4.14 (MIT), 10 rounds of 3/0/5/1: payoffs per round of both
PAIRS = [
    ("always-defect", "tit-for-tat", 1.4, 0.9),
    ("always-defect", "win-stay-lose-shift", 3.0, 0.5),
    ("always-defect", "always-cooperate", 5.0, 0.0),
    ("always-defect", "tit-for-two-tats", 1.8, 0.8),
    ("tit-for-tat", "suspicious-tit-for-tat", 2.5, 2.5),
    ("grim", "suspicious-tit-for-tat", 1.3, 1.3),
    ("win-stay-lose-shift", "suspicious-tit-for-tat", 1.8, 2.3),
]


@pytest.mark.parametrize(("first", "second", "one", "two"), PAIRS)
def test_exact_pairs(first, second, one, two):
    (episode,) = play("prisoners-dilemma", first, second)
    assert episode.payoffs == pytest.approx((10 * one, 10 * two))
    (swapped,) = play("prisoners-dilemma", second, first)
    assert swapped.payoffs == pytest.approx((10 * two, 10 * one))


@pytest.mark.parametrize(
    ("bot", "other", "plays"),
    [
        ("tit-for-tat", "01101000", "00110100"),
        ("suspicious-tit-for-tat", "01101000", "10110100"),
        ("tit-for-two-tats", "01101110", "00010011"),
        ("grim", "00101000", "00011111"),
        ("win-stay-lose-shift", "01100010", "00100001"),
        ("always-cooperate", "01101000", "00000000"),
        ("always-defect", "01101000", "11111111"),
        ("alternator", "01101000", "01010101"),
        ("generous-tit-for-tat:0", "01101000", "00110100"),
        ("generous-tit-for-tat:1", "01101000", "00000000"),
    ],
)
@pytest.mark.parametrize("name", DILEMMAS)
def test_dilemma_bots_move_by_move(name, bot, other, plays):
    assert moves_against(games.make(f"{name}:rounds=8"), bot, other) == plays


@pytest.mark.parametrize(
    ("name", "bot", "other", "plays"),
    [
        ("rock-paper-scissors", "counter-last", "00122010", "11120012"),
        ("rock-paper-scissors", "frequency", "00122222", "01111100"),
        ("rock-paper-scissors", "rotate", "00000000", "01201201"),
        ("rock-paper-scissors", "constant:paper", "01201201", "11111111"),
        ("rock-paper-scissors", "constant", "01201201", "00000000"),
        ("matching-pennies", "counter-last", "01100000", "00110000"),
        ("battle-of-the-sexes", "turn-taking", "11111111", "01010101"),
        ("prisoners-dilemma", "counter-last", "01010101", "11111111"),
        ("prisoners-dilemma", "nash", "01010101", "11111111"),
    ],
)
def test_throwers_move_by_move(name, bot, other, plays):
    assert moves_against(games.make(f"{name}:rounds=8"), bot, other) == plays


def moves_against(game, spec, other):
    """What the bot plays, as digits, against a fixed sequence; asked turn by turn."""
    bot, own = policies.make(spec), []
    for t in range(len(other)):
        (reply,) = bot.act([turn_after(game, own, [int(d) for d in other[:t]])])
        own.append(game.info.moves.index(reply.text))
    return "".join(map(str, own))


def test_the_mismatcher_counters_by_its_own_table():
    game = games.make("matching-pennies")
    (reply,) = policies.make("counter-last").act([turn_after(game, [0], [0], seat=1)])
    assert reply.text == "tails"


def test_turn_takers_always_meet():
    (episode,) = play("battle-of-the-sexes", "turn-taking", "turn-taking")
    assert episode.payoffs == (25, 25)
    assert episode.measures == {"agreement": (1, 1)}


def test_classic_throw_pairs():
    assert play("rock-paper-scissors:rounds=100", "counter-last", "constant:rock")[0].payoffs == (100, -100)
    assert play("rock-paper-scissors:rounds=100", "rotate", "counter-last")[0].payoffs == (-1, 1)
    assert play("rock-paper-scissors:rounds=100", "frequency", "constant:rock")[0].payoffs == (99, -99)


@pytest.mark.parametrize("spec", [*BOTS, "constant:defect", "generous-tit-for-tat:0.25"])
@pytest.mark.parametrize("history", [("", ""), ("0", "1"), ("0110", "1011")])
def test_distributions_are_what_is_played(spec, history):
    bot = policies.make(spec)
    name = next(g for g in (*MATRIX_GAMES,) if not bot.check(games.make(g)))
    own, other = ([int(d) for d in moves] for moves in history)
    turn = turn_after(games.make(name), own, other)
    turns = [replace(turn, rng=Stream(seed)) for seed in range(600)]
    replies = [reply.text for reply in policies.make(spec).act(turns)]
    (distribution,) = bot.probabilities(turns[:1])
    assert sum(distribution.values()) == pytest.approx(1)
    assert set(distribution) == set(turns[0].moves.texts)
    for move, p in distribution.items():
        # five standard deviations; exact where p is 0 or 1
        assert abs(replies.count(move) - 600 * p) <= 5 * np.sqrt(600 * p * (1 - p))


def test_generosity_is_the_probability_to_forgive():
    turn = turn_after(games.make("prisoners-dilemma"), [0], [1])
    assert policies.make("generous-tit-for-tat").distribution(turn)["cooperate"] == pytest.approx(1 / 3)
    assert policies.make("generous-tit-for-tat:0.1").distribution(turn)["cooperate"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("spec", "seat", "mixture"),
    [
        ("rock-paper-scissors", 0, (1 / 3, 1 / 3, 1 / 3)),
        ("matching-pennies", 1, (1 / 2, 1 / 2)),
        ("chicken", 0, (1 / 3, 2 / 3)),  # 3p + (1 - p) = 5p
        ("stag-hunt", 0, (2 / 3, 1 / 3)),  # 4p = 3p + 2 (1 - p)
        ("battle-of-the-sexes", 0, (3 / 5, 2 / 5)),  # 2p = 3 (1 - p) for the football fan
        ("battle-of-the-sexes", 1, (2 / 5, 3 / 5)),
        ("prisoners-dilemma", 0, (0, 1)),
    ],
)
def test_stage_equilibria_by_hand(spec, seat, mixture):
    assert stage_equilibrium(games.make(spec), seat) == pytest.approx(mixture)
    turn = turn_after(games.make(spec), [0], [1], seat=seat)
    assert tuple(policies.make("nash").probabilities([turn])[0].values()) == pytest.approx(mixture)


@pytest.mark.parametrize("name", MATRIX_GAMES)
@pytest.mark.parametrize("noise", ["0", "0.1", "0.5", "0.9"])
def test_nobody_gains_by_leaving_the_stage_equilibrium(name, noise):
    game = games.make(f"{name}:rounds=1,noise={noise}")
    words = game.info.moves
    both = [dict(zip(words, stage_equilibrium(game, seat).tolist(), strict=True)) for seat in (0, 1)]
    profile = (lambda key: both[0], lambda key: both[1])
    assert exact.nash_conv(game, profile) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [
        ("prisoners-dilemma:noise=0.2,rounds=12", "grim", "generous-tit-for-tat"),
        ("rock-paper-scissors:rounds=12", "frequency", "nash"),
        ("battle-of-the-sexes:rounds=12,noise=0.1", "nash", "counter-last"),
        ("stag-hunt:rounds=12,noise=0.3", "win-stay-lose-shift", "tit-for-two-tats"),
    ],
)
def test_blocks_throw_what_single_matches_throw(spec, first, second):
    episodes = play(spec, first, second, matches=40, seed=3)
    game, deals = games.make(spec), np.arange(40)
    bots, carries = [policies.make(first), policies.make(second)], [None, None]
    played = np.zeros((40, 12, 2), np.int8)
    total = np.zeros((40, 2))
    for t in range(12):
        moves = np.zeros((40, 2), np.int8)
        for seat, bot in enumerate(bots):
            keys = derive_array(3, POLICY, deals, seat, t)
            view = View(game, seat, played[:, :t, seat], played[:, :t, 1 - seat], keys)
            moves[:, seat], carries[seat] = bot.throw(view, carries[seat])
        played[:, t], rewards, _ = game.kernel.step(moves, round_chance(derive_array(3, CHANCE, deals, t + 1)))
        total += rewards
    assert [e.payoffs for e in episodes] == [tuple(row) for row in total]


@pytest.mark.parametrize("spec", ["grim", "frequency"])
def test_what_is_kept_is_only_a_memory(spec):
    game = games.make("prisoners-dilemma")
    bot, fresh = policies.make(spec), policies.make(spec)
    other = [0, 0, 1, 1, 0, 0, 0, 0]
    for t in range(len(other)):
        turn = turn_after(game, [0] * t, other[:t])
        assert bot.act([turn])[0] == fresh.act([turn])[0]
        fresh.forget([7])
        assert not fresh._kept
    assert bot._kept
    again = policies.make(spec).act([turn])[0]
    assert again == bot.act([turn])[0]


def test_matches_at_different_rounds_and_seats_are_answered_in_order():
    game, longer = games.make("prisoners-dilemma"), games.make("prisoners-dilemma:rounds=20")
    turns = [
        turn_after(game, [0, 0], [1, 0]),
        turn_after(game, [], []),
        turn_after(longer, [0, 0], [0, 1]),
        turn_after(game, [0], [1], seat=1),
    ]
    replies = policies.make("tit-for-tat").act(turns)
    assert [r.text for r in replies] == ["cooperate", "cooperate", "defect", "defect"]


def test_check_goes_by_the_kind_of_game():
    chicken, throws, poker = (games.make(n) for n in ("chicken", "rock-paper-scissors", "kuhn-poker"))
    assert policies.make("grim").check(chicken) == ""
    assert "not rock-paper-scissors" in policies.make("grim").check(throws)
    assert "not kuhn-poker" in policies.make("rotate").check(poker)
    assert "rock, paper, scissors" in policies.make("constant:defect").check(throws)
    assert policies.make("constant:paper").check(throws) == ""
    assert "not rock-paper-scissors" in policies.make("turn-taking").check(throws)


@pytest.mark.parametrize("spec", ["generous-tit-for-tat:2", "generous-tit-for-tat:x", "grim:1", "constant:a:b"])
def test_bad_arguments(spec):
    with pytest.raises(BadOption):
        policies.make(spec)
