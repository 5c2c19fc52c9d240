"""Players of tic-tac-toe that see one move ahead, or none."""

from __future__ import annotations

from collections.abc import Sequence

from games.tic_tac_toe import CELLS, LINES
from policies.policy import Script, Turn
from policies.registry import script

TIC_TAC_TOE = ("tic-tac-toe",)


class CellPicker(Script):
    """A player that is a list of candidates: uniform among the cells of :meth:`candidates`."""

    def candidates(self, turn: Turn) -> Sequence[str]:
        """The cells it chooses among."""
        raise NotImplementedError

    def decide(self, turn: Turn) -> str:
        """One of the candidates, each alike."""
        return turn.rng.choice(self.candidates(turn))

    def distribution(self, turn: Turn) -> dict[str, float]:
        """Uniform over the candidates."""
        chosen = self.candidates(turn)
        return {move: (move in chosen) / len(chosen) for move in turn.moves.texts}


@script("win-block", games=TIC_TAC_TOE)
class WinBlock(CellPicker):
    """Completes its own row, else blocks the other's, else plays any cell."""

    def candidates(self, turn: Turn) -> Sequence[str]:
        """Winning cells, else blocking ones, else all."""
        cells, mark = turn.observation.fields["cells"], turn.observation.fields["mark"]
        return _completing(cells, mark) or _completing(cells, "O" if mark == "X" else "X") or turn.moves.texts


@script("center-corner", games=TIC_TAC_TOE)
class CenterCorner(CellPicker):
    """Takes the centre, else a corner, else any cell; looks at nothing else."""

    def candidates(self, turn: Turn) -> Sequence[str]:
        """The centre, else free corners, else all."""
        free = turn.moves.texts
        return ("5",) if "5" in free else [c for c in ("1", "3", "7", "9") if c in free] or free


def _completing(cells: str, mark: str) -> list[str]:
    """Free cells that complete a row of ``mark``."""
    rows = [[cells[i] for i in line] for line in LINES]
    found = {
        line[row.index(".")] for line, row in zip(LINES, rows, strict=True) if sorted(row) == sorted(f".{mark}{mark}")
    }
    return [CELLS[i] for i in sorted(found)]
