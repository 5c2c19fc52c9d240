"""What the commands print: tables, matches turn by turn, JSON. Text of players is shown inert."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from games.inert import inert, inert_line

if TYPE_CHECKING:
    from rich.console import Console

    from arena.records import Episode, TurnRecord

SHOWN = 600
"""Characters of one reply that are shown."""
PIPED_WIDTH = 160
"""Columns where the output is no terminal."""


def console() -> Console:
    """Standard output, obeying nothing that stands in the text: no markup, no emoji codes, no guesses at colours."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPED_WIDTH
    return Console(markup=False, emoji=False, highlight=False, width=width)


def print_json(value: Any) -> None:
    """One JSON value on standard output; control characters in it are escaped."""
    print(json.dumps(value, indent=2, default=str))


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table with a bold first column."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, show_header=any(heads))
    for head in heads:
        table.add_column(head, overflow="fold")
    for first, *rest in rows:
        table.add_row(Text(inert_line(str(first)), "bold"), *(Text(inert_line(str(cell))) for cell in rest))
    console().print(table)


def print_episode(episode: Episode, seed: int) -> None:
    """A match turn by turn: what each seat read and wrote, what it was given, and how it ended."""
    from arena.replay import frames

    out, match = console(), episode.match
    out.print(heading(episode), style="bold")
    shots = frames(episode, seed)
    out.print(inert(match.game.render(shots[0].state)))
    for shot in shots[1:]:
        for turn in shot.turns:
            out.print(textwrap.indent(inert(turn.observation), "    "), style="dim")
            out.print(turn_line(turn, match.entrants[turn.seat]))
        if any(shot.rewards):
            out.print("→ " + "  ".join(f"{reward:+g}" for reward in shot.rewards))
    print_end(episode, seed)


def print_end(episode: Episode, seed: int) -> None:
    """Where a match ended, and how."""
    from arena.replay import frames

    out = console()
    out.print(inert(episode.match.game.render(frames(episode, seed)[-1].state)))
    out.print(result(episode), style="bold")


def heading(episode: Episode) -> str:
    """Which match this is and who sits where."""
    match = episode.match
    seated = ", ".join(f"{role} {inert_line(name)}" for role, name in _seated(episode))
    return f"match {match.id}: {inert_line(match.game.spec)}, deal {match.deal} — {seated}"


def turn_line(turn: TurnRecord, name: str) -> str:
    """One decision on one line, refused tries above it: what was written, and what it counted as where that differs."""
    said = inert_line(turn.reply, SHOWN)
    line = f"{_tries(turn, name)}{inert_line(name)} (seat {turn.seat}): {said}"
    if turn.illegal:
        counted = "forfeits" if turn.move is None else f"counts as {inert_line(turn.move, SHOWN)}"
        return f"{line}  [illegal, {counted}: {inert_line(turn.illegal, SHOWN)}]"
    return line if turn.move == turn.reply else f"{line}  [{inert_line(str(turn.move), SHOWN)}]"


def _tries(turn: TurnRecord, name: str) -> str:
    lines = [(inert_line(reply, SHOWN), inert_line(reason, SHOWN)) for reply, reason in turn.refused]
    return "".join(f"{inert_line(name)} (seat {turn.seat}) tried: {said}  [refused: {why}]\n" for said, why in lines)


def result(episode: Episode) -> str:
    """How the match ended, a payoff for each seat."""
    payoffs = ", ".join(
        f"{inert_line(name)} {payoff:g}" for (_, name), payoff in zip(_seated(episode), episode.payoffs, strict=True)
    )
    return f"{episode.ending} after {episode.rounds} rounds: {payoffs}"


def _seated(episode: Episode) -> list[tuple[str, str]]:
    return list(zip(episode.match.game.info.roles, episode.match.entrants, strict=True))
