"""Players of shared arms: which arm each pulls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.shared_arms import equilibrium
from policies.policy import Script, Turn
from policies.registry import script

SHARED_ARMS = ("shared-arms",)
_PAPER = "arXiv 2305.19158"
_LOOKS = 2  # times that each arm is tried before committing


def estimates(fields: Mapping[str, Any]) -> Sequence[float]:
    """What each arm pays on average: as told, else from the own pulls, with one success and one failure added."""
    if fields["means"] is not None:
        return list(fields["means"])
    pulls = [[paid for arm, paid, _ in fields["own"] if arm == k] for k in range(fields["arms"])]
    return [(sum(paid) + 1) / (len(paid) + 2) for paid in pulls]


class _Puller(Script):
    """A player that pulls an arm, numbered from 0."""

    def decide(self, turn: Turn) -> str:
        """The arm."""
        return str(self.arm(turn.observation.fields, turn.seat) + 1)

    def arm(self, fields: Mapping[str, Any], seat: int) -> int:
        """The arm to pull."""
        raise NotImplementedError


@script("explore-then-commit", games=SHARED_ARMS, paper=_PAPER)
class ExploreThenCommit(_Puller):
    """Tries every arm twice, then stays on its place in the equilibrium of what it found; the seats are its ranks."""

    def arm(self, fields: Mapping[str, Any], seat: int) -> int:
        """An arm in turn, or the own place."""
        arms, tried = int(fields["arms"]), len(fields["own"])
        if fields["means"] is None and tried < _LOOKS * arms:
            return (seat + tried) % arms
        early = dict(fields, own=fields["own"][: _LOOKS * arms])
        found = estimates(early)
        counts = equilibrium(found, fields["players"])
        places = [arm for arm in _best_first(found) for _ in range(counts[arm])]
        return places[seat % len(places)]


def _best_first(means: Sequence[float]) -> list[int]:
    return sorted(range(len(means)), key=lambda arm: -means[arm])


@script("best-arm", games=SHARED_ARMS)
class BestArm(_Puller):
    """Pulls the arm that seems to pay most, as if alone: all crowd there."""

    def arm(self, fields: Mapping[str, Any], seat: int) -> int:
        """The best by what was seen or told."""
        return _best_first(estimates(fields))[0]


@script("arm-rotator", games=SHARED_ARMS)
class ArmRotator(_Puller):
    """Pulls every arm in turn, each seat one further: nobody crowds, nobody chooses."""

    def arm(self, fields: Mapping[str, Any], seat: int) -> int:
        """The next arm."""
        return (seat + len(fields["own"])) % int(fields["arms"])
