"""What estimators need beside a table of turns, and only models can tell: reference log-probabilities, values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from arena.records import Episode
from selfplay import critic
from selfplay.advantages import Normaliser, return_to_go
from selfplay.advantages.parts import split
from selfplay.batch import Talk, batches, sequences
from selfplay.table import Floats, TurnTable

if TYPE_CHECKING:
    from selfplay.learner import Learner

HEAD = "critic"


@dataclass
class Sources:
    """Fills the columns of a table that a preset ``needs``.

    The value head's weights lie among the running statistics, and so in the checkpoint. Values are read before the
    batch moves them.
    """

    needs: tuple[str, ...]
    learner: Learner
    normaliser: Normaliser

    def fill(self, table: TurnTable, episodes: Sequence[Episode]) -> TurnTable:
        """The table with the columns ``reference`` and ``value``, as far as they are needed."""
        if not {"reference", "values"} & set(self.needs):
            return table
        rows = sequences(episodes, table, np.zeros(len(table)))
        if "reference" in self.needs:
            table = replace(table, reference=self._reference(table, rows))
        if "values" in self.needs:
            table = replace(table, value=self._values(table, rows))
        return table

    def _reference(self, table: TurnTable, rows: Sequence[Talk]) -> Floats:
        """(N,) log-probability of each turn's reply under the base; 0 for turns that are not trained on."""
        out = np.zeros(len(table))
        for batch in batches(rows, self.learner.config.chunk_tokens):
            np.add.at(out, batch.turn_M.numpy(), self.learner.frozen(batch, None).logp_M.double().numpy())
        return out

    def _values(self, table: TurnTable, rows: Sequence[Talk]) -> Floats:
        """(N,) values of turns as the head has them; then the head learns this batch's returns."""
        out = np.full(len(table), np.nan)
        if rows:
            turns, hidden_KH = critic.hidden_states(self.learner, rows)
            x_KF = critic.features(hidden_KH)
            weights_F = np.array(self.normaliser.vectors.get(HEAD, np.zeros(x_KF.shape[1])))
            out[turns] = x_KF @ weights_F
            gamma = self.learner.config.gamma
            target_N = return_to_go(table.reward, table.keys("match", "seat"), gamma)
            self.normaliser.vectors[HEAD] = critic.fit(weights_F, x_KF, target_N[turns]).tolist()
        return _bridge(table, out, self.learner.config.gamma)


def _bridge(table: TurnTable, value: Floats, gamma: float) -> Floats:
    """Values of turns without a choice (NaN): what they earned and the value of the next, so that they add nothing."""
    out = np.array(value)
    for rows in split(table.keys("match", "seat")):
        following = 0.0
        for i in rows[::-1]:
            if np.isnan(out[i]):
                out[i] = table.reward[i] + gamma * following
            following = out[i]
    return out
