"""How legally and how well ``llm:tiny`` plays each game it was trained on.

python bench/tiny.py [MATCHES]
"""

from __future__ import annotations

import sys
from typing import Any

import games
import policies
from arena.exploitability import exploitability
from games import Game, Stream
from selfplay.tiny.habits import SHARES
from selfplay.tiny.report import first_moves, report

MOST = 9
"""First moves that are printed at most."""


def main(matches: int) -> None:
    """Print one line a game."""
    for row in report(matches=matches, names=list(SHARES)):
        unseen = "" if row.legal_unseen is None else f" ({row.legal_unseen:.1%} with unseen options)"
        game = games.make(row.game)
        first = f"  first move {_shares(first_moves(game.spec))}" if _shown(game) else ""
        print(
            f"{row.game:<20} legal {row.legal:.1%}{unseen}  random {row.random:.2f}  tiny {row.tiny:.2f}  "
            f"{row.best_script} {row.best:.2f}  progress {row.progress:.0%}{first}",
            flush=True,
        )
    print(f"kuhn-poker exploitability {exploitability(games.make('kuhn-poker'), policies.make('llm:tiny')):.3f}")


def _shown(game: Game[Any]) -> bool:
    """Whether the first move is the same question every time, with few answers."""
    moves = game.moves(game.start(Stream(0)), 0)
    return game.info.deterministic and not moves.free and len(moves.texts) <= MOST


def _shares(moves: dict[str, float]) -> str:
    return " ".join(f"{move} {p:.2f}" for move, p in moves.items())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
