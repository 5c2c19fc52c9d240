"""``arena leaderboard STORE``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.store import Store

ABOUT = """Print the leaderboard of a stored tournament, also while it is being played; several stores of the same game
are added up."""
EXAMPLES = """
arena leaderboard runs/demo/arena.sqlite
arena leaderboard runs/demo/arena.sqlite --json
arena leaderboard runs/demo/arena.sqlite --svg leaderboard.svg
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("stores", nargs="+", metavar="STORE", help="SQLite files that `arena tournament --store` wrote")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")
    parser.add_argument("--svg", default="", metavar="FILE.svg", help="write it as a picture instead")


def run(args: Namespace) -> int:
    """Read the stores and print their leaderboard."""
    import leaderboards
    from games.errors import ArenaError

    if not args.svg:
        show(args.stores, args.json)
        return 0
    try:
        leaderboards.export_svg(leaderboards.from_store(*args.stores), args.svg)
    except OSError as error:
        raise ArenaError(f"can't write {args.svg}: {error.strerror}") from None
    return 0


def show(stores: Sequence[str | Store], as_json: bool) -> None:
    """Print the leaderboard of stores."""
    import leaderboards
    from arena.show import console, print_json

    board = leaderboards.from_store(*stores)
    if as_json:
        print_json(board.to_json())
    else:
        leaderboards.show(board, console())
