"""Other people's packages, where they are right: evalica, choix, OpenSpiel."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest

from leaderboards import alpha_rank, bradley_terry
from leaderboards.ratings.bradley_terry import SCALE

MATCHES = 4_000


@pytest.fixture(scope="module")
def league():
    """(first, second, result: 1, 0, -1) of matches with a sixth of draws."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=9)
    first = rng.integers(0, 9, MATCHES)
    second = (first + rng.integers(1, 9, MATCHES)) % 9
    half = (theta[first] - theta[second]) / 2
    total, draw = np.exp(half) + np.exp(-half) + 0.5, rng.random(MATCHES)
    return first, second, np.where(draw < np.exp(half) / total, 1, np.where(draw < (np.exp(half) + 0.5) / total, 0, -1))


def tables(league):
    first, second, result = league
    wins, draws = np.zeros((9, 9)), np.zeros((9, 9))
    np.add.at(wins, (first[result == 1], second[result == 1]), 1)
    np.add.at(wins, (second[result == -1], first[result == -1]), 1)
    np.add.at(draws, (first[result == 0], second[result == 0]), 1)
    return wins, draws + draws.T


def elo_of(scores):
    value = SCALE * np.log(np.asarray(scores, dtype=float))
    return value - value.mean() + 1500


@pytest.mark.parametrize(("ties", "name"), [("half-win", "bradley_terry"), ("davidson", "newman")])
def test_evalica(league, ties, name):
    evalica = pytest.importorskip("evalica")
    first, second, result = league
    outcome = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}
    theirs = getattr(evalica, name)(first.tolist(), second.tolist(), [outcome[k] for k in result.tolist()])
    wins, draws = tables(league)
    mine = bradley_terry(wins, draws, ties=ties, prior_sd=math.inf)
    np.testing.assert_allclose(mine.elo, elo_of([theirs.scores[k] for k in range(9)]), atol=0.02)
    if ties == "davidson":  # Newman's v is half of Davidson's ν
        assert mine.nu == pytest.approx(2 * theirs.v, rel=1e-3)


def test_where_evalica_is_wrong_we_are_not():
    evalica = pytest.importorskip("evalica")
    # A beats B and C ten times each, B and C are even: evalica 0.4 calls all three equal, without a word.
    xs, ys = ["A"] * 20 + ["B"] * 10, ["B"] * 10 + ["C"] * 20
    winners = [evalica.Winner.X] * 25 + [evalica.Winner.Y] * 5
    theirs = evalica.bradley_terry(xs, ys, winners).scores
    assert theirs["A"] == theirs["B"] == theirs["C"]
    mine = bradley_terry([[0, 10, 10], [0, 0, 5], [0, 5, 0]], names="ABC")
    assert mine.elo[0] > mine.elo[1] + 400
    assert mine.marks[0] == ("prior-bound",)


def test_choix(league):
    choix = pytest.importorskip("choix")
    wins, _ = tables(league)
    theirs = choix.ilsr_pairwise_dense(wins)
    mine = bradley_terry(wins, prior_sd=math.inf)
    np.testing.assert_allclose(mine.elo, 1500 + SCALE * (theirs - theirs.mean()), atol=1e-4)


def test_alpha_rank_of_openspiel():
    if importlib.util.find_spec("networkx") is None or importlib.util.find_spec("pyspiel") is None:
        pytest.skip("no open-spiel with networkx")
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    table = np.array([[0.0, -1.0, 1.2], [1.0, 0.0, -1.0], [-1.2, 1.0, 0.0]])
    mass = theirs.compute([table], alpha=2.0, m=20)[2]
    np.testing.assert_allclose(alpha_rank(table, alpha=2.0, population=20).mass, mass, atol=1e-9)
