"""Golden playthroughs: one recorded match per game, so that rules and texts don't drift unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import games
from games.conformance.sampling import ConformanceError, playthrough
from games.game import Game

SEED, TICKS = 7, 60
FOLDER = Path("tests/games/golden")


def playthrough_lines(game: Game[Any], seed: int = SEED, ticks: int = TICKS) -> Iterator[str]:
    """One random match as lines: rules, then for each tick the state, what each seat reads, its moves, the rewards."""
    match = playthrough(game, seed)
    yield f"game {game.spec} seed {seed}"
    for seat in range(game.seats):
        yield from _block(f"rules player_{seat}", game.rules(seat))
    for tick, step in enumerate(islice(match.steps, ticks)):
        yield f"--- tick {tick}, round {game.round(step.state)}"
        yield from _sights(game, step.state)
        for seat, move in zip(step.movers, step.moves, strict=True):
            yield f"player_{seat} may play {game.moves(step.state, seat).describe()}"
            yield f"player_{seat} plays {move!r}"
        yield f"rewards {step.rewards}"
    if len(match.steps) <= ticks:
        yield "--- end"
        yield from _sights(game, match.end)
        yield from (f"measure {name} {values}" for name, values in game.measures(match.end).items())
    yield f"payoffs {tuple(match.payoff(seat) for seat in range(game.seats))}"


def _sights(game: Game[Any], state: Any) -> Iterator[str]:
    yield from _block("state", game.render(state))
    for seat in range(game.seats):
        yield from _block(f"player_{seat} reads", game.observe(state, seat).text)


def _block(head: str, text: str) -> Iterator[str]:
    yield from (f"{head} | {line}" for line in text.splitlines() or [""])


def golden(name: str, folder: Path = FOLDER) -> Path:
    """The file that holds the golden playthrough of a game."""
    return folder / f"{name}.txt"


def record(name: str, folder: Path = FOLDER) -> Path:
    """Play the game ``name`` and write its golden playthrough; returns the file."""
    path = golden(name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(playthrough_lines(games.make(name))) + "\n", encoding="utf-8")
    return path


def compare(name: str, folder: Path = FOLDER) -> None:
    """Play the game ``name`` again, line by line along its golden playthrough.

    Raises:
        ConformanceError: there is no recording, or a line differs.
    """
    path = golden(name, folder)
    again = f"python -m games.conformance record {name}"
    if not path.is_file():
        raise ConformanceError(f"{name} has no golden playthrough; record one with: {again}")
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip_longest(lines, playthrough_lines(games.make(name))), 1):
        if old != new:
            raise ConformanceError(f"{path.name}:{number}: was {old!r}, is {new!r}; if this is meant: {again}")
