"""``arena play GAME SPEC [SPEC…]``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.records import Episode

ABOUT = """Play matches now and show them turn by turn. Seats that you leave open are yours: you are asked for
each move (`?` shows the rules and the legal moves, `quit` leaves). Nothing is stored."""
EXAMPLES = """
arena play tic-tac-toe perfect              you move first against the perfect player
arena play tic-tac-toe perfect human        you move second
arena play prisoners-dilemma tit-for-tat random --matches 3
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    from arena.flags import whole

    parser.add_argument("game", metavar="GAME", help="a game, or a spec with options (name:option=value)")
    parser.add_argument("players", nargs="+", metavar="SPEC", help="a policy for each seat; open seats are human")
    parser.add_argument("--matches", type=whole, default=1, metavar="N", help="how many matches (default: 1)")
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="fixes all chance (default: 0)")
    rules = "what an illegal reply counts as: game (its own rule), forfeit, random-legal or retry:N (default: game)"
    parser.add_argument("--illegal", default="game", metavar="RULE", help=rules)
    parser.add_argument("--json", action="store_true", help="whole episodes as JSON lines, for programs")


def run(args: Namespace) -> int:
    """Play the matches, one after the other where a person sits, and show them."""
    import games
    from arena.tournaments import play, stream
    from policies.human import LeftError

    if args.matches < 1:
        raise games.errors.BadOption(f"matches={args.matches} is not allowed; give 1 or more")
    game = games.make(args.game)
    players = ["human"] * (game.seats - len(args.players)) + args.players
    person = any(spec.partition("=")[2] == "human" or spec == "human" for spec in players)
    options = {"matches": args.matches, "seed": args.seed, "illegal": args.illegal}
    try:
        episodes = stream(game, players, live=1, **options) if person else play(game, players, **options)
        for episode in episodes:
            _show(episode, args.seed, args.json, person)
    except LeftError:
        print("you left; the match is not counted", file=sys.stderr)
    return 0


def _show(episode: Episode, seed: int, as_json: bool, person: bool) -> None:
    from arena.export import episode_json
    from arena.show import print_end, print_episode

    if as_json:
        print(json.dumps(episode_json(episode)))
    elif person:
        print_end(episode, seed)
    else:
        print_episode(episode, seed)
