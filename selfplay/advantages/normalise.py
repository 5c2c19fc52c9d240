"""Agent-specific normalisation: statistics per game and role, never over seats whose payoffs differ by design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from selfplay.advantages.parts import Floats
from selfplay.table import TurnTable

Moments = tuple[float, float, float]  # samples seen (decayed), mean, mean of squares
VECTOR = "vector/"


@dataclass
class Normaliser:
    """Means and deviations per game and role; where a batch has few samples, running ones. Part of the checkpoint.

    Args:
        few: fewer samples than this fall back on running statistics, once there are some.
        decay: how much of the running statistics each batch keeps.
        ddof: delta degrees of freedom of the deviation.
    """

    few: int = 16
    decay: float = 0.9
    ddof: int = 1
    running: dict[str, Moments] = field(default_factory=dict)
    vectors: dict[str, list[float]] = field(default_factory=dict)
    """Weights that estimators learn, such as a value head's; they travel with the statistics."""

    def centre(self, table: TurnTable, x: Floats) -> Floats:
        """(N,) ``x`` minus its mean over the learner's turns of the same game and role."""
        out = np.array(x, np.float64)
        for name, rows, _ in self._roles(table):
            out[rows] -= self._moments(f"centre/{name}", x[rows & table.learner])[0]
        return out

    def scale(self, table: TurnTable, x: Floats) -> Floats:
        """(N,) ``x`` divided by its deviation over the learner's turns of the same game and role, floored."""
        out = np.array(x, np.float64)
        for name, rows, floor in self._roles(table):
            std = self._moments(f"scale/{name}", x[rows & table.learner])[1]
            out[rows] /= max(std, floor, 1e-12)
        return out

    def moving_baseline(self, name: str, values: Floats, decay: float, *, read_before_update: bool = True) -> Floats:
        """(K,) an exponential moving mean of ``values`` in order, from 0: b ← decay · b + (1 − decay) · value.

        Args:
            name: which running mean; it goes on from batch to batch and is part of the checkpoint.
            values: (K,) in order of time.
            decay: how much of the mean each value keeps.
            read_before_update: whether an entry gets the mean as it was before its own value moved it.
        """
        count, mean, _ = self.running.get(name, (0.0, 0.0, 0.0))
        out = np.empty(len(values))
        for i, value in enumerate(values):
            moved = decay * mean + (1 - decay) * float(value)
            out[i] = mean if read_before_update else moved
            mean = moved
        self.running[name] = (count + len(values), mean, 0.0)
        return out

    def tick(self, name: str) -> int:
        """How often this was asked for before; batches are counted so, also over a checkpoint."""
        count = self.running.get(name, (0.0, 0.0, 0.0))[0]
        self.running[name] = (count + 1, 0.0, 0.0)
        return int(count)

    @staticmethod
    def _roles(table: TurnTable) -> Iterator[tuple[str, NDArray[np.bool_], float]]:
        """Each game and role: its name, its turns (N,) and its smallest deviation."""
        key = table.keys("game", "role")
        for group in np.unique(key):
            rows = key == group
            one = int(np.flatnonzero(rows)[0])
            yield f"{table.names[table.game[one]]}/{table.names[table.role[one]]}", rows, float(table.floor[one])

    def _moments(self, name: str, values: Floats) -> tuple[float, float]:
        """Mean and deviation of this batch, or the running ones where it is small; then the running ones move on."""
        known = self.running.get(name)
        count, mean, square = len(values), 0.0, 0.0
        if count:
            mean, square = float(values.mean()), float((values**2).mean())
        use = known if count < self.few and known is not None and known[0] > count else (float(count), mean, square)
        if count:
            self.running[name] = self._blend(known, (float(count), mean, square))
        n, m, s = use
        variance = max(s - m * m, 0.0) * (n / (n - self.ddof) if n > self.ddof else 0.0)
        return m, variance**0.5

    def _blend(self, known: Moments | None, new: Moments) -> Moments:
        if known is None:
            return new
        kept = known[0] * self.decay
        share = new[0] / (kept + new[0])
        return kept + new[0], known[1] + share * (new[1] - known[1]), known[2] + share * (new[2] - known[2])

    def state(self) -> dict[str, list[float]]:
        """The running statistics, for a checkpoint."""
        weights = {f"{VECTOR}{name}": values for name, values in self.vectors.items()}
        return {name: list(m) for name, m in self.running.items()} | weights

    def restore(self, state: Mapping[str, list[float]]) -> None:
        """Take over the running statistics of a checkpoint."""
        self.running = {name: (m[0], m[1], m[2]) for name, m in state.items() if not name.startswith(VECTOR)}
        self.vectors = {name.removeprefix(VECTOR): m for name, m in state.items() if name.startswith(VECTOR)}
