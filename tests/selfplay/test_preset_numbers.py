"""Presets on tables written by hand: the same numbers as the formulas, grouped as the presets say."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from selfplay.advantages import Normaliser, aligned_advantages, get_preset, summed_advantages
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

VECTORS = json.loads((Path(__file__).parent / "estimator_vectors.json").read_text())
ROOT = math.sqrt(0.5)


def table_of(match, reward, **columns) -> TurnTable:
    """A table of one seat's turns; every column that is not given is 0, and the learner took every turn."""
    match = np.array(match)
    n, turn = len(match), np.array([(match[:i] == m).sum() for i, m in enumerate(match)])
    ints = ("seat", "tick", "round", "game", "role", "entrant", "others", "deal", "record", "state", "observed",
            "action", "thoughts", "talk", "illegal")  # fmt: skip
    given = {name: np.zeros(n, np.int64) for name in ints}
    given |= {"match": match, "turn": turn, "length": np.ones(n, np.int64), "learner": np.ones(n, np.bool_)}
    given |= {name: np.zeros(n) for name in ("floor", "outcome", "logp", "reference", "value")}
    given |= {name: np.array(column) for name, column in columns.items()}
    return TurnTable(reward=np.array(reward, float), names=("a", "b", "c"), **given)


def of(spec: str, table: TurnTable, gamma: float = 1.0, normaliser: Normaliser | None = None) -> np.ndarray:
    return get_preset(spec).estimate(table, TrainConfig(gamma=gamma, steps=10), normaliser or Normaliser(few=0))


def close(found, expected) -> None:
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() < 1e-5


@pytest.mark.parametrize(("key", "spec"), [("grpo", "grpo"), ("dr_grpo", "dr-grpo"), ("rloo", "rloo")])
def test_groups_are_deals(key, spec) -> None:
    vector = VECTORS[key]
    close(of(spec, table_of(range(8), vector["inputs"]["reward"], deal=vector["inputs"]["group"])), vector["output"])


def test_every_turn_gets_its_trajectorys_advantage() -> None:
    table = table_of([0, 0, 1, 1, 1], [1, 2, 0, 0, 1])
    close(of("dr-grpo", table), [1, 1, -1, -1, -1])  # payoffs 3 and 1


def test_groups_keep_seats_and_co_players_apart() -> None:
    for column in ("seat", "others", "entrant", "game"):
        table = table_of(range(4), [4, 0, 100, 102], **{column: [0, 0, 1, 1]})
        close(of("dr-grpo", table), [2, -2, -1, 1])


def test_a_group_of_one_as_verl_has_it() -> None:
    close(of("grpo:alone=raw", table_of([0], [3])), [3])
    close(of("rloo", table_of([0], [3])), [0])


def test_agentwise_pools_matches_against_different_co_players() -> None:
    table = table_of([0, 1], [1, 0], others=[1, 2])
    close(of("grpo", table), [0, 0])
    close(of("agentwise", table), [ROOT, -ROOT])


def test_public_baselines_count_everybody_in_the_role() -> None:
    """First role: the learner 1, a frozen player 3; second role: the learner alone."""
    table = table_of([0, 1, 1], [1, 3, 7], seat=[0, 0, 1], role=[0, 0, 1], learner=[True, False, True])
    close(of("public-baseline", table), [-1, 1, 0])


def test_reinforce_plus_plus_is_its_vector() -> None:
    vector = VECTORS["reinforce_pp"]
    table = table_of(range(4), vector["inputs"]["reward"], length=vector["inputs"]["response_len"])
    close(of("reinforce++:eps=0", table), [row[0] for row in vector["output"]])
    centred = of("reinforce++-baseline:eps=0", table)
    close(centred, [row[0] for row in vector["output"]])  # one group: its mean goes either way


def test_spiral_goes_on_from_batch_to_batch() -> None:
    """Payoffs 1, 1, −1 read baselines 0, 0.05, 0.0975; the next batch reads 0.042625. γ ½ halves all but last turns."""
    normaliser = Normaliser()
    table = table_of([0, 0, 1, 2], [0, 1, 1, -1])
    close(of("spiral", table, 0.5, normaliser), [0.5, 1, 0.95, -1.0975])
    again = Normaliser()
    again.restore(json.loads(json.dumps(normaliser.state())))
    close(of("spiral", table_of([3], [0]), 1.0, again), [-0.042625])
    updated = of("spiral:read_before_update=no", table_of([0], [1]))
    close(updated, [0.95])


def test_spiral_keeps_roles_apart_and_frozen_players_out() -> None:
    frozen = [True, True, True, False]
    table = table_of([0, 0, 1, 1], [1, -1, 1, 50], seat=[0, 1, 0, 1], role=[0, 1, 0, 1], learner=frozen)
    close(of("spiral", table), [1, -1, 0.95, 0])


def test_the_released_mars_by_hand() -> None:
    """Rewards (0, 1) and (0, 0), tokens (1, 1) and (1, 2), one role.

    Centred: −¼, ¾, −¼, −¼; variance over five tokens 0.75/4; to go: 1.154701, 1.732051, −1.154701, −0.577350; distinct
    mean 0.288675; then mean −0.173205 and variance 1.566667 over tokens.
    """
    table = table_of([0, 0, 1, 1], [0, 1, 0, 0], length=[1, 1, 1, 2])
    close(of("mars-released", table), [0.830278, 1.291544, -1.014784, -0.553518])


def test_turn_ppo_is_its_vector() -> None:
    vector = VECTORS["turn_ppo"]
    reward, value = (np.concatenate(vector["inputs"][k]) for k in ("turn_reward", "turn_value"))
    table = table_of([0, 0, 0, 1, 1], reward, value=value)
    close(of("turn-ppo", table, vector["params"]["gamma"]), vector["output"]["whitened_over_turns"])


def step_table(vector) -> TurnTable:
    names = {name: number for number, name in enumerate("ABCDlrxy")}
    inputs = vector["inputs"]
    state, action = ([names[v] for v in inputs[k]] for k in ("state", "action"))
    return table_of(inputs["traj"], inputs["reward"], state=state, observed=state, action=action)


@pytest.mark.parametrize(
    ("key", "spec", "output"),
    [
        ("gigpo_mean_norm", "gigpo", "total"),
        ("gigpo_mean_norm", "gigpo:anchor=observed", "total"),
        ("hgpo", "hgpo", "advantage"),
        ("gagpo", "gagpo", "normalised"),
    ],
)
def test_step_groups_are_their_vectors(key, spec, output) -> None:
    close(of(spec, step_table(VECTORS[key]), 0.95), VECTORS[key]["output"][output])


def test_episode_statistics_over_trajectories_count_each_once() -> None:
    """Payoffs 1, 0, 1, 0 of four matches: mean ½, whatever their lengths."""
    table = step_table(VECTORS["gigpo_mean_norm"])
    close(of("gigpo:weight=0,over=trajectories", table), [0.5, 0.5, 0.5, -0.5, -0.5, 0.5, 0.5, -0.5])


def test_q_minus_v_in_equal_states() -> None:
    """In A, l returned 0.9025 and 0, r 0.95: V 0.6175, Q(l) 0.45125; in B, x 0.95 and y 0."""
    table = step_table(VECTORS["hgpo"])
    close(of("rtmc", table, 0.95), [-0.16625, 0.475, 0, -0.16625, -0.475, 0.3325, 0, 0])


def test_salt_shares_what_equal_transitions_inherited() -> None:
    """Matches begin alike (state 0, action 5, then state 1) and part there."""
    table = table_of([0, 0, 1, 1], [0, 1, 0, 0], state=[0, 1, 0, 1], action=[5, 6, 5, 7])
    close(of("salt", table), [0, ROOT, 0, -ROOT])
    apart = table_of([0, 0, 1, 1], [0, 1, 0, 0], state=[0, 1, 0, 2], action=[5, 6, 5, 7])
    close(of("salt", apart), [ROOT, ROOT, -ROOT, -ROOT])


def test_trees_are_matches_that_begin_alike() -> None:
    """Payoffs 1, 0 after one first move and 1, 1 after the other."""
    table = table_of([0, 0, 1, 1, 2, 3], [0, 1, 0, 0, 1, 1], action=[8, 1, 8, 2, 9, 9], state=[0, 1, 0, 1, 0, 0])
    close(of("tree-grpo", table), np.array([0.5 + ROOT, 0.5 + ROOT, -1.5 - ROOT, -1.5 - ROOT, 0.5, 0.5]))
    deeper = of("tree-grpo:depth=2", table)  # the first two matches part at their second turn: trees of one
    close(deeper, [0.5, 0.5, -1.5, -1.5, 0.5, 0.5])


def test_blocks_have_rewards_and_baselines_of_their_own() -> None:
    """A message, then a move, in four matches. Moves after the same words are compared; a refused one costs ½.

    Thinking: 100 tokens before the first move cost 0.4.
    """
    table = table_of(
        np.repeat([0, 1, 2, 3], 2), [0, 4, 0, 2, 0, 1, 0, 1], talk=[1, 0] * 4, observed=[0, 5, 0, 5, 0, 6, 0, 6],
        illegal=[0] * 7 + [1], thoughts=[0, 100, 0, 0, 0, 0, 0, 0],
    )  # fmt: skip
    found = of("blockwise:illegal_cost=0.5,thought_cost=0.4", table)
    close(found[::2, 1], [2, 0, -1, -1])
    close(found[1::2, 1], [1, -1, 0.25, -0.25])
    close(found[1::2, 0], [1.7, 0.1, -0.9, -0.9])
    plain = of("blockwise:illegal_cost=0.5,outcome=none", table)
    close(plain[1::2, 1], np.array([4, 2, 1, 0.5]) - 1.875)


def test_moves_after_words_that_nobody_else_heard_are_compared_with_all() -> None:
    table = table_of(range(3), [3, 1, 2], observed=[5, 5, 6])
    close(of("blockwise", table)[:, 1], [1, -1, 0])


def test_quantiles_and_halves_are_their_vectors() -> None:
    inputs = VECTORS["qae_linear"]["inputs"]
    close(of("quantile", table_of(range(12), inputs["reward"], deal=inputs["group"])),
          VECTORS["qae_linear"]["output"]["advantage"])  # fmt: skip
    vector = VECTORS["canon_mu0.5_alpha1.0"]
    inputs = vector["inputs"]
    table = table_of(range(8), inputs["reward"], deal=inputs["group"], length=inputs["metric"])
    close(of("canon", table), vector["output"])


def test_halves_by_length_or_by_surprise() -> None:
    """By length {1, 0} and {4, 1}; by surprise per token (1, 4, 2, 3 nats) {1, 0} and {1, 4}: the same halves here."""
    table = table_of(range(4), [1, 4, 0, 1], length=[1, 9, 2, 8], logp=[-1.0, -36, -4, -24])
    close(of("canon:mu=1,alpha=2", table), [-4, 7.5, -5, 1.5])
    close(of("canon:mu=1,alpha=2,metric=surprise", table), [-0.5, 3, -2.5, 0])


def test_mapo_reads_outcomes() -> None:
    vector = VECTORS["mapo_hard"]
    table = table_of(range(4), [-2, -2, -2, 2], outcome=[float(r) for r in vector["inputs"]["reward"]])
    close(of("mapo", table), vector["output"]["advantage"])


def test_progress_adds_the_scores_still_to_come() -> None:
    """Payoffs 1 and 0: ±1. Scores per token (0.5, 1) and (0, 0): to go 1.5 and 1 against 0, at weight ½ ± as much."""
    table = table_of(
        [0, 0, 1, 1], [0, 1, 0, 0], length=[2, 1, 1, 1], logp=[-1.0, -1, -1, -1], reference=[-2.0, -2, -1, -1]
    )
    close(of("progress:weight=0.5", table), [1.75, 1.5, -1.75, -1.5])
    close(of("progress:weight=0.5,aggregate=sum", table), [2, 1.5, -2, -1.5])


def test_three_seats_align_with_the_sum_of_the_others() -> None:
    """Two rounds, two matches; leave-one-out per round, γ 1, β 1: A + (own at round 0) · (others at round 1).

    Rewards (match 0; match 1 all 0): seat 0 (1, 2), seat 1 (0, 4), seat 2 (−1, 1), so A = (3, 2), (4, 4), (0, 1) in
    match 0 and the negative in match 1. Seat 0 of match 0: 2 + 3 · (4 + 1) = 17; of match 1: −2 + 3 · 5 = 13.
    """
    reward = [1, 2, 0, 4, -1, 1, *[0] * 6]
    table = table_of(
        [0] * 6 + [1] * 6, reward, seat=[0, 0, 1, 1, 2, 2] * 2, round=[0, 1] * 6, role=[0, 0, 1, 1, 2, 2] * 2
    )
    found = aligned_advantages(table, 1.0, 1.0)
    close(found, [3, 17, 4, 4 + 4 * 3, 0, 1, -3, 13, -4, -4 + 4 * 3, 0, -1])
    now = aligned_advantages(table, 1.0, 1.0, including_now=True)
    close(now[:2], [3 + 3 * 4, 2 + 5 * 5])
    close(summed_advantages(table, 1.0), [7, 7, 7, 7, 7, 7, -7, -7, -7, -7, -7, -7])  # 3 + 4 + 0 and 2 + 4 + 1
    close(of("sum-of-rewards", table), np.repeat([1, -1], 6) / math.sqrt(4 / 3))  # ±7, twice each: √(4 · 49 / 3)


@pytest.mark.parametrize("spec", ["mars:credit=match", "advantage-alignment:credit=match,norm=batch"])
def test_without_credit_by_turn_all_turns_are_worth_their_match(spec) -> None:
    """Returns 3 and 1: a deviation of √(4/3), twice that of leave-one-out gains of 2."""
    table = table_of([0, 0, 1, 1], [1, 2, 0, 1], round=[0, 1, 0, 1])
    close(of(spec, table), np.array([1, 1, -1, -1]) * math.sqrt(0.75))


def test_without_agents_own_statistics_roles_are_pooled() -> None:
    """1, 3 in one role and 101, 103 in the other; a frozen player's 1,000 counts for nobody."""
    roles, learner = [0, 0, 1, 1, 1], [True] * 4 + [False]
    table = table_of(range(5), [1, 3, 101, 103, 1000], role=roles, learner=learner)
    close(of("mars", table)[:4], [-ROOT, ROOT, -ROOT, ROOT])
    close(of("mars:norm=batch", table)[:4], np.array([-51, -49, 49, 51]) / math.sqrt(10004 / 3))
