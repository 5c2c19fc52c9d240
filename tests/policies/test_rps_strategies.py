"""The learning players: parts against slow reference forms, moves by hand, one form whatever the batch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import games
import policies
from arena.lanes import play_block
from arena.match import run_matches
from arena.records import Match
from policies.rps import EXACT, FIXED, LEARNING, POPULATION
from policies.rps.bank import Bank, Mixer, softmax, summed
from policies.rps.board import Board
from policies.rps.memory import Frequencies, Pasts, Tally, joint, recent
from policies.rps.mixing import SOURCES
from policies.rps.thrower import Thrower, draw
from policies.scripted.matrix import View


def game(rounds):
    return games.make(f"rock-paper-scissors:rounds={rounds}")


def view(own, other, rounds=1000):
    """Matches as their player sees them; each history a text of digits."""
    own, other = ([own], [other]) if isinstance(own, str) else (own, other)
    moves = (np.array([list(map(int, text)) for text in texts], np.int8) for texts in (own, other))
    return View(game(rounds), 0, *moves, np.arange(len(own), dtype=np.uint64))


def plan(name, own, other, rounds=1000):
    """The mixture after these histories."""
    bot, carry = policies.make(name), None
    whole = view(own, other, rounds)
    for t in range(whole.round + 1):
        mixture, carry = bot.plan(whole.until(t), carry)
    return (np.eye(3)[mixture] if mixture.ndim == 1 else mixture)[0].tolist()


def test_the_population_is_everything_registered():
    own = {name for name, entry in policies.scripts().items() if issubclass(entry.make, Thrower)}
    assert own == set(POPULATION)
    assert len(POPULATION) == 43
    assert len(EXACT) == 16
    assert set(EXACT) < set(FIXED)
    assert not set(FIXED) & set(LEARNING)


@pytest.mark.parametrize("name", POPULATION)
def test_one_match_is_the_block_of_one(name):
    """Alone, among others, and on another day: the same throws; the rival draws, so histories differ."""
    table, players = game(30), {who: policies.make(who) for who in {name, "granite-like"}}
    matches = [Match(i, table, i, (name, "granite-like")[:: 1 if i % 2 else -1]) for i in range(5)]
    block = play_block(matches, players, seed=4)
    singles = [play_block([match], {who: policies.make(who) for who in players}, seed=4) for match in matches]
    assert (block.throws == np.concatenate([single.throws for single in singles], axis=1)).all()
    assert (block.payoffs == np.concatenate([single.payoffs for single in singles])).all()
    assert (play_block(matches, players, seed=4).throws == block.throws).all()
    assert (play_block(matches, players, seed=5).throws != block.throws).any()


@pytest.mark.parametrize(
    "pair", [("context-mixing", "bandit"), ("iocaine-like", "antirotnbot"), ("q-learner", "markov-5")]
)
def test_turn_by_turn_is_the_same(pair):
    table = game(20)
    matches = [Match(i, table, i, pair) for i in range(2)]
    block = play_block(matches, {name: policies.make(name) for name in pair}, seed=8)
    words = table.info.moves
    for i, episode in enumerate(sorted(run_matches(matches, {n: policies.make(n) for n in pair}, seed=8), key=_number)):
        assert [turn.move for turn in episode.turns] == [words[move] for move in block.throws[:, i].ravel()]
        assert episode.payoffs == tuple(block.payoffs[i])


def _number(episode):
    return episode.match.id


@pytest.mark.parametrize("name", POPULATION)
def test_mixtures_are_distributions_and_what_is_drawn(name):
    rng = np.random.default_rng(1)
    texts = [["".join(map(str, rng.integers(0, 3, 20))) for _ in range(4)] for _ in range(2)]
    bot, carry, seen = policies.make(name), None, view(*texts)
    for t in range(20):
        mixture, _ = bot.mixture(seen.until(t), _copy(carry)), None
        assert mixture.shape == (4, 3)
        assert mixture.min() >= 0
        np.testing.assert_allclose(mixture.sum(axis=1), 1, atol=1e-6)
        moves, carry = bot.throw(seen.until(t), carry)
        assert (mixture[np.arange(4), moves] > 0).all()


def _copy(carry):
    return None if carry is None else {name: array.copy() for name, array in carry.items()}


def test_draws():
    mixture = np.array([[0.2, 0.3, 0.5]] * 5)
    assert draw(mixture, np.array([0, 0.19, 0.2, 0.49, 0.5])).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("name", "own", "other", "mixture"),
    [
        ("longest-match", "", "", [1 / 3] * 3),
        ("longest-match", "0120", "2102", [0, 0, 1]),  # 0/2 came before, and 1 after it
        ("longest-match", "012", "012", [1 / 3] * 3),  # nothing like it before
        ("russrocker-like", "000", "111", [0, 0, 1]),
        ("russrocker-like", "0120", "2102", [0, 0, 1]),
        ("russrocker-like", "11", "02", [0, 1, 0]),  # new: as often rock as scissors, rock counts
        ("sweetrock-like", "0000", "1101", [0, 1 / 2, 1 / 2]),  # after 0/1 once paper, once rock
        ("piedra-like", "0000", "1111", [0, 0, 1]),
        ("conditional-response", "1", "0", [0.21, 0.52, 0.27]),  # won with paper: stays, else scissors
        ("regret-matching", "0", "1", [0, 1 / 3, 2 / 3]),  # paper would have drawn (+1), scissors won (+2)
        ("q-learner", "0", "1", [1 - 0.1 + 0.1 / 3, 0.1 / 3, 0.1 / 3]),  # 0/1 is new: all are worth nothing
        ("q-learner", "00", "11", [0.1 / 3, 1 - 0.1 + 0.1 / 3, 0.1 / 3]),  # there rock lost
        ("markov-5", "0000001", "1111120", [1 / 3] * 3),  # nothing known of 11120
    ],
)
def test_moves_by_hand(name, own, other, mixture):
    assert plan(name, own, other) == pytest.approx(mixture)


def test_markov_bails_when_behind():
    """After 111111 paper is sure to come; eight behind it is no longer trusted."""
    assert plan("markov-bails", "0" * 7, "1" * 7) == [0, 0, 1]
    assert plan("markov-bails", "0" * 8, "1" * 8) == pytest.approx([1 / 3] * 3)
    assert plan("markov-5", "0" * 19, "1" * 19) == [0, 0, 1]
    assert plan("markov-5", "0" * 20, "1" * 20) == pytest.approx([1 / 3] * 3)


def test_actr_recalls_by_frequency_and_freshness():
    rock, paper, scissors = plan("actr-lag2", "0" * 9, "001001000")
    assert rock + paper + scissors == pytest.approx(1)
    # After 00 (where missing moves count as rock): rock 0, 7 and 8 rounds ago, paper 3 and 6.
    counts = np.array([1 + 0.97**7 + 0.97**8, 0.97**3 + 0.97**6, 0]) + 0.1
    recalled = counts ** (1 / (0.28 * np.sqrt(2)))
    assert [paper, scissors, rock] == pytest.approx((recalled / recalled.sum()).tolist(), rel=1e-5)


def test_contexts_are_numbers_of_the_last_moves():
    seen = view("012", "211")
    assert recent(seen.other, 2).tolist() == [1 * 3 + 1]
    assert recent(seen.own, 5).tolist() == [2 + 1 * 3]  # missing moves count as rock
    assert joint(seen, 1).tolist() == [2 * 3 + 1]
    assert recent(seen.own[:, :0], 3).tolist() == [0]


def test_tallies_fade_when_their_context_comes_again():
    tally = Tally("t", 3, 0.5)
    carry = tally.fresh(2)
    context = np.array([1, 2])
    tally.learn(carry, context, np.array([0, 2]))
    tally.learn(carry, context, np.array([0, 1]))
    assert tally.row(carry, context).tolist() == [[1.5, 0, 0], [0, 1, 0.5]]
    assert tally.row(carry, np.array([0, 0])).sum() == 0


def test_pasts_agree_with_a_search_from_scratch():
    rng = np.random.default_rng(2)
    own, other = (["".join(map(str, row)) for row in rng.integers(0, 2, (3, 40))] for _ in range(2))
    pasts, seen = Pasts(), view(own, other)
    carry = pasts.fresh(3, 1000)
    for t in range(1, 41):
        pasts.learn(carry, seen.until(t))
        for kind in pasts.kinds:
            for b in range(3):
                expected = [_agreement(kind, own[b], other[b], t, t - 1 - a) for a in range(t - 1)]
                assert pasts.lengths(carry, kind, t)[b].tolist() == expected
    place, length = pasts.find(carry, "both", 40, window=10)
    for b in range(3):
        lengths = [_agreement("both", own[b], other[b], 40, 39 - a) for a in range(10)]
        assert (place[b], length[b]) == (lengths.index(max(lengths)), max(lengths))
        moves = pasts.next_moves(carry, place, 40)
        assert (moves[0][b], moves[1][b]) == (int(other[b][39 - place[b]]), int(own[b][39 - place[b]]))


def _agreement(kind, own, other, now, then):
    """How many rounds before ``then`` equal those before ``now``, one by one."""
    length = 0
    while length < then and all(
        text[then - 1 - length] == text[now - 1 - length]
        for seat, text in (("own", own), ("other", other))
        if kind in (seat, "both")
    ):
        length += 1
    return length


def test_frequencies_within_windows():
    frequencies, seen = Frequencies((0, 3)), view("0122220", "1110222")
    carry = frequencies.fresh(1)
    for t in range(1, 8):
        frequencies.learn(carry, seen.until(t))
    assert carry["frequencies"][0].tolist() == [[[1, 3, 3], [2, 1, 4]], [[0, 0, 3], [1, 0, 2]]]
    assert frequencies.most(carry).tolist() == [[1, 2, 2, 2]]


def test_a_board_scores_every_rotation():
    """Guess 0 said paper and scissors came: beating it (scissors) drew, paper itself lost, rock won."""
    board = Board("b", 2, (1.0, 0.5))
    carry = board.fresh(1)
    board.note(carry, np.array([[1, 2]]))
    board.learn(carry, np.array([2]))
    assert board.scores(carry)[0, 0].T.tolist() == [[-1, 0, 1], [0, 1, -1]]
    board.note(carry, np.array([[0, 0]]))
    board.learn(carry, np.array([0]))
    assert board.scores(carry)[0, 1].T.tolist() == [[-0.5, 1, -0.5], [0, 1.5, -1.5]]
    move, score = board.best(carry)
    assert (move[0].tolist(), score[0].tolist()) == ([1, 1], [2, 1.5])  # both guess rock now, and paper beats it


def test_a_bank_counts_as_tallies_do():
    rng = np.random.default_rng(3)
    bank, tallies = Bank("k", [3, 9], [0.9, 1.0]), [Tally("a", 3, 0.9), Tally("b", 9)]
    carry = bank.fresh(4) | tallies[0].fresh(4) | tallies[1].fresh(4)
    for _ in range(30):
        rows = np.stack([rng.integers(0, 3, 4), rng.integers(0, 9, 4)])
        bases = np.stack([rng.integers(0, 3, 4), np.zeros(4, int)])
        counts = bank.read(carry, rows, bases)
        for k, tally in enumerate(tallies):
            expected = tally.row(carry, rows[k])
            for b in range(4):
                assert counts[k, :, b].tolist() == np.roll(expected[b], bases[k, b]).tolist()
        move = rng.integers(0, 3, 4)
        bank.learn(carry, move)
        for k, tally in enumerate(tallies):
            tally.learn(carry, rows[k], (move - bases[k]) % 3)


def test_sums_and_softmax():
    terms = np.arange(7 * 3 * 2, dtype=np.float32).reshape(7, 3, 2)
    np.testing.assert_array_equal(summed(terms.copy()), terms.sum(axis=0))
    assert softmax(np.log(np.array([[1.0], [2.0], [5.0]]))).ravel() == pytest.approx([1 / 8, 2 / 8, 5 / 8])


def test_a_mixer_comes_to_trust_who_is_right():
    mixer = Mixer("m", [0.5, 0.5], 0.05, haste=3.0)
    carry = mixer.fresh(1)
    right, wrong = np.log([0.8, 0.1, 0.1]), np.log([0.1, 0.8, 0.1])
    logs = np.stack([right, wrong]).astype(np.float32)[..., None]
    first = mixer.mix(carry, logs)[:, 0]
    assert first.tolist() == pytest.approx((np.sqrt([0.08, 0.08, 0.01]) / np.sqrt([0.08, 0.08, 0.01]).sum()).tolist())
    for t in range(60):
        mixer.learn(carry, np.array([0]), t)
        last = mixer.mix(carry, logs)[:, 0]
    weights = carry["m weights"][0]
    assert weights[0] > 0.9 > 0.3 > weights[1]
    assert last[0] > 0.8


def test_the_strong_ones_exploit_and_are_not_exploited():
    table = game(200)
    weak = ("rockbot", "rotatebot", "copybot", "antiflatbot")
    strong = ("context-mixing", "iocaine-like", "bandit")
    pairs = [(a, b) for a in strong for b in (*weak, "randbot", "longest-match") for _ in range(2)]
    players = {name: policies.make(name) for pair in pairs for name in pair}
    block = play_block([Match(i, table, 0, pair) for i, pair in enumerate(pairs)], players, seed=2)
    returns = block.payoffs[:, 0].reshape(len(strong), 6, 2)
    assert returns[:, :4].min() > 150
    assert np.abs(returns[:, 4]).max() < 5 * np.sqrt(2 / 3 * 200)
    assert returns[:, 5].min() > 30


def test_context_mixing_reads_a_hidden_habit():
    """Half of driftbot's moves follow a rule, which is worth 150 in 300 to who knows it."""
    table, players = game(300), {name: policies.make(name) for name in ("context-mixing", "driftbot", "foxtrotbot")}
    pairs = [("context-mixing", other) for other in ("driftbot", "foxtrotbot") for _ in range(6)]
    block = play_block([Match(i, table, 0, pair) for i, pair in enumerate(pairs)], players, seed=2)
    drift, fox = block.payoffs[:, 0].reshape(2, 6).mean(axis=1)
    assert drift > 60
    assert fox > 80


def test_sources_name_known_contexts_and_bases():
    assert len(SOURCES) == len(set(SOURCES))
    assert len(SOURCES) > 80


def test_another_game_is_refused():
    bot = policies.make("iocaine-like")
    assert "plays rock-paper-scissors" in bot.check(games.make("matching-pennies"))
    assert bot.check(game(10)) == ""


def test_keys_decide_draws_alone():
    bot, seen = policies.make("randbot"), view(["0"] * 50, ["1"] * 50)
    first, _ = bot.throw(seen, None)
    again, _ = bot.throw(replace(seen, other=1 - seen.other), None)
    assert first.tolist() == again.tolist()
    assert set(first.tolist()) == {0, 1, 2}
