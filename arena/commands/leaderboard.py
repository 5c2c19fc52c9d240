"""``arena leaderboard STORE``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.store import Store
    from leaderboards.board import Board

ABOUT = """Print the leaderboard of a stored tournament, also while it is being played; several stores of the same game
are added up. Or rate a table of payoffs from a CSV file."""
EXAMPLES = """
arena leaderboard runs/demo/arena.sqlite
arena leaderboard runs/demo/arena.sqlite --explain tit-for-tat
arena leaderboard runs/demo/arena.sqlite --sort tokens --filter 'llm:*' --group kind
arena leaderboard runs/demo/arena.sqlite --watch
arena leaderboard runs/demo/arena.sqlite --html board.html --svg board.svg --csv board.csv
arena leaderboard --payoffs payoffs.csv
"""
_FILES = {"csv": "CSV", "markdown": "Markdown", "svg": "an SVG picture", "html": "one self-contained HTML page"}


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument(
        "stores", nargs="*", metavar="STORE", help="files of `arena tournament --store`, or Parquet exports of them"
    )
    parser.add_argument("--payoffs", default="", metavar="FILE.csv", help="rate this table of payoffs instead")
    parser.add_argument("--errors", default="", metavar="FILE.csv", help="standard errors of these payoffs")
    parser.add_argument("--explain", default="", metavar="ENTRANT", help="say in words why it stands where it does")
    parser.add_argument("--sort", default="", metavar="COLUMN", help="elo, payoff, tokens, …; -elo turns it round")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only names or specs with this text or pattern")
    parser.add_argument("--kind", default="", metavar="KIND", help="only entrants of this kind (script, llm, …)")
    parser.add_argument("--group", default="", choices=["kind"], help="entrants of a kind together, and summed up")
    parser.add_argument("--luck", action="store_true", help="payoffs with the luck of the deal taken out")
    parser.add_argument(
        "--exploitability", action="store_true", help="what a best reply would win of each, in games small enough"
    )
    parser.add_argument("--since", default="", metavar="FILE.json", help="show changes since this board (from --json)")
    parser.add_argument("--watch", action="store_true", help="follow a running tournament; Ctrl-C ends it")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")
    for name, what in _FILES.items():
        parser.add_argument(f"--{name}", default="", metavar="FILE", help=f"write it as {what} (-: standard output)")
    parser.add_argument("--plots", default="", metavar="FOLDER", help="write plots (needs matplotlib)")


def run(args: Namespace) -> int:
    """Read the stores or the table and show it as asked."""
    from games.errors import UsageError

    if bool(args.stores) == bool(args.payoffs):
        raise UsageError("name a STORE, or a table with --payoffs FILE.csv, one of the two")
    if args.payoffs:
        _published(args)
    elif args.watch:
        _watch(args)
    elif args.luck:
        _luck(args)
    elif args.exploitability:
        _exploitability(args)
    else:
        _stores(args)
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


def _stores(args: Namespace) -> None:
    import leaderboards
    from arena.show import console, print_json

    whole = leaderboards.from_store(*args.stores)
    if args.explain:
        _explain(whole, args.explain, args.json)
        return
    board = _selected(args, _compared(args, whole))
    if _write(args, board) or args.plots:
        return
    if args.json:
        print_json(board.to_json())
        return
    leaderboards.show(board, console())
    if not args.since:
        from leaderboards.memory import remember

        remember(args.stores, whole)


def _selected(args: Namespace, board: Board) -> Board:
    import leaderboards

    return leaderboards.select(board, sort=args.sort, filter=args.filter, kind=args.kind, group=args.group)


def _compared(args: Namespace, board: Board) -> Board:
    """The board with changes since the file named, or since it was last printed."""
    from leaderboards.changes import changed, read_board
    from leaderboards.memory import recall

    before = read_board(args.since) if args.since else recall(args.stores)
    return board if before is None else changed(board, before)


def _explain(board: Board, entrant: str, as_json: bool) -> None:
    from arena.show import print_json
    from games.inert import inert_line
    from leaderboards.explanation import explain

    found = explain(board, entrant)
    if as_json:
        print_json([{"game": game, "sentences": list(sentences)} for game, sentences in found])
        return
    for game, sentences in found:
        print("\n".join([inert_line(game), *(f"  {sentence}" for sentence in sentences)]))


def _luck(args: Namespace) -> None:
    from arena.show import print_json, print_table
    from arena.store import Store
    from leaderboards.luck import luck_free
    from leaderboards.views.luck import HEADS, luck_json, luck_rows

    found = []
    for path in args.stores:
        with Store(path) as store:
            found += luck_free(store)
    if args.json:
        print_json([luck_json(part) for part in found])
        return
    for part in found:
        print_table(f"{part.game}: payoff per match{f' ({part.note})' if part.note else ''}", HEADS, luck_rows(part))


def _exploitability(args: Namespace) -> None:
    """Exact, of every entrant that says how likely its moves are; the others are left out with the reason."""
    from arena.exploitability import of_store
    from arena.show import print_json, print_table
    from arena.store import Store

    found = []
    for path in args.stores:
        with Store(path) as store:
            found += of_store(store)
    if args.json:
        print_json([{"game": game, "entrant": name, "exploitability": value} for game, name, value, _ in found])
        return
    cells = [(name, game, why if value is None else f"{value:.4f}") for game, name, value, why in found]
    print_table("", ("entrant", "game", "exploitability"), cells)


def _watch(args: Namespace) -> None:
    import leaderboards
    from arena.show import console
    from leaderboards.arrays import TableError
    from leaderboards.views.live import follow

    def load() -> Board | None:
        """The board as it is now; None while there is nothing to show."""
        try:
            return _selected(
                args, leaderboards.from_store(*args.stores, bootstrap=0)
            )  # it is read anew every few seconds
        except TableError:  # nothing is finished yet, or nobody fits so far
            return None

    load()  # a store that isn't there is said at once
    follow(load, console())


def _write(args: Namespace, board: Board) -> bool:
    """Write the files asked for; whether there were any."""
    from leaderboards.exports import export

    asked = {name: getattr(args, name) for name in _FILES if getattr(args, name)}
    for name, path in asked.items():
        export(board, name, path, stores=args.stores)
    if args.plots:
        from leaderboards.plots import save_plots

        for made in save_plots(board, args.plots):
            print(made)
    return bool(asked)


def _published(args: Namespace) -> None:
    import leaderboards
    from arena.show import console, print_json
    from leaderboards.exports import export_published
    from leaderboards.views.published import show_published

    board = leaderboards.from_payoffs(args.payoffs, args.errors or None)
    asked = {name: getattr(args, name) for name in _FILES if getattr(args, name)}
    for name, path in asked.items():
        export_published(board, name, path)
    if args.json:
        print_json(board.to_json())
    elif not asked:
        show_published(board, console())
