"""Several learners in one run: who sits where, what each keeps for itself, the league, resuming."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import games
import policies
import selfplay
from arena.exploitability import exploitability
from arena.match import run_matches
from arena.records import Match
from games import Stream, exact
from games.errors import ArenaError
from policies.llm.base import load_base
from policies.llm.player import Decoding
from policies.strategies import strategy
from selfplay import TrainConfig
from selfplay.league import wins
from selfplay.log import read_metrics
from selfplay.menu import menu
from selfplay.opponents import Company, Opponents, parse_opponents
from selfplay.past import Scores
from selfplay.population import Population, population
from selfplay.rollout import plan, play

RPS = games.make("rock-paper-scissors:rounds=1")
KUHN = games.make("kuhn-poker")
TIMES = {"seconds", "play_seconds", "train_seconds", "tokens_per_second", "memory"}
LEAGUE = {
    "game": RPS.spec, "preset": "mars", "adapters": "league:1", "steps": 6, "matches": 8, "lora_rank": 2, "threads": 1,
    "opponents": ("0.4*self", "0.4*past:nash", "0.4*members"), "snapshot_every": 2, "exploiter_steps": 3,
    "samples_every": 0, "reference": 0.1, "learning_rate": 3e-3,
}  # fmt: skip
SEATS = {
    "game": "kuhn-poker", "preset": "mars", "adapters": "per-seat", "steps": 3, "matches": 8, "lora_rank": 2,
    "opponents": ("self", "past:uniform"), "snapshot_every": 1, "threads": 1, "samples_every": 0,
}  # fmt: skip


def numbers(folder):
    return [{k: v for k, v in m.items() if k not in TIMES} for m in read_metrics(folder)]


def seatings(adapters, opponents, game=KUHN, *, roles="swapped", matches=24, snapshots=(), step=0):
    who = population(adapters, roles, [game])
    config = TrainConfig(game=game.spec, matches=matches, adapters=adapters)
    pool = Opponents(parse_opponents(opponents), load_base("tiny"), Decoding(), 20)
    for owner, at in snapshots:
        pool.add(at, None, owner)
    scores = {name: Scores() for name in who.names}
    return [m.entrants for m in plan(menu(game.spec), config, who, pool, scores, step)]


def test_a_single_learner_takes_every_seat_in_turn_or_the_first_where_roles_are_fixed() -> None:
    assert seatings("shared", ["random"], matches=4) == [("learner", "random"), ("random", "learner")] * 2
    assert seatings("shared", ["random"], roles="fixed", matches=2) == [("learner", "random")] * 2
    assert seatings("shared", ["self"], roles="fixed", matches=1) == [("learner", "learner")]


def test_an_adapter_per_seat_keeps_to_its_seat_also_as_a_past_self() -> None:
    assert seatings("per-seat", ["self"], matches=2) == [("seat-0", "seat-1")] * 2
    past = seatings("per-seat", ["past:uniform"], snapshots=[("seat-0", 1), ("seat-1", 1), ("seat-1", 2)], matches=40)
    assert {a for a, _ in past[0::2]} == {"seat-0"}
    assert {b for _, b in past[0::2]} == {"past-seat-1-1", "past-seat-1-2"}
    assert set(past[1::2]) == {("past-seat-0-1", "seat-1")}


def test_members_take_turns_and_meet_each_other() -> None:
    drawn = seatings("members:3", ["members"], matches=60)
    assert {a for a, _ in drawn} == {b for _, b in drawn} == {"member-0", "member-1", "member-2"}
    assert all(a != b for a, b in drawn)
    assert seatings("members:2", ["self"], matches=2) == [("member-0",) * 2, ("member-1",) * 2]


def test_members_with_fixed_roles_meet_only_those_of_other_seats() -> None:
    """Four members of a game for two: 0 and 2 sit first, 1 and 3 second."""
    drawn = seatings("members:4", ["self", "members"], roles="fixed", matches=60)
    assert {a for a, _ in drawn} == {"member-0", "member-2"}
    assert {b for _, b in drawn} == {"member-1", "member-3"}


def test_an_exploiter_meets_the_main_agent_alone_and_only_it_learns_from_that() -> None:
    drawn = seatings("league:1", ["self", "members", "past:uniform"], RPS, matches=80, snapshots=[("exploiter-0", 3)])
    assert {frozenset(d) for d in drawn[1::2]} == {frozenset({"main", "exploiter-0"})}
    mains = {other for d in drawn[0::2] for other in d}
    assert mains == {"main", "exploiter-0", "past-exploiter-0-3"}
    who = population("league:1", "swapped", [RPS])
    assert [who.learns(n, 1, ("main", "exploiter-0")) for n in who.names] == [False, True]
    assert Population(("a", "b")).learns("a", 1, ("a", "b"))


@pytest.mark.parametrize(
    ("adapters", "roles", "game", "words"),
    [
        ("member:2", "swapped", KUHN, "members:N"),
        ("members:1", "swapped", KUHN, "at least 2"),
        ("league", "swapped", KUHN, "at least 1"),
        ("league:1", "fixed", KUHN, "swapped"),
        ("shared:2", "swapped", KUHN, "shared"),
    ],
)
def test_populations_that_can_not_be_are_refused(adapters, roles, game, words) -> None:
    with pytest.raises(ArenaError, match=words):
        population(adapters, roles, [game])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"matches": 1}, "too few for 2 learners"),
        ({"gate": ("random",)}, "every seat"),
        ({"adapters": "shared", "opponents": ("members",)}, "several learners"),
        ({"roles": "sometimes"}, "fixed"),
    ],
)
def test_settings_that_do_not_go_together_stop_before_anything_is_written(tmp_path, changed, words) -> None:
    with pytest.raises(ArenaError, match=words):
        selfplay.train(TrainConfig(**{**SEATS, **changed, "out": str(tmp_path / "run")}))
    assert not (tmp_path / "run").exists()


def test_a_win_is_more_than_the_others_got() -> None:
    table = {"a": policies.make("always-call"), "b": policies.make("always-call")}
    deals = [Match(n, KUHN, n, ("a", "b")) for n in range(30)]
    episodes = list(run_matches(deals, table, seed=1))
    won = sum(e.payoffs[e.match.entrants.index("a")] > 0 for e in episodes)
    assert wins(episodes, "a") == pytest.approx(won / 30)  # two cards are never equal
    dilemma = Match(0, games.make("prisoners-dilemma"), 0, ("a", "b"))
    assert wins(list(run_matches([dilemma], dict.fromkeys("ab", policies.make("tit-for-tat")), seed=1)), "a") == 0.5


@pytest.fixture(name="league", scope="module")
def league_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "league"
    selfplay.train(TrainConfig(**LEAGUE, out=str(folder)))
    return folder


def test_a_league_logs_every_member_and_its_exploiter_begins_again(league) -> None:
    log = read_metrics(league)
    assert [m["member/exploiter-0/age"] for m in log] == [1, 2, 3, 1, 2, 3]
    assert {"payoff", "entropy", "member/main/payoff", "member/main/entropy", "member/main/met/self"} <= set(log[0])
    assert {"member/exploiter-0/won", "member/exploiter-0/kl", "member/exploiter-0/met/main"} <= set(log[0])
    assert max(m["logp_gap"] for m in log) <= 1e-4
    assert log[3]["member/exploiter-0/kl"] == 0.0 < log[2]["member/exploiter-0/kl"]
    saved = sorted(str(p.relative_to(league / "snapshots")) for p in (league / "snapshots").glob("*/*"))
    assert saved == [
        "step-000002/main", "step-000003/exploiter-0", "step-000004/main", "step-000006/exploiter-0", "step-000006/main"
    ]  # fmt: skip
    assert policies.make(f"llm:tiny+{league / 'adapter' / 'main'}").kind == "adapter"
    assert (league / "adapter" / "exploiter-0" / "arena.json").is_file()


def test_a_league_killed_and_started_again_goes_on_with_the_same_numbers(league, tmp_path) -> None:
    """Right where an exploiter has just begun again, with no moments yet."""
    folder = tmp_path / "killed"
    code = f"""
import os, signal, selfplay
def watch(metrics):
    if metrics["step"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
selfplay.train(selfplay.TrainConfig(**{ {**LEAGUE, "out": str(folder)}!r}), watch)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    result = selfplay.train(TrainConfig(**LEAGUE, out=str(folder)))
    assert numbers(folder) == numbers(league)
    for name in ("main", "exploiter-0"):
        weights = [(f / "adapter" / name / "adapter_model.safetensors").read_bytes() for f in (folder, league)]
        assert weights[0] == weights[1]
    assert result.adapter == folder / "adapter" / "main"


def test_adapters_per_seat_differ_and_resume(tmp_path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    selfplay.train(TrainConfig(**SEATS, out=str(whole)))
    selfplay.train(TrainConfig(**{**SEATS, "steps": 2, "out": str(parts)}))
    selfplay.train(TrainConfig(**SEATS, out=str(parts)))
    assert numbers(parts) == numbers(whole)
    files = [whole / "adapter" / name / "adapter_model.safetensors" for name in ("seat-0", "seat-1")]
    assert files[0].read_bytes() != files[1].read_bytes()
    assert {"payoff/first", "member/seat-0/payoff", "member/seat-1/grad_norm"} <= set(read_metrics(whole)[0])


def test_a_single_learners_numbers_stay_what_they_are(tmp_path) -> None:
    """What was drawn at this seed before there were populations; a change here changes every run."""
    config = TrainConfig(
        game="2*kuhn-poker + tic-tac-toe", preset="grpo", steps=3, matches=12, group_size=3, snapshot_every=1,
        opponents=("self", "0.5*past:uniform", "random"), threads=1, lora_rank=4, out=str(tmp_path / "run"),
    )  # fmt: skip
    selfplay.train(config)
    log = read_metrics(tmp_path / "run")
    assert [m["payoff"] for m in log] == pytest.approx([0.2, 0.333333333, 0.333333333])
    assert [m["turns"] for m in log] == [31, 48, 52]
    assert [m["grad_norm"] for m in log] == pytest.approx([0.44255, 0.44979, 0.65885], rel=1e-3)


def test_the_stream_of_one_opponent_is_not_drawn_from() -> None:
    """Where ``self`` can be one only, nothing is drawn for it, so that single learners' runs stay what they were."""
    pool = Opponents(parse_opponents(["self"]), load_base("tiny"), Decoding(), 20)
    rng = Stream(3)
    assert pool.draw(rng, KUHN, Company(), Scores()) == "learner"
    expected = Stream(3)
    expected.random()
    assert rng.random() == expected.random()


def test_the_best_response_is_to_the_learner_as_it_is_now() -> None:
    """It earns against the learner what exact play says, whatever the learner has become; who has none is told."""
    seated = seatings("members:2", ["best-response"], matches=4)
    assert seated == [
        ("member-0", "best-response:member-0"), ("member-1", "best-response:member-1"),
        ("best-response:member-0", "member-0"), ("best-response:member-1", "member-1"),
    ]  # fmt: skip
    learner, config = policies.make("llm:tiny"), TrainConfig(game=KUHN.spec, matches=2000, live=2000)
    who = population("shared", "swapped", [KUHN])
    pool = Opponents(parse_opponents(["best-response"]), None, Decoding(), 1)
    matches = plan(menu(KUHN.spec), config, who, pool, {"learner": Scores()}, 3)
    for player in (learner, policies.make("bluffer")):
        own = exact.expected_payoffs(KUHN, strategy(KUHN, player))
        won = [exact.best_response_value(KUHN, seat, strategy(KUHN, player)) for seat in (0, 1)]
        assert sum(won) - sum(own) == pytest.approx(2 * exploitability(KUHN, player))
        played = play(matches, {"learner": player}, pool, config)
        for seat in (0, 1):
            got = [e.payoffs[seat] for e in played if e.match.entrants[seat] != "learner"]
            assert sum(got) / len(got) == pytest.approx(won[seat], abs=0.2)  # 1,000 matches, deviation about 1.6
    with pytest.raises(ArenaError, match="best-response"):
        pool.check([games.make("connect-four")])
