"""Every worked vector of an estimator, to 1e-5. The file names the papers; released code was read for most of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from selfplay.advantages import Normaliser, align, align_melting_pot, return_to_go, whiten
from selfplay.advantages.basics import dr_grpo_advantage, grpo_advantage, rloo_advantage
from selfplay.advantages.blocks import outcome_conditioned
from selfplay.advantages.graphs import gagpo_advantage, state_values
from selfplay.advantages.parts import leave_one_out_mean, number
from selfplay.advantages.reshaping import (
    aapo_advantage,
    canon_advantage,
    capo_filter,
    mapo_advantage,
    quantile_advantage,
)
from selfplay.advantages.steps import episode_advantage, hgpo_advantage, step_advantage
from selfplay.advantages.tokens import progress_score
from selfplay.advantages.trees import tree_grpo_advantage
from selfplay.advantages.turns import gae

VECTORS = json.loads((Path(__file__).parent / "estimator_vectors.json").read_text())
CHECKS: dict[str, Callable[[dict[str, Any], dict[str, Any], Any], None]] = {}


def vector(key: str):
    """Register the check of one vector: (inputs as arrays, params, output)."""

    def register(check):
        CHECKS[key] = check
        return check

    return register


def ids(values) -> np.ndarray:
    """Group numbers of any values."""
    return np.unique(np.array(values), return_inverse=True)[1]


def close(found, expected) -> None:
    assert np.abs(np.asarray(found, float) - np.asarray(expected, float)).max() < 1e-5


@pytest.mark.parametrize("key", [key for key in VECTORS if not key.startswith("_")])
def test_vector(key: str) -> None:
    entry = VECTORS[key]
    inputs = {k: np.array(v) if _flat(v) else v for k, v in entry["inputs"].items()}
    CHECKS[key](inputs, entry["params"], entry["output"])


def _flat(value: Any) -> bool:
    return isinstance(value, list) and not isinstance(value[0], list | dict)


@vector("grpo")
def _grpo(i, p, out) -> None:
    close(grpo_advantage(i["reward"], i["group"], p["eps"], p["ddof"]), out)


@vector("dr_grpo")
def _dr_grpo(i, p, out) -> None:
    close(dr_grpo_advantage(i["reward"], i["group"]), out)


@vector("rloo")
def _rloo(i, p, out) -> None:
    close(rloo_advantage(i["reward"], i["group"]), out)


@vector("reinforce_pp")
def _reinforce_pp(i, p, out) -> None:
    found = whiten(i["reward"], i["response_len"], p["eps"], ddof=int(p["unbiased_var"]))
    for value, length, row in zip(found, i["response_len"], out, strict=True):
        close([value] * length + [0.0] * (3 - length), row)


@vector("gae")
def _gae(i, p, out) -> None:
    found = gae(i["reward"], i["value"], np.zeros(3, int), p["gamma"], p["lam"])
    close(found, out["advantage"])
    close(found + i["value"], out["return"])


@vector("turn_ppo")
def _turn_ppo(i, p, out) -> None:
    sequence = np.repeat([0, 1], [3, 2])
    reward, value = (np.concatenate(i[k]) for k in ("turn_reward", "turn_value"))
    found = gae(reward, value, sequence, p["gamma"], p["lam"])
    close(found, np.concatenate(out["raw"]))
    close(whiten(found), out["whitened_over_turns"])


@vector("mars_turn_level")
def _mars(i, p, out) -> None:
    """Per player over all turns; the preset itself is checked on a table in test_advantages."""
    reward = np.concatenate([t["turn_reward"] for t in i["trajectories"]])
    lengths = [len(t["turn_reward"]) for t in i["trajectories"]]
    player = np.repeat([t["player"] for t in i["trajectories"]], lengths)
    value = return_to_go(reward, np.repeat(np.arange(4), lengths), p["gamma"])
    close(value, np.concatenate(out["return_to_go"]))
    close(dr_grpo_advantage(value, player), np.concatenate(out["mean_only"]))
    close(grpo_advantage(value, player, eps=0.0), np.concatenate(out["mean_std"]))


@vector("spiral_rae")
def _spiral(i, p, out) -> None:
    normaliser = Normaliser()
    for player in ("p0", "p1"):
        payoff = np.array([game[player] for game in i["games"]])
        baseline = normaliser.moving_baseline(player, payoff, p["alpha"])
        close(payoff - baseline, [a[player] for a in out["advantage"]])
        close(normaliser.running[player][1], out["baseline_after"][player])


@vector("advantage_alignment_llm")
def _alignment(i, p, out) -> None:
    close(align(i["A_self"], i["A_other"], p["beta"], p["gamma"]), out["credit"])


@vector("advantage_alignment_meltingpot")
def _melting_pot(i, p, out) -> None:
    close(align_melting_pot(np.array(i["A[player][t]"], float), p["aa_weight"]), out)


@vector("group_relative_baseline_adalign")
def _group_relative(i, p, out) -> None:
    reward = np.array(i["reward[rollout][t]"], float)
    rollout, time = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    value = return_to_go(reward.ravel(), rollout, p["gamma"])
    close(value.reshape(3, 3), out["return"])
    close((value - leave_one_out_mean(value, time, rollout)).reshape(3, 3), out["advantage"])


@vector("public_baseline_advevo")
def _public(i, p, out) -> None:
    close(dr_grpo_advantage(i["return"], ids(i["functional_group"])), out)


@vector("dr_mas_agentwise")
def _agentwise(i, p, out) -> None:
    close(grpo_advantage(i["reward"], number(i["group"], ids(i["agent"])), p["eps"], p["ddof"]), out)


@vector("gigpo_mean_norm")
def _gigpo(i, p, out) -> None:
    group = np.zeros(8, int)
    total = np.bincount(i["traj"], i["reward"])[i["traj"]]
    value = return_to_go(i["reward"], i["traj"], p["gamma"])
    episode = episode_advantage(total, group, i["traj"], "mean", "steps", ddof=p["ddof"])
    step = step_advantage(value, ids(i["state"]), "mean")
    for found, key in ((value, "return"), (episode, "episode"), (step, "step")):
        close(found, out[key])
    close(episode + p["step_advantage_w"] * step, out["total"])


@vector("hgpo")
def _hgpo(i, p, out) -> None:
    value = return_to_go(i["reward"], i["traj"], p["gamma"])
    history, alpha = p["history_length"], p["length_weight_alpha"]
    close(hgpo_advantage(value, ids(i["state"]), i["traj"], history, alpha, ddof=p["ddof"]), out["advantage"])


@vector("gagpo")
def _gagpo(i, p, out) -> None:
    state, group = ids(i["state"]), np.zeros(8, int)
    value = state_values(i["reward"], state, i["traj"], p["gamma"])
    close(value, [out["V_proxy"][s] for s in i["state"]])
    close(gae(i["reward"], value, i["traj"], p["gamma"], 0.0), out["td"])
    close(gae(i["reward"], value, i["traj"], p["gamma"], p["lam"]), out["gae"])
    close(gagpo_advantage(i["reward"], state, i["traj"], group, p["gamma"], p["lam"]), out["normalised"])


@vector("blockwise_ocb")
def _blockwise(i, p, out) -> None:
    group = np.zeros(4, int)
    close(outcome_conditioned(i["block1_reward"], group, group), out["block1"])
    close(outcome_conditioned(i["block2_reward"], group, group), out["block2_group_mean"])
    close(outcome_conditioned(i["block2_reward"], group, i["outcome"]), out["block2_ocb"])


@vector("aapo")
def _aapo(i, p, out) -> None:
    low, high = p["clip"]
    close(aapo_advantage(i["reward"], i["ref_reward"], i["group"], -low, high, p["eps"]), out)


@vector("qae_linear")
def _quantile(i, p, out) -> None:
    close(quantile_advantage(i["reward"], i["group"], p["quantile_k"], ddof=p["ddof"]), out["advantage"])


@vector("mapo_hard")
def _mapo(i, p, out) -> None:
    close(mapo_advantage(i["reward"], i["reward"], np.zeros(4, int)), out["advantage"])


@vector("capo")
def _capo(i, p, out) -> None:
    for step in (10, 20):
        close(capo_filter(i["advantage"], step, p["total_steps"], p["switch_fraction"]), out[f"step{step}"])


@vector("canon_mu0.5_alpha1.0")
def _canon(i, p, out) -> None:
    close(canon_advantage(i["reward"], i["metric"], i["group"], p["mu"], p["alpha"]), out)


@vector("tree_grpo")
def _tree(i, p, out) -> None:
    inter = grpo_advantage(i["reward"], i["prompt"], p["eps"])
    intra = grpo_advantage(i["reward"], number(i["prompt"], i["tree"]), p["eps"])
    close(inter, out["inter"])
    close(intra, out["intra"])
    close(tree_grpo_advantage(i["reward"], i["prompt"], i["tree"], eps=p["eps"]), out["sum"])


@vector("progress_advantage")
def _progress(i, p, out) -> None:
    pairs = list(zip(i["logp_policy"], i["logp_ref"], strict=True))
    for aggregate in ("mean", "sum"):
        close([progress_score(a, b, p["beta"], aggregate) for a, b in pairs], out[aggregate])


def test_every_registered_check_has_its_vector() -> None:
    assert set(CHECKS) == {key for key in VECTORS if not key.startswith("_")}
