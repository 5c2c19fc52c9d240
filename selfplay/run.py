"""A training run: play, estimate, update, save; readable top to bottom.

A run is a folder: ``config.json``, ``metrics.jsonl``, TensorBoard events, ``snapshots/step-N`` (PEFT folders),
``state/step-N`` for resuming, and ``adapter`` when it is done; where several learn, snapshots and adapters lie one
level deeper, by name. Kill it at any moment; started again it goes on with the same numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from arena.cluster import check_workers, cluster
from arena.records import Episode
from games.errors import BadOption
from selfplay import checkpoint, league
from selfplay.actors import Actors
from selfplay.advantages import Preset, get_preset
from selfplay.claim import claim
from selfplay.config import TrainConfig
from selfplay.gate import Test, suite
from selfplay.learner import Learner
from selfplay.log import MetricLog, NoLog, tracker
from selfplay.member import Member
from selfplay.menu import Menu, menu
from selfplay.metrics import prefix, run_metrics
from selfplay.models import base_of, decoding_of
from selfplay.opponents import Opponents, parse_opponents
from selfplay.population import Population, population
from selfplay.ranks import Ranks
from selfplay.rollout import Here, staleness
from selfplay.samples import write_samples


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run."""

    folder: Path
    adapter: Path
    """The trained adapter: play it as llm:BASE+ADAPTER. Where several learn, that of the first."""
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
    with ExitStack() as held:
        run.ranks.from_main(lambda: claim(folder, config, held))
        return _go_on(run, folder, started, watch)


def _go_on(run: _Run, folder: Path, started: float, watch: Callable[[dict[str, float]], None] | None) -> RunResult:
    """Train from where the folder's run stands to the last step."""
    config = run.config
    step, metrics = _resume(folder, run), dict[str, float]()
    with cluster(config.workers if run.ranks.main else ""), run.log(folder, step) as log:
        while step < config.steps:
            metrics, episodes = run.step(step)
            step += 1
            if step % config.snapshot_every == 0:
                metrics |= run.offer(step, folder)
            metrics |= league.renew(run.who, run.members, run.opponents, folder, step)
            log.write(metrics)
            run.ranks.from_main(partial(_keep, folder, step, run, episodes))
            if watch is not None:
                watch(metrics)
    adapters = run.ranks.from_main(lambda: [m.finish(folder, step, run.promoted(m)) for m in run.members])
    return RunResult(folder, adapters[0], metrics or log.last, (time.perf_counter() - started) / 60)


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run consists of; made, and its words checked, before anything is written."""

    config: TrainConfig
    rollouts: Here | Actors
    estimator: Preset
    who: Population
    members: Sequence[Member]
    opponents: Opponents

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
        who, shares = population(config.adapters, config.roles, played.games), parse_opponents(config.opponents)
        learners = _learners(config, len(who.names))
        decoding = decoding_of(config)
        opponents = Opponents(shares, learners[0].base, decoding, config.pool)
        opponents.check(played.games, len(who.names))
        for game in played.games:
            estimator.check(game, replace(config, matches=_each(config, who)))
        tests = _tests(config, who, played)
        named = zip(who.names, learners, strict=True)
        members = [Member.of(name, one, decoding, [] if who.exploits(name) else tests) for name, one in named]
        there = Actors(played, config, who, opponents, members) if config.workers else None
        rollouts = there or Here(played, config, who, opponents, members)
        return cls(config, rollouts, estimator, who, members, opponents)

    @property
    def ranks(self) -> Ranks:
        """The processes that learn together."""
        return self.members[0].learner.ranks

    def step(self, step: int) -> tuple[dict[str, float], list[Episode]]:
        """Play, estimate, update; what is logged, and the matches."""
        config, begun = self.config, time.perf_counter()
        episodes = self.rollouts.episodes(step)
        halfway = time.perf_counter()
        updated = {}
        for member in self.members:
            own = [e for e in episodes if self.who.learns(member.name, e.match.group, e.match.entrants)]
            member.meet(own, self.opponents.snapshots)
            league.note(self.who, member, own)
            updated[member.name] = member.learn(own, self.estimator, step)
        metrics = {"step": step + 1, **run_metrics(episodes, updated)}
        if config.workers:
            metrics["staleness"] = staleness(episodes, self.who.names, step)
        return metrics | _speed(metrics, halfway - begun, time.perf_counter() - halfway), episodes

    def log(self, folder: Path, step: int) -> MetricLog | NoLog:
        """Where this rank logs."""
        if not self.ranks.main:
            return NoLog()
        return MetricLog(folder, step, self.config.track, asdict(self.config))

    def offer(self, step: int, folder: Path) -> dict[str, float]:
        """Save a snapshot of each learner; it joins the opponents if the suite promotes it. The verdicts for the log.

        Exploiters are saved when they begin again.
        """
        out = dict[str, float]()
        for member in self.members:
            if self.who.exploits(member.name):
                continue
            where, verdict = member.snapshot(folder, step), dict[str, float]()
            if member.gate.tests:
                newest = self.opponents.newest(member.name)
                verdict = member.judge(step, self.opponents.policy(newest.name) if newest else None)
            if verdict.get("promoted", 1.0):
                league.join(self.members, member, self.opponents, step, where)
            out |= {f"{prefix(member.name)}{name}": value for name, value in verdict.items()}
        return out

    def promoted(self, member: Member) -> Path | None:
        """Where the latest promoted snapshot of a learner lies; None where everything is promoted, or nothing was."""
        newest = self.opponents.newest(member.name) if member.gate.tests else None
        return newest.folder if newest else None


def _each(config: TrainConfig, who: Population) -> int:
    """Matches of a step that each learner has at least.

    Raises:
        BadOption: there are too few for each to have one group, or they are played where one learner is served.
    """
    if len(who.names) > 1 and (config.sampler or config.shard):
        raise BadOption("a sampler, and weights split over ranks, serve one learner; leave them out or adapters shared")
    groups = config.matches // config.group_size // len(who.names)
    if groups < 1 and len(who.names) > 1:
        raise BadOption(
            f"{config.matches} matches are too few for {len(who.names)} learners in groups of {config.group_size}; "
            f"set matches (--matches) to at least {len(who.names) * config.group_size}"
        )
    return groups * config.group_size if len(who.names) > 1 else config.matches


def _tests(config: TrainConfig, who: Population, played: Menu) -> Sequence[Test]:
    """The suite that snapshots must pass.

    Raises:
        ArenaError: it names something unknown, or learners keep to their seats.
    """
    if config.gate and who.fixed:
        raise BadOption("the gate judges a snapshot in every seat; leave it out where adapters or roles are fixed")
    return suite(config.gate, played.games[0])


def _learners(config: TrainConfig, count: int) -> list[Learner]:
    """The learners, each with an adapter of its own on the one base, all from the adapter that is named, if one is."""
    ranks = Ranks.here()  # before the base is loaded: each has a GPU of its own
    base, adapter = base_of(config)
    learners = [Learner(base, config, ranks=ranks, number=k) for k in range(count)]
    if adapter:
        weights = base.weights(base.load(adapter))
        for learner in learners:
            learner.begin(weights, 0)
    return learners


def _keep(folder: Path, step: int, run: _Run, episodes: list[Episode]) -> None:
    """Write transcripts and the state of the run, where it is time for them."""
    config = run.config
    if config.samples_every and step % config.samples_every == 0:
        write_samples(folder, step, episodes)
    if step % config.checkpoint_every == 0 or step == config.steps:
        checkpoint.save(folder / "state", step, run.members)


def _resume(folder: Path, run: _Run) -> int:
    """Restore the newest state, if any, and the snapshots up to it; returns the steps done."""
    step = checkpoint.resume(folder / "state", run.members)
    run.ranks.from_main(lambda: checkpoint.discard(folder / "state", step))
    if not step:
        return 0
    for snapshot in sorted((folder / "snapshots").glob("step-*")):
        number = snapshot.name.removeprefix("step-")
        for member in run.members:
            there = number.isdigit() and int(number) <= step and (snapshot / member.folder).is_dir()
            if there and int(number) not in member.gate.refused:
                run.opponents.add(int(number), snapshot / member.folder, member.name)
    return step


def _speed(metrics: dict[str, Any], play_seconds: float, train_seconds: float) -> dict[str, float]:
    seconds = play_seconds + train_seconds
    return {
        "seconds": seconds,
        "play_seconds": play_seconds,
        "train_seconds": train_seconds,
        "tokens_per_second": metrics["played_tokens"] / max(seconds, 1e-9),
    }
