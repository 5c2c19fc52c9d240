"""The scripted players of Trust-and-Split: what they say, what they believe, and what they earn against each other."""

from __future__ import annotations

from itertools import count

import pytest

import games
import policies
from games.game import Moves, Observation
from games.stream import NoChance, Stream
from games.trust_and_split import HANDS, Seen, beats
from policies import Turn
from policies.scripted.trust_and_split import STATEMENTS, offended, stated_hand

GAME = games.make("trust-and-split")
PLAYERS = ("honest-cooperative", "greedy", "always-half", "liar", "reciprocal")


def payoff_per_round(one: str, other: str, matches: int = 20) -> float:
    """What ``one`` earns, seats swapped on the same deals."""
    total = 0.0
    for deal, seat in ((d, s) for d in range(matches) for s in (0, 1)):
        seated = [policies.make(one), policies.make(other)]
        state = GAME.start(Stream(1, deal, 0))
        for tick in count(1):
            movers = GAME.to_move(state)
            if not movers:
                break
            moves = tuple(GAME.parse(state, m, decide(seated[m ^ seat], state, m, tick)) for m in movers)
            state, rewards = GAME.play(state, moves, Stream(1, deal, tick))
            total += rewards[seat]
    return total / (20 * matches)


def decide(player: policies.Policy, state: object, seat: int, tick: int) -> str:
    turn = Turn(GAME, 0, seat, tick, GAME.observe(state, seat), GAME.moves(state, seat), Stream(2, seat, tick))
    return player.act([turn])[0].text


def ask(player: str, claim: bool = True, **fields: object) -> str:
    known = {"hand": "rock", "coins": 10, "their_message": None, "history": (), **fields}
    moves = Moves(GAME.info.moves or ()) if claim else Moves(free=GAME.info.free)
    turn = Turn(GAME, 0, 0, 0, Observation("", known), moves, NoChance() if claim else Stream(0))
    return policies.make(player).act([turn])[0].text


@pytest.mark.parametrize(
    ("one", "other", "mine", "theirs"),
    [
        ("honest-cooperative", "honest-cooperative", 50.0, 50.0),
        ("greedy", "greedy", 27.5, 27.5),
        ("greedy", "honest-cooperative", 52.5, 25.0),
        ("greedy", "always-half", 110 / 3, 55 / 3),
        ("honest-cooperative", "always-half", 100 / 3, 80 / 3),
        ("reciprocal", "reciprocal", 50.0, 50.0),
        ("reciprocal", "honest-cooperative", 50.0, 50.0),
    ],
)
def test_pairs_earn_the_payoffs_of_the_paper(one: str, other: str, mine: float, theirs: float) -> None:
    assert payoff_per_round(one, other) == pytest.approx(mine)
    assert payoff_per_round(other, one) == pytest.approx(theirs)


def test_lying_to_the_trusting_pays_and_reciprocity_limits_it() -> None:
    assert payoff_per_round("liar", "honest-cooperative") > 44
    assert payoff_per_round("honest-cooperative", "liar") < 5
    assert payoff_per_round("liar", "reciprocal") < 35
    assert payoff_per_round("greedy", "reciprocal") < 40


@pytest.mark.parametrize(
    ("message", "hand"),
    [
        ("I have rock.", "rock"),
        ("MY HAND IS PAPER!", "paper"),
        ("scissor", "scissors"),
        ("Rock. I repeat: rock.", "rock"),
        ("rock or paper", None),
        ("I do not have rock", None),
        ("I don't hold paper", None),
        ("rocket", None),
        ("hello", None),
        ("", None),
        (None, None),
    ],
)
def test_stated_hand_is_read_tolerantly_and_never_guessed(message: str | None, hand: str | None) -> None:
    assert stated_hand(message) == hand


def test_every_statement_is_read_back() -> None:
    assert [stated_hand(s.format(h)) for s in STATEMENTS for h in HANDS] == list(HANDS) * len(STATEMENTS)


@pytest.mark.parametrize("player", ["honest-cooperative", "reciprocal"])
@pytest.mark.parametrize(
    ("heard", "claim"),
    [("I have scissors.", "10"), ("I have paper.", "0"), ("hello", "5"), ("", "5"), ("I have rock.", "5")],
)
def test_the_trusting_claim_by_what_they_heard(player: str, heard: str, claim: str) -> None:
    assert ask(player, their_message=heard) == claim


def test_claims_follow_the_number_of_coins() -> None:
    assert ask("always-half", coins=6) == "3"
    assert ask("greedy", coins=6) == "6"
    assert ask("honest-cooperative", coins=6, their_message="I have scissors.") == "6"


@pytest.mark.parametrize("hand", HANDS)
def test_only_the_liar_lies(hand: str) -> None:
    for player in PLAYERS:
        said = stated_hand(ask(player, claim=False, hand=hand))
        assert (said != hand) if player == "liar" else (said == hand)


def test_the_liar_states_the_hand_that_beats_the_one_it_heard() -> None:
    for hand in HANDS:
        said = stated_hand(ask("liar", claim=False, their_message=f"I have {hand}."))
        assert said is not None
        assert beats(said, hand)


def seen(rank: str, claim: int, message: str = "hello") -> Seen:
    return Seen("rock", rank, 5, claim, "I have rock.", message)


@pytest.mark.parametrize(
    ("history", "offence"),
    [
        ([], False),
        ([seen("lower", 6)], True),
        ([seen("lower", 5)], False),
        ([seen("upper", 10)], False),
        ([seen("upper", 10, "I have paper.")], False),
        ([seen("upper", 10, "I have scissors.")], True),  # the upper hand against rock is paper
        ([seen("lower", 0, "I have paper.")], True),
        ([seen("lower", 9), seen("upper", 10)], True),  # the upper hand's claim makes nothing good
        ([seen("lower", 9), seen("lower", 0)], False),  # forgiven
    ],
)
def test_an_offence_is_a_lie_or_too_much_with_the_lower_hand(history: list[Seen], offence: bool) -> None:
    assert offended(history, 10) is offence
    claim = ask("reciprocal", history=tuple(history), their_message="I have paper.")
    assert claim == ("10" if offence else "0")


def test_they_play_nothing_else() -> None:
    for player in PLAYERS:
        assert "plays trust-and-split, not kuhn-poker" in policies.make(player).check(games.make("kuhn-poker"))
