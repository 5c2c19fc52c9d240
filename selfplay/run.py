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
from functools import partial
from pathlib import Path
from typing import Any

import torch

from arena.cluster import check_workers, cluster
from arena.records import Episode
from games.errors import UsageError
from policies.llm.player import LLMPolicy
from selfplay import checkpoint
from selfplay.actors import Actors
from selfplay.advantages import Normaliser, Preset, get_preset
from selfplay.batch import sequences
from selfplay.config import TrainConfig
from selfplay.gate import Gate, suite
from selfplay.learner import Learner
from selfplay.log import MetricLog, NoLog, tracker
from selfplay.menu import menu
from selfplay.metrics import match_metrics
from selfplay.models import base_of, decoding_of
from selfplay.opponents import LEARNER, Opponents, parse_opponents
from selfplay.ranks import Ranks
from selfplay.rollout import Here, staleness
from selfplay.sampler import sampling_policy
from selfplay.samples import write_samples
from selfplay.sources import Sources
from selfplay.table import turn_table

FREE_TO_CHANGE = (
    "out",
    "steps",
    "live",
    "sampler",
    "chunk_tokens",
    "threads",
    "checkpoint_every",
    "samples_every",
    "track",
    "workers",
    "actors",
    "gradient_checkpointing",
    "shard",
)
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
    check_workers(config.workers)
    run, folder = _Run.of(config), Path(config.folder)
    run.ranks.from_main(lambda: _claim(folder, config))
    step, metrics = _resume(folder, run), dict[str, float]()
    with cluster(config.workers if run.ranks.main else ""), run.log(folder, step) as log:
        while step < config.steps:
            metrics, episodes = run.step(step)
            step += 1
            if step % config.snapshot_every == 0:
                metrics |= _offer(step, _snapshot(folder, step, run.learner), run)
            log.write(metrics)
            run.ranks.from_main(partial(_keep, folder, step, run, episodes))
            if watch is not None:
                watch(metrics)
    adapter = run.ranks.from_main(lambda: _finish(folder, step, run))
    return RunResult(folder, adapter, metrics or log.last, (time.perf_counter() - started) / 60)


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run consists of; made, and its words checked, before anything is written."""

    config: TrainConfig
    rollouts: Here | Actors
    estimator: Preset
    learner: Learner
    policy: LLMPolicy
    opponents: Opponents
    normaliser: Normaliser
    sources: Sources
    gate: Gate

    @classmethod
    def of(cls, config: TrainConfig) -> _Run:
        """The run of a configuration.

        Raises:
            ArenaError: the configuration names something unknown, or what can't go together.
        """
        if config.threads:
            torch.set_num_threads(config.threads)
        for name in config.track:
            tracker(name)
        played, estimator = menu(config.game, config.curriculum), get_preset(config.preset)
        shares = parse_opponents(config.opponents)
        learner, normaliser = _learner(config), Normaliser()
        decoding = decoding_of(config)
        policy = sampling_policy(config, learner, decoding)
        opponents = Opponents(shares, learner.base, decoding, config.pool)
        opponents.check(played.games)
        for game in played.games:
            estimator.check(game, config)
        sources, gate = Sources(estimator.needs, learner, normaliser), Gate(suite(config.gate, played.games[0]), config)
        there = Actors(played, config, opponents, learner) if config.workers else None
        rollouts = there or Here(played, config, opponents, policy, learner)
        return cls(config, rollouts, estimator, learner, policy, opponents, normaliser, sources, gate)

    @property
    def ranks(self) -> Ranks:
        """The processes that learn together."""
        return self.learner.ranks

    def step(self, step: int) -> tuple[dict[str, float], list[Episode]]:
        """Play, estimate, update; what is logged, and the matches."""
        config, begun = self.config, time.perf_counter()
        episodes = self.rollouts.episodes(step)
        self.opponents.learn(episodes)
        halfway = time.perf_counter()
        table = self.sources.fill(turn_table(episodes, LEARNER, config.std_floor), episodes)
        advantage = self.estimator.estimate(table, config, self.normaliser)
        updated = self.learner.update(sequences(episodes, table, advantage), step)
        metrics = {"step": step + 1, **match_metrics(episodes), **updated}
        if config.workers:
            metrics["staleness"] = staleness(episodes, step)
        return metrics | _speed(metrics, halfway - begun, time.perf_counter() - halfway), episodes

    def log(self, folder: Path, step: int) -> MetricLog | NoLog:
        """Where this rank logs."""
        if not self.ranks.main:
            return NoLog()
        return MetricLog(folder, step, self.config.track, asdict(self.config))

    def memory(self) -> dict[str, Any]:
        """What a checkpoint holds beside weights and statistics."""
        return {"scores": self.opponents.scores.state(), "gate": self.gate.best, "refused": self.gate.refused}


def _learner(config: TrainConfig) -> Learner:
    ranks = Ranks.here()  # before the base is loaded: each has a GPU of its own
    base, adapter = base_of(config)
    learner = Learner(base, config, ranks=ranks)
    if adapter:
        loaded = base.load(adapter)
        learner.base.set_weights(learner.adapter, base.weights(loaded))
        learner.move_reference()
    return learner


def _keep(folder: Path, step: int, run: _Run, episodes: list[Episode]) -> None:
    """Write transcripts and the state of the run, where it is time for them."""
    config = run.config
    if config.samples_every and step % config.samples_every == 0:
        write_samples(folder, step, episodes)
    if step % config.checkpoint_every == 0 or step == config.steps:
        checkpoint.save(folder / "state", step, run.learner, run.normaliser, run.memory())


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


def _resume(folder: Path, run: _Run) -> int:
    """Restore the newest state, if any, and the snapshots up to it; returns the steps done."""
    found = checkpoint.states(folder / "state")
    if not found:
        return 0
    about = checkpoint.restore(found[-1], run.learner, run.normaliser)
    for snapshot in sorted((folder / "snapshots").glob("step-*")):
        number = snapshot.name.removeprefix("step-")
        if number.isdigit() and int(number) <= about["step"] and int(number) not in about.get("refused", ()):
            run.opponents.add(int(number), snapshot)
    run.opponents.scores.restore(about.get("scores", {}))
    run.gate.best, run.gate.refused = about.get("gate", {}), about.get("refused", [])
    return int(about["step"])


def _offer(step: int, snapshot: Path, run: _Run) -> dict[str, float]:
    """Let the suite judge a snapshot; it joins the opponents if it is promoted. Returns the verdict for the log."""
    if not run.gate.tests:
        run.opponents.add(step, snapshot)
        return {}
    run.policy.reset(step)
    gate, ranks = run.gate, run.ranks
    with run.learner.whole():
        judged = ranks.from_main(
            lambda: (gate.judge(step, run.policy, run.opponents.newest()), gate.best, gate.refused)
        )
    verdict, gate.best, gate.refused = judged
    if verdict.promoted:
        run.opponents.add(step, snapshot)
    return verdict.metrics()


def _snapshot(folder: Path, step: int, learner: Learner) -> Path:
    target = folder / "snapshots" / f"step-{step:06d}"
    if not target.exists() and learner.ranks.main:
        learner.base.save(learner.adapter, target, {"step": step})
    learner.ranks.gather([])  # nobody reads it before it is there
    return target


def _finish(folder: Path, step: int, run: _Run) -> Path:
    """Save the adapter as it is after ``step`` (or the last promoted one); one of fewer steps gives way to it."""
    adapter, old, base = folder / "adapter", folder / ".adapter.old", run.learner.base
    shutil.rmtree(old, ignore_errors=True)
    if (adapter / "arena.json").is_file():
        if json.loads((adapter / "arena.json").read_text(encoding="utf-8")).get("step") == step:
            return adapter
        adapter.rename(old)
    promoted = run.opponents.newest_folder() if run.gate.tests else None
    if promoted is not None:
        base.set_weights(run.learner.adapter, base.weights(base.load(promoted)))
    base.save(run.learner.adapter, adapter, {"step": step, "game": run.config.game, "preset": run.config.preset})
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
