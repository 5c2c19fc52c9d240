"""Estimator formulas without a published vector, against numbers computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from selfplay.advantages import whiten
from selfplay.advantages.basics import dr_grpo_advantage, grpo_advantage, rloo_advantage
from selfplay.advantages.hierarchy import (
    RunningMoments,
    centred_luck,
    centred_skill,
    hierarchical_advantages,
    path_advantage,
    skill_and_luck_residual,
)
from selfplay.advantages.replay import off_policy_grpo, replayed_group, truncation_rewards
from selfplay.advantages.reshaping import (
    a_grae_advantage,
    adora_weights,
    canon_advantage,
    ha_dw_advantage,
    ha_dw_belief,
    mapo_advantage,
    quantile_advantage,
)
from selfplay.advantages.steps import bipace_advantage, clusters, last_states, rtmc_advantage
from selfplay.advantages.tokens import ktae_weights, q_value, spae_advantage, spae_potential
from selfplay.advantages.trees import (
    spo_chain,
    spo_cuts,
    spo_tree,
    subtree_success,
    tree_grpo_advantage,
    tree_opo_advantage,
)
from selfplay.advantages.turns import centre_unique, gae, truncated_gae

ONE = np.zeros(1, int)
F = np.array


def test_a_group_of_one_gets_nothing_or_its_raw_reward() -> None:
    """verl keeps the raw reward of GRPO and RLOO; its vectorised RLOO gives 0. Nobody decides silently here."""
    for formula in (grpo_advantage, dr_grpo_advantage, rloo_advantage):
        assert formula(F([3.0]), ONE, alone="zero").tolist() == [0.0]
        assert formula(F([3.0]), ONE, alone="raw").tolist() == [3.0]


def test_ddof_and_epsilon_are_what_differs_between_codebases() -> None:
    """Rewards 1, 0, 0, 1: deviation √(1/3) with ddof 1, ½ with ddof 0; TRL adds 1e-4, verl 1e-6."""
    reward, group = F([1.0, 0, 0, 1]), np.zeros(4, int)
    assert grpo_advantage(reward, group, 1e-4, 1)[0] == pytest.approx(0.5 / (3**-0.5 + 1e-4), abs=1e-12)
    assert grpo_advantage(reward, group, 0.0, 0)[0] == pytest.approx(1.0, abs=1e-12)


def test_whitening_counts_an_entry_as_often_as_its_weight() -> None:
    """Values 1, 0, 0 with weights 3, 1, 0: μ = ¾; variance (3·1/16 + 9/16)/(4 − 1) = ¼."""
    found = whiten(F([1.0, 0, 0]), F([3.0, 1, 0]), eps=0.0)
    assert found == pytest.approx([0.5, -1.5, -1.5])
    assert whiten(F([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_gae_between_one_step_and_the_whole_return() -> None:
    """λ 0 gives δ = r + γV' − V; λ 1 the discounted return minus V."""
    reward, value, one = F([1.0, 2, 4]), F([1.0, 1, 1]), np.zeros(3, int)
    assert gae(reward, value, one, 0.5, 0.0) == pytest.approx([0.5, 1.5, 3.0])
    assert gae(reward, value, one, 0.5, 1.0) == pytest.approx([2.0, 3.0, 3.0])


def test_a_reply_cut_off_bootstraps_from_its_last_value() -> None:
    """δ₂ = 0 + 0.9·2 − 2 = −0.2; δ₁ = 0 + 0.9·2 − 1 = 0.8; A₁ = 0.8 + 0.9·0.5·(−0.2) = 0.71."""
    assert truncated_gae(F([0.0, 0.0]), F([1.0, 2.0]), 0.9, 0.5) == pytest.approx([0.71, -0.2])


def test_distinct_values_are_centred_not_turns() -> None:
    """1, 1, 1, 4 has the distinct mean 2.5."""
    assert centre_unique(F([1.0, 1, 1, 4, 7]), F([0, 0, 0, 0, 1])) == pytest.approx([-1.5, -1.5, -1.5, 1.5, 0])


def test_last_states_tell_short_histories_apart() -> None:
    """A B after the start of a match differs from A B after a C once three states must match."""
    state, trajectory = F([0, 1, 2, 0, 1, 0, 1]), F([0, 0, 1, 1, 1, 2, 2])
    two, three = last_states(state, trajectory, 2), last_states(state, trajectory, 3)
    assert two[1] == two[4] == two[6]
    assert three[1] == three[6] != three[4]


def test_q_minus_v_by_hand() -> None:
    """State A: action l returned 1 and 3, r returned 8: V = 4, Q(l) = 2."""
    found = rtmc_advantage(F([1.0, 3, 8]), np.zeros(3, int), F([0, 0, 1]))
    assert found == pytest.approx([-2, -2, 4])


def test_clusters_join_the_nearest_centroid() -> None:
    hidden = F([[1.0, 0.0], [2.0, 0.1], [0.0, 1.0], [0.1, 3.0]])
    assert clusters(hidden, 0.05).tolist() == [0, 0, 1, 1]
    assert clusters(hidden, 0.0).tolist() == [0, 1, 2, 3]


def test_bipace_falls_back_on_the_others_of_the_cluster() -> None:
    """Action 1 has one peer less than asked: 8 − mean(1, 3); a lone turn gets 0."""
    found = bipace_advantage(F([1.0, 3, 8, 5]), F([0, 0, 0, 1]), F([0, 0, 1, 0]))
    assert found == pytest.approx([-2, -2, 6, 0])


def test_textbook_quantiles_are_a_gate() -> None:
    """0, 0, 1, 1 at 0.4: the textbook quantile is 0, so failures get nothing; √(1/3) is the deviation."""
    found = quantile_advantage(F([0.0, 0, 1, 1]), np.zeros(4, int), 0.4, "inverted_cdf", eps=0.0)
    assert found == pytest.approx([0, 0, 3**0.5, 3**0.5])


def test_mapo_leaves_out_what_it_can_not_divide_by() -> None:
    assert mapo_advantage(F([0.0, 0]), F([0.0, 0]), np.zeros(2, int)).tolist() == [0, 0]
    assert mapo_advantage(F([1.0, 1]), F([1.0, 1]), np.zeros(2, int)).tolist() == [0, 0]


def test_canon_between_and_within_halves() -> None:
    """Halves {1, 0} short and {4, 1} long, α 2 on the long one: {8, 2}."""
    reward, metric, group = F([1.0, 4, 0, 1]), F([1.0, 9, 2, 8]), np.zeros(4, int)
    assert canon_advantage(reward, metric, group, mu=1.0, alpha=2.0) == pytest.approx([-4, 7.5, -5, 1.5])
    assert canon_advantage(reward, metric, group, mu=0.0, alpha=2.0) == pytest.approx([0.5, 3, -0.5, -3])
    low = canon_advantage(reward, metric, group, mu=1.0, alpha=2.0, scaled="low")
    assert low == pytest.approx([-0.5, 3, -2.5, 0])


def test_a_grae_weighs_hard_groups_by_how_good_the_batch_is() -> None:
    """One group of 1, 0, 0, 0: p = ω = ¼, a = (1.5, −0.5, …); weight ⅛/½ + ⅜/√¾; positives times ω."""
    reward, group = F([1.0, 0, 0, 0]), np.zeros(4, int)
    weight = 0.25 + 0.375 / math.sqrt(0.75)
    assert a_grae_advantage(reward, group, eps=0.0) == pytest.approx([1.5 * weight * 0.25, *[-0.5 * weight] * 3])
    coded = 0.25 + 0.375 / 0.5
    assert a_grae_advantage(reward, group, form="code", eps=0.0)[1] == pytest.approx(-0.5 * coded)
    assert a_grae_advantage(F([1.0, 1]), np.zeros(2, int)).tolist() == [0, 0]


def test_a_grae_takes_its_mean_over_rollouts_or_over_groups() -> None:
    """Groups 1, 0 and 0, 0, 0, 0: 1/6 of the rollouts, ¼ of the groups."""
    reward, group = F([1.0, 0, 0, 0, 0, 0]), F([0, 0, 1, 1, 1, 1])
    a, root = math.sqrt(0.5), math.sqrt(0.5)
    paper = -a * ((1 / 12) / root + (5 / 12) / root)
    code = -a * ((1 / 8) / root + (3 / 8) / (1 - root))
    assert a_grae_advantage(reward, group, eps=0.0)[1] == pytest.approx(paper)
    assert a_grae_advantage(reward, group, form="code", eps=0.0)[1] == pytest.approx(code)


def test_ha_dw_lifts_successes_of_groups_that_are_harder_than_believed() -> None:
    """Success 0.2 against a belief of 0.5: e^0.3 on what is good, e^−0.3 on what is bad."""
    found = ha_dw_advantage(F([1.0, -1.0]), F([0.2, 0.2]), 0.5)
    assert found == pytest.approx([math.exp(0.3), -math.exp(-0.3)])
    assert ha_dw_belief(0.5, 1.0, [0.4, 0.6], rate=2.0) == pytest.approx(0.5 + 0.2 * 0.5)


def test_adora_trusts_groups_whose_successes_are_long() -> None:
    correct, length = F([1, 0, 0, 1, 0, 0, 0, 0, 1, 0]), F([9.0, 4, 8, 5, 4, 8, 1, 1, 3, 50])
    group = F([0, 0, 0, 1, 1, 1, 2, 2, 3, 3])
    found = adora_weights(correct, length, group, longest=50)
    assert found.tolist() == [1, 1, 1, 0.1, 0.1, 0.1, 0.1, 0.1, 1, 1]  # 9 > 6; 5 < 6; no success; only cut off failures


def test_trees_scored_twice() -> None:
    """Prompt scores ±a in trees (+, −) and (+, +): the first tree becomes ±√½, the second has no spread."""
    reward, prompt, tree = F([1.0, 0, 1, 1]), np.zeros(4, int), F([0, 0, 1, 1])
    found = tree_grpo_advantage(reward, prompt, tree, "two-norm")
    assert found == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5), 0, 0], abs=1e-5)


def test_staged_prefixes_are_credited_for_what_they_promised() -> None:
    reward, prefix = F([1.0, 0, 1, 1]), F([0, 0, 1, 1])
    assert subtree_success(reward, prefix).tolist() == [0.5, 0.5, 1, 1]
    assert subtree_success(reward, prefix, "any").tolist() == [1, 1, 1, 1]
    assert subtree_success(reward, prefix, "all").tolist() == [0, 0, 1, 1]
    found = tree_opo_advantage(reward, subtree_success(reward, prefix), np.zeros(4, int))
    assert found == pytest.approx([0.375, -0.625, 0.125, 0.125])  # 0.75, −0.25, 0.5, 0.5 minus their mean 0.375


def test_segments_are_worth_the_change_of_value_over_them() -> None:
    probability = F([0.5, 0.95, 0.8, 0.3, 0.99, 0.2])
    assert spo_cuts(probability, 2).tolist() == [2, 5]
    found = spo_chain(F([0.5, 0.25, 1.0]), F([0, 0, 0, 1, 1, 1]), probability)
    assert found == pytest.approx([-0.25, 0, -0.25, 0.75, 0, 0.75])


def test_nodes_of_a_tree_are_worth_their_children() -> None:
    """Root with leaf 1 and a node of leaves 1 and 0: values 0.75 and 0.5."""
    parent, leaves = F([-1, 0, 0, 2, 2]), F([0.0, 1, 0, 1, 0])
    value, advantage = spo_tree(parent, leaves)
    assert value == pytest.approx([0.75, 1, 0.5, 1, 0])
    assert advantage == pytest.approx([0, 0.25, -0.25, 0.5, -0.5])
    assert spo_tree(parent, leaves, "grpo", eps=0.0)[1] == pytest.approx([0, 1, -1, 1, -1])


def test_tokens_that_stand_with_success() -> None:
    """Tokens of one side saturate; one as frequent on both sides says nothing; a group of one outcome is silent."""
    found = ktae_weights([[1, 9], [1, 9], [2, 9], [2, 9]], [True, True, False, False])
    assert found == {1: 1.0, 2: -1.0, 9: 0.0}
    assert ktae_weights([[1], [2]], [True, True]) == {}


def test_a_tokens_weight_by_hand() -> None:
    """Token 5 in 2 of 2 successes and 1 of 2 failures: Fisher's p is 1, so the gain alone counts.

    Gain: ln 2 − ¾ H(⅔, ⅓) = 0.693147 − 0.477386 = 0.215762; lean: π/2 − π/4 plus frequencies, all texts as long:
    2·3/(2 + 2) = 1.5 against 1·3/(1 + 2) = 1: 1.5 − ⅔ = 0.833333; tanh(0.215762 · 1.618731 / 4) = 0.087094.
    """
    found = ktae_weights([[5, 1], [5, 1], [5, 2], [3, 2]], [True, True, False, False])
    assert found[5] == pytest.approx(0.087094, abs=1e-6)


def test_probed_potentials() -> None:
    assert spae_potential(F([1.0, 0]), F([1.0, 1])) == pytest.approx([1.0, -1.0])
    """Rises 1, 0 and −1, 0: exp(1, ½, 0, ½) minus its mean; one step follows a settled one."""
    gain = np.exp([1, 0.5, 0, 0.5]) - np.exp([1, 0.5, 0, 0.5]).mean()
    raw = F([0.5, 0.5 * (1 - 0.5 * (1 - math.exp(-1))), -0.5, -0.5]) + 0.5 * gain
    expected = (raw - raw.mean()) / raw.std(ddof=1)
    first, second = spae_advantage([0.5, -0.5], [F([0.0, 1, 1]), F([0.0, -1, -1])])
    assert np.concatenate([first, second]) == pytest.approx(expected, abs=1e-6)


def test_a_preference_trained_model_is_a_q_function() -> None:
    assert q_value(F([-1.0, -2.0]), F([-1.5, -1.0]), beta=2.0).tolist() == [1.0, -2.0]


def test_stale_samples_are_clipped_and_groups_without_spread_masked() -> None:
    reward, group = F([1.0, 0, 1, 1]), F([0, 0, 1, 1])
    ratio = F([1.5, 1.5, 2.0, 1.0])
    advantage, objective = off_policy_grpo(reward, group, np.log(ratio), np.zeros(4), eps=0.0)
    a = math.sqrt(0.5)
    assert advantage == pytest.approx([a, -a, 0, 0])
    assert objective == pytest.approx([1.2 * a, -1.5 * a, 0, 0])


def test_a_group_that_all_failed_learns_from_a_stored_success() -> None:
    """0, 0, 0 and a stored 1: deviation ½; the stored one at half weight."""
    fresh, stored = replayed_group(np.zeros(3), np.ones(1), weight=0.5, eps=0.0)
    assert fresh == pytest.approx([-0.5] * 3)
    assert stored == pytest.approx([0.75])


def test_cut_off_rollouts_are_ranked_by_who_dominates_them() -> None:
    """The first (peak 3, overall 1) dominates both others; the second the third."""
    assert truncation_rewards(F([3.0, 2, 1]), F([1.0, 2, 3]), top=2.0).tolist() == [2.0, 1.0, 0.0]
    assert truncation_rewards(F([1.0]), F([1.0])).tolist() == [1.0]


def test_options_and_actions_by_hand() -> None:
    """Two segments of two turns, γ ½, both λ 1.

    R = (1 + ½·2, 4 + ½·0) = (2, 4); high: δ₁ = 2 + ¼·2 − 1 = 1.5, δ₂ = 4 − 2 = 2; A = (1.5 + ¼·2, 2).
    Low with V 1: last of segment one 2 + ½·2 − 1 = 2, first 1 + ½·1 − 1 + ½·2 = 1.5; then −1 and 4 + ½ − 1 − ½ = 3.
    """
    reward, low, high = F([1.0, 2, 4, 0]), np.ones(4), F([1.0, 0, 2, 0])
    actions, goals = hierarchical_advantages(reward, low, high, F([1, 0, 1, 0]), 0.5, 1.0, 1.0)
    assert actions == pytest.approx([1.5, 2, 3, -1])
    assert goals == pytest.approx([2, 2])


def test_skill_and_luck_add_up_to_the_return() -> None:
    assert centred_skill(F([1.0, 3.0]), F([0.75, 0.25])) == pytest.approx([-0.5, 1.5])
    assert centred_luck(F([2.0, 0.0]), F([0.5, 0.5])) == pytest.approx([1, -1])
    """γ ½: (1 − ½ − ¼) + ½(2 − 1 − 0) + ¼·4 − 1 = 0.75."""
    found = skill_and_luck_residual(F([1.0, 2]), F([0.5, 1]), F([0.25, 0]), 1.0, 4.0, 0.5)
    assert found == pytest.approx(0.75)


def test_running_moments_are_those_of_all_values() -> None:
    values = F([1.0, 4, 2, 8, 5])
    moments = RunningMoments().add(values[:2]).add(values[2:])
    assert moments.mean == pytest.approx(values.mean())
    assert moments.deviation() == pytest.approx(values.std())
    assert RunningMoments().add(F([3.0, 3.0])).deviation() == 0.1


def test_longer_paths_gain_nothing_by_their_length() -> None:
    """Rollouts 1, 1 and 1 at mean 0, deviation 1: G = 2, 1 and 1; at the second position 1 against 0 (its end)."""
    found = path_advantage(F([1.0, 1, 1]), F([0, 0, 1]), np.zeros(3, int), RunningMoments(2, 0.0, 2.0))
    assert found == pytest.approx([0.5, 0.5, -0.5])
