"""Messages of the maze: the commands in them, what a seat reads of them, the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games._maze_map import STEPS, Maze, rows
from games._talk import message_form, plain, says

MESSAGE = message_form(500)
FORMS = ("paired", "solo", "solo-partial")

Steps = tuple[str, ...]

_COMPASS = {"north": "up", "south": "down", "west": "left", "east": "right"}
_OTHER_WORDS = {**_COMPASS, **{w[0]: s for w, s in _COMPASS.items()}, **{step[0]: step for step in STEPS}}
_STEP = "|".join([*STEPS, *_OTHER_WORDS])
_LEADING = re.compile(r"^[\s*_>-]*(agree|move)\b", re.IGNORECASE | re.MULTILINE)
_AGREE = re.compile(r"(?<!\bnot )(?<!\bNOT )(?<!n't )(?<!N'T )\bAGREE\b")
_MOVE = re.compile(rf"\bMOVE\b[:*]*((?:[\s,;>*→-]+(?i:{_STEP})\b)+)")


@dataclass(frozen=True, slots=True)
class Said:
    """A message and what came of it."""

    seat: int
    message: str
    walked: Steps = ()
    """The steps that it made both walk, one into a wall at the end included."""
    declined: Steps = ()
    """The other's proposal that it did not agree to."""
    proposed: Steps = ()
    """The steps that it proposes."""
    at: int = 0
    """The cell after it."""


def tidy(message: str) -> str:
    """The message on one line; AGREE or MOVE at the start of a line in capitals, however it was written."""
    return _raised(plain(_raised(message)))


def _raised(message: str) -> str:
    return _LEADING.sub(lambda found: found.group().upper(), message)


def commands(message: str) -> tuple[bool, Steps]:
    """Whether a message agrees, and the steps of its last MOVE."""
    moves = _MOVE.findall(message)
    words = re.findall(r"\w+", moves[-1].lower()) if moves else []
    return bool(_AGREE.search(message)), tuple(_OTHER_WORDS.get(word, word) for word in words)


def place(cell: int, size: int) -> str:
    """A cell in words, rows and columns from 1."""
    return f"row {cell // size + 1}, column {cell % size + 1}"


def drawn(cells: str, size: int) -> str:
    """A map as lines."""
    return "\n".join(f"row {n}: {' '.join(row)}" for n, row in enumerate(rows(cells, size), 1))


def shown(maze: Maze, seat: int, form: str) -> str:
    """The map or maps that a seat is given."""
    if form == "solo":
        return f"The map:\n{drawn(maze.cells, maze.size)}\n"
    if form == "solo-partial":
        first, second = (drawn(copy, maze.size) for copy in maze.copies)
        return f"The first copy of the map:\n{first}\nThe second copy:\n{second}\n"
    return f"Your copy of the map:\n{drawn(maze.copies[seat], maze.size)}\n"


def heard(log: Sequence[Said], seat: int, size: int, form: str) -> Iterator[str]:
    """What is new to ``seat`` since it last spoke: what its message did, and what the other says."""
    own = [n for n, said in enumerate(log) if said.seat == seat]
    for said in log[own[-1] if own else 0 :]:
        if said.seat != seat:
            yield says("They", said.message)
        if said.declined and said.seat != seat:
            yield f"They do not agree to {' '.join(said.declined)}."
        if said.walked:
            yield f"{'You walk' if form != 'paired' else 'You both walk'} {' '.join(said.walked)}."
            yield f"Now at {place(said.at, size)}."
        if said.proposed and said.seat != seat:
            yield f"They propose {' '.join(said.proposed)}."


def rules(size: int, turns: int, seat: int, form: str) -> str:
    """The whole game in the eyes of a seat."""
    maze = (
        f"through a maze of {size} rows and {size} columns, from the start S to the goal G. "
        "Row 1 is on top, column 1 is left."
    )
    legend = "On the map # is a wall and . is free"
    limit = f"each of at most {MESSAGE.max_length} characters"
    write = "write MOVE and the steps (up, down, left, right), such as MOVE right down."
    end = (
        "A step into a wall or off the map ends the game. At the goal {} 1, else the share of the way that was covered."
    )
    if form == "paired":
        order = "You speak first." if seat == 0 else "The other player speaks first."
        return (
            f"You and another player walk together {maze} Each of you has a copy of the same map. {legend}; ? is "
            "hidden from you, but the other player sees it. No copy is enough alone.\n"
            f"You take turns to send {turns} messages in all, {limit}. {order} Say whatever helps, such as what your "
            f"map shows. To propose steps {write} If the next message says AGREE, or MOVE and the same steps, both of "
            f"you walk them; else nothing happens. A new MOVE may follow AGREE. {end.format('both score')}"
        )
    given = {
        "solo": f"You have the whole map. {legend}.",
        "solo-partial": f"You have two copies of the map. {legend}; ? is hidden, but the other copy shows it.",
    }[form]
    return f"You walk {maze} {given}\nYou may send {turns} messages, {limit}. To walk {write} {end.format('you score')}"
