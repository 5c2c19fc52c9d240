"""``arena policies [NAME]``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.flags import Parser

ABOUT = "List the policies that can sit in a seat, or say all about one; a game's name lists who plays it."
EXAMPLES = """
arena policies
arena policies tit-for-tat
arena policies --game kuhn-poker
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a policy")
    parser.add_argument("--game", default="", metavar="GAME", help="only those that play this game")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")


def run(args: Namespace) -> int:
    """Print the list, or one policy."""
    from arena.show import print_json, print_table

    found = _chosen(args.name, args.game)
    if args.json:
        print_json(found[0] if args.name else found)
    elif args.name:
        print_table("", ("", ""), [(key, _text(value)) for key, value in found[0].items() if value])
    else:
        rows = [(p["spec"], _text(p["games"]), p["summary"]) for p in found]
        print_table("", ("policy", "plays", "what it does"), rows)
    return 0


def _chosen(name: str | None, game: str) -> list[dict[str, Any]]:
    import games
    from games.errors import unknown

    known = _all()
    if game:
        cls = games.load(game.partition(":")[0])
        known = [p for p in known if p["games"] is None or cls.name in p["games"]]
    if not name:
        return known
    head = name.partition(":")[0]
    found = [p for p in known if p["spec"].partition(":")[0] == head]
    if not found:
        raise unknown("policy", name, [p["spec"] for p in known])
    return found


def _all() -> list[dict[str, Any]]:
    import policies
    from policies.registry import COMBINATORS, PREFIXES

    scripts = [
        {"spec": f"{e.name}{e.arguments}", "games": e.games, "summary": e.summary, "paper": e.paper}
        for e in policies.scripts().values()
    ]
    others = [
        {"spec": p.spec, "games": p.games, "summary": p.summary, "paper": p.paper}
        for p in (*PREFIXES.values(), *COMBINATORS.values())
    ]
    return scripts + others


def _text(value: Any) -> str:
    return "every game" if value is None else ", ".join(value) if isinstance(value, tuple) else str(value)
