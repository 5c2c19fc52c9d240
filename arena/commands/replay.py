"""``arena replay STORE [MATCH]``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.store import Store

ABOUT = "Show a stored match turn by turn; without a match, list the matches of the store."
EXAMPLES = """
arena replay runs/demo/arena.sqlite
arena replay runs/demo/arena.sqlite 17
arena replay runs/demo/arena.sqlite --entrant tit-for-tat
arena replay runs/demo/arena.sqlite --export matches.jsonl
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    from arena.flags import whole

    parser.add_argument("store", metavar="STORE", help="the SQLite file that `arena tournament --store` wrote")
    parser.add_argument("match", nargs="?", type=whole, metavar="MATCH", help="the number of a match")
    parser.add_argument("--entrant", default="", metavar="NAME", help="list only matches of this entrant")
    parser.add_argument("--export", default="", metavar="FILE", help="write every episode to FILE as JSON lines")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")


def run(args: Namespace) -> int:
    """Show a match, list matches, or export them all."""
    from arena.store import Store

    with Store(args.store) as store:
        if args.export:
            print(f"{store.export(args.export)} episodes in {args.export}")
        elif args.match is not None:
            _one(store, args.match, args.json)
        else:
            _list(store, args.entrant, args.json)
    return 0


def _one(store: Store, match: int, as_json: bool) -> None:
    from arena.export import episode_json
    from arena.show import print_episode, print_json

    episode = store.episode(match)
    if as_json:
        print_json(episode_json(episode))
    else:
        print_episode(episode, store.seed)


def _list(store: Store, entrant: str, as_json: bool) -> None:
    from dataclasses import asdict

    from arena.show import print_json, print_table
    from games.errors import unknown

    names = [e.name for e in store.entrants()]
    if entrant and entrant not in names:
        raise unknown("entrant", entrant, names)
    rows = [row for row in store.matches() if not entrant or entrant in row.entrants]
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    cells = [
        (r.id, r.game, r.deal, " vs ".join(r.entrants), " : ".join(f"{p:g}" for p in r.payoffs), r.ending) for r in rows
    ]
    print_table("", ("match", "game", "deal", "seats", "payoffs", "ending"), cells)
