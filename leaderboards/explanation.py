"""Why an entrant stands where it does, in words: whom it beats, who beats it, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from games.errors import unknown
from games.inert import inert_line
from leaderboards.board import Board, Section
from leaderboards.standing import Standing
from leaderboards.table import seat_names
from leaderboards.views.cells import fixed, percent

_LISTED = 5
_MARKS = {
    "prior-bound": "It won or lost everything (or all against the rest), so only the prior bounds its Elo",
    "preliminary": "It has played fewer than 10 matches",
    "unplayed": "It has met nobody else, so its Elo is the mean",
}


def explain(board: Board, entrant: str) -> list[tuple[str, tuple[str, ...]]]:
    """For each game that the entrant played, the game and the sentences.

    Raises:
        UnknownName: nobody is called so; the message names the nearest entrant.
    """
    names = tuple(dict.fromkeys(name for section in board.sections for name in section.names))
    if entrant not in names:
        raise unknown("entrant", entrant, names)
    return [(section.game, explain_section(section, entrant)) for section in board.sections if entrant in section.names]


def explain_section(section: Section, entrant: str) -> tuple[str, ...]:
    """The sentences about one game in which the entrant played."""
    place = section.names.index(entrant)
    line = section.standings[place]
    found = (
        _where(section, line),
        *_against(section, place),
        _nash(line),
        _seats(section, line),
        *(f"{_MARKS[mark]}." for mark in line.marks),
        _advice(section, place),
    )
    return tuple(sentence for sentence in found if sentence)


def _where(section: Section, line: Standing) -> str:
    if section.ranked_by == "elo":
        strength = f"Elo {fixed(line.elo, 0)}{_half(line.elo_half, 0)}"
    else:
        strength = f"{fixed(line.payoff, 2)}{_half(line.payoff_half, 2)} a round"
    place = f"{_name(line)} is {line.rank} of {len(section.standings)} with {strength} over {line.matches:,} matches"
    if line.best_rank == line.worst_rank:
        return f"{place}; with 95 % confidence that is its rank."
    return f"{place}; with 95 % confidence its rank is between {line.best_rank} and {line.worst_rank}."


def _half(half: float, digits: int) -> str:
    return "" if math.isnan(half) else f" ±{fixed(half, digits)}"


def _against(section: Section, place: int) -> Iterable[str]:
    """Whom it gets the better of, and who of it; those where the lead is beyond doubt are named first."""
    lead_N = section.head_to_head[place] - section.head_to_head[:, place]
    reach_N = np.hypot(section.head_to_head_half[place], section.head_to_head_half[:, place])
    others = [k for k in np.argsort(-np.nan_to_num(np.abs(lead_N), nan=-1.0)).tolist() if k != place]
    played = [k for k in others if section.met[place, k] > 0]
    ahead = [k for k in played if lead_N[k] > 1e-9]
    behind = [k for k in played if lead_N[k] < -1e-9]
    surely = {k for k in played if abs(lead_N[k]) > reach_N[k]}
    yield _listing("It beats", section, place, ahead, surely) or "It beats nobody."
    yield _listing("It is beaten by", section, place, behind, surely) or "Nobody beats it."
    even = [k for k in played if k not in ahead and k not in behind]
    if even:
        yield f"It earns the same as {_names(section, even)}."


def _listing(opening: str, section: Section, place: int, found: list[int], surely: set[int]) -> str:
    if not found:
        return ""
    ordered = [*(k for k in found if k in surely), *(k for k in found if k not in surely)]
    words = [_pairing(section, place, k, k in surely) for k in ordered[:_LISTED]]
    more = f" and {len(ordered) - _LISTED} more" if len(ordered) > _LISTED else ""
    return f"{opening} {', '.join(words)}{more}."


def _pairing(section: Section, place: int, other: int, sure: bool) -> str:
    mine, theirs = section.head_to_head[place, other], section.head_to_head[other, place]
    wins, losses, met = section.wins[place, other], section.wins[other, place], section.met[place, other]
    record = f"{fixed(mine, 2)} : {fixed(theirs, 2)} a round, won {wins:.0f} and lost {losses:.0f} of {met:.0f}"
    return f"{_name(section.standings[other])} ({record}{'' if sure else '; not surely'})"


def _nash(line: Standing) -> str:
    if line.nash_mass > 0.0005:
        return (
            f"It carries {percent(line.nash_mass)} of the population's equilibrium: no mixture of the others beats it."
        )
    return f"It is no part of the population's equilibrium, against which it loses {fixed(-line.nash_skill, 2)}."


def _seats(section: Section, line: Standing) -> str:
    known = [
        (value, role)
        for value, role in zip(line.by_seat, seat_names(section.roles), strict=False)
        if not math.isnan(value)
    ]
    if len(known) < 2 or max(known)[0] - min(known)[0] < 0.005:
        return ""
    most, least = (f"{inert_line(role, 40)} ({fixed(value, 2)})" for value, role in (max(known), min(known)))
    return f"It earns most as {most} and least as {least}."


def _advice(section: Section, place: int) -> str:
    """What to play next to know more: whoever was never met, else whom it can't be told from."""
    line, others = section.standings[place], [k for k in range(len(section.standings)) if k != place]
    unmet = [k for k in others if section.met[place, k] == 0]
    if unmet:
        return f"It never met {_names(section, unmet)}; play them."
    if line.best_rank == line.worst_rank or not others:
        return ""
    near = min(others, key=lambda k: abs(k - place))
    return f"More matches, above all against {_name(section.standings[near])}, would narrow its rank."


def _names(section: Section, places: list[int]) -> str:
    names = [_name(section.standings[k]) for k in places[:_LISTED]]
    return ", ".join(names) + (f" and {len(places) - _LISTED} more" if len(places) > _LISTED else "")


def _name(line: Standing) -> str:
    return inert_line(line.entrant, 40)
