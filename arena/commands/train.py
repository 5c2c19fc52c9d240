"""``arena train``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser

ABOUT = "Train a LoRA adapter by self-play; a run that was killed goes on with the same numbers when started again."
EXAMPLES = """
arena train --preset advantage-alignment --game prisoners-dilemma:rounds=10 --out runs/aa
arena train --config train.toml --seed 1
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command: the fields of the training configuration."""
    from arena.flags import add_flags
    from selfplay.config import TrainConfig

    parser.add_argument("--config", default="", metavar="FILE.toml", help="settings by field name; flags go over them")
    add_flags(parser, TrainConfig)


def run(args: Namespace) -> int:
    """Train, and print where the adapter is."""
    import selfplay
    from arena.flags import build, read_toml
    from selfplay.config import TrainConfig

    given = dict(vars(args))
    path = given.pop("config")
    selfplay.train(build(TrainConfig, read_toml(path) if path else {}, given))
    return 0
