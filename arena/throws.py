"""Throws of a block of matches as the store keeps turns: the same bytes as :mod:`arena.blob` gives, without the turns.

A thousand random throws of rock-paper-scissors take about 720 bytes, both seats together.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from arena.blob import encode, index_of
from arena.lanes import Block, Throws
from arena.records import TurnRecord
from games.matrix import MatrixGame


def rows(block: Block) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]], bytes]]:
    """For each match the rows of the store's tables: matches (game by spec), seats (entrant by name), turns."""
    for number, match in enumerate(block.matches):
        assert isinstance(match.game, MatrixGame)
        throws_T2, rounds = block.throws[:, number], len(block.throws)
        head = (match.id, match.game.spec, match.deal, rounds, rounds, "finished")
        seats = [
            (match.id, seat, entrant, float(block.payoffs[number, seat]), rounds, 0, 0, 0, 0.0, measures)
            for seat, (entrant, measures) in enumerate(
                zip(match.entrants, _measures(match.game, throws_T2), strict=True)
            )
        ]
        yield head, seats, encode_throws(match.game.family.moves, throws_T2)


def encode_throws(words: Sequence[str], throws_T2: Throws) -> bytes:
    """The stored form of a match's turns: both seats of a round in order, moves by number."""
    turns = throws_T2.ravel()
    numbers, first = np.unique(turns, return_index=True)
    order = numbers[np.argsort(first)].tolist()  # as they came up, which is how the turns' own encoding lists them
    distinct = [words[number] for number in order]
    place = np.zeros(len(words), np.uint8)
    place[order] = [ord(index_of(place)) for place in range(len(order))]
    moves = ["index", distinct, place[turns].tobytes().decode("ascii")] if len(order) > 1 else ["same", *distinct]
    text = json.dumps({**_plain(), "n": len(turns), "move": moves}, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8"), 9)


@cache
def _plain() -> dict[str, Any]:
    """What is stored of a turn whose reply is its move and costs nothing."""
    turn = TurnRecord(seat=0, tick=0, round=0, observation="", reply="", move="")
    stored: dict[str, Any] = json.loads(zlib.decompress(encode([turn])))
    return stored


def _measures(game: MatrixGame, throws_T2: Throws) -> list[str]:
    """The family's measure of each seat, as the store keeps it: the share of equal moves, or of move 0."""
    measure = game.family.measure
    if not measure:
        return ["{}", "{}"]
    if measure == "agreement":
        shares = [float((throws_T2[:, 0] == throws_T2[:, 1]).mean())] * 2
    else:
        shares = [np.count_nonzero(throws_T2[:, seat] == 0) / len(throws_T2) for seat in (0, 1)]
    return [json.dumps({measure: share}) for share in shares]
