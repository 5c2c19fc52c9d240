"""``arena leaderboard STORE``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.store import Store

ABOUT = "Print the leaderboard of a stored tournament, also while it is being played."
EXAMPLES = """
arena leaderboard runs/demo/arena.sqlite
arena leaderboard runs/demo/arena.sqlite --json
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("store", metavar="STORE", help="the SQLite file that `arena tournament --store` wrote")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")


def run(args: Namespace) -> int:
    """Read the store and print its leaderboard."""
    from arena.store import Store

    with Store(args.store) as store:
        show(store, args.json)
    return 0


def show(store: Store, as_json: bool) -> None:
    """Print the leaderboard of a store."""
    import leaderboards
    from arena.show import console, print_json

    board = leaderboards.from_store(store)
    if as_json:
        print_json(board.to_json())
    else:
        leaderboards.show(board, console())
