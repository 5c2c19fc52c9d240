"""The turns of a match as a few bytes: columns, repeated values once, then JSON and zlib.

Observations and rewards are not kept: chance is a hash of seed and deal, so the game gives both again from the moves
(:mod:`arena.replay`). What remains is what the players did and what it cost.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

from arena.records import TurnRecord

_FIRST = 0x23  # the first character of an index text; "\\" is left out, JSON would double it


def encode(turns: Sequence[TurnRecord]) -> bytes:
    """The stored form of a match's turns, in the order they were taken."""
    columns: dict[str, list[Any]] = {
        "move": [t.move for t in turns],
        "reply": [None if t.reply == t.move else t.reply for t in turns],
        "illegal": [t.illegal for t in turns],
        "thought": [t.thought for t in turns],
        "prompt_tokens": [t.prompt_tokens for t in turns],
        "completion_tokens": [t.completion_tokens for t in turns],
        "seconds": [round(t.seconds, 4) for t in turns],
        **_rare("cost", [t.cost for t in turns]),
        **_rare("refused", [t.refused for t in turns]),
    }
    packed = {name: _pack(values) for name, values in columns.items()}
    text = json.dumps({"n": len(turns), **packed}, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 9)


def decode(blob: bytes) -> list[dict[str, Any]]:
    """What each turn keeps: ``move``, ``reply``, ``illegal``, ``thought``, ``refused`` and what it cost."""
    data = json.loads(zlib.decompress(blob).decode("utf-8", "surrogatepass"))
    count = data.pop("n")
    columns = {name: _unpack(packed, count) for name, packed in data.items()}
    turns = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    for turn in turns:
        turn["reply"] = turn["move"] if turn["reply"] is None else turn["reply"]
        turn["cost"] = turn.get("cost", 0.0)
        turn["refused"] = tuple((reply, reason) for reply, reason in turn.get("refused", ()))
        turn.pop("tries", None)  # stores of an earlier version counted them
    return turns


def _rare(name: str, values: list[Any]) -> dict[str, list[Any]]:
    """A column that most matches do without."""
    return {name: values} if any(values) else {}


def index_of(place: int) -> str:
    """The character that stands for the distinct value number ``place`` in an index text."""
    return chr(_FIRST + place)


def _pack(values: list[Any]) -> list[Any]:
    """``[value]`` where all are the same, ``[values…, index text]`` where few differ, else ``[all of them]``."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) <= 1:
        return ["same", *distinct]
    if len(distinct) > 50:
        return ["each", values]
    place = {value: index_of(i) for i, value in enumerate(distinct)}
    return ["index", distinct, "".join(place[v] for v in values)]


def _unpack(packed: list[Any], count: int) -> list[Any]:
    form, *rest = packed
    if form == "same":
        return rest * count
    if form == "each":
        return list(rest[0])
    values, index = rest
    return [values[ord(character) - _FIRST] for character in index]
