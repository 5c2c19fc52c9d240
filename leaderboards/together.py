"""Whether results of several runs may be added up: no run twice, the same players and the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from leaderboards.arrays import TableError


def check_together(sources: Iterable[Any]) -> None:
    """Refuse runs that can't be added up, as far as they say where they lie and how they were made.

    Args:
        sources: stores, Parquet files, or anything else with rows; what has no ``path`` and ``config`` is let through.

    Raises:
        TableError: a file is named twice, a game has other rules in one run than in another, or a player is of
            other make (its adapter was trained on meanwhile, say).
    """
    paths: set[Path] = set()
    known: dict[tuple[str, str], tuple[Any, str]] = {}
    for source in sources:
        path = getattr(source, "path", None)
        if path is None:
            continue
        if Path(path).resolve() in paths:
            raise TableError(f"{path} is named twice; its matches would count double")
        if Path(path).is_file():
            paths.add(Path(path).resolve())
        for key, value in _facts(source.config):
            before, where = known.setdefault(key, (value, str(path)))
            if before != value:
                raise TableError(
                    f"{key[0]} {key[1]} differs: {before} in {where}, {value} in {path}; rate these runs apart"
                )


def _facts(config: Mapping[str, Any]) -> Iterable[tuple[tuple[str, str], Any]]:
    """What must be the same in every run that has it: a game's version, what an entrant plays like."""
    for what, name in (("games", "the version of game"), ("entrants", "entrant")):
        for item, value in dict(config.get(what, {})).items():
            yield (name, str(item)), value
