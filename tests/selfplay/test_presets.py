"""Every preset on matches that the shipped model played; what they need, their options, and training with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import games
import selfplay
from arena.match import run_matches
from arena.records import Match
from games.errors import BadOption, UnknownName, UsageError
from policies.llm.base import load_base
from policies.llm.player import LLMPolicy
from selfplay import TrainConfig
from selfplay.advantages import NEEDS, Normaliser, get_preset, preset, presets
from selfplay.advantages.steps import step_advantage
from selfplay.learner import Learner
from selfplay.log import read_metrics
from selfplay.sources import Sources
from selfplay.table import turn_table

CONFIG = TrainConfig(gamma=0.9, beta=0.5, lora_rank=4, steps=10, matches=8, group_size=4)
SHIPPED = tuple(presets())
TIMES = {"seconds", "play_seconds", "train_seconds", "tokens_per_second", "memory"}


@pytest.fixture(name="played", scope="module")
def matches_of_the_shipped_model():
    """(learner, episodes): two deals of Trust-and-Split, four matches each, in self-play and against a frozen copy."""
    base = load_base("tiny")
    game = games.make("trust-and-split:rounds=2")
    plan = [Match(i, game, i // 4, ("learner", ("learner", "past-1")[i // 4]), i // 4) for i in range(8)]
    players = {name: LLMPolicy(base, None) for name in ("learner", "past-1")}
    return Learner(base, CONFIG), sorted(run_matches(plan, players, seed=5), key=lambda e: e.match.id)


@pytest.fixture(name="table", scope="module")
def filled_table(played):
    learner, episodes = played
    needs = tuple(NEEDS)
    return Sources(needs, learner, Normaliser()).fill(turn_table(episodes, "learner", 0.03), episodes)


def trained(table, advantage):
    """The advantages that carry loss, one column."""
    return np.asarray(advantage).reshape(len(table), -1)[table.learner].ravel()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_preset_values_the_turns_that_were_played(table, name) -> None:
    found = get_preset(name).estimate(table, CONFIG, Normaliser(few=0))
    assert found.shape in ((len(table),), (len(table), 2))
    assert np.isfinite(found).all()
    assert np.abs(trained(table, found)).max() > 1e-3
    again = get_preset(name).estimate(table, CONFIG, Normaliser(few=0))
    assert (found == again).all()


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - {"mapo", "mars", "mars-released", "spiral", "turn-ppo"}))
def test_a_constant_paid_to_everybody_changes_nothing_where_matches_are_compared(table, name) -> None:
    """Half a unit more in every match, at the last turn; MAPO reads outcomes, the others their own running numbers."""
    last = table.turn == np.bincount(table.keys("match", "seat"))[table.keys("match", "seat")] - 1
    richer = replace(table, reward=table.reward + np.where(last, 0.5, 0.0))
    config = replace(CONFIG, gamma=1.0)
    before, after = (get_preset(name).estimate(t, config, Normaliser(few=0)) for t in (table, richer))
    assert trained(table, after) == pytest.approx(trained(table, before), abs=1e-5)


def test_what_a_frozen_opponent_earns_changes_nothing_for_the_learner(table) -> None:
    richer = replace(table, reward=np.where(table.learner, table.reward, table.reward + 100))
    for name in sorted(set(SHIPPED) - {"advantage-alignment", "public-baseline"}):
        before, after = (get_preset(name).estimate(t, CONFIG, Normaliser(few=0)) for t in (table, richer))
        assert trained(table, after) == pytest.approx(trained(table, before), abs=1e-6), name


def test_reference_log_probabilities_are_those_of_play_while_nothing_is_learned(table) -> None:
    """The adapter is new, so the base is what played."""
    assert table.reference[table.learner] == pytest.approx(table.logp[table.learner], abs=1e-3)
    assert table.logp[table.learner].max() < 0
    assert table.length[table.learner].min() >= 1


def test_states_are_equal_exactly_where_all_that_was_read_and_done_is(table, played) -> None:
    _, episodes = played
    seen: dict[int, set] = {}
    for i in range(len(table)):
        episode = next(e for e in episodes if e.match.id == table.match[i])
        mine = [t for t in episode.turns if t.seat == table.seat[i]][: table.turn[i] + 1]
        story = (int(table.seat[i]), tuple((t.observation, t.move) for t in mine[:-1]), mine[-1].observation)
        seen.setdefault(int(table.state[i]), set()).add(story)
    assert all(len(stories) == 1 for stories in seen.values())
    assert len(set.union(*seen.values())) == len(seen)


def test_messages_are_told_from_moves(table, played) -> None:
    """Three turns a round: a message, then a claim."""
    assert table.talk[table.seat == 0].tolist() == [1, 0] * (int((table.seat == 0).sum()) // 2)


def test_value_heads_learn_returns_and_are_read_before_they_learn(played) -> None:
    learner, episodes = played
    sources = Sources(("values",), learner, Normaliser())
    errors = []
    for _ in range(4):
        table = sources.fill(turn_table(episodes, "learner"), episodes)
        target = np.array([table.reward[i:][table.keys("match", "seat")[i:] == k] @ 0.9 ** np.arange(99)[: n]
                           for i, k, n in _rest(table)])  # fmt: skip
        errors.append(float(((table.value - target)[table.learner] ** 2).mean()))
    assert table.value.shape == (len(table),)
    assert errors[1] < 0.6 * errors[0]
    assert errors[3] < errors[1]
    restored = Normaliser()
    restored.restore(json.loads(json.dumps(sources.normaliser.state())))
    assert restored.vectors == sources.normaliser.vectors


def _rest(table):
    key = table.keys("match", "seat")
    return [(i, key[i], int((key[i:] == key[i]).sum())) for i in range(len(table))]


def test_capo_starts_with_what_was_good_and_counts_its_steps(table) -> None:
    normaliser, switch = Normaliser(few=0), get_preset("capo:switch=0.2")
    whole = get_preset("grpo").estimate(table, CONFIG, normaliser)
    first, second, third = (switch.estimate(table, CONFIG, normaliser) for _ in range(3))
    assert (first == np.maximum(whole, 0)).all()
    assert (second == first).all()
    assert (third == whole).all()  # two of ten steps are done


def test_options_stand_behind_the_name() -> None:
    found = get_preset("gigpo:weight=0.5,norm=mean-std,anchor=observed")
    assert dict(found.options) == {"weight": 0.5, "norm": "mean-std", "over": "steps", "anchor": "observed"}
    assert get_preset("capo:base=turn-ppo").needs == ("values", "steps")
    assert get_preset("spiral:read-before-update=no").options["read_before_update"] is False


def test_an_option_of_gigpo_is_its_step_weight(table) -> None:
    """Half the weight takes away half of the step part."""
    one, half, none = (get_preset(f"gigpo:weight={w}").estimate(table, CONFIG, Normaliser()) for w in ("1", "0.5", "0"))
    assert one - half == pytest.approx(half - none)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("gigpo:weigth=1", UnknownName, "weight"),
        ("gigpo:norm=median", BadOption, "mean or mean-std"),
        ("gigpo:weight=much", BadOption, "is not a number"),
        ("reinforce:eps=1", BadOption, "no options"),
        ("capo:base=grop", UnknownName, "grpo"),
    ],
)
def test_wrong_options_say_what_is_allowed(spec, error, words) -> None:
    with pytest.raises(error, match=words):
        get_preset(spec)


def test_an_estimator_takes_what_it_uses_of_three_things() -> None:
    with pytest.raises(UsageError, match="no tables; an estimator takes table, config, normaliser"):
        preset("wrong", "none")(lambda tables: tables)
    with pytest.raises(UsageError, match="no luck"):
        preset("wrong", "none", ("luck",))(lambda table: table)
    assert "wrong" not in presets()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"preset": "grpo", "game": "kuhn-poker"}, r"--group-size\) to 2 or more"),
        ({"preset": "rloo", "matches": 1}, "shares? their deal"),
        ({"preset": "advantage-alignment", "game": "maze:form=solo", "group_size": 2}, "two seats"),
    ],
)
def test_a_run_that_can_not_provide_what_a_preset_needs_is_refused_in_one_line(changed, words) -> None:
    config = TrainConfig(**changed)
    with pytest.raises(UsageError, match=words) as refused:
        get_preset(config.preset).check(games.make(config.game), config)
    assert "\n" not in str(refused.value)


def test_a_table_by_hand_without_a_column_says_so(table) -> None:
    with pytest.raises(UsageError, match='no column "value"'):
        get_preset("turn-ppo").estimate(replace(table, value=np.zeros(0)), CONFIG, Normaliser())


def test_step_groups_of_one_get_nothing() -> None:
    assert step_advantage(np.array([5.0, 1.0]), np.array([0, 1]), "mean-std").tolist() == [0, 0]


@pytest.mark.parametrize("name", ["turn-ppo", "progress", "blockwise:illegal_cost=0.2", "capo:base=salt"])
def test_presets_train_and_go_on_after_a_stop(tmp_path, name) -> None:
    """Two steps at once, and one step and then another: the same numbers, value head and step count restored too."""
    small = TrainConfig(
        game="prisoners-dilemma:rounds=2", preset=name, steps=2, matches=4, lora_rank=4, threads=1, gamma=0.9,
        samples_every=0, learning_rate=1e-2, warmup=0,
    )  # fmt: skip
    whole = selfplay.train(replace(small, out=str(tmp_path / "whole")))
    assert whole.metrics["grad_norm"] > 0
    assert whole.metrics["logp_gap"] <= 1e-4
    if name == "turn-ppo":
        selfplay.train(replace(small, steps=1, out=str(tmp_path / "parts")))
        selfplay.train(replace(small, out=str(tmp_path / "parts")))
        assert numbers(tmp_path / "parts") == numbers(tmp_path / "whole")


ROW = "| `{name}` | {paper} | {needs} | {summary} |"
DOCS = Path(__file__).parents[2] / "docs" / "estimators.md"


def test_the_documentation_lists_exactly_the_shipped_presets() -> None:
    lines = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    found = [presets()[name] for name in SHIPPED]
    expected = [
        ROW.format(name=p.name, paper=p.paper, needs=", ".join(p.needs) or "rewards", summary=p.summary) for p in found
    ]
    assert [line for line in lines if line.count("|") >= 5] == expected


def test_the_documentation_explains_every_need() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert [need for need in NEEDS if f"- **{need}**: {NEEDS[need]}" not in text] == []


def numbers(folder: Path) -> list[dict[str, float]]:
    return [{k: v for k, v in m.items() if k not in TIMES} for m in read_metrics(folder)]
