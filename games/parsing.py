"""From a reply to a move: accept what a reasonable player would write, never guess between two legal moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from games.errors import IllegalMove

if TYPE_CHECKING:
    from games.game import Moves

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_EDGES = " \t\r\n\"'`*_.,!?:;()[]{}<>«»“”‘’"
_TAIL = 2_000  # characters of a reply that are looked at: a move stands at its end


def read_move(reply: str, moves: Moves) -> str:
    """The canonical text of the one legal move that ``reply`` names.

    A tagged ``<answer>…</answer>`` counts before the whole reply, the whole reply before its last line; case,
    surrounding punctuation and runs of white space don't matter. A move mentioned inside a sentence counts when no
    other legal move is mentioned.

    Raises:
        IllegalMove: no legal move is named, or several are.
    """
    if moves.free is not None:
        return _free_text(reply, moves)
    places = _places(reply[-_TAIL:])
    for place in places:
        exact = _normal_moves(moves.texts).get(_normal(place))
        if exact is not None:
            return exact
    for place in places:
        named = _mentioned(_normal(place), moves.texts)
        if len(named) == 1:
            return named[0]
        if len(named) > 1:
            raise IllegalMove(f"the reply names {len(named)} moves ({', '.join(named[:5])}); name one of them alone")
    raise IllegalMove(f"no legal move in the reply {_shown(reply)}; legal is {moves.describe()}")


def read_loosely(reply: str, moves: Moves, rewritten: Callable[[str], str]) -> str:
    """:func:`read_move`, and where that finds nothing, of the reply as ``rewritten`` puts it.

    Args:
        reply: what was answered.
        moves: what is legal.
        rewritten: turns other ways of saying a move into the game's own.

    Raises:
        IllegalMove: neither names one legal move; the message is that of the reply as it was.
    """
    try:
        return read_move(reply, moves)
    except IllegalMove as error:
        try:
            return read_move(rewritten(reply), moves)
        except IllegalMove:
            raise error from None


def _free_text(reply: str, moves: Moves) -> str:
    form = moves.free
    assert form is not None
    tagged = _tagged(reply)
    text = (reply if tagged is None else tagged).strip()
    if not form.min_length <= len(text) <= form.max_length:
        raise IllegalMove(f"the text has {len(text)} characters; legal is {moves.describe()}")
    return text


def _places(reply: str) -> list[str]:
    """Where a move is looked for, best first: the last tagged answer alone, else the whole reply and its last line."""
    tagged = _tagged(reply)
    if tagged is not None:
        return [tagged]
    lines = [line for line in reply.splitlines() if line.strip(_EDGES)]
    return [reply, *lines[-1:]] if len(lines) <= 1 else [reply, lines[-1]]


def _tagged(reply: str) -> str | None:
    """What stands in the last ``<answer>…</answer>``; in time linear in the reply, whatever tags it is full of."""
    found, begin = None, None
    for tag in _TAG.finditer(reply):
        if not tag[1]:
            begin = tag.end()
        elif begin is not None:
            found, begin = reply[begin : tag.start()], None
    return found


@lru_cache(maxsize=4096)
def _normal_moves(texts: tuple[str, ...]) -> dict[str, str]:
    return {_normal(text): text for text in texts}


def _normal(text: str) -> str:
    return " ".join(text.strip(_EDGES).casefold().split())


@lru_cache(maxsize=4096)
def _pattern(texts: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted((_normal(t) for t in texts), key=len, reverse=True)
    words = "|".join(re.escape(t) for t in longest_first)
    return re.compile(rf"(?<![\w.+-])(?:{words})(?!\w|[.,]\d)")


def _mentioned(place: str, texts: tuple[str, ...]) -> list[str]:
    """The legal moves that stand as whole words in ``place``; a longer move hides the shorter ones inside it."""
    if not texts:
        return []
    found = dict.fromkeys(_pattern(texts).findall(place))
    return [_normal_moves(texts)[word] for word in found]


def _shown(reply: str) -> str:
    return repr(reply if len(reply) <= 60 else reply[:57] + "…")
