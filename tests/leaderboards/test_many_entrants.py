"""Two thousand entrants, a third of a percent of whose pairs have met."""

from __future__ import annotations

import numpy as np
from scipy.stats import kendalltau

from arena.columns import Columns
from arena.tables import EntrantRow
from leaderboards import from_store
from leaderboards.views.pairs import pairs_table

N, MATCHES = 2_000, 120_000


class Large:
    """Matches of random pairs, in columns."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.strength = rng.normal(size=N)
        first = rng.integers(0, N, MATCHES)
        second = (first + rng.integers(1, N, MATCHES)) % N
        won = rng.random(MATCHES) < 1 / (1 + np.exp(self.strength[second] - self.strength[first]))
        self.names = tuple(f"e{k:04d}" for k in range(N))
        payoff = np.where(won, 1.0, -1.0)
        self.table = (np.stack([first, second], axis=1), np.stack([payoff, -payoff], axis=1))

    def seats(self):
        return []

    def entrants(self):
        return [EntrantRow(name, name, "script") for name in self.names]

    def columns(self):
        entrant, payoff = self.table
        number, nothing = np.arange(MATCHES), np.zeros((MATCHES, 2))
        head = ("kuhn-poker", "competitive", ("first", "second"), self.names, number, number // 100)
        yield Columns(*head, np.ones_like(number), entrant, payoff, nothing + 2, nothing, nothing, nothing, {})


def test_two_thousand_entrants_have_a_board_that_says_what_is_missing():
    source = Large()
    (section,) = from_store(source).sections
    assert len(section.standings) == N
    truth = dict(zip(source.names, source.strength.tolist(), strict=True))
    tau = kendalltau([line.elo for line in section.standings], [truth[line.entrant] for line in section.standings])
    assert tau.statistic > 0.75
    assert section.nash.exploitability <= 1e-12
    assert any("pairs never met" in note for note in section.notes)
    assert all(line.best_rank <= line.rank <= line.worst_rank for line in section.standings[::100])
    table, missing = pairs_table(section, 80)
    assert (table.row_count, len(table.columns) + missing) == (N, N + 1)
