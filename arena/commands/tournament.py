"""``arena tournament GAME… ENTRANT…``."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from arena.config import TournamentConfig
from arena.flags import add_flags, build, read_toml
from games.errors import UsageError
from games.inert import inert_line

if TYPE_CHECKING:
    from arena.flags import Parser

ABOUT = """Let everybody meet everybody, seats swapped on the same deals, self-matches included, and print the
leaderboard. Every match is saved as it ends: kill the run and start it again with the same words, and it plays exactly
what is missing."""
EXAMPLES = """
arena tournament prisoners-dilemma tit-for-tat grim always-defect random --deals 20
arena tournament kuhn-poker nash=kuhn-nash random --store runs/kuhn/arena.sqlite
arena tournament prisoners-dilemma stag-hunt random old=llm:tiny new=llm:tiny+runs/ipd/adapter
arena tournament kuhn-poker new=llm:tiny nash=kuhn-nash random --schedule gauntlet --focus new
arena tournament leduc-poker cfr:100 shaky=noisy:0.3:cfr:100 random --schedule active --confidence 0.9
arena tournament connect-four mcts:200 mcts:400 --workers ray
arena tournament --config tournament.toml --seed 1
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("words", nargs="*", metavar="GAME… ENTRANT…", help="games first, then SPEC or NAME=SPEC")
    parser.add_argument("--config", default="", metavar="FILE.toml", help="settings by field name; flags go over them")
    add_flags(parser, TournamentConfig, skip={"games", "entrants"})
    parser.add_argument("--json", action="store_true", help="the leaderboard as JSON, for programs")


def run(args: Namespace) -> int:
    """Play what is missing and print the leaderboard."""
    from arena.commands.leaderboard import show
    from arena.plans import Schedule
    from arena.progress import watch
    from arena.tournaments import tournament

    config = read_config(vars(args))
    options: dict[str, Any] = {
        "deals": config.deals,
        "seed": config.seed,
        "live": config.live,
        "illegal": config.illegal,
        "workers": config.workers,
        "schedule": Schedule(config.schedule, config.rounds, config.confidence, config.focus),
        "say": lambda sentence: print(inert_line(sentence), file=sys.stderr),
    }
    with tournament(config.games, config.entrants, store=config.store or None, watch=watch, **options) as store:
        show([store], args.json)
    return 0


def read_config(given: dict[str, Any]) -> TournamentConfig:
    """The configuration behind the words of the command: flags over words over the file."""
    given = dict(given)
    path, words = given.pop("config"), given.pop("words")
    given.pop("json")
    return build(TournamentConfig, read_toml(path) if path else {}, _split(words), given)


def _split(words: list[str]) -> dict[str, list[str]]:
    """Games are the leading words that name one; the first must."""
    import games
    from games.registry import hosts

    known = {*games.names(), *hosts()}
    if not words:
        return {}
    first = next((i for i, word in enumerate(words) if word.partition(":")[0] not in known or _bot(word)), len(words))
    if first == 0:
        games.make(words[0])  # raises, naming the nearest game
        raise UsageError(f'"{words[0]}" is no game; name a game first')
    return {"games": words[:first], **({"entrants": words[first:]} if words[first:] else {})}


def _bot(word: str) -> bool:
    """Whether ``openspiel:NAME`` is one of OpenSpiel's players, not one of its games."""
    from policies.openspiel import BOTS

    head, _, name = word.partition(":")
    return head == "openspiel" and name in BOTS
