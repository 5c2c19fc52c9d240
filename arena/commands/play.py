"""``arena play GAME SPEC [SPEC…]``."""

from __future__ import annotations

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
    parser.add_argument("--json", action="store_true", help="whole episodes as JSON lines, for programs")


def run(args: Namespace) -> int:
    """Play the matches, one after the other where a person sits, and show them."""
    import games
    from arena.tournaments import play
    from policies.human import LeftError

    game = games.make(args.game)
    players = ["human"] * (game.seats - len(args.players)) + args.players
    try:
        for episode in play(game, players, matches=args.matches, seed=args.seed, live=1 if "human" in players else 64):
            _show(episode, args.seed, args.json, watched="human" in players)
    except LeftError:
        print("you left; the match is not counted")
    return 0


def _show(episode: Episode, seed: int, as_json: bool, watched: bool) -> None:
    import json

    from arena.export import episode_json
    from arena.show import console, print_episode, result

    if as_json:
        print(json.dumps(episode_json(episode)))
    elif watched:
        console().print(result(episode))
    else:
        print_episode(episode, seed)
