"""Who sits in the other seats: the learner itself, its past snapshots, what beats it, any spec, with weights."""

from __future__ import annotations

import math
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
from selfplay.past import WAYS, Scores
from selfplay.population import LEARNER

OTHERS = "members"
"""The word for another learner of the population."""
EXPLOIT = "best-response"
"""The word for the exact best response to the learner as it is now, in small games: learning against it is
exploitability descent (Lockhart et al., IJCAI 2019, arXiv 1903.05614), which converges in the last iterate."""


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
    if not 0 < weight < math.inf:
        raise BadOption(
            f'opponent "{text}": "{head}" is no positive weight; write WEIGHT*SPEC, such as 0.5*past:uniform'
        )
    spec = spec.strip()
    if spec.startswith("past") and spec not in WAYS:
        raise unknown("way to pick past snapshots", spec, WAYS)
    return Share(spec, weight)


@dataclass(frozen=True, slots=True)
class Company:
    """Whom one learner may meet in one seat."""

    learner: str = LEARNER
    """Whose company it is."""
    selves: Sequence[str] = (LEARNER,)
    """Who ``self`` is: the learner, or whoever may sit there in its place."""
    others: Sequence[str] = ()
    """Other learners of the population."""
    owners: Sequence[str] = (LEARNER,)
    """Whose past snapshots may sit there."""
    only: str = ""
    """The one learner that is met at all; empty: what the run's shares say."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A learner as it was after ``step``."""

    owner: str
    step: int
    folder: Path

    @property
    def name(self) -> str:
        """As an entrant."""
        return f"past-{self.step}" if self.owner == LEARNER else f"past-{self.owner}-{self.step}"


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
    snapshots: dict[str, Snapshot] = field(default_factory=dict)
    _policies: dict[str, Policy] = field(default_factory=dict)
    _refusals: dict[tuple[str, str], str] = field(default_factory=dict)

    def check(self, played: Sequence[Game[Any]], learners: int = 1) -> None:
        """Make every scripted opponent now, so that a wrong spec stops the run before it starts.

        Raises:
            ArenaError: a spec is unknown, its player can play none of the games, or a game is left with nobody; the
                learner gives no exact probabilities, and its best response is asked for.
        """
        if learners < 2 and any(share.spec == OTHERS for share in self.shares):
            raise BadOption(f'opponent "{OTHERS}" needs several learners; set adapters, such as members:3 or league:1')
        exact = self.decoding.decode == "constrained" and not self.decoding.think
        if not exact and any(share.spec == EXPLOIT for share in self.shares):
            raise BadOption(
                f'opponent "{EXPLOIT}" needs the learner\'s exact probabilities: set decode constrained and think 0'
            )
        for share in self.shares:
            refusals = [self._refusal(share, game) for game in played]
            if all(refusals):
                raise BadOption(f'opponent "{share.spec}": {refusals[0]}')
        for game in played:
            if all(self._refusal(share, game) for share in self.shares):
                raise BadOption(f"none of the opponents can play {game.spec}; add self, or a player that can")

    def _refusal(self, share: Share, game: Game[Any]) -> str:
        """Why this opponent can't play the game; empty if it can."""
        if share.spec in ("self", OTHERS) or share.spec.startswith("past"):
            return ""
        key = (share.spec, game.spec)
        if key not in self._refusals:
            player = self.policy(responder("random") if share.spec == EXPLOIT else share.spec)
            self._refusals[key] = player.check(game) if isinstance(player, BasePolicy) else ""
        return self._refusals[key]

    def add(self, step: int, folder: Path, owner: str = LEARNER) -> str:
        """A snapshot was saved; where there are too many, every other of the older half leaves. Returns its name."""
        snapshot = Snapshot(owner, step, folder)
        self.snapshots[snapshot.name] = snapshot
        while len(self.snapshots) > self.pool:
            names = list(self.snapshots)
            self._leave(names[1 if len(names) > 2 else 0 :: 2][0])
        return snapshot.name

    def _leave(self, name: str) -> None:
        """A snapshot leaves the pool, and the memory too."""
        del self.snapshots[name]
        gone = self._policies.pop(name, None)
        if isinstance(gone, LLMPolicy) and gone.adapter:
            self.base.drop(gone.adapter)

    def newest(self, owner: str = LEARNER) -> Snapshot | None:
        """The latest snapshot of a learner that was added."""
        return next((s for s in reversed(self.snapshots.values()) if s.owner == owner), None)

    def draw(self, rng: Stream, game: Game[Any], company: Company, scores: Scores) -> str:
        """The entrant name of one opponent in ``game``.

        Args:
            rng: what is drawn from.
            game: that is played.
            company: who may be met.
            scores: what the learner had against past snapshots.
        """
        if company.only:
            return company.only
        past = [s.name for s in self.snapshots.values() if s.owner in company.owners]
        there = {OTHERS: company.others, **dict.fromkeys(WAYS, past)}
        able = [s for s in self.shares if not self._refusal(s, game)]
        open_ = [s for s in able if there.get(s.spec, True)]
        if not open_:
            return _one_of(company.selves, rng)
        share = rng.weighted(open_, [s.weight for s in open_])
        if share.spec in ("self", OTHERS):
            return _one_of(company.others if share.spec == OTHERS else company.selves, rng)
        if share.spec not in WAYS:
            return responder(company.learner) if share.spec == EXPLOIT else share.spec
        if share.spec == "past:uniform":
            return rng.choice(past)
        return rng.weighted(past, [float(w) for w in WAYS[share.spec](past, scores)])

    def policy(self, name: str) -> Policy:
        """The policy behind an entrant name that :meth:`draw` gave."""
        if name not in self._policies:
            if name in self.snapshots:
                loaded = self.base.load(self.snapshots[name].folder)
                self._policies[name] = LLMPolicy(self.base, loaded, self.decoding)
            else:
                self._policies[name] = policies.make(name)
        return self._policies[name]


def responder(learner: str) -> str:
    """The entrant name of the best response to a learner."""
    return f"{EXPLOIT}:{learner}"


def _one_of(names: Sequence[str], rng: Stream) -> str:
    """The one there is, or one of several drawn evenly."""
    return names[0] if len(names) == 1 else rng.choice(names)
