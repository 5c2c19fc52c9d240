"""Who sits in the other seats: the learner itself, its past snapshots, scripted players, any spec, with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import policies
from games import Game
from games.errors import BadOption, unknown
from games.stream import Stream
from policies import BasePolicy, Policy
from policies.llm.base import Base
from policies.llm.player import Decoding, LLMPolicy

LEARNER = "learner"
PAST = ("past:uniform",)


@dataclass(frozen=True, slots=True)
class Share:
    """One entry of the opponents' list."""

    spec: str
    weight: float


def parse_opponents(texts: Sequence[str]) -> list[Share]:
    """``SPEC`` or ``WEIGHT*SPEC`` entries as shares.

    Raises:
        BadOption: a weight that is no positive number, or an unknown way to pick past snapshots.
    """
    return [_share(text) for text in texts]


def _share(text: str) -> Share:
    head, star, spec = text.partition("*")
    if not star:
        head, spec = "1", text
    try:
        weight = float(head)
    except ValueError:
        weight = -1.0
    if not weight > 0:
        raise BadOption(
            f'opponent "{text}": "{head}" is no positive weight; write WEIGHT*SPEC, such as 0.5*past:uniform'
        )
    if spec.startswith("past") and spec not in PAST:
        raise unknown("way to pick past snapshots", spec, PAST)
    return Share(spec.strip(), weight)


@dataclass
class Opponents:
    """The opponents of a run; past snapshots join as they are saved.

    Args:
        shares: who may be met, with weights; ``past:…`` counts only once there is a snapshot.
        base: the base model that snapshots are adapters of.
        decoding: how snapshots choose their replies.
        pool: snapshots kept at most, evenly thinned.
    """

    shares: Sequence[Share]
    base: Base
    decoding: Decoding
    pool: int
    snapshots: dict[str, Path] = field(default_factory=dict)
    _policies: dict[str, Policy] = field(default_factory=dict)
    _slots: dict[str, str] = field(default_factory=dict)

    def check(self, game: Game[Any]) -> None:
        """Make every scripted opponent now, so that a wrong spec stops the run before it starts.

        Raises:
            ArenaError: a spec is unknown, or its player can't play the game.
        """
        for share in self.shares:
            if share.spec != "self" and not share.spec.startswith("past"):
                refusal = _refusal(self.policy(share.spec), game)
                if refusal:
                    raise BadOption(f"opponent {refusal}")

    def add(self, step: int, folder: Path) -> None:
        """A snapshot was saved; where there are too many, every other of the older half leaves."""
        self.snapshots[f"past-{step}"] = folder
        while len(self.snapshots) > self.pool:
            names = list(self.snapshots)
            del self.snapshots[names[1 if len(names) > 2 else 0 :: 2][0]]

    def draw(self, rng: Stream) -> str:
        """The entrant name of one opponent."""
        open_ = [s for s in self.shares if self.snapshots or not s.spec.startswith("past")]
        if not open_:
            return LEARNER
        share = rng.weighted(open_, [s.weight for s in open_])
        if share.spec == "self":
            return LEARNER
        return rng.choice(list(self.snapshots)) if share.spec.startswith("past") else share.spec

    def policy(self, name: str) -> Policy:
        """The policy behind an entrant name that :meth:`draw` gave."""
        if name not in self._policies:
            if name in self.snapshots:
                self._policies[name] = LLMPolicy(self.base, self.base.load(self.snapshots[name]), self.decoding)
            else:
                self._policies[name] = policies.make(name)
        return self._policies[name]


def _refusal(policy: Policy, game: Game[Any]) -> str:
    return policy.check(game) if isinstance(policy, BasePolicy) else ""
