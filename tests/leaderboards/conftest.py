"""Published and computed rating vectors, and stores made of a few words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.tables import EntrantRow, SeatRow

Play = tuple[int, Sequence[tuple[str, float]]]  # deal, then (entrant, payoff) for each seat


@dataclass(frozen=True)
class FakeStore:
    """Rows in memory, as a store would yield them."""

    rows: tuple[SeatRow, ...]
    population: tuple[EntrantRow, ...]

    def seats(self) -> Iterable[SeatRow]:
        return iter(self.rows)

    def entrants(self) -> Iterable[EntrantRow]:
        return self.population


def make_store(
    plays: Iterable[Play],
    *,
    game: str = "prisoners-dilemma",
    kind: str = "social-dilemma",
    rounds: int = 1,
    kinds: dict[str, str] | None = None,
    measures: dict[str, dict[str, float]] | None = None,
    first_match: int = 1,
) -> FakeStore:
    rows, names = [], {}
    for match, (deal, seated) in enumerate(plays, start=first_match):
        for seat, (entrant, payoff) in enumerate(seated):
            names[entrant] = EntrantRow(entrant, entrant, (kinds or {}).get(entrant, "script"))
            rows.append(
                SeatRow(
                    match=match,
                    game=game,
                    kind=kind,
                    deal=deal,
                    seat=seat,
                    role=f"player_{seat}",
                    entrant=entrant,
                    payoff=payoff,
                    rounds=rounds,
                    ending="finished",
                    turns=4,
                    illegal=1 if entrant == "clumsy" else 0,
                    prompt_tokens=30,
                    completion_tokens=10,
                    seconds=0.5,
                    measures=(measures or {}).get(entrant, {}),
                )
            )
    return FakeStore(tuple(rows), tuple(names.values()))


PAYOFFS = {("c", "c"): (3, 3), ("c", "d"): (0, 5), ("d", "c"): (5, 0), ("d", "d"): (1, 1)}


def play_dilemma(deals: int = 12) -> Iterator[Play]:
    """A dove, its copy, a hawk: the hawk wins every match and earns least."""
    move = {"dove": "c", "pigeon": "c", "hawk": "d"}
    for deal in range(deals):
        for first in move:
            for second in move:
                pay = PAYOFFS[move[first], move[second]]
                yield deal, [(first, float(pay[0])), (second, float(pay[1]))]


def play_poker(deals: int = 40, seed: int = 0) -> Iterator[Play]:
    """Three of falling strength in a zero-sum game of luck."""
    rng = np.random.default_rng(seed)
    strength = {"strong": 0.8, "medium": 0.3, "weak": -0.6}
    for deal in range(deals):
        for first in strength:
            for second in strength:
                if first != second:
                    swing = float(np.sign(strength[first] - strength[second] + rng.normal()))
                    yield deal, [(first, swing), (second, -swing)]


@pytest.fixture
def dilemma() -> Callable[..., Iterator[Play]]:
    return play_dilemma


@pytest.fixture
def poker() -> Callable[..., Iterator[Play]]:
    return play_poker


@pytest.fixture
def store() -> Callable[..., FakeStore]:
    return make_store


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    """What published ratings come out as; each names its source and status."""
    return json.loads((Path(__file__).parent / "rating_vectors.json").read_text(encoding="utf-8"))
