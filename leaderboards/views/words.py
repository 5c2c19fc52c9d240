"""What happened, in two sentences."""

from __future__ import annotations

import numpy as np

from games.inert import inert_line
from leaderboards.board import Section, Standing
from leaderboards.views.cells import fixed, percent


def story(section: Section) -> tuple[str, ...]:
    """Two sentences: who leads and who cooperated; who was exploited, and whose wins are worth little."""
    if len(section.standings) < 2:
        return (f"{_name(section.standings[0])} played alone; add entrants to compare it with.",)
    return _lead(section), _exploited(section)


def _lead(section: Section) -> str:
    best, second = section.standings[:2]
    if section.ranked_by == "elo":
        gap = best.elo - second.elo
        sure = "surely" if best.worst_rank == 1 else "not surely"
        opening = f"{_name(best)} leads with Elo {best.elo:.0f}, {gap:.0f} above {_name(second)} and {sure} first"
    else:
        tied = [line for line in section.standings if line.rank == 1]
        verb = "earns" if len(tied) == 1 else "earn"
        opening = f"{_listed(tied)} {verb} most, {fixed(best.payoff, 2)} a round"
    cooperation = _cooperation(section)
    return f"{opening}{'; ' + cooperation if cooperation else ''}."


def _cooperation(section: Section) -> str:
    """Who cooperated most and least, where the game measures it."""
    lines = [line for line in section.standings if not np.isnan(line.measures.get("cooperation", np.nan))]
    if not lines:
        return ""
    shares = [line.measures["cooperation"] for line in lines]
    most = [line for line, share in zip(lines, shares, strict=True) if share >= max(shares) - 1e-9]
    least = [line for line, share in zip(lines, shares, strict=True) if share <= min(shares) + 1e-9]
    if max(shares) - min(shares) < 1e-9:
        return f"everyone cooperated alike ({percent(shares[0])})"
    return f"{_listed(most)} cooperated most ({percent(max(shares))}), {_listed(least)} least ({percent(min(shares))})"


def _exploited(section: Section) -> str:
    """The most one-sided pairing, and the winner of most matches where that isn't the champion."""
    gap_NN = np.nan_to_num(section.head_to_head.T - section.head_to_head, nan=-np.inf)
    row, column = (int(k) for k in np.unravel_index(int(np.argmax(gap_NN)), gap_NN.shape))
    if gap_NN[row, column] <= 1e-9:
        return "Nobody was exploited: in every pairing both sides earned the same."
    victim, exploiter = section.standings[row], section.standings[column]
    lost, took = fixed(section.head_to_head[row, column], 2), fixed(section.head_to_head[column, row], 2)
    if section.kind == "competitive":
        return f"The most one-sided pairing is {_name(exploiter)} against {_name(victim)}: {took} to {lost} a round."
    sentence = f"{_name(victim)} was exploited most: {lost} a round against {_name(exploiter)}, which took {took}"
    return f"{sentence}{_hollow(section)}."


def _hollow(section: Section) -> str:
    """That the one who won most matches is no champion."""
    shares = [line.wins / max(1, line.wins + line.draws + line.losses) for line in section.standings]
    winner = section.standings[int(np.argmax(shares))]
    if winner.rank == 1 or max(shares) == 0:
        return ""
    place = f"{winner.rank} of {len(section.standings)}"
    return f"; {_name(winner)} won most of its matches ({percent(max(shares))}) and is no champion (rank {place})"


def _listed(lines: list[Standing]) -> str:
    names = [_name(line) for line in lines[:3]]
    if len(lines) > 3:
        return f"{', '.join(names)} and {len(lines) - 3} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _name(line: Standing) -> str:
    return inert_line(line.entrant, 40)
