"""UCT: it sees wins and threats, looks after its own payoff with three seats and chance, and repeats itself exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

import arena
import games
import policies
from arena.exploitability import exploitability
from games import BadOption, Game, GameInfo, Moves, Observation, Stream, UsageError
from games.stream import POLICY
from games.tic_tac_toe import Board
from policies.mcts import Arms

TIC_TAC_TOE = games.make("tic-tac-toe")


def turn(game, state, seed=0):
    (seat,) = game.to_move(state)
    rng = Stream(seed, POLICY, 0, seat, 0)
    return policies.Turn(game, 0, seat, 0, game.observe(state, seat), game.moves(state, seat), rng, state=state)


def board(*moves):
    state = TIC_TAC_TOE.start(Stream(0))
    for move in moves:
        state, _ = TIC_TAC_TOE.play(state, (move,), Stream(0))
    return state


@pytest.mark.parametrize("seed", range(4))
def test_it_completes_a_row_and_blocks_one(seed):
    bot = policies.make("mcts:200")
    assert bot.decide(turn(TIC_TAC_TOE, board("1", "4", "2", "5"), seed)) == "3"
    assert bot.decide(turn(TIC_TAC_TOE, board("5", "1", "4"), seed)) == "6"


def test_it_beats_random_play():
    episodes = arena.play("tic-tac-toe", ["mcts:50", "random"], matches=10)
    assert sum(e.payoffs[0] for e in episodes) >= 8


def test_the_same_turn_gets_the_same_answer():
    bot, asked = policies.make("mcts:30"), [turn(TIC_TAC_TOE, Board(), seed) for seed in range(6)]
    first = [reply.text for reply in bot.act(asked)]
    fresh = [replace(one, rng=Stream(seed, POLICY, 0, 0, 0)) for seed, one in enumerate(asked)]
    assert [reply.text for reply in policies.make("mcts:30").act(fresh[::-1])] == first[::-1]
    assert len(set(first)) > 1


@dataclass(frozen=True)
class Lots(Game[tuple]):
    """Three seats in turn take 1 point, or a lot that pays 6 with probability ``chance`` and costs the others 2."""

    chance: float = 0.5
    name = "lots"

    @property
    def info(self):
        return GameInfo(
            name="lots", version=0, summary="", kind="mixed", seats=(3, 3), roles=("a", "b", "c"), max_ticks=3,
            payoff_bounds=(-4.0, 6.0), moves=("safe", "lot"), perfect_information=True,
        )  # fmt: skip

    def start(self, rng):
        return ()

    def to_move(self, state):
        return (len(state),) if len(state) < 3 else ()

    def moves(self, state, seat):
        return Moves(("safe", "lot"))

    def play(self, state, moves, rng):
        won = rng.random() < self.chance
        if moves[0] == "safe":
            return (*state, "safe"), tuple(float(seat == len(state)) for seat in range(3))
        rewards = tuple(6.0 * won if seat == len(state) else -2.0 for seat in range(3))
        return (*state, "won" if won else "lost"), rewards

    def observe(self, state, seat):
        return Observation(" ".join(state) or "-")

    def key(self, state, seat):
        return " ".join(state)

    def rules(self, seat):
        return "safe or lot"

    def render(self, state, seat=None):
        return " ".join(state)


@pytest.mark.parametrize(("chance", "move"), [(0.5, "lot"), (0.05, "safe")])
def test_three_seats_each_look_after_their_own_expected_payoff(chance, move):
    # a lot is worth 3 or 0.3 to its owner and -4 to the table: the joint payoff would never have one
    [episode] = arena.play(Lots(chance=chance), [policies.make("mcts:300")] * 3)
    assert [t.move for t in episode.turns] == [move] * 3


def test_ultimatum_is_kept_for_oneself():
    [episode] = arena.play("ultimatum:amount=10", ["mcts:600", "mcts:50"])
    assert episode.payoffs[0] >= 8
    assert sum(episode.payoffs) == 10


def test_arms_are_tried_once_before_any_twice_then_by_their_bounds():
    arms = Arms(("a", "b"), [0, 1], [0.0, 1.0])
    assert arms.pick(0.0, 1.0, Stream(0)) == 0
    # mean 0.5 + √2·√(ln 10 / 8) = 1.26 against 0.25 + √2·√(ln 10 / 2) = 1.77
    assert Arms(("a", "b"), [8, 2], [4.0, 0.5]).pick(0.0, 1.0, Stream(0)) == 1
    assert Arms(("a", "b"), [8, 2], [40.0, 5.0]).pick(0.0, 10.0, Stream(0)) == 1  # whatever the unit is
    assert Arms(("a", "b"), [8, 2], [4.0, 2.0]).best(Stream(0)) == "a"
    assert Arms(("a", "b"), [5, 5], [4.0, 2.0]).best(Stream(0)) == "a"


def test_what_it_does_not_play():
    assert "perfect information" in policies.make("mcts:10").check(games.make("kuhn-poker"))
    with pytest.raises(UsageError, match="no move probabilities"):
        exploitability(TIC_TAC_TOE, policies.make("mcts:10"))
    for spec in ("mcts:0", "mcts:many"):
        with pytest.raises(BadOption, match="write mcts:N"):
            policies.make(spec)


def test_listed_games_are_played():
    from policies.registry import PREFIXES

    for prefix in ("mcts", "cfr"):
        for name in PREFIXES[prefix].games:
            game = games.make(f"{name}:rounds=2" if prefix == "cfr" and "poker" not in name else name)
            assert policies.make(prefix).check(game) == ""


def test_what_is_searched_to_the_end_is_certain():
    # X 1 2, O 4 5, X to move wins with 3; with O to move 6 wins, and then nothing is simulated any more
    for moves, win in ((("1", "4", "2", "5"), "3"), (("1", "4", "2", "5", "9"), "6")):
        assert {policies.make("mcts:20").decide(turn(TIC_TAC_TOE, board(*moves), seed)) for seed in range(8)} == {win}
    arms = Arms(("a", "b", "c"), [9, 5, 5], [0.0, 4.0, 0.0], {0: -1.0})
    assert arms.best(Stream(0)) == "b"  # the most visited move is known to lose
    assert Arms(("a", "b", "c"), [9, 2, 0], [0.0] * 3, {0: -1.0, 1: 1.0}).best(Stream(0), solved=True) == "b"
