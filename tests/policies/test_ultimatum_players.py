"""The scripted players of the ultimatum game: fair, selfish and stubborn."""

from __future__ import annotations

import pytest

import arena


@pytest.mark.parametrize(
    ("spec", "one", "other", "payoffs"),
    [
        ("ultimatum", "even-splitter", "even-splitter", (50.0, 50.0)),
        ("ultimatum", "subgame-perfect", "subgame-perfect", (99.0, 1.0)),
        ("ultimatum", "subgame-perfect", "even-splitter", (0.0, 0.0)),
        ("ultimatum", "hard-bargainer", "hard-bargainer", (0.0, 0.0)),
        ("ultimatum", "hard-bargainer", "subgame-perfect", (90.0, 10.0)),
        ("ultimatum:offers=2", "subgame-perfect", "subgame-perfect", (1.0, 99.0)),  # the last offer is the other's
        ("ultimatum:offers=3", "subgame-perfect", "subgame-perfect", (99.0, 1.0)),
        ("ultimatum:offers=3", "hard-bargainer", "even-splitter", (50.0, 50.0)),
        ("ultimatum:offers=3", "hard-bargainer", "hard-bargainer", (0.0, 0.0)),
    ],
)
def test_what_pairs_earn(spec: str, one: str, other: str, payoffs: tuple[float, float]) -> None:
    [episode] = arena.play(spec, [one, other])
    assert episode.payoffs == payoffs
