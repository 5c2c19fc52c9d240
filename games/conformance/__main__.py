"""``python -m games.conformance check SPEC…`` and ``python -m games.conformance record NAME…``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import games
from games.conformance import check, record
from games.conformance.golden import FOLDER


def main(arguments: list[str] | None = None) -> int:
    """Check games or record their golden playthroughs; exit code 0, 1 (a check failed) or 2 (usage)."""
    parser = argparse.ArgumentParser(prog="python -m games.conformance", description=__doc__)
    parser.add_argument("what", choices=("check", "record"), help="run every check, or write golden playthroughs")
    parser.add_argument("game", nargs="+", help="specs of games (check) or their names (record)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where recordings lie (default {FOLDER})")
    chosen = parser.parse_args(arguments)
    try:
        for game in chosen.game:
            print(f"{game}: {_one(chosen.what, game, chosen.folder)}")
    except games.UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except games.ArenaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _one(what: str, game: str, folder: Path) -> str:
    if what == "check":
        check(game)
        return "every check passed"
    return f"recorded {record(game, folder)}"


if __name__ == "__main__":
    sys.exit(main())
