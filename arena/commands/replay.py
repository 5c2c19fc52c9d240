"""``arena replay STORE [MATCH]``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.store import Store

ABOUT = """Show a stored match turn by turn; without a match, list the matches of the stores. Or export them: every
episode as JSON lines, or as Parquet (a name that ends in .parquet; extra) a row for each seat, which
`arena leaderboard` and other tools read."""
EXAMPLES = """
arena replay runs/demo/arena.sqlite
arena replay runs/demo/arena.sqlite 17
arena replay runs/demo/arena.sqlite --entrant tit-for-tat
arena replay runs/demo/arena.sqlite --export matches.jsonl
arena replay runs/monday.sqlite --export monday.parquet
arena replay runs/monday.sqlite runs/tuesday.sqlite --entrant tit-for-tat
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument(
        "words",
        nargs="+",
        metavar="STORE… [MATCH]",
        help="SQLite files of `arena tournament --store`; a match's number",
    )
    parser.add_argument("--entrant", default="", metavar="NAME", help="list only matches of this entrant")
    parser.add_argument(
        "--export", default="", metavar="FILE", help="write every match to FILE: JSON lines, or .parquet"
    )
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")


def run(args: Namespace) -> int:
    """Show a match, list matches, or export them all."""
    from contextlib import ExitStack

    from arena.store import Store

    paths, match = _split(args.words)
    with ExitStack() as open_:
        stores = [open_.enter_context(Store(path)) for path in paths]
        if args.export:
            print(_exported(stores, args.export))
        elif match is not None:
            _one(_only(stores, f"match {match} of which?"), match, args.json)
        else:
            _list(stores, args.entrant, args.json)
    return 0


def _split(words: list[str]) -> tuple[list[str], int | None]:
    """The stores, and the number of a match where the last word is one."""
    from games.errors import UsageError

    paths, match = (words[:-1], int(words[-1])) if words[-1].isdecimal() else (words, None)
    if not paths:
        raise UsageError(f'"{words[0]}" is the number of a match; name the store before it')
    return paths, match


def _only(stores: list[Store], question: str) -> Store:
    from games.errors import UsageError

    if len(stores) > 1:
        raise UsageError(f"{question} {len(stores)} stores are named; name one")
    return stores[0]


def _exported(stores: list[Store], path: str) -> str:
    """Write the matches as the file's name says, and what was written."""
    from arena.export import write_episodes
    from arena.parquet import is_parquet, write_parquet

    if is_parquet(path):
        return f"{write_parquet(path, _only(stores, 'a Parquet file holds one run;'))} matches in {path}"
    episodes = (store.episode(row.id) for store in stores for row in store.matches())
    return f"{write_episodes(path, episodes)} episodes in {path}"


def _one(store: Store, match: int, as_json: bool) -> None:
    from arena.export import episode_json
    from arena.show import print_episode, print_json

    episode = store.episode(match)
    if as_json:
        print_json(episode_json(episode))
    else:
        print_episode(episode, store.seed)


def _list(stores: list[Store], entrant: str, as_json: bool) -> None:
    from dataclasses import asdict

    from arena.show import print_json, print_table
    from games.errors import unknown

    names = {e.name for store in stores for e in store.entrants()}
    if entrant and entrant not in names:
        raise unknown("entrant", entrant, names)
    where = [str(store.path) for store in stores] if len(stores) > 1 else [""]
    rows = [
        (path, row)
        for path, store in zip(where, stores, strict=True)
        for row in store.matches()
        if not entrant or entrant in row.entrants
    ]
    if as_json:
        print_json([({"store": path} if path else {}) | asdict(row) for path, row in rows])
        return
    cells = [
        (path, r.id, r.game, r.deal, " vs ".join(r.entrants), " : ".join(f"{p:g}" for p in r.payoffs), r.ending)
        for path, r in rows
    ]
    heads, first = ("store", "match", "game", "deal", "seats", "payoffs", "ending"), int(where == [""])
    print_table("", heads[first:], [row[first:] for row in cells])
