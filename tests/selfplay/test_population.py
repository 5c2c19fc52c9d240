"""Whom a run plays and what: menus of games, past snapshots by how hard they are, the gate before promotion."""

from __future__ import annotations

import numpy as np
import pytest
from peft import LoraConfig

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games import Stream
from games.errors import ArenaError
from policies.llm.base import load_base
from policies.llm.player import Decoding
from selfplay import TrainConfig
from selfplay.gate import Gate, lower_bound, suite
from selfplay.menu import menu
from selfplay.opponents import Opponents, parse_opponents
from selfplay.past import Scores, maximin, nash, prioritised, uniform
from selfplay.samples import transcript


def test_a_menu_of_several_games_is_sampled_by_weight() -> None:
    several = menu("3*kuhn-poker + tic-tac-toe")
    drawn = [several.draw(0, Stream(n)).spec for n in range(2000)]
    assert 0.72 < drawn.count("kuhn-poker") / 2000 < 0.78
    assert [g.spec for g in several.games] == ["kuhn-poker", "tic-tac-toe"]


def test_a_curriculum_changes_the_game_at_its_steps() -> None:
    rising = menu("goofspiel:cards=3", ["10:goofspiel:cards=4", "20:goofspiel + kuhn-poker"])
    assert [rising.draw(step, Stream(1)).spec for step in (0, 9, 10, 19)] == [
        *["goofspiel:cards=3"] * 2,
        *["goofspiel:cards=4"] * 2,
    ]
    assert {rising.draw(20, Stream(n)).spec for n in range(20)} == {"goofspiel", "kuhn-poker"}


def test_one_game_alone_draws_nothing() -> None:
    rng = Stream(5)
    menu("kuhn-poker").draw(0, rng)
    assert rng.random() == Stream(5).random()


@pytest.mark.parametrize(
    ("game", "curriculum", "words"),
    [
        ("0*kuhn-poker", (), "positive weight"),
        ("x*kuhn-poker", (), "positive weight"),
        ("kuhn-poker + kun-poker", (), "kuhn-poker"),
        ("kuhn-poker", ("soon:kuhn-poker",), "STEP:GAME"),
        ("kuhn-poker", ("20:kuhn-poker", "10:kuhn-poker"), "must rise"),
        ("kuhn-poker", ("0:kuhn-poker",), "must rise"),
    ],
)
def test_wrong_menus_are_refused(game, curriculum, words) -> None:
    with pytest.raises(ArenaError, match=words):
        menu(game, curriculum)


def test_hard_snapshots_are_met_more_often() -> None:
    scores = Scores({"a": 0.9, "b": 0.5, "c": 0.0})
    weights = np.array([0.01, 0.25, 1.0])
    assert prioritised(["a", "b", "c"], scores) == pytest.approx(0.9 * weights / weights.sum() + 0.1 / 3)
    assert prioritised(["a"], Scores({"a": 1.0})) == pytest.approx(uniform(["a"], scores))


def test_the_mean_score_forgets_slowly() -> None:
    scores = Scores()
    for value in (1.0, 0.0, 0.0):
        scores.add("a", value)
    assert scores.now["a"] == pytest.approx(0.81)
    scores.freeze("b")
    scores.add("a", 0.0)
    assert scores.table == {"b": {"a": pytest.approx(0.81)}}
    copy = Scores()
    copy.restore(scores.state())
    assert copy == scores


def test_nash_of_a_cycle_is_even_and_a_dominated_snapshot_is_rare() -> None:
    beats = {"b": {"a": 1.0}, "c": {"b": 1.0, "a": 0.0}, "d": {"a": 0.0, "b": 0.0, "c": 0.0}}
    assert nash(list("abcd"), Scores({}, beats)) == pytest.approx([0.325, 0.325, 0.325, 0.025], abs=1e-6)


def test_maximin_of_rock_paper_scissors_with_a_doubled_win() -> None:
    """Rock beats scissors by 2: the equilibrium is (1/4, 1/2, 1/4), worked out by hand."""
    assert maximin(np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])) == pytest.approx([0.25, 0.5, 0.25])


def judge(tests, players, **settings):
    gate = Gate(suite(tests, games.make("prisoners-dilemma")), TrainConfig(gate_matches=8, **settings))
    made = [policies.make(p) for p in players]
    return gate, [gate.judge(n, p, made[n - 1] if n else None) for n, p in enumerate(made)]


def test_who_does_no_worse_is_promoted_and_who_does_is_not() -> None:
    gate, (first, second, third) = judge(["tit-for-tat"], ["tit-for-tat", "always-cooperate", "always-defect"])
    assert (first.promoted, second.promoted, third.promoted) == (True, True, False)
    assert second.change["tit-for-tat"] == (0.0, 0.0)  # 3 a round against tit-for-tat, as before
    assert third.change["tit-for-tat"][0] == pytest.approx((14 - 30) / 50)  # 5 + 9 × 1 of a range of 50
    assert gate.refused == [2]
    assert gate.best["tit-for-tat"] == [pytest.approx(30 / 50)] * 8


def test_the_promoted_one_is_met_itself_and_other_games_count() -> None:
    _, (first, second) = judge(["promoted", "minimax@tic-tac-toe", "self"], ["random", "random"])
    assert first.promoted
    assert set(second.metrics()) >= {"promoted", "gate/self", "gate/minimax@tic-tac-toe/low", "gate/promoted"}


def test_a_margin_lets_a_small_loss_through() -> None:
    assert judge(["tit-for-tat"], ["tit-for-tat", "always-defect"], gate_margin=0.4)[1][1].promoted


@pytest.mark.parametrize("entry", ["tit-for-tot", "minimax", "tit-for-tat@chickens"])
def test_a_wrong_suite_is_refused(entry) -> None:
    with pytest.raises(ArenaError):
        suite([entry], games.make("prisoners-dilemma"))


def test_the_lower_bound_is_students() -> None:
    """Mean 2, deviation 1, n = 3: 2 − 4.302653 / √3."""
    assert lower_bound(np.array([1.0, 2.0, 3.0])) == pytest.approx(2 - 4.3026527 / 3**0.5)
    assert lower_bound(np.array([0.5])) == 0.5


def test_a_transcript_is_plain_text() -> None:
    match = Match(0, games.make("kuhn-poker"), 3, ("a", "b"))
    [episode] = run_matches([match], dict.fromkeys("ab", policies.make("always-call")), seed=0)
    text = transcript(episode)
    assert text.splitlines()[0] == "kuhn-poker, deal 3: 0 a, 1 b"
    assert text.count("says:") == len(episode.turns)
    assert text.splitlines()[-1].startswith("payoffs ")


def test_a_snapshot_that_leaves_the_pool_leaves_the_memory(tmp_path) -> None:
    """A pool of two: the third drives out the second, the fourth the third."""
    base = load_base("tiny")
    pool = Opponents(parse_opponents(["past:uniform"]), base, Decoding(), 2)
    for step in (1, 2, 3, 4):
        key = base.add(LoraConfig(r=2, target_modules="all-linear", task_type="CAUSAL_LM"), seed=step)
        base.save(key, tmp_path / str(step))
        base.drop(key)
    before = set(base.peft.peft_config)
    for step in (1, 2):
        pool.add(step, tmp_path / str(step))
        pool.policy(f"past-{step}")
    assert len(set(base.peft.peft_config) - before) == 2
    pool.add(3, tmp_path / "3")
    pool.policy("past-3")
    assert list(pool.snapshots) == ["past-1", "past-3"]
    loaded = set(base.peft.peft_config) - before
    assert len(loaded) == 2
    user = policies.make(f"llm:tiny+{tmp_path / '3'}")  # equal weights are loaded once
    pool.add(4, tmp_path / "4")
    assert list(pool.snapshots) == ["past-1", "past-4"]
    assert set(base.peft.peft_config) - before == loaded  # the user still plays with it
    players = {"past-1": pool.policy("past-1"), "past-4": pool.policy("past-4"), "user": user}
    matches = [Match(0, games.make("kuhn-poker"), 0, ("past-1", "past-4"))]
    matches.append(Match(1, games.make("kuhn-poker"), 0, ("user", "past-1")))
    assert len(list(run_matches(matches, players, seed=1))) == 2
