"""The SQLite side of a store: opening, laying out, checking, and its errors as one line each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.records import Episode
from arena.tables import APPLICATION_ID, FORMAT, SCHEMA, EntrantRow
from games import ArenaError, Game, UsageError

MEMORY = ":memory:"
"""The path of a store that is kept in memory alone."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file, read-only (``ro``) or to be made and written (``rwc``), or to ``:memory:``.

    A commit is safe once it is in the write-ahead log, so a killed process loses nothing; only a power cut may cost the
    last matches, which are then played again.
    """
    try:
        if str(path) == MEMORY:
            return sqlite3.connect(MEMORY)
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=30.0)
        db.execute("PRAGMA synchronous = NORMAL")
        return db
    except sqlite3.Error as error:
        raise ArenaError(_explain(path, str(error))) from None


def make_folder(path: Path) -> None:
    """Make the folder that ``path`` is to lie in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"can't make the folder {path.parent}: {error.strerror}") from None


def is_empty(db: sqlite3.Connection) -> bool:
    """Whether the file has no tables yet."""
    return int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]) == 0


def create(
    db: sqlite3.Connection, config: Mapping[str, Any], games: Sequence[Game[Any]], entrants: Sequence[EntrantRow]
) -> None:
    """Lay out a new file in one transaction: a process killed meanwhile leaves an empty one behind."""
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; {SCHEMA}")
    db.execute("INSERT INTO meta VALUES ('config', ?)", (json.dumps(config),))
    db.executemany("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [_game_values(g) for g in games])
    rows = [(e.name, e.spec, e.kind) for e in entrants]
    db.executemany("INSERT INTO entrants VALUES (NULL, ?, ?, ?)", rows)
    db.commit()


def _game_values(game: Game[Any]) -> tuple[Any, ...]:
    info, (low, high) = game.info, game.info.payoff_bounds
    roles = json.dumps(info.roles)
    return (game.spec, info.name, info.version, info.kind, roles, low, high, info.unit, int(info.zero_sum))


def seat_values(episode: Episode) -> list[tuple[Any, ...]]:
    """A row of the table ``seats`` for each seat, the entrant by name."""
    match = episode.match
    values = []
    for seat, entrant in enumerate(match.entrants):
        turns = [t for t in episode.turns if t.seat == seat]
        measures = {name: numbers[seat] for name, numbers in episode.measures.items()}
        costs = (
            sum(t.prompt_tokens for t in turns),
            sum(t.completion_tokens for t in turns),
            round(sum(t.seconds for t in turns), 6),
        )
        illegal = sum(1 for t in turns if t.illegal)
        head = (match.id, seat, entrant, episode.payoffs[seat], len(turns), illegal)
        values.append((*head, *costs, json.dumps(measures)))
    return values


def check_format(db: sqlite3.Connection, path: Path) -> None:
    """Raise ArenaError unless this is a store that this version can read."""
    with plain_errors(path):
        application = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise ArenaError(f"{path} is no store of the arena; name a file that `arena tournament --store` has written")
    if version > FORMAT:
        raise ArenaError(f"{path} has store format {version}, this version reads up to {FORMAT}; update the arena")


def check_config(path: Path, stored: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Raise UsageError that names the keys in which two configurations differ."""
    there, now = _flat(stored), _flat(asked)
    keys = [key for key in dict.fromkeys([*there, *now]) if there.get(key) != now.get(key)]
    if keys:
        differences = "; ".join(f"{k}: {there.get(k, 'nothing')} there, {now.get(k, 'nothing')} now" for k in keys)
        raise UsageError(
            f"{path} holds a run of another configuration ({differences}); use another --store or the same"
        )


def _flat(config: Mapping[str, Any]) -> dict[str, str]:
    """A configuration as ``key`` or ``key.name`` to JSON text, so that only what differs is named."""
    flat: dict[str, str] = {}
    for key, value in config.items():
        inner = {f"{key}.{name}": item for name, item in value.items()} if isinstance(value, Mapping) else {key: value}
        flat |= {name: json.dumps(item) for name, item in inner.items()}
    return flat


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as one line each; what was committed before stays."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise ArenaError(f"another process is writing {path} ({error}); wait for it, then start again") from None
    except sqlite3.DatabaseError as error:
        raise ArenaError(_explain(path, str(error))) from None


def _explain(path: Path, message: str) -> str:
    if "full" in message:
        return f"no space left for {path}: everything finished is saved; free some and run the same command to go on"
    if "not a database" in message:
        return f"{path} is no store of the arena; name a file that `arena tournament --store` has written"
    if "unable to open" in message:
        return f"{path} is no file that can be opened; name one, in a folder that you may write"
    return f"the store {path} can't be used: {message}"
