"""Maze players: what each says, how far each pair gets, and what talk is worth."""

from __future__ import annotations

from statistics import fmean

import pytest

import games
import policies
from arena.match import run_matches
from arena.records import Match
from games._maze_map import Maze
from games.conformance.checks import check_payoffs
from games.conformance.faces import check_keys, check_observations
from games.conformance.sampling import Playthrough, Step
from games.maze import Walk
from games.stream import CHANCE, NoChance, Stream
from policies import Turn

GAME = games.make("maze:size=3")
MAZE = Maze(3, "S.##....G", ("S.##?..?G", "S??#.??.G"))


def says(spec, *messages):
    """The policy's next message after these."""
    state = Walk(MAZE, MAZE.start)
    for message in messages:
        (seat,) = GAME.to_move(state)
        state, _ = GAME.play(state, (GAME.parse(state, seat, message),), NoChance())
    (seat,) = GAME.to_move(state)
    turn = Turn(GAME, 0, seat, len(messages), GAME.observe(state, seat), GAME.moves(state, seat), Stream(0))
    (reply,) = policies.make(spec).act([turn])
    return reply.text


def episodes(spec, names, matches):
    game = games.make(spec)
    players = {name: policies.make(name) for name in names}
    return list(run_matches((Match(i, game, i, tuple(names)) for i in range(matches)), players, seed=7))


def measured(spec, names, what, matches=100):
    return fmean(e.measures[what][0] for e in episodes(spec, names, matches))


@pytest.mark.parametrize(
    ("messages", "wanted"),
    [
        ([], "My map: S.# / #?. / .?G."),
        (["Hello."], "My map: S?? / #.? / ?.G."),
        (["My map: S.# / #?. / .?G."], "My map: S?? / #.? / ?.G. MOVE right down down right"),
        (["MOVE right down"], "My map: S?? / #.? / ?.G. AGREE"),
        (["MOVE down"], "My map: S?? / #.? / ?.G. There is a wall on that way."),
        (["My map: S.# / #?. / .?G", "Hi."], "Please tell me your map."),
        (["My map: S.# / #?. / .?G", "S ? ? / # . ? / ? . G"], "MOVE right down down right"),
    ],
)
def test_mapper(messages, wanted):
    assert says("maze-mapper", *messages) == wanted


def test_trusting_and_stubborn():
    assert says("maze-trusting") == "MOVE right"
    assert says("maze-trusting", "MOVE down") == "AGREE"  # into a wall that it sees
    assert says("maze-stubborn", "MOVE down") == "MOVE right"
    assert says("maze-stubborn", "MOVE right") == "MOVE right"  # the same steps agree


@pytest.mark.parametrize("spec", ["maze", "maze:size=9,walls=0.4,overlap=0", "maze:size=3"])
def test_pairs_that_share_their_maps_reach_the_goal_by_the_shortest_way(spec):
    found = episodes(spec, ("maze-mapper",) * 2, 60)
    assert all(e.measures["efficiency"] == (1, 1) for e in found)
    assert all(e.payoffs == pytest.approx((1, 1)) for e in found)
    assert {len(e.turns) for e in found} == {3}


@pytest.mark.parametrize("spec", ["maze:size=4,turns=12", "maze:size=3,form=solo", "maze:size=3,form=solo-partial"])
def test_walked_matches_keep_the_contract(spec):
    """The conformance checks play random words, which walk nowhere; here they look at matches that walk."""
    game, names = games.make(spec), ("maze-mapper", "maze-trusting", "maze-stubborn")
    players = {name: policies.make(name) for name in names}
    pairs = [(a, b) for a in names for b in names] if game.seats == 2 else [(name,) for name in names]
    plan = (Match(i, game, i // 9, pairs[i % len(pairs)]) for i in range(45))
    played = [_playthrough(episode) for episode in run_matches(plan, players, seed=3)]
    check_keys(game, played)
    check_observations(game, played)
    check_payoffs(game, played)


def _playthrough(episode):
    game, steps = episode.match.game, []
    state = game.start(Stream(3, CHANCE, episode.match.deal, 0))
    for turn in episode.turns:
        before = state
        state, rewards = game.play(before, (turn.move,), NoChance())
        steps.append(Step(before, (turn.seat,), (turn.move,), rewards))
    return Playthrough(tuple(steps), state)


def test_pairs_that_do_not_talk_fail():
    assert measured("maze", ("maze-trusting",) * 2, "success") < 0.6
    assert measured("maze", ("maze-stubborn",) * 2, "success") < 0.3
    assert measured("maze", ("maze-stubborn",) * 2, "disagreements") > 5
    assert measured("maze", ("random",) * 2, "success", 20) == 0


def test_alone_both_find_the_way():
    """The gap: what a player reaches alone with the whole map, less what it reaches with its like."""
    for player, gap in (("maze-mapper", 0), ("maze-trusting", 0.4)):
        alone = measured("maze:form=solo", (player,), "success")
        assert alone == 1
        assert alone - measured("maze", (player,) * 2, "success") >= gap
    assert measured("maze:form=solo-partial", ("maze-mapper",), "success") == 1
