"""Rollouts on Ray's actors: each holds the base model once and plays with the adapter of the version it is told.

The learner asks for the matches of a step ``staleness`` steps ahead, so that actors play while it learns: step t is
played by the adapter as it was after max(0, t − staleness) updates, however fast anybody is. With staleness 0 that is
the adapter itself, as in one process; else the losses make up for it (:mod:`selfplay.correction`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from arena.cluster import cluster, plain_failures
from arena.records import Episode, Match
from arena.wire import Played, Ticket, admit, arrived, pack, portable, ticket, unpack
from games import ArenaError
from selfplay.config import TrainConfig
from selfplay.rollout import plan, play, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from selfplay.member import Member
    from selfplay.menu import Menu
    from selfplay.opponents import Opponents
    from selfplay.population import Population

Files = dict[str, bytes]
_AGAIN = -1  # Ray restarts an actor, and does its task again, as often as it takes


@dataclass
class Actors:
    """Where the matches of a run are played by Ray's actors.

    Args:
        menu: the games of the run.
        config: says how many actors there are and how stale their adapters may be.
        who: the learners.
        opponents: who is met; drawn here, played there.
        members: whose adapters are sent.
    """

    menu: Menu
    config: TrainConfig
    who: Population
    opponents: Opponents
    members: Sequence[Member]
    _actors: list[Any] = field(default_factory=list)
    _running: dict[int, list[tuple[list[Match], Any]]] = field(default_factory=dict)
    _files: dict[str, Any] = field(default_factory=dict)

    def episodes(self, step: int) -> list[Episode]:
        """The episodes of ``step``, by match id, after those of the steps ahead were asked for.

        Raises:
            ArenaError: the cluster has too few processors, or Ray gave up.
        """
        ranks = self.members[0].learner.ranks  # the first one asks, the others get what it got
        return together(self._episodes(step) if ranks.main else [], self.menu, ranks)

    def _episodes(self, step: int) -> list[Episode]:
        with cluster(self.config.workers) as ray, plain_failures(ray):
            self._actors = self._actors or self._start(ray)
            last = min(step + self.config.staleness, self.config.steps - 1)
            wanted = [s for s in range(step, last + 1) if s not in self._running]
            weights = ray.put({m.name: m.weights() for m in self.members}) if wanted else None
            for each in wanted:
                self._running[each] = self._ask(ray, each, step, weights)
            found: list[Episode] = []
            for share, ref in self._running.pop(step):
                found += [unpack(match, played) for match, played in zip(share, ray.get(ref), strict=True)]
        return sorted(found, key=lambda e: e.match.id)

    def _start(self, ray: Any) -> list[Any]:
        count, there = self.config.actors, ray.cluster_resources()
        if there.get("CPU", 0) < count:
            raise ArenaError(f"{count} actors need a processor each, the cluster has {there.get('CPU', 0):g}; --actors")
        share = min(1.0, there.get("GPU", 0) / (count + 1))  # the learner's own is left to it
        options = {"num_cpus": 1, "num_gpus": share, "max_restarts": _AGAIN, "max_task_retries": _AGAIN}
        actor = ray.remote(**options)(Rollouts)
        return [actor.remote(self.config, [portable(game) for game in self.menu.games]) for _ in range(count)]

    def _ask(self, ray: Any, step: int, version: int, weights: Any) -> list[tuple[list[Match], Any]]:
        """Ask every actor for its share of the matches of ``step``."""
        scores = {m.name: m.scores for m in self.members}
        planned, asked = plan(self.menu, self.config, self.who, self.opponents, scores, step), []
        for number, actor in enumerate(self._actors):
            share = planned[number :: len(self._actors)]
            tickets = [ticket(match, self.menu.games) for match in share]
            met = {name for match in share for name in match.entrants} & set(self.opponents.snapshots)
            past = {name: self._sent(ray, name) for name in sorted(met)}
            asked.append((share, actor.play.remote(version, weights, tickets, past)))
        return asked

    def _sent(self, ray: Any, name: str) -> list[Any]:
        """A snapshot's files, sent once for all actors."""
        if name not in self._files:
            folder = self.opponents.snapshots[name].folder
            self._files[name] = ray.put({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})
        return [self._files[name]]


class Rollouts:
    """What an actor holds: the base model, the learners' adapters, and the opponents it has met."""

    def __init__(self, config: TrainConfig, games: list[Any]) -> None:
        import torch

        from policies.llm.player import LLMPolicy
        from selfplay.models import base_of, decoding_of, lora
        from selfplay.opponents import Opponents, parse_opponents
        from selfplay.population import population

        if config.threads:
            torch.set_num_threads(config.threads)
        base, _ = base_of(config)
        self.config, self.games = config, [arrived(game) for game in games]
        names = population(config.adapters, config.roles, self.games).names
        self.base, decoding = base, decoding_of(config)
        self.learners = {name: LLMPolicy(base, base.add(lora(config), seed=config.seed), decoding) for name in names}
        self.opponents = Opponents(parse_opponents(config.opponents), base, decoding, config.pool)
        self.opponents.check(self.games, len(names))
        self._version, self._folder = -1, Path(mkdtemp(prefix="arena-"))

    def play(
        self,
        version: int,
        weights: dict[str, dict[str, torch.Tensor]],
        tickets: list[Ticket],
        past: dict[str, list[Any]],
    ) -> list[Played]:
        """Play matches with the adapters after ``version`` updates."""
        if version != self._version:
            for name, policy in self.learners.items():
                self.base.set_weights(policy.adapter or "", weights[name])
                policy.reset(version)
            self._version = version
        for name, box in past.items():
            self._meet(name, box)
        matches = [admit(each, self.games) for each in tickets]
        found = {e.match.id: pack(e, samples=True) for e in play(matches, self.learners, self.opponents, self.config)}
        return [found[match.id] for match in matches]

    def _meet(self, name: str, box: list[Any]) -> None:
        """Take in a past self as an opponent."""
        import ray

        from selfplay.opponents import Snapshot

        if name in self.opponents.snapshots:
            return
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        files: Files = ray.get(box[0])
        for file, content in files.items():
            (folder / file).write_bytes(content)
        self.opponents.snapshots[name] = Snapshot(name, 0, folder)
