"""Finished matches as Parquet: a row for each seat, for other tools and for more matches than one store should hold.

A file is one run. Its rows lie by match and seat, whole matches to a row group, so that a reader holds one group at a
time however large the file; who played and what stands in the file's metadata. Turns are not in it (`--export` as JSON
lines has them).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from arena.columns import Columns, measure_columns
from arena.store import Store
from arena.tables import EntrantRow, SeatRow
from games import ArenaError, MissingExtra, UsageError

SUFFIX = ".parquet"
GROUP = 100_000
"""Matches of a row group."""
FORMAT = 1
_KEY = b"arena"
_TEXTS = ("game", "ending", "role", "entrant", "measures")
_WHOLE = ("match", "deal", "seat", "rounds", "turns", "illegal", "prompt_tokens", "completion_tokens")
_SMALL = ("seat", "rounds", "turns", "illegal")
_NUMBERS = ("payoff", "seconds")
_READ = ("match", "game", "deal", "rounds", "entrant", "payoff", "turns", "illegal", "measures", "seconds")
_TOKENS = ("prompt_tokens", "completion_tokens")


def load_pyarrow() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        MissingExtra: they are not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        raise MissingExtra("Parquet needs pyarrow; run: pip install 'selfplay-arena[parquet]'") from error
    return pyarrow, pyarrow.parquet


def schema(about: Mapping[str, Any]) -> Any:
    """The columns of a file; ``about`` is kept as its metadata."""
    pa, _ = load_pyarrow()
    text = pa.dictionary(pa.int32(), pa.string())
    kinds = dict.fromkeys(_TEXTS, text) | {name: pa.float64() for name in _NUMBERS}
    kinds |= {name: pa.int32() if name in _SMALL else pa.int64() for name in _WHOLE}
    order = [*_WHOLE[:2], "game", "ending", "rounds", "seat", "role", "entrant", "payoff"]
    order += [name for name in kinds if name not in order]
    return pa.schema([(name, kinds[name]) for name in order], metadata={_KEY: json.dumps(about)})


def write_parquet(path: str | Path, store: Store, group: int = GROUP) -> int:
    """Write the finished matches of a store and return how many there are.

    Args:
        path: the file to write.
        store: what was played.
        group: matches of a row group.

    Raises:
        MissingExtra: pyarrow is not installed.
        ArenaError: the file can't be written.
    """
    pa, pq = load_pyarrow()
    columns, count = schema(_about(store)), 0
    matches = (list(rows) for _, rows in groupby(store.seats(), attrgetter("match")))
    try:
        with pq.ParquetWriter(str(path), columns, compression="zstd") as file:
            while some := list(islice(matches, group)):
                count += len(some)
                file.write_table(pa.table(_values(some), schema=columns), row_group_size=1 << 40)
    except OSError as error:
        raise ArenaError(f"can't write {path}: {error.strerror or error}") from None
    return count


def _about(store: Store) -> dict[str, Any]:
    games, entrants = [asdict(g) for g in store.games()], [asdict(e) for e in store.entrants()]
    return {"format": FORMAT, "config": store.config, "games": games, "entrants": entrants}


def _values(matches: Sequence[Sequence[SeatRow]]) -> dict[str, list[Any]]:
    rows = [row for seats in matches for row in seats]
    plain = [name for name in (*_TEXTS, *_WHOLE, *_NUMBERS) if name != "measures"]
    values: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in plain}
    return values | {"measures": [json.dumps(dict(row.measures)) for row in rows]}


class Parquet:
    """The results in a Parquet file, read like a store's (:class:`arena.Store`).

    Args:
        path: what :func:`write_parquet` wrote.

    Raises:
        UsageError: there is no such file.
        ArenaError: it holds something else.
        MissingExtra: pyarrow is not installed.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        pa, pq = load_pyarrow()
        if not self.path.is_file():
            raise UsageError(f"there is no file {self.path}; `arena replay STORE --export {self.path}` makes one")
        try:
            self._about = self._checked(pq.read_schema(str(self.path)))
        except (pa.ArrowInvalid, OSError) as error:
            raise ArenaError(f"{self.path} is no Parquet file ({str(error).splitlines()[0][:120]})") from None
        self._file = pq.ParquetFile(str(self.path), read_dictionary=list(_TEXTS))

    def _checked(self, found: Any) -> dict[str, Any]:
        """What the file says of itself."""
        about = json.loads((found.metadata or {}).get(_KEY, b"{}"))
        missing = [name for name in schema({}).names if name not in found.names]
        if not about or missing:
            raise ArenaError(
                f"{self.path} holds no matches of the arena; name a file that `arena replay --export` wrote"
            )
        if about["format"] > FORMAT:
            raise ArenaError(
                f"{self.path} has format {about['format']}, this version reads up to {FORMAT}; update the arena"
            )
        return dict(about)

    def __len__(self) -> int:
        """How many matches there are."""
        return sum(len(columns.match) for columns in self.columns())

    @property
    def config(self) -> dict[str, Any]:
        """The configuration of the run."""
        return dict(self._about["config"])

    def entrants(self) -> list[EntrantRow]:
        """The population, in the order given."""
        return [EntrantRow(**row) for row in self._about["entrants"]]

    def seats(self) -> Iterator[SeatRow]:
        """Every seat of every match, by match and seat; read as you go."""
        kinds = {game["spec"]: game["kind"] for game in self._about["games"]}
        for number in range(self._file.num_row_groups):
            for row in self._file.read_row_group(number).to_pylist():
                yield SeatRow(**{**row, "kind": kinds[row["game"]], "measures": json.loads(row["measures"])})

    def columns(self, before: int | None = None) -> Iterator[Columns]:
        """The same as columns of numbers, game by game, one row group at a time.

        Args:
            before: only matches with lower numbers; None: all.

        Raises:
            ArenaError: the rows are not whole matches in order.
        """
        for number in range(self._file.num_row_groups):
            table = self._file.read_row_group(number, columns=[*_READ, *_TOKENS]).combine_chunks()
            for game in self._about["games"]:
                found = self._of_game(table, game, before)
                if found is not None and len(found.match):
                    yield found

    def _of_game(self, table: Any, game: Mapping[str, Any], before: int | None) -> Columns | None:
        """The matches of one game in a row group; None where there are none."""
        specs, texts = _numbered(table, "game")
        if game["spec"] not in texts:
            return None
        here, roles = specs == texts.index(game["spec"]), tuple(game["roles"])
        match = table.column("match").to_numpy()
        here &= True if before is None else match < before
        self._check_whole(match[here], len(roles))
        seats = {name: _numbers(table, name, here, len(roles)) for name in ("payoff", "turns", "illegal", "seconds")}
        tokens = sum(_numbers(table, name, here, len(roles)) for name in _TOKENS)
        number, names = _numbered(table, "entrant")
        first = slice(None, None, len(roles))
        return Columns(
            game=game["spec"],
            kind=game["kind"],
            roles=roles,
            names=tuple(names),
            match=match[here][first],
            deal=table.column("deal").to_numpy()[here][first],
            rounds=table.column("rounds").to_numpy()[here][first].astype(np.int64),
            entrant=number[here].reshape(-1, len(roles)),
            tokens=np.asarray(tokens),
            measures=_measures(table, here, len(roles)),
            **seats,
        )

    def _check_whole(self, match: Any, seats: int) -> None:
        if len(match) % seats or (match.reshape(-1, seats) != match.reshape(-1, seats)[:, :1]).any():
            raise ArenaError(f"{self.path} has matches with seats missing or out of order; export it again")


def _numbered(table: Any, name: str) -> tuple[Any, list[str]]:
    """A column of texts as numbers, and the texts that they point to."""
    column = table.column(name).chunk(0) if table.num_rows else table.column(name).combine_chunks()
    return column.indices.to_numpy().astype(np.int64), column.dictionary.to_pylist()


def _numbers(table: Any, name: str, here: Any, seats: int) -> Any:
    return table.column(name).to_numpy()[here].astype(np.float64).reshape(-1, seats)


def _measures(table: Any, here: Any, seats: int) -> dict[str, Any]:
    """The measures of seats as a column each; each distinct text is parsed once."""
    number, texts = _numbered(table, "measures")
    if texts == ["{}"]:
        return {}
    columns = {name: column[number[here]].reshape(-1, seats) for name, column in measure_columns(texts).items()}
    return {name: column for name, column in columns.items() if not np.isnan(column).all()}


def opened(path: str | Path) -> Store | Parquet:
    """The results at ``path``: a Parquet file by its ending, else a store.

    Raises:
        ArenaError: there are none.
    """
    return Parquet(path) if is_parquet(path) else Store(path)


def is_parquet(path: str | Path) -> bool:
    """Whether a file's name ends as Parquet files' do, in either case."""
    return Path(path).suffix.lower() == SUFFIX
