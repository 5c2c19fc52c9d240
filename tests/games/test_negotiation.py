"""Negotiation: its instances and hidden end (OpenSpiel's numbers, arXiv 1804.03980), proposals, words and payoffs."""

from __future__ import annotations

import math

import pytest

import games
from games import conformance
from games.errors import BadOption, IllegalMove
from games.negotiation import Negotiation, State
from games.stream import CHANCE, NoChance, Stream

GAME = games.make("negotiation")
START = State((2, 1, 3), ((1, 8, 0), (2, 3, 1)), turns=4)
KEPT = "1 apple 1 pear 0 plums"


def play(state: State, *moves: str, game: Negotiation = GAME) -> tuple[State, tuple[float, ...]]:
    rewards: tuple[float, ...] = (0.0, 0.0)
    for move in moves:
        assert game.parse(state, game.to_move(state)[0], move) == move
        state, rewards = game.play(state, (move,), NoChance())
    return state, rewards


def test_an_accepted_proposal_pays_both() -> None:
    state, rewards = play(START, KEPT, "aaa", "accept")
    assert rewards == (9.0, 5.0)  # the first keeps 1·1 + 1·8; the second 1·2 + 3·1
    assert GAME.to_move(state) == ()
    state, rewards = play(START, KEPT, "aaa", "2 apples 0 pears 3 plums", "abc", "accept")
    assert rewards == (8.0, 7.0)
    assert GAME.measures(state)["agreement"] == (1.0, 1.0)


def test_without_agreement_the_talks_end_after_the_hidden_turns() -> None:
    state, rewards = play(START, *[KEPT, "aaa"] * 4)
    assert (GAME.to_move(state), rewards) == ((), (0.0, 0.0))
    assert GAME.observe(state, 0).text == (
        f"They keep {KEPT}. They say aaa. The talks have ended without a deal. You get 0 points. The game is over."
    )
    assert GAME.round(state) == 1
    assert GAME.measures(state)["efficiency"] == (0.0, 0.0)


def test_instances_are_drawn_as_in_openspiel() -> None:
    starts = [GAME.start(Stream(0, CHANCE, deal)) for deal in range(4000)]
    assert {n for s in starts for n in s.pool} == set(range(6))
    assert {v for s in starts for values in s.values for v in values} == set(range(11))
    assert all(any(values) for s in starts for values in s.values)
    chances = {n: 7.0**n / math.factorial(n) for n in range(4, 11)}
    for turns, weight in chances.items():
        expected = 4000 * weight / sum(chances.values())
        drawn = sum(s.turns == turns for s in starts)
        assert abs(drawn - expected) < 5 * math.sqrt(expected)


def test_there_is_nothing_to_accept_at_first() -> None:
    assert "accept" not in GAME.moves(START, 0).texts
    assert len(GAME.moves(START, 0).texts) == 3 * 2 * 4
    state, _ = play(START, KEPT)
    assert len(GAME.moves(state, 0).texts) == 125
    state, _ = play(state, "cab")
    assert GAME.moves(state, 1).texts[-1] == "accept"


def test_each_seat_reads_only_what_is_new() -> None:
    opening = "There are 2 apples 1 pear 3 plums. Worth to you: apple 2, pear 3, plum 1."
    assert GAME.observe(START, 1).text == f"{opening} Wait."
    state, _ = play(START, KEPT)
    assert GAME.observe(state, 0).text == "Your word of 3 letters?"
    state, _ = play(state, "cab")
    assert GAME.observe(state, 1).text == f"{opening} They keep {KEPT}. They say cab. What do you keep, or accept?"
    state, _ = play(state, "accept")
    assert GAME.observe(state, 0).text == "They accepted. You get 9 points. The game is over."
    assert GAME.observe(state, 1).text == "You accepted. You get 5 points. The game is over."


def test_values_of_the_other_and_the_end_stay_hidden() -> None:
    other = State(START.pool, (START.values[0], (9, 9, 9)), turns=10)
    for moves in ((), (KEPT,), (KEPT, "abc")):
        one, two = play(START, *moves)[0], play(other, *moves)[0]
        for look in (GAME.observe, GAME.key, GAME.render):
            assert look(one, 0) == look(two, 0)
        assert GAME.key(one, 1) != GAME.key(two, 1)


def test_replies_are_read_tolerantly() -> None:
    assert GAME.parse(START, 0, "I keep 1 apple, 1 pear and 0 plums.") == KEPT
    assert GAME.parse(START, 0, "1, 1, 0") == KEPT
    with pytest.raises(IllegalMove, match="legal is one of: 0 apples"):
        GAME.parse(START, 0, "3 apples 0 pears 0 plums")
    assert GAME.substitute(START, 0) is None
    assert GAME.forfeit(START, (0,)) == (0.0, 0.0)
    state, _ = play(START, KEPT)
    assert GAME.parse(state, 0, "My word is CAB.") == "cab"
    assert GAME.substitute(state, 0) == "aaa"


def test_measures_by_hand() -> None:
    # best sum: pear to the first (8), the rest to the second (7); it is the Nash point, too
    measures = GAME.measures(play(START, KEPT, "aaa", "accept")[0])
    assert measures["efficiency"] == pytest.approx((14 / 15,) * 2)
    assert measures["nash"] == pytest.approx((9 / 8, 5 / 7))
    assert measures["gini"] == pytest.approx((4 / 28,) * 2)
    empty = State((0, 0, 0), START.values, 4, ("0 apples 0 pears 0 plums", "accept"), ("aaa",))
    assert "efficiency" not in GAME.measures(empty)
    assert GAME.measures(START) == {}


@pytest.mark.parametrize("spec", ["length=0", "symbols=2,length=4,items=2,top=3"])
def test_variants_conform(spec: str) -> None:
    conformance.check(f"negotiation:{spec}", matches_played=4)


@pytest.mark.parametrize("spec", ["items=0", "items=10", "top=0", "symbols=1", "symbols=11", "length=-1", "length=5"])
def test_bad_options_say_what_is_allowed(spec: str) -> None:
    with pytest.raises(BadOption, match=r"give (a whole number from|fewer)"):
        games.make(f"negotiation:{spec}")
