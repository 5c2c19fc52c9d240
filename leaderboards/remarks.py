"""What a board says of the population as a whole: welfare and equality, strangers, cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from games.inert import inert_line
from leaderboards.arrays import FloatArray
from leaderboards.sharing import gini
from leaderboards.standing import Standing


def remarks(kind: str, ranked_by: str, lines: Sequence[Standing], gaps: Mapping[str, float]) -> list[str]:
    """Sentences about the whole population, as far as this kind of game has them.

    Args:
        kind: of the game.
        ranked_by: ``elo`` or ``payoff``.
        lines: the standings.
        gaps: collaboration gaps by entrant, where the game was also played alone.
    """
    found = []
    if kind in ("social-dilemma", "mixed"):
        found.append(_society(lines))
    if kind == "cooperative":
        found.append(_strangers(lines))
    if gaps:
        found.append(_alone(gaps))
    return [sentence for sentence in (*found, _cost(ranked_by, lines)) if sentence]


def _society(lines: Sequence[Standing]) -> str:
    payoffs = _known([line.payoff for line in lines])
    if len(payoffs) < 2:
        return ""
    inequality = gini(payoffs)
    shared = "" if np.isnan(inequality) else f", shared with a Gini coefficient of {inequality:.2f}"
    return f"The population earns {payoffs.mean():.2f} a round on average{shared}."


def _strangers(lines: Sequence[Standing]) -> str:
    gaps = _known([line.coordination_gap for line in lines])
    if not len(gaps):
        return ""
    return f"With strangers entrants earn {gaps.mean():.2f} a round less than with copies (zero-shot coordination gap)."


def _alone(gaps: Mapping[str, float]) -> str:
    known = {name: gap for name, gap in gaps.items() if not np.isnan(gap)}
    listed = ", ".join(f"{inert_line(name, 40)} {gap:.2f}" for name, gap in list(known.items())[:6])
    more = f" and {len(known) - 6} more" if len(known) > 6 else ""
    return f"Collaboration gap (a match alone minus one with a copy): {listed}{more}." if known else ""


def _cost(ranked_by: str, lines: Sequence[Standing]) -> str:
    """Who is worth its cost, where costs differ."""
    tokens = _known([line.tokens for line in lines])
    unit, costs = ("tokens", tokens) if tokens.any() else ("seconds", _known([line.seconds for line in lines]))
    front = [inert_line(line.entrant, 40) for line in lines if line.efficient]
    if len(costs) < 2 or costs.max() <= costs.min() or not front:
        return ""
    strength = "Elo" if ranked_by == "elo" else "payoff"
    shown = ", ".join(front[:6]) + (f" and {len(front) - 6} more" if len(front) > 6 else "")
    return f"Nobody has more {strength} for fewer {unit} than {shown} (Pareto front)."


def _known(values: Sequence[float]) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    return array[~np.isnan(array)]
