"""A run's results: one SQLite file, one transaction per match, readable while it is written.

A run that was killed goes on where it stopped: what is in the file is whole, what is missing is played. The file
remembers the configuration it was made with and refuses another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from arena.blob import encode
from arena.database import (
    MEMORY,
    check_config,
    check_format,
    connect,
    create,
    is_empty,
    make_folder,
    plain_errors,
    seat_values,
)
from arena.records import Episode
from arena.tables import EntrantRow, GameRow, MatchRow, SeatRow
from games import Game, UsageError

if TYPE_CHECKING:
    from arena.columns import Columns
    from arena.lanes import Block

_MATCHES = """
SELECT m.id, g.spec, g.kind, m.deal, m.rounds, m.ticks, m.ending FROM matches m JOIN games g ON g.id = m.game
"""
_SEATS = """
SELECT s.match, g.spec, g.kind, m.deal, s.seat, json_extract(g.roles, '$[' || s.seat || ']'), e.name, s.payoff,
       m.rounds, m.ending, s.turns, s.illegal, s.prompt_tokens, s.completion_tokens, s.seconds, s.measures
FROM seats s JOIN matches m ON m.id = s.match JOIN games g ON g.id = m.game JOIN entrants e ON e.id = s.entrant
ORDER BY s.match, s.seat
"""
_SEATED = "SELECT e.name, s.payoff FROM seats s JOIN entrants e ON e.id = s.entrant WHERE s.match = ? ORDER BY s.seat"
_ADD_MATCH = "INSERT INTO matches SELECT ?1, id, ?3, ?4, ?5, ?6 FROM games WHERE spec = ?2"
_ADD_SEAT = "INSERT INTO seats SELECT ?1, ?2, id, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM entrants WHERE name = ?3"
_ADD_TURNS = "INSERT INTO turns VALUES (?, ?)"


class Store:
    """The results of a run, read from ``path``; :meth:`open` gives one that can be written too.

    Args:
        path: the SQLite file of a finished or running tournament.

    Raises:
        ArenaError: there is no such file, it is no store, or it was written by a newer version.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise UsageError(f"there is no store at {self.path}; `arena tournament … --store {self.path}` makes one")
        self._db = connect(self.path, "ro")
        check_format(self._db, self.path)

    @classmethod
    def open(
        cls,
        path: str | Path | None,
        config: Mapping[str, Any],
        games: Sequence[Game[Any]],
        entrants: Sequence[EntrantRow],
    ) -> Store:
        """A store to write to: made where there is none, taken up again where there is.

        Args:
            path: the file; None keeps everything in memory.
            config: what decides the results, as plain JSON values; it must equal the stored one.
            games: the games that will be played.
            entrants: the population.

        Raises:
            UsageError: the file holds a run of another configuration; the message names the differing keys.
            ArenaError: the file is no store, or can't be written.
        """
        store = cls.__new__(cls)
        store.path = Path(MEMORY if path is None else path)
        if path is not None:
            make_folder(store.path)
        store._db = connect(store.path, "rwc")
        with plain_errors(store.path):
            if is_empty(store._db):
                create(store._db, config, games, entrants)
            else:
                check_format(store._db, store.path)
                check_config(store.path, store.config, config)
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @property
    def config(self) -> dict[str, Any]:
        """The configuration the run was made with."""
        return dict(json.loads(self._meta("config")))

    @property
    def seed(self) -> int:
        """The run's seed."""
        return int(self.config.get("seed", 0))

    def __len__(self) -> int:
        """How many matches are finished."""
        with plain_errors(self.path):
            return int(self._db.execute("SELECT count(*) FROM matches").fetchone()[0])

    def add(self, episode: Episode) -> None:
        """Save a finished match: all of it or, when the process dies meanwhile, nothing.

        Raises:
            ArenaError: the disk is full, or another process has written this match.
        """
        match = episode.match
        head = (match.id, match.game.spec, match.deal, episode.rounds, episode.ticks, episode.ending)
        with plain_errors(self.path), self._db:
            self._db.execute(_ADD_MATCH, head)
            self._db.executemany(_ADD_SEAT, seat_values(episode))
            self._db.execute(_ADD_TURNS, (match.id, encode(episode.turns)))

    def add_block(self, block: Block) -> None:
        """Save the matches of a block: all of them or, when the process dies meanwhile, none.

        Raises:
            ArenaError: the disk is full, or another process has written one of these matches.
        """
        from arena.throws import rows

        with plain_errors(self.path), self._db:
            for head, seats, record in rows(block):
                self._db.execute(_ADD_MATCH, head)
                self._db.executemany(_ADD_SEAT, seats)
                self._db.execute(_ADD_TURNS, (head[0], record))

    def finished(self) -> set[int]:
        """The ids of all finished matches."""
        with plain_errors(self.path):
            return {row[0] for row in self._db.execute("SELECT id FROM matches")}

    def games(self) -> list[GameRow]:
        """The games of this run, in the order given."""
        with plain_errors(self.path):
            rows = self._db.execute("SELECT * FROM games ORDER BY id").fetchall()
        return [GameRow(r[1], r[2], r[3], r[4], tuple(json.loads(r[5])), (r[6], r[7]), r[8], bool(r[9])) for r in rows]

    def entrants(self) -> list[EntrantRow]:
        """The population, in the order given."""
        with plain_errors(self.path):
            return [EntrantRow(*row) for row in self._db.execute("SELECT name, spec, kind FROM entrants ORDER BY id")]

    def seats(self) -> Iterator[SeatRow]:
        """Every seat of every finished match, by match and seat; read as you go."""
        with plain_errors(self.path):
            for row in self._db.execute(_SEATS):
                yield SeatRow(*[*row[:-1], json.loads(row[-1])])

    def columns(self, before: int | None = None) -> Iterator[Columns]:
        """The same as columns of numbers, game by game in chunks: for reading a million matches in seconds.

        Args:
            before: only matches with lower numbers; None: all.
        """
        from arena.columns import read

        with plain_errors(self.path):
            yield from read(self._db, self.path, before)

    def matches(self, after: int = -1) -> Iterator[MatchRow]:
        """Every finished match with an id greater than ``after``, by id; read as you go."""
        with plain_errors(self.path):
            for head in self._db.execute(f"{_MATCHES} WHERE m.id > ? ORDER BY m.id", (after,)):
                yield self._match(head)

    def match(self, match: int) -> MatchRow:
        """The finished match of this id.

        Raises:
            UsageError: no such match is stored.
        """
        with plain_errors(self.path):
            head = self._db.execute(f"{_MATCHES} WHERE m.id = ?", (match,)).fetchone()
            low, high = self._db.execute("SELECT min(id), max(id) FROM matches").fetchone()
        if head is None:
            known = "it is empty" if low is None else f"its matches are numbered {low} to {high}"
            raise UsageError(f"{self.path} holds no match {match}; {known}")
        return self._match(head)

    def episode(self, match: int) -> Episode:
        """A finished match with all its turns, observations and rewards, played again from what was stored.

        Raises:
            UsageError: no such match is stored.
            ArenaError: the game's rules have changed since.
        """
        from arena.replay import rebuild

        row = self.match(match)
        with plain_errors(self.path):
            blob = self._db.execute("SELECT record FROM turns WHERE match = ?", (match,)).fetchone()[0]
        return rebuild(row, blob, self.seed)

    def export(self, path: str | Path) -> int:
        """Write every episode to ``path`` as JSON lines, by match, and return how many there are.

        Raises:
            ArenaError: the file can't be written.
        """
        from arena.export import write_episodes

        return write_episodes(path, (self.episode(row.id) for row in self.matches()))

    def _match(self, head: tuple[Any, ...]) -> MatchRow:
        match, game, kind, deal, rounds, ticks, ending = head
        seated = self._db.execute(_SEATED, (match,)).fetchall()
        names, payoffs = tuple(r[0] for r in seated), tuple(r[1] for r in seated)
        return MatchRow(match, game, kind, deal, names, payoffs, rounds, ticks, ending)

    def _meta(self, key: str) -> str:
        with plain_errors(self.path):
            return str(self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])
