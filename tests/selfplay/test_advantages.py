"""Advantage estimators against worked numbers, and what must always hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import arena
from games.errors import UnknownName
from selfplay.advantages import (
    Normaliser,
    align,
    align_melting_pot,
    aligned_advantages,
    get_preset,
    group_mean,
    group_std,
    leave_one_out_mean,
    presets,
    return_to_go,
)
from selfplay.config import TrainConfig
from selfplay.table import TurnTable, turn_table

VECTORS = json.loads((Path(__file__).parent / "estimator_vectors.json").read_text())
CLOSE = {"abs": 1e-5, "rel": 0}


def table_of(matches: list[dict], floor: float = 0.0, learner: str = "a") -> TurnTable:
    """A table written by hand: each match names its game, deal, entrants and, per seat, (round, reward) of turns."""
    rows = []
    names: dict[object, int] = {}
    for number, match in enumerate(matches):
        entrants = match.get("entrants", ("a", "a"))
        for seat, turns in enumerate(match["turns"]):
            others = tuple(e for s, e in enumerate(entrants) if s != seat)
            for k, (round_, reward) in enumerate(turns):
                role = match.get("roles", ("first", "second"))[seat]
                keys = [match.get("game", "g"), ("role", role), entrants[seat], ("others", *others)]
                ids = [names.setdefault(key, len(names)) for key in keys]
                mine = entrants[seat] == learner
                rows.append((number, seat, k, round_, reward, mine, *ids, match.get("deal", -1), k, floor, k))
    kinds = [int] * 4 + [float, bool] + [int] * 6 + [float, int]
    columns = [np.array(c, kind) for c, kind in zip(zip(*rows, strict=True), kinds, strict=True)]
    return TurnTable(*columns, tuple(names))


def test_leave_one_out_is_the_rloo_vector() -> None:
    vector = VECTORS["rloo"]
    reward, group = (np.array(vector["inputs"][k], float) for k in ("reward", "group"))
    found = reward - leave_one_out_mean(reward, group.astype(int), np.arange(len(reward)))
    assert found == pytest.approx(vector["output"], **CLOSE)


def test_group_mean_and_deviation_are_the_grpo_vectors() -> None:
    vector = VECTORS["grpo"]
    reward, group = np.array(vector["inputs"]["reward"], float), np.array(vector["inputs"]["group"])
    centred = reward - group_mean(reward, group)
    assert centred == pytest.approx(VECTORS["dr_grpo"]["output"], **CLOSE)
    found = centred / (group_std(reward, group, ddof=vector["params"]["ddof"]) + vector["params"]["eps"])
    assert found == pytest.approx(vector["output"], **CLOSE)


def test_mars_is_sum_then_normalise_per_role() -> None:
    """arXiv 2510.15414: two games of two players, statistics per player over all turns."""
    vector = VECTORS["mars_turn_level"]
    games = [[t for t in vector["inputs"]["trajectories"] if t["game"] == g] for g in ("g0", "g1")]
    matches = [{"turns": [[(k, r) for k, r in enumerate(t["turn_reward"])] for t in game]} for game in games]
    table = table_of(matches)
    value = return_to_go(table.reward, table.keys("match", "seat"))
    assert value == pytest.approx(np.concatenate(vector["output"]["return_to_go"]), **CLOSE)
    assert Normaliser(few=0).centre(table, value) == pytest.approx(
        np.concatenate(vector["output"]["mean_only"]), **CLOSE
    )
    found = get_preset("mars").estimate(table, TrainConfig(), Normaliser(few=0))
    assert found == pytest.approx(np.concatenate(vector["output"]["mean_std"]), **CLOSE)


def test_alignment_for_language_models() -> None:
    vector = VECTORS["advantage_alignment_llm"]
    own, other = (np.array(vector["inputs"][k], float) for k in ("A_self", "A_other"))
    found = align(own, other, vector["params"]["beta"], vector["params"]["gamma"])
    assert found == pytest.approx(vector["output"]["credit"], **CLOSE)


@pytest.mark.parametrize(
    ("own", "other", "beta", "gamma", "expected"),
    [
        ([1, 2, 3], [1, 1, 1], 1.0, 0.9, [1, 2.81, 5.349]),
        ([1, -1, 0.5, 2], [0.5, 1, -1, -0.5], 2.0, 0.96, [1, 0.8432, 0.573728, 1.574589]),
    ],
)
def test_alignment_by_hand(own, other, beta, gamma, expected) -> None:
    """Computed from the formula of arXiv 2511.19405 on paper."""
    assert align(np.array(own, float), np.array(other, float), beta, gamma) == pytest.approx(expected, abs=1e-6)


def test_alignment_including_now_by_hand() -> None:
    """Σ_{k≤t}: weights 1, 0.9·1 + 2, 0.81·1 + 0.9·2 + 3; no extra factor γ."""
    found = align(np.array([1.0, 2, 3]), np.ones(3), 1.0, 0.9, including_now=True)
    assert found == pytest.approx([2, 2 + 2.9, 3 + 5.61], abs=1e-12)


def test_alignment_for_many_players() -> None:
    vector = VECTORS["advantage_alignment_meltingpot"]
    advantages = np.array(vector["inputs"]["A[player][t]"], float)
    found = align_melting_pot(advantages, vector["params"]["aa_weight"])
    assert np.abs(found - np.array(vector["output"])).max() < 1e-5


def test_group_relative_baseline_leaves_whole_matches_out() -> None:
    """arXiv 2511.19405: leave-one-out at the same round over matches of the same deal; β = 0 leaves it alone."""
    vector = VECTORS["group_relative_baseline_adalign"]
    rewards = vector["inputs"]["reward[rollout][t]"]
    matches = [
        {"deal": 5, "entrants": ("a", "b"), "turns": [list(enumerate(r)), list(enumerate([0.0] * 3))]} for r in rewards
    ]
    table = table_of(matches)
    found = aligned_advantages(table, 0.0, vector["params"]["gamma"])
    mine = found[table.seat == 0].reshape(3, 3)
    assert np.abs(mine - np.array(vector["output"]["advantage"])).max() < 1e-5
    assert found[table.seat == 1] == pytest.approx(np.zeros(9))


def test_both_seats_of_a_self_play_match_are_left_out_together() -> None:
    """With one entrant in both seats each seat is compared with the same seat of other matches only."""
    matches = [{"turns": [[(0, a)], [(0, b)]]} for a, b in ((3.0, 1.0), (5.0, 2.0), (4.0, 6.0))]
    table = table_of(matches)
    found = aligned_advantages(table, 0.0, 1.0)
    assert found[table.seat == 0] == pytest.approx([-1.5, 1.5, 0.0])
    assert found[table.seat == 1] == pytest.approx([-3.0, -1.5, 4.5])


def test_groups_differ_by_deal_seat_and_co_player_and_a_group_of_one_gives_zero() -> None:
    matches = [
        {"deal": 1, "entrants": ("a", "b"), "turns": [[(0, 1.0)], [(0, 0.0)]]},
        {"deal": 1, "entrants": ("a", "c"), "turns": [[(0, 9.0)], [(0, 0.0)]]},
        {"deal": 2, "entrants": ("a", "b"), "turns": [[(0, 7.0)], [(0, 0.0)]]},
        {"deal": 1, "entrants": ("b", "a"), "turns": [[(0, 0.0)], [(0, 4.0)]]},
    ]
    assert aligned_advantages(table_of(matches), 2.0, 0.9) == pytest.approx(np.zeros(8))


def test_every_turn_of_a_round_gets_the_rounds_advantage() -> None:
    """Two turns a round (a message, then a claim that pays): both carry the credit, in both rounds."""
    matches = [
        {"turns": [[(0, 0.0), (0, a), (1, 0.0), (1, b)], [(0, 0.0), (0, 0.0), (1, 0.0), (1, 0.0)]]}
        for a, b in ((4, 2), (0, 0))
    ]
    found = aligned_advantages(table_of(matches), 0.0, 0.5)
    assert found[:4] == pytest.approx([5, 5, 2, 2])  # G = 4 + 0.5·2, then 2, against 0 in the other match
    assert found[8:12] == pytest.approx([-5, -5, -2, -2])


def test_reinforce_compares_with_other_matches_and_scales_by_role() -> None:
    matches = [{"turns": [[(0, a)], [(0, b)]]} for a, b in ((1.0, 0.0), (3.0, 0.0), (5.0, 0.0))]
    found = get_preset("reinforce").estimate(table_of(matches), TrainConfig(), Normaliser(few=0))
    assert found[::2] == pytest.approx([-1.0, 0.0, 1.0])  # −3, 0, 3 over their deviation (ddof 1) of 3
    assert found[1::2] == pytest.approx([0.0, 0.0, 0.0])


def test_statistics_are_per_role_and_of_the_learner_alone() -> None:
    """A role that always earns 100 more is not better for it, and a frozen opponent's returns change nothing."""
    turns = [[(0, 100.0), (1, 104.0)], [(0, 0.0), (1, 4.0)]]
    both = table_of([{"turns": turns}])
    found = Normaliser(few=0).centre(both, both.reward)
    assert found == pytest.approx([-2, 2, -2, 2])
    versus = table_of([{"turns": turns}, {"entrants": ("b", "b"), "turns": [[(0, 1e6)], [(0, -1e6)]]}])
    assert Normaliser(few=0).centre(versus, versus.reward)[:4] == pytest.approx([-2, 2, -2, 2])


def test_deviations_are_floored_and_small_batches_use_running_statistics() -> None:
    table = table_of([{"turns": [[(0, 1.0), (1, 1.0)], []]}], floor=0.5)
    assert Normaliser(few=0).scale(table, table.reward) == pytest.approx([2.0, 2.0])
    normaliser = Normaliser(few=4)
    big = table_of([{"turns": [[(k, float(k)) for k in range(8)], []]}])
    normaliser.centre(big, big.reward)  # mean 3.5 of eight
    assert normaliser.centre(table, table.reward) == pytest.approx([1 - 3.5, 1 - 3.5])
    again = Normaliser(few=4)
    again.restore(json.loads(json.dumps(normaliser.state())))
    assert again.running == normaliser.running


def test_rewards_until_the_next_turn_belong_to_a_turn() -> None:
    """Tic-tac-toe's loser is paid at the winner's last move, which comes after its own last turn."""
    [episode] = arena.play("tic-tac-toe", ["minimax", "random"], seed=11)
    table = turn_table([episode], "minimax")
    for seat in (0, 1):
        assert table.reward[table.seat == seat].sum() == pytest.approx(episode.payoffs[seat])
        assert not table.reward[table.seat == seat][:-1].any()


def test_rewards_are_divided_by_the_games_unit() -> None:
    [episode] = arena.play("prisoners-dilemma:rounds=2", ["always-defect", "always-cooperate"])
    table = turn_table([episode], "always-defect", std_floor=0.1)
    assert table.reward.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert table.deal.tolist() == [-1] * 4  # no chance: every match is comparable
    assert table.floor.tolist() == [pytest.approx(0.1 * 10 / 5)] * 4


def test_unknown_presets_name_the_nearest() -> None:
    assert {"reinforce", "mars", "advantage-alignment"} <= set(presets())
    with pytest.raises(UnknownName, match='did you mean "mars"'):
        get_preset("marsh")
