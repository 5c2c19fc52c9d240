"""``arena games [NAME]``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.flags import Parser
    from games import Game

ABOUT = "List the games, or say all about one: options, roles and the rules as a player reads them."
EXAMPLES = """
arena games
arena games prisoners-dilemma
arena games kuhn-poker --json
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a game, or a spec with options (name:option=value)")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, for programs")


def run(args: Namespace) -> int:
    """Print the list, or one game."""
    import games
    from arena.show import print_json, print_table

    if args.name:
        return _one(args.name, args.json)
    listed = [games.make(name) for name in games.names()]
    if args.json:
        print_json([_facts(game) for game in listed])
        return 0
    rows = [(g.name, g.info.kind, _seats(g), g.info.summary) for g in listed]
    print_table("", ("game", "kind", "seats", "what it is"), rows)
    return 0


def _one(spec: str, as_json: bool) -> int:
    import games
    from arena.show import console, print_json, print_table
    from games.inert import inert

    game = games.make(spec)
    if as_json:
        print_json({**_facts(game), "options": _options(game), "rules": [game.rules(s) for s in range(game.seats)]})
        return 0
    out = console()
    out.print(f"{game.spec}: {game.info.summary} ({game.info.kind})")
    out.print(f"roles: {', '.join(game.info.roles)}. {game.info.paper}".rstrip())
    if options := _options(game):
        rows = [(o["name"], _written(o["value"]), o["help"]) for o in options]
        print_table("", ("option", "value", "meaning"), rows)
    out.print(f"\nThe rules as {game.info.roles[0]} reads them:\n\n{inert(game.rules(0))}")
    return 0


def _facts(game: Game[Any]) -> dict[str, Any]:
    from dataclasses import asdict

    return {"spec": game.spec, **asdict(game.info)}


def _options(game: Game[Any]) -> list[dict[str, Any]]:
    from dataclasses import fields

    from games.options import field_help

    helps = field_help(type(game))
    return [{"name": f.name, "value": getattr(game, f.name), "help": helps.get(f.name, "")} for f in fields(game)]


def _written(value: Any) -> str:
    """An option's value as a spec writes it."""
    if isinstance(value, tuple):
        return "/".join(map(_written, value))
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


def _seats(game: Game[Any]) -> str:
    low, high = game.info.seats
    return str(low) if low == high else f"{low}-{high}"
