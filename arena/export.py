"""Episodes as plain JSON values, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from arena.records import Episode, TurnRecord
from games import ArenaError

_TURN_FIELDS = (*(f.name for f in fields(TurnRecord) if f.name != "sample"), "tries")


def episode_json(episode: Episode) -> dict[str, Any]:
    """The complete record of a match, token samples aside."""
    match = episode.match
    return {
        "match": match.id,
        "game": match.game.spec,
        "deal": match.deal,
        "entrants": list(match.entrants),
        "roles": list(match.game.info.roles),
        "payoffs": list(episode.payoffs),
        "rounds": episode.rounds,
        "ending": episode.ending,
        "measures": {name: list(values) for name, values in episode.measures.items()},
        "rewards": [list(rewards) for rewards in episode.rewards],
        "turns": [{name: getattr(turn, name) for name in _TURN_FIELDS} for turn in episode.turns],
    }


def write_episodes(path: str | Path, episodes: Iterable[Episode]) -> int:
    """Write episodes as JSON lines and return how many there were.

    Raises:
        ArenaError: the file can't be written.
    """
    count = 0
    try:
        with Path(path).open("w", encoding="utf-8") as file:
            for episode in episodes:
                count += 1
                file.write(json.dumps(episode_json(episode), separators=(",", ":")) + "\n")
    except OSError as error:
        raise ArenaError(f"can't write {path}: {error.strerror}") from None
    return count
