"""Who sits in the other seats: the learner itself, its past snapshots, scripted players, any spec, with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import policies
from arena.records import Episode
from games import Game
from games.errors import BadOption, unknown
from games.stream import Stream
from policies import BasePolicy, Policy
from policies.llm.base import Base
from policies.llm.player import Decoding, LLMPolicy
from selfplay.columns import share_of_range
from selfplay.past import WAYS, Scores

LEARNER = "learner"


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
    spec = spec.strip()
    if spec.startswith("past") and spec not in WAYS:
        raise unknown("way to pick past snapshots", spec, WAYS)
    return Share(spec, weight)


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
    scores: Scores = field(default_factory=Scores)
    _policies: dict[str, Policy] = field(default_factory=dict)
    _refusals: dict[tuple[str, str], str] = field(default_factory=dict)

    def check(self, played: Sequence[Game[Any]]) -> None:
        """Make every scripted opponent now, so that a wrong spec stops the run before it starts.

        Raises:
            ArenaError: a spec is unknown, its player can play none of the games, or a game is left with nobody.
        """
        for share in self.shares:
            refusals = [self._refusal(share, game) for game in played]
            if all(refusals):
                raise BadOption(f"opponent {refusals[0]}")
        for game in played:
            if all(self._refusal(share, game) for share in self.shares):
                raise BadOption(f"none of the opponents can play {game.spec}; add self, or a player that can")

    def _refusal(self, share: Share, game: Game[Any]) -> str:
        """Why this opponent can't play the game; empty if it can."""
        if share.spec == "self" or share.spec.startswith("past"):
            return ""
        key = (share.spec, game.spec)
        if key not in self._refusals:
            player = self.policy(share.spec)
            self._refusals[key] = player.check(game) if isinstance(player, BasePolicy) else ""
        return self._refusals[key]

    def add(self, step: int, folder: Path) -> None:
        """A snapshot was saved; where there are too many, every other of the older half leaves."""
        self.snapshots[f"past-{step}"] = folder
        self.scores.freeze(f"past-{step}")
        while len(self.snapshots) > self.pool:
            names = list(self.snapshots)
            del self.snapshots[names[1 if len(names) > 2 else 0 :: 2][0]]

    def newest(self) -> Policy | None:
        """The latest snapshot that was added, as a policy."""
        return self.policy(list(self.snapshots)[-1]) if self.snapshots else None

    def newest_folder(self) -> Path | None:
        """Where the latest snapshot that was added lies."""
        return list(self.snapshots.values())[-1] if self.snapshots else None

    def learn(self, episodes: Sequence[Episode]) -> None:
        """Take in how the learner did against its past selves."""
        for episode in episodes:
            match = episode.match
            for seat, name in enumerate(match.entrants):
                if name == LEARNER:
                    score = share_of_range(episode.payoffs[seat], match.game.info)
                    for other in set(match.entrants) & set(self.snapshots):
                        self.scores.add(other, score)

    def draw(self, rng: Stream, game: Game[Any]) -> str:
        """The entrant name of one opponent in ``game``."""
        able = [s for s in self.shares if not self._refusal(s, game)]
        open_ = [s for s in able if self.snapshots or not s.spec.startswith("past")]
        if not open_:
            return LEARNER
        share = rng.weighted(open_, [s.weight for s in open_])
        if share.spec == "self":
            return LEARNER
        if share.spec not in WAYS:
            return share.spec
        names = list(self.snapshots)
        if share.spec == "past:uniform":
            return rng.choice(names)
        return rng.weighted(names, [float(w) for w in WAYS[share.spec](names, self.scores)])

    def policy(self, name: str) -> Policy:
        """The policy behind an entrant name that :meth:`draw` gave."""
        if name not in self._policies:
            if name in self.snapshots:
                self._policies[name] = LLMPolicy(self.base, self.base.load(self.snapshots[name]), self.decoding)
            else:
                self._policies[name] = policies.make(name)
        return self._policies[name]
