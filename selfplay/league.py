"""The league: exploiters join the past selves and begin again when they have won, or their time has run out.

After Vinyals et al., "Grandmaster level in StarCraft II" (Nature 575, 2019), simplified: one main agent; no league
exploiters; snapshots by steps, not by how often they win; an exploiter always begins again from the first weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena.records import Episode
from selfplay.member import Member
from selfplay.metrics import prefix
from selfplay.opponents import Opponents
from selfplay.population import Population

KEEP = 0.8  # how much of an exploiter's share of wins each step leaves


def renew(
    who: Population, members: Sequence[Member], opponents: Opponents, folder: Path, step: int
) -> dict[str, float]:
    """Let those exploiters begin again that have won or run out of time; how they stand, for the log.

    Args:
        who: says who exploits.
        members: all learners.
        opponents: those who begin again are added to, as they were.
        folder: of the run.
        step: steps done.
    """
    out = dict[str, float]()
    for member in members:
        if who.exploits(member.name):
            out |= {f"{prefix(member.name)}won": member.won, f"{prefix(member.name)}age": step - member.learner.born}
            if _is_done(member, step):
                join(members, member, opponents, step, member.snapshot(folder, step))
                member.begin(step)
    return out


def note(who: Population, member: Member, episodes: Sequence[Episode]) -> None:
    """Take in how an exploiter did against the main agent in a step's ``episodes``, all of them its own."""
    if who.exploits(member.name) and episodes:
        member.won = KEEP * member.won + (1 - KEEP) * wins(episodes, member.name)


def join(members: Sequence[Member], member: Member, opponents: Opponents, step: int, where: Path) -> None:
    """A snapshot of ``member`` joins the past selves; everybody knows what it scored."""
    name = opponents.add(step, where, member.name)
    for each in members:
        each.scores.freeze(name, member.scores)


def wins(episodes: Sequence[Episode], name: str) -> float:
    """Share of matches in which ``name`` got more than the mean of the others; as much counts half."""
    return float(np.mean([_win(e, name) for e in episodes]))


def _win(episode: Episode, name: str) -> float:
    own = [p for p, n in zip(episode.payoffs, episode.match.entrants, strict=True) if n == name]
    rest = [p for p, n in zip(episode.payoffs, episode.match.entrants, strict=True) if n != name]
    gain = float(np.mean(own) - np.mean(rest))
    return 0.5 if abs(gain) < 1e-9 else float(gain > 0)


def _is_done(member: Member, step: int) -> bool:
    config = member.learner.config
    return member.won >= config.exploiter_wins or step - member.learner.born >= config.exploiter_steps
