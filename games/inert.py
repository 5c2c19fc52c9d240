"""Text of players, made harmless to show: it moves no cursor, colours no line and reorders nothing around it.

What models, remote players and foreign names write is not trusted. Shown through :func:`inert`, an escape sequence is
seen as characters (a backslash, ``x1b``, …) instead of being obeyed. Print it on a console with markup and emoji off.
"""

from __future__ import annotations

import unicodedata

_KEPT = "\n"
_HIDDEN = frozenset(
    {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
)  # controls, direction and joining marks, surrogates, line breaks


def inert(text: str, limit: int | None = None) -> str:
    """``text`` with everything that a terminal would obey spelled out, line breaks kept.

    Args:
        text: what somebody else wrote.
        limit: characters shown at most; the rest is counted in a mark.
    """
    cut = text if limit is None or len(text) <= limit else clip(text, limit)
    return cut if cut.isascii() and cut.isprintable() else "".join(map(_shown, cut.replace("\r\n", "\n")))


def inert_line(text: str, limit: int | None = None) -> str:
    """:func:`inert` on one line: names and table cells."""
    return " ".join(inert(text, limit).split())


def clip(text: str, limit: int) -> str:
    """The first ``limit`` characters, and a mark that says how many are left out."""
    return text if len(text) <= limit else f"{text[:limit]} … [{len(text) - limit:,} more characters]"


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    if character == "\t":
        return " "
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
