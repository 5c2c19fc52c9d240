"""What players say to each other: one line that can't forge the game's words, quoted the same way everywhere."""

from __future__ import annotations

import unicodedata

from games.game import FreeText

_DOUBLE_QUOTES = '"“”„«»＂'
_TO_SINGLE = str.maketrans(dict.fromkeys(_DOUBLE_QUOTES, "'"))


def message_form(longest: int) -> FreeText:
    """The free form of a message of at most ``longest`` characters."""
    return FreeText(longest, "any printable text; line breaks become spaces, double quotes become single ones")


def plain(message: str) -> str:
    """``message`` on one line, without control characters or double quotes, so that it can't forge the game's words."""
    shown = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in message)
    text = " ".join(shown.split())
    if len(text) > 1 and text[0] in _DOUBLE_QUOTES and text[-1] in _DOUBLE_QUOTES:
        text = text[1:-1].strip()
    return text.translate(_TO_SINGLE)


def says(who: str, message: str) -> str:
    """The sentence in which others read what ``who`` (``They``, ``player_2``) said."""
    verb = "say" if who in ("They", "You") else "says"
    return f'{who} {verb}: "{message}"' if message else f"{who} {verb} nothing."
