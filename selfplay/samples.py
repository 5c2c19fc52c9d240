"""Transcripts of a few matches of a run, for people who want to see what is being learned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.records import Episode
from games.inert import inert

SHOWN = 3


def write_samples(folder: Path, step: int, episodes: Sequence[Episode]) -> Path:
    """Write the first matches of ``step`` to ``samples/step-N.txt`` as plain text and return the file."""
    path = folder / "samples" / f"step-{step:06d}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n\n".join(transcript(e) for e in episodes[:SHOWN]) + "\n", encoding="utf-8")
    return path


def transcript(episode: Episode) -> str:
    """One match: who sat where, every observation with its reply, and what everybody got."""
    match = episode.match
    head = f"{match.game.spec}, deal {match.deal}: " + ", ".join(f"{s} {e}" for s, e in enumerate(match.entrants))
    lines = [_turn(t.seat, t.observation, t.reply, t.illegal) for t in episode.turns]
    ending = "payoffs " + ", ".join(f"{p:g}" for p in episode.payoffs)
    return "\n".join([head, *lines, ending])


def _turn(seat: int, observation: str, reply: str, illegal: str) -> str:
    mark = f"   [illegal: {inert(illegal)}]" if illegal else ""
    return f"  {seat} reads: {inert(observation)}\n  {seat} says:  {inert(reply)}{mark}"
