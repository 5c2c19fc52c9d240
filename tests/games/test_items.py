"""Bundles of items: all parts of a pool, their worth, and reading them from text without guessing."""

from __future__ import annotations

import pytest

from games._items import bundle_moves, bundle_text, bundles, find_bundle, read_bundle, rest, split_payoffs, worth
from games.errors import IllegalMove

KINDS = ("book", "hat", "ball")
MOVES = bundle_moves((2, 1, 3), KINDS, "no deal")


def test_parts_of_a_pool() -> None:
    assert len(bundles((2, 1, 3))) == 3 * 2 * 4
    assert bundles((1, 1)) == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert rest((2, 1, 3), (0, 1, 1)) == (2, 0, 2)
    assert worth((2, 1, 0), (1, 8, 5)) == 10.0
    assert split_payoffs((1, 1), ((3, 7), (10, 0))) == [(0.0, 10.0), (7.0, 10.0), (3.0, 0.0), (10.0, 0.0)]


@pytest.mark.parametrize(
    ("text", "bundle"),
    [
        ("2 books 1 hat 0 balls", (2, 1, 0)),
        ("I take 1 hat, 0 balls and 2 books.", (2, 1, 0)),
        ("2 Books; 1 HAT; 3 balls", (2, 1, 3)),
        ("2, 1, 0", (2, 1, 0)),
        ("(2/1/0)", (2, 1, 0)),
        ("2 books and 1 hat", None),  # what of the balls?
        ("2 books 1 hat 0 balls, you get 0 books 0 hats 3 balls", None),
        ("2 bookshelves 1 hat 0 balls", None),
        ("my 3 items: 2 1 0", None),
        ("12 1", None),
        ("", None),
    ],
)
def test_a_bundle_is_read_tolerantly_and_never_guessed(text: str, bundle: tuple[int, ...] | None) -> None:
    assert find_bundle(text, KINDS) == bundle


def test_replies_read_as_moves() -> None:
    assert bundle_text((1, 2, 0), KINDS) == "1 book 2 hats 0 balls"
    assert read_bundle("2 books, 0 hats and 1 ball, please", MOVES, KINDS) == "2 books 0 hats 1 ball"
    assert read_bundle("They want 3 balls.\n2 books, 0 hats, 1 ball", MOVES, KINDS) == "2 books 0 hats 1 ball"
    assert read_bundle("0 0 0? <answer>2, 1, 0</answer>", MOVES, KINDS) == "2 books 1 hat 0 balls"
    assert read_bundle("No deal!", MOVES, KINDS) == "no deal"


@pytest.mark.parametrize("reply", ["3 books 0 hats 0 balls", "everything", "", "1 book", "9" * 5000])
def test_what_is_not_there_is_refused(reply: str) -> None:
    with pytest.raises(IllegalMove, match=r"legal is one of: 0 books 0 hats 0 balls"):
        read_bundle(reply, MOVES, KINDS)
