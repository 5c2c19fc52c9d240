"""One learner of a run with all that is its own: adapter, optimizer, statistics, scores, promotion."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from arena.records import Episode
from policies import Policy
from policies.llm.player import Decoding, LLMPolicy
from selfplay.advantages import Normaliser, Preset
from selfplay.batch import sequences
from selfplay.columns import share_of_range
from selfplay.gate import Gate, Test
from selfplay.learner import Learner
from selfplay.past import Scores
from selfplay.population import LEARNER
from selfplay.sampler import sampling_policy
from selfplay.sources import Sources
from selfplay.table import turn_table


@dataclass
class Member:
    """A learner by name; the only one of a run is called ``learner``."""

    name: str
    learner: Learner
    policy: LLMPolicy
    gate: Gate
    start: dict[str, torch.Tensor]
    """The adapter's weights before it learned anything."""
    normaliser: Normaliser = field(default_factory=Normaliser)
    scores: Scores = field(default_factory=Scores)
    won: float = 0.5
    """An exploiter's share of wins against the main agent, a mean over steps that forgets."""

    @classmethod
    def of(cls, name: str, learner: Learner, decoding: Decoding, tests: Sequence[Test]) -> Member:
        """A member that has learned nothing yet."""
        policy = sampling_policy(learner.config, learner, decoding)
        return cls(name, learner, policy, Gate(tests, learner.config), learner.base.weights(learner.adapter))

    def weights(self) -> dict[str, torch.Tensor]:
        """Its adapter's weights as they are, by name."""
        return self.learner.base.weights(self.learner.adapter)

    @property
    def folder(self) -> str:
        """Its part of the paths of a run; nothing where it is the only learner."""
        return "" if self.name == LEARNER else self.name

    def meet(self, episodes: Sequence[Episode], snapshots: Collection[str]) -> None:
        """Take in how it did against past selves."""
        for episode in episodes:
            match = episode.match
            for seat, name in enumerate(match.entrants):
                if name == self.name:
                    score = share_of_range(episode.payoffs[seat], match.game.info)
                    for other in set(match.entrants) & set(snapshots):
                        self.scores.add(other, score)

    def learn(self, episodes: Sequence[Episode], estimator: Preset, step: int) -> dict[str, float]:
        """One update from matches in which it sits; returns what is logged."""
        config = self.learner.config
        sources = Sources(estimator.needs, self.learner, self.normaliser)
        table = sources.fill(turn_table(episodes, self.name, config.std_floor), episodes)
        advantage = estimator.estimate(table, config, self.normaliser)
        return self.learner.update(sequences(episodes, table, advantage), step)

    def begin(self, step: int) -> None:
        """Begin again from the first weights, before ``step``."""
        self.learner.begin(self.start, step)
        self.normaliser, self.scores, self.won = Normaliser(), Scores(), 0.5

    def judge(self, step: int, old: Policy | None) -> dict[str, float]:
        """Let the suite judge it as it is after ``step``; the verdict for the log, ``promoted`` among it."""
        self.policy.reset(step)
        gate, ranks = self.gate, self.learner.ranks
        with self.learner.whole():
            judged = ranks.from_main(lambda: (gate.judge(step, self.policy, old), gate.best, gate.refused))
        verdict, gate.best, gate.refused = judged
        return verdict.metrics()

    def snapshot(self, run: Path, step: int) -> Path:
        """Save the adapter as it is after ``step``, once; returns where."""
        target = run / "snapshots" / f"step-{step:06d}" / self.folder
        if not target.exists() and self.learner.ranks.main:
            self.learner.base.save(self.learner.adapter, target, {"step": step})
        self.learner.ranks.gather([])  # nobody reads it before it is there
        return target

    def finish(self, run: Path, step: int, promoted: Path | None) -> Path:
        """Save the adapter as it is after ``step`` (or a promoted one); one of fewer steps gives way to it."""
        adapter, base = run / "adapter" / self.folder, self.learner.base
        old = adapter.with_name(f".{adapter.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        if (adapter / "arena.json").is_file():
            if _step_of(adapter) == step:
                return adapter
            adapter.rename(old)
        if promoted is not None:
            base.set_weights(self.learner.adapter, base.weights(base.load(promoted)))
        config = self.learner.config
        base.save(self.learner.adapter, adapter, {"step": step, "game": config.game, "preset": config.preset})
        shutil.rmtree(old, ignore_errors=True)
        return adapter

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds beside weights."""
        own = {"normaliser": self.normaliser.state(), "scores": self.scores.state()}
        judged = {"gate": self.gate.best, "refused": self.gate.refused}
        return {**own, **judged, "born": self.learner.born, "won": self.won}

    def restore(self, about: Mapping[str, Any]) -> None:
        """Take over what a checkpoint holds beside weights."""
        self.normaliser.restore(about["normaliser"])
        self.scores.restore(about.get("scores", {}))
        self.gate.best, self.gate.refused = about.get("gate", {}), about.get("refused", [])
        self.learner.born, self.won = about.get("born", 0), about.get("won", 0.5)


def _step_of(adapter: Path) -> int:
    """How many steps a saved adapter has been trained; -1 where what it says of itself is damaged."""
    try:
        return int(json.loads((adapter / "arena.json").read_text(encoding="utf-8")).get("step", -1))
    except (ValueError, TypeError, AttributeError):
        return -1
