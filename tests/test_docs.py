"""The pages of ``docs`` say what is there."""

from __future__ import annotations

from pathlib import Path

import games

PAGE = (Path(__file__).parent.parent / "docs" / "games.md").read_text(encoding="utf-8")


def test_every_game_has_its_line_and_no_other() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    infos = [(name, games.make(name).info) for name in games.names()]
    seats = [str(i.seats[0]) if i.seats[0] == i.seats[1] else f"{i.seats[0]}–{i.seats[1]}" for _, i in infos]
    assert rows == [
        f"| `{name}` | {info.kind} | {many} | {info.summary} | {info.paper} |"
        for (name, info), many in zip(infos, seats, strict=True)
    ]
