"""A training run: play, estimate, update, save; readable top to bottom.

A run is a folder: ``config.json``, ``metrics.jsonl``, TensorBoard events, ``snapshots/step-N`` (PEFT folders),
``state/step-N`` for resuming, and ``adapter`` when it is done. Kill it at any moment; started again it goes on with the
same numbers.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from games.errors import UsageError
from policies.llm import parse
from policies.llm.base import Base, load_base
from policies.llm.player import Decoding, LLMPolicy
from selfplay import checkpoint
from selfplay.advantages import Normaliser, get_preset
from selfplay.batch import sequences
from selfplay.config import TrainConfig
from selfplay.gate import Gate, suite
from selfplay.learner import Learner
from selfplay.log import MetricLog, tracker
from selfplay.menu import menu
from selfplay.metrics import match_metrics
from selfplay.opponents import LEARNER, Opponents, parse_opponents
from selfplay.rollout import plan, play
from selfplay.samples import write_samples
from selfplay.sources import Sources
from selfplay.table import turn_table

FREE_TO_CHANGE = ("out", "steps", "live", "chunk_tokens", "threads", "checkpoint_every", "samples_every", "track")
"""Settings that a resumed run may change."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run."""

    folder: Path
    adapter: Path
    """The trained adapter: play it as llm:BASE+ADAPTER."""
    metrics: dict[str, float]
    """Of the last step."""
    minutes: float


def train(config: TrainConfig, watch: Callable[[dict[str, float]], None] | None = None) -> RunResult:
    """Train an adapter by self-play, or go on with a run that was interrupted.

    Args:
        config: what to do; ``config.folder`` is created, or resumed where it holds the same configuration.
        watch: called after every step with that step's metrics.

    Raises:
        UsageError: the configuration names something unknown, or the folder holds a run of another configuration.
    """
    started = time.perf_counter()
    if config.threads:
        torch.set_num_threads(config.threads)
    folder = Path(config.folder)
    played, estimator = menu(config.game, config.curriculum), get_preset(config.preset)
    shares = parse_opponents(config.opponents)
    base, learner = _learner(config)
    decoding = Decoding(config.decode, config.temperature, config.max_new_tokens, config.think)
    policy = LLMPolicy(base, learner.adapter, decoding)
    opponents, normaliser = Opponents(shares, base, decoding, config.pool), Normaliser()
    opponents.check(played.games)
    for game in played.games:
        estimator.check(game, config)
    sources = Sources(estimator.needs, learner, normaliser)
    gate = Gate(suite(config.gate, played.games[0]), config)
    for name in config.track:
        tracker(name)
    _claim(folder, config)
    step = _resume(folder, learner, normaliser, opponents, gate)
    metrics: dict[str, float] = {}
    with MetricLog(folder, step, config.track, asdict(config)) as log:
        while step < config.steps:
            begun = time.perf_counter()
            policy.reset(step)
            episodes = play(plan(played, config, opponents, step), policy, opponents, config)
            opponents.learn(episodes)
            halfway = time.perf_counter()
            table = sources.fill(turn_table(episodes, LEARNER, config.std_floor), episodes)
            advantage = estimator.estimate(table, config, normaliser)
            rows = sequences(episodes, table, advantage)
            metrics = {"step": step + 1, **match_metrics(episodes), **learner.update(rows, step)}
            step += 1
            metrics |= _speed(metrics, halfway - begun, time.perf_counter() - halfway)
            if config.samples_every and step % config.samples_every == 0:
                write_samples(folder, step, episodes)
            if step % config.snapshot_every == 0:
                metrics |= _offer(step, _snapshot(folder, step, learner), policy, opponents, gate)
            log.write(metrics)
            if step % config.checkpoint_every == 0 or step == config.steps:
                checkpoint.save(folder / "state", step, learner, normaliser, _memory(opponents, gate))
            if watch is not None:
                watch(metrics)
    adapter = _finish(folder, step, learner, config, opponents.newest_folder() if gate.tests else None)
    return RunResult(folder, adapter, metrics or log.last, (time.perf_counter() - started) / 60)


def _learner(config: TrainConfig) -> tuple[Base, Learner]:
    prefix, _, rest = config.base.partition(":")
    if prefix != "llm" or not rest:
        raise UsageError(f'base="{config.base}" is no language model; write llm:tiny, llm:FOLDER or llm:HUB-ID')
    name, adapter, options = parse(rest)
    base = load_base(name, **options)
    learner = Learner(base, config)
    if adapter:
        loaded = base.load(adapter)
        learner.base.set_weights(learner.adapter, base.weights(loaded))
        learner.move_reference()
    return base, learner


def _claim(folder: Path, config: TrainConfig) -> None:
    """Make the folder this configuration's, or check that it is."""
    path = folder / "config.json"
    wanted = json.loads(json.dumps(asdict(config)))
    if path.is_file():
        saved = json.loads(path.read_text(encoding="utf-8"))
        there = {**asdict(TrainConfig()), **saved}  # a setting that is younger than the run stood at its default
        changed = [k for k in wanted if k not in FREE_TO_CHANGE and there[k] != wanted[k]]
        if changed:
            listed = ", ".join(f"{k} ({there[k]} there, {wanted[k]} asked)" for k in changed)
            raise UsageError(f"{folder} holds a run of another configuration: {listed}; name another folder with --out")
    elif folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty and holds no training run; name another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


def _resume(folder: Path, learner: Learner, normaliser: Normaliser, opponents: Opponents, gate: Gate) -> int:
    """Restore the newest state, if any, and the snapshots up to it; returns the steps done."""
    found = checkpoint.states(folder / "state")
    if not found:
        return 0
    about = checkpoint.restore(found[-1], learner, normaliser)
    for snapshot in sorted((folder / "snapshots").glob("step-*")):
        number = snapshot.name.removeprefix("step-")
        if number.isdigit() and int(number) <= about["step"] and int(number) not in about.get("refused", ()):
            opponents.add(int(number), snapshot)
    opponents.scores.restore(about.get("scores", {}))
    gate.best, gate.refused = about.get("gate", {}), about.get("refused", [])
    return int(about["step"])


def _memory(opponents: Opponents, gate: Gate) -> dict[str, Any]:
    """What a checkpoint holds beside weights and statistics."""
    return {"scores": opponents.scores.state(), "gate": gate.best, "refused": gate.refused}


def _offer(step: int, snapshot: Path, policy: LLMPolicy, opponents: Opponents, gate: Gate) -> dict[str, float]:
    """Let the suite judge a snapshot; it joins the opponents if it is promoted. Returns the verdict for the log."""
    if not gate.tests:
        opponents.add(step, snapshot)
        return {}
    policy.reset(step)
    verdict = gate.judge(step, policy, opponents.newest())
    if verdict.promoted:
        opponents.add(step, snapshot)
    return verdict.metrics()


def _snapshot(folder: Path, step: int, learner: Learner) -> Path:
    target = folder / "snapshots" / f"step-{step:06d}"
    if not target.exists():
        learner.base.save(learner.adapter, target, {"step": step})
    return target


def _finish(folder: Path, step: int, learner: Learner, config: TrainConfig, promoted: Path | None) -> Path:
    """Save the adapter as it is after ``step`` (or the last promoted one); one of fewer steps gives way to it."""
    adapter, old = folder / "adapter", folder / ".adapter.old"
    shutil.rmtree(old, ignore_errors=True)
    if (adapter / "arena.json").is_file():
        if json.loads((adapter / "arena.json").read_text(encoding="utf-8")).get("step") == step:
            return adapter
        adapter.rename(old)
    if promoted is not None:
        learner.base.set_weights(learner.adapter, learner.base.weights(learner.base.load(promoted)))
    learner.base.save(learner.adapter, adapter, {"step": step, "game": config.game, "preset": config.preset})
    shutil.rmtree(old, ignore_errors=True)
    return adapter


def _speed(metrics: dict[str, Any], play_seconds: float, train_seconds: float) -> dict[str, float]:
    seconds = play_seconds + train_seconds
    return {
        "seconds": seconds,
        "play_seconds": play_seconds,
        "train_seconds": train_seconds,
        "tokens_per_second": metrics["played_tokens"] / max(seconds, 1e-9),
    }
