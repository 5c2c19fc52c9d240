"""Connect four players: threats seen, and their strength."""

from __future__ import annotations

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games import Stream
from games.stream import NoChance
from policies import Turn

GAME = games.make("connect-four")


def likely(spec, columns):
    """The columns that the policy plays with some probability after these."""
    state = GAME.start(NoChance())
    for column in columns:
        state, _ = GAME.play(state, (f"column {column}",), NoChance())
    (seat,) = GAME.to_move(state)
    turn = Turn(GAME, 0, seat, len(columns), GAME.observe(state, seat), GAME.moves(state, seat), Stream(0), state=state)
    found = {move: p for move, p in policies.make(spec).distribution(turn).items() if p > 0}
    assert all(p == pytest.approx(1 / len(found)) for p in found.values())
    return "".join(move[-1] for move in sorted(found))


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ("", "4"),  # most lines run through the middle
        ("121212", "1"),  # wins rather than blocks
        ("12121", "1"),  # blocks
        ("4455", "3"),  # an open three, a double threat
        ("445", "3"),  # keeps the other from it
        ("11337272", "3"),  # not 4, the best cell of the row: it would open the cell above, where O wins
    ],
)
def test_win_block_four(columns, wanted):
    assert likely("win-block-four", columns) == wanted


def test_centre_four():
    assert likely("centre-four", "") == "4"
    assert likely("centre-four", "444444") == "35"
    assert likely("centre-four", "4444443") == "35"


def mean(first, second, matches=60):
    players = {"a": policies.make(first), "b": policies.make(second)}
    plan = [Match(i, GAME, i // 2, ("a", "b") if i % 2 else ("b", "a")) for i in range(matches)]
    return sum(e.payoffs[e.match.entrants.index("a")] for e in run_matches(plan, players, seed=2)) / matches


def test_the_order_of_strength():
    assert mean("win-block-four", "random") > 0.95
    assert mean("centre-four", "random") > 0.3
    assert mean("win-block-four", "centre-four") > 0.8
