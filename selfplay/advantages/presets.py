"""Presets: a composition of parts with a name and a paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.errors import unknown
from selfplay.advantages.alignment import aligned_advantages
from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import Floats, group_mean, leave_one_out_mean, return_to_go
from selfplay.config import TrainConfig
from selfplay.table import TurnTable

Estimator = Callable[[TurnTable, TrainConfig, Normaliser], Floats]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named estimator: (table, configuration, running statistics) -> (N,) advantages."""

    name: str
    estimate: Estimator
    paper: str
    needs: str

    @property
    def summary(self) -> str:
        """The first line of the estimator's docstring."""
        return (self.estimate.__doc__ or "").strip().splitlines()[0]


_PRESETS: dict[str, Preset] = {}


def preset(name: str, paper: str, needs: str = "rewards") -> Callable[[Estimator], Estimator]:
    """Register an estimator as the preset ``name``; ``needs`` says what it needs beside rewards."""

    def register(estimate: Estimator) -> Estimator:
        _PRESETS[name] = Preset(name, estimate, paper, needs)
        return estimate

    return register


def presets() -> dict[str, Preset]:
    """Every preset by name."""
    return dict(sorted(_PRESETS.items()))


def get_preset(name: str) -> Preset:
    """The preset called ``name``.

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    if name not in _PRESETS:
        raise unknown("preset", name, _PRESETS)
    return _PRESETS[name]


@preset("reinforce", "Williams 1992, doi 10.1007/BF00992696; leave-one-out: Kool et al. 2019")
def reinforce(table: TurnTable, config: TrainConfig, normaliser: Normaliser) -> Floats:
    """Return-to-go minus the leave-one-out mean of the same seat at the same turn; divided by the role's deviation."""
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    group = table.keys("game", "deal", "seat", "entrant", "others", "turn")
    return normaliser.scale(table, value - leave_one_out_mean(value, group, table.match))


@preset("mars", "arXiv 2510.15414")
def mars(table: TurnTable, config: TrainConfig, normaliser: Normaliser) -> Floats:
    """Turn-level return-to-go, then mean and deviation of its game and role: sum, then normalise, agent-specific."""
    value = return_to_go(table.reward, table.keys("match", "seat"), config.gamma)
    return normaliser.scale(table, normaliser.centre(table, value))


@preset("advantage-alignment", "arXiv 2406.14662, 2511.19405", "two seats or more, rounds")
def advantage_alignment(table: TurnTable, config: TrainConfig, normaliser: Normaliser) -> Floats:
    """Group-relative advantage per round plus β γ (own past advantages) × (the others' advantage now)."""
    return normaliser.scale(table, aligned_advantages(table, config.beta, config.gamma))


__all__ = ["Preset", "get_preset", "group_mean", "preset", "presets"]
