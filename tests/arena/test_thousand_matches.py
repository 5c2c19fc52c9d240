"""Social dilemmas and negotiations: a thousand matches each between their scripted players and random ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Episode, Match
from policies.registry import scripts

SPECS = (
    "split:rounds=3",
    "commons",
    "commons:seats=3,talk=1,newcomer=2,months=4",
    "public-goods:rounds=4",
    "shared-arms:rounds=6",
    "deal-or-no-deal",
    "negotiation",
    "deliberation:turns=12",
    "buy-sell",
    "buy-sell:talk=true",
    "ultimatum:offers=3",
    "auction",
    "auction:format=ascending,lots=1",
)


def players(spec: str) -> list[str]:
    """The scripted players of a game, and ``random``."""
    name = games.make(spec).name
    return ["random", *(entry.name for entry in scripts().values() if entry.games and name in entry.games)]


def play(spec: str, matches: int) -> Iterator[Episode]:
    """Matches whose seats rotate through all players."""
    game, seated = games.make(spec), players(spec)
    plan = (
        Match(
            n, game, n, tuple(seated[(n // len(seated) ** seat + n * seat) % len(seated)] for seat in range(game.seats))
        )
        for n in range(matches)
    )
    yield from run_matches(plan, {name: policies.make(name) for name in seated}, seed=0, live=256)


def matches(spec: str) -> int:
    """A thousand for each game, shared by its variants."""
    return 1000 // sum(other.partition(":")[0] == spec.partition(":")[0] for other in SPECS)


@pytest.mark.parametrize("spec", SPECS)
def test_a_thousand_matches_end_as_they_should(spec: str) -> None:
    info, seen = games.make(spec).info, 0
    low, high = info.payoff_bounds
    for episode in play(spec, matches(spec)):
        seen += 1
        assert episode.ending == "finished"
        assert episode.ticks <= info.max_ticks
        assert all(low - 1e-6 <= payoff <= high + 1e-6 for payoff in episode.payoffs)
        assert all(math.isfinite(value) for values in episode.measures.values() for value in values)
        assert not any(turn.illegal for turn in episode.turns)
    assert seen == matches(spec)


@pytest.mark.parametrize("spec", SPECS)
def test_every_game_has_two_players_of_its_own(spec: str) -> None:
    assert len(players(spec)) >= 3
