"""Published and computed rating vectors, and stores made of a few words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


@pytest.fixture
def store() -> Callable[..., FakeStore]:
    return make_store


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    """What published ratings come out as; each names its source and status."""
    return json.loads((Path(__file__).parent / "rating_vectors.json").read_text(encoding="utf-8"))
