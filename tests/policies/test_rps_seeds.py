"""The exactly specified players: moves by hand, OpenSpiel's own bots as the oracle, the published sub-table."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import games
import policies
from arena.lanes import play_block
from arena.records import Match
from policies.rps import EXACT
from policies.rps.words import de_bruijn, pi_moves
from policies.scripted.matrix import View

DATA = Path(__file__).parents[1] / "data"
THROWS = 1000


def view(own, other, rounds=THROWS):
    """One match as its player sees it."""
    moves = (np.array([list(map(int, history))], np.int8).reshape(1, -1) for history in (own, other))
    return View(games.make(f"rock-paper-scissors:rounds={rounds}"), 0, *moves, np.zeros(1, np.uint64))


def plans(name, own, other, rounds=THROWS):
    """The mixture of each round up to the one after the histories."""
    bot, carry, out = policies.make(name), None, []
    whole = view(own, other, rounds)
    for t in range(whole.round + 1):
        plan, carry = bot.plan(whole.until(t), carry)
        out.append(np.eye(3)[plan[0]] if plan.ndim == 1 else plan[0])
    return np.array(out)


def last(name, own, other, **options):
    return plans(name, own, other, **options)[-1].tolist()


@pytest.mark.parametrize(
    ("name", "other", "move"),
    [
        ("copybot", "", 1),
        ("copybot", "01", 2),
        ("copybot", "12", 0),
        ("freqbot2", "", 0),
        ("freqbot2", "01", 2),
        ("freqbot2", "02", 0),
        ("freqbot2", "001", 1),
        ("antiflatbot", "0", 2),
        ("antiflatbot", "1", 0),
        ("antiflatbot", "2", 1),
        ("antiflatbot", "0012", 2),
        ("rotatebot", "0000", 1),
        ("pibot", "", 0),
        ("pibot", "00000", 0),  # 3.14159: the sixth digit is 9
        ("antirotnbot", "00", 1),
        ("antirotnbot", "01", 0),
    ],
)
def test_certain_moves(name, other, move):
    assert last(name, "0" * len(other), other)[move] == 1


@pytest.mark.parametrize(
    ("name", "own", "other", "mixture"),
    [
        ("randbot", "01", "12", (1 / 3, 1 / 3, 1 / 3)),
        ("r226bot", "", "", (0.2, 0.2, 0.6)),
        ("switchbot", "", "", (0, 0.5, 0.5)),
        ("switchbot", "01", "22", (0.5, 0, 0.5)),
        ("switchalot", "01", "22", (0.44, 0.12, 0.44)),
        ("flatbot3", "", "", (1 / 3, 1 / 3, 1 / 3)),
        ("flatbot3", "0", "1", (0.1, 0.45, 0.45)),
        ("flatbot3", "001122", "000000", (1 / 3, 1 / 3, 1 / 3)),
        ("flatbot3", "00112", "00000", (0.1, 0.1, 0.8)),
        ("foxtrotbot", "00", "00", (1 / 3, 1 / 3, 1 / 3)),
        ("foxtrotbot", "0", "0", (0, 0, 1)),  # turn 2: 0 + 2
        ("driftbot", "0", "2", (1 / 6, 1 / 6, 2 / 3)),
        ("driftbot", "0" * 111, "2" * 111, (1 / 6, 2 / 3, 1 / 6)),  # the gear is 2
        ("adddriftbot2", "1", "1", (1 / 6, 1 / 6, 2 / 3)),
        ("adddriftbot2", "1" * 200, "1" * 200, (1 / 6, 2 / 3, 1 / 6)),
        ("addshiftbot3", "1", "1", (1 / 15, 1 / 15, 13 / 15)),
        ("addshiftbot3", "000", "111", (13 / 15, 1 / 15, 1 / 15)),  # three behind: the gear is 2
        ("antirotnbot", "000", "001", (0.0, 0.0, 1.0)),  # rotations 0 and 1, each once; the rarest is 2
        ("antirotnbot", "0000", "0002", (0.5, 0.0, 0.5)),  # 0 twice, 2 once, 1 never: both stand out alike
    ],
)
def test_mixtures(name, own, other, mixture):
    assert last(name, own, other) == pytest.approx(mixture)


def test_antirotnbot_gives_up_when_more_than_four_per_cent_behind():
    assert last("antirotnbot", "2" * 40, "0" * 40) == [0, 1, 0]
    assert last("antirotnbot", "2" * 41, "0" * 41) == pytest.approx([1 / 3] * 3)


def test_addshiftbot3_needs_a_tenth_of_the_rounds_later_on():
    drawn = "0" * 30
    assert last("addshiftbot3", drawn + "00", drawn + "11")[1] == pytest.approx(13 / 15)  # two of 32 behind
    assert last("addshiftbot3", drawn + "000", drawn + "111")[0] == pytest.approx(13 / 15)  # three of 33


def test_pi_and_de_bruijn():
    assert pi_moves()[:12].tolist() == [0, 1, 1, 1, 2, 0, 2, 0, 2, 0, 2, 2]  # 3 1 4 1 5 9 2 6 5 3 5 8
    assert len(pi_moves()) == 10_000
    word = de_bruijn(4).tolist()
    assert len(word) == 81
    assert len({tuple((word + word[:3])[i : i + 4]) for i in range(81)}) == 81


@pytest.mark.parametrize("name", EXACT)
def test_the_originals_play_nothing_else(name):
    """What OpenSpiel's bots answer to random histories is what the rules allow, as often as they say."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("repeated_game(stage_game=matrix_rps(),num_repetitions=1000,recall=1)")
    rng, surprise = np.random.default_rng(5), 0.0
    for rounds in (40, 40, 260, 460):
        own = rng.integers(0, 3, rounds)
        other = rng.choice(3, rounds, p=rng.dirichlet([1, 1, 1]))
        bot, state = pyspiel.make_roshambo_bot(0, name, THROWS), game.new_initial_state()
        bot.restart()
        expected = plans(name, own, other)
        for t in range(rounds):
            chance = expected[t, bot.step(state)]
            assert chance > 0, (name, t)
            surprise += np.log(chance) - (expected[t] * np.log(np.maximum(expected[t], 1e-12))).sum()
            state.apply_actions([int(own[t]), int(other[t])])
    assert abs(surprise) < 5 * np.sqrt(800)  # the variance of a surprise is below 1


def published():
    """Mean returns of row against column (Lanctot et al. 2023, arXiv 2303.03196; data of open_spiel, Apache-2.0)."""
    with (DATA / "rps_population.csv").open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    table = {row[0]: dict(zip(head[1:], map(float, row[1:]), strict=True)) for row in rows}
    return np.array([[table[a][b] for b in EXACT] for a in EXACT])


def test_the_exact_players_reproduce_their_published_sub_table():
    """Each cell within sampling error of 1,000 published matches and ours; the whole table as far off as chance is."""
    matches = 16
    game, players = games.make(f"rock-paper-scissors:rounds={THROWS}"), {name: policies.make(name) for name in EXACT}
    pairs = [(a, b) for a in EXACT for b in EXACT for _ in range(matches)]
    block = play_block([Match(i, game, 0, pair) for i, pair in enumerate(pairs)], players, seed=11)
    returns = block.payoffs[:, 0].reshape(len(EXACT), len(EXACT), matches)
    mean, spread = returns.mean(axis=2), returns.std(axis=2, ddof=1)
    # Sixteen matches know a cell's spread to a fifth only; few of the 256 may stray.
    error = np.hypot(spread / np.sqrt(matches), spread / np.sqrt(1000)) + 0.15
    z = (mean - published()) / error
    assert np.abs(z).max() < 5.5
    assert (np.abs(z) > 3).mean() < 0.03
    assert np.sqrt((z**2).mean()) < 1.25
