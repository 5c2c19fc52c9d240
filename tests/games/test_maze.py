"""The maze: how mazes are drawn, what messages do, what stays hidden, and how a match is graded."""

from __future__ import annotations

from itertools import pairwise

import pytest

import games
from games import BadOption, IllegalMove, Stream
from games._maze_map import GOAL, HIDDEN, START, WALL, Maze, distances, draw, merged, neighbours, route
from games._maze_talk import commands, tidy
from games.maze import Walk
from games.stream import CHANCE, NoChance

GAME = games.make("maze:size=3")
SOLO = games.make("maze:size=3,form=solo")
BOTH = games.make("maze:size=3,form=solo-partial")

# S . #      S . #      S ? ?
# # . .      # ? .      # . ?
# . . G      . ? G      ? . G
MAZE = Maze(3, "S.##....G", ("S.##?..?G", "S??#.??.G"))


def after(*messages, game=GAME, maze=MAZE):
    """The state after these messages, and the payoff of the first seat."""
    state, payoff = Walk(maze, maze.start), 0.0
    for message in messages:
        (seat,) = game.to_move(state)
        state, rewards = game.play(state, (game.parse(state, seat, message),), NoChance())
        assert len(set(rewards)) == 1
        payoff += rewards[0]
    return state, payoff


@pytest.mark.parametrize(
    ("size", "walls", "overlap"),
    [(3, 0, 0), (3, 0.5, 0.8), (4, 0.3, 0.2), (6, 0.3, 0), (6, 0.3, 0.2), (6, 0.5, 0.8), (9, 0.4, 0.5), (12, 0, 0)],
)
def test_neither_copy_suffices_and_together_they_are_the_map(size, walls, overlap):
    for deal in range(40):
        maze = draw(size, walls, overlap, Stream(2, CHANCE, deal, 0))
        assert maze.cells.count(WALL) == round(walls * size * size)
        assert (maze.cells.count(START), maze.cells.count(GOAL)) == (1, 1)
        assert size + 1 <= maze.distances[maze.start] <= size + 3
        assert merged(maze.copies) == maze.cells
        for copy in maze.copies:
            assert copy.index(START) == maze.start
            assert route(copy, size, maze.start) is None
            assert any(kind not in HIDDEN + START + GOAL for kind in copy)


def test_overlap_is_the_share_of_cells_that_both_see():
    for overlap in (0, 0.2, 0.5):
        maze = draw(10, 0.3, overlap, Stream(3))
        seen = sum(HIDDEN not in kinds for kinds in zip(*maze.copies, strict=True))
        assert seen == round(overlap * 100) + 2  # start and goal
        alone = [copy.count(HIDDEN) for copy in maze.copies]
        assert sum(alone) == 100 - seen


def test_every_form_walks_the_same_mazes():
    forms = [games.make(f"maze:form={form}") for form in ("paired", "solo", "solo-partial")]
    starts = [[game.start(Stream(1, CHANCE, deal, 0)).maze for deal in range(20)] for game in forms]
    assert starts[0] == starts[1] == starts[2]
    assert len(set(starts[0])) == 20


def test_distances_and_routes_by_hand():
    assert MAZE.distances == (4, 3, None, None, 2, 1, 2, 1, 0)
    assert distances(MAZE.cells, 3, 0, WALL + ".") == (0, *[None] * 8)
    assert route(MAZE.cells, 3, 0) in (["right", "down", "down", "right"], ["right", "down", "right", "down"])
    assert neighbours(3)[0] == {"down": 3, "right": 1}
    assert neighbours(3)[4] == {"up": 1, "down": 7, "left": 3, "right": 5}


def test_routes_are_shortest():
    for deal in range(30):
        maze = draw(7, 0.35, 0.2, Stream(4, deal))
        steps, at = route(maze.cells, 7, maze.start), maze.start
        cells = [at := neighbours(7)[at][step] for step in steps]
        assert maze.cells[cells[-1]] == GOAL
        assert WALL not in [maze.cells[cell] for cell in cells]
        assert all(maze.distances[a] - maze.distances[b] == 1 for a, b in pairwise([maze.start, *cells]))


@pytest.mark.parametrize(
    ("message", "agrees", "steps"),
    [
        ("AGREE", True, ()),
        ("agree", True, ()),
        ("Hello.\nAgree\nmove right", True, ("right",)),
        ("MOVE right down", False, ("right", "down")),
        ("MOVE: right, down.", False, ("right", "down")),
        ("**MOVE**: Right -> DOWN", False, ("right", "down")),
        ("I think we should MOVE r r d", False, ("right", "right", "down")),
        ("MOVE north east s w", False, ("up", "right", "down", "left")),
        ("AGREE. MOVE left", True, ("left",)),
        ("MOVE up. No, MOVE down", False, ("down",)),  # the last counts
        ("I do not AGREE", False, ()),
        ("I don't AGREE", False, ()),
        ("DISAGREE", False, ()),
        ("I agree with you", False, ()),  # talk, no command
        ("we should move right", False, ()),
        ("MOVE to the right", False, ()),
        ("", False, ()),
    ],
)
def test_commands(message, agrees, steps):
    assert commands(tidy(message)) == (agrees, steps)
    assert tidy(tidy(message)) == tidy(message)


@pytest.mark.parametrize("message", ['"agree"', "“move up”", "- agree\n- MOVE up", '""agree""', "a\x00b\u2028agree"])
def test_tidy_messages_stay_as_they_are(message):
    assert tidy(tidy(message)) == tidy(message)
    assert '"' not in tidy(message)
    assert "\n" not in tidy(message)


def test_what_is_agreed_is_walked():
    state, payoff = after("MOVE right", "AGREE")
    assert (state.at, state.steps, payoff) == (1, 1, 0.25)
    assert state.log[-1].walked == ("right",)
    state, payoff = after("MOVE right", "AGREE. MOVE down down", "AGREE. MOVE right", "AGREE")
    assert (state.at, state.steps, payoff) == (8, 4, 1)
    assert GAME.to_move(state) == ()
    assert GAME.round(state) == 1


def test_the_same_move_agrees_too_and_proposes_nothing():
    state, _ = after("MOVE right", "MOVE: right")
    assert state.at == 1
    assert state.log[-1].proposed == ()


def test_what_is_not_agreed_lapses_and_is_counted():
    state, _ = after("MOVE right", "Why?", "AGREE", "MOVE down", "MOVE right", "AGREE")
    assert state.at == 1
    assert GAME.measures(state)["disagreements"] == (1, 1)  # "Why?", and the other MOVE
    assert [said.declined for said in state.log] == [(), ("right",), (), (), ("down",), ()]
    assert state.log[2].walked == ()


def test_nobody_agrees_with_itself():
    state, _ = after("MOVE right. AGREE")
    assert state.at == 0


@pytest.mark.parametrize(("steps", "at", "taken"), [("right right", 1, 1), ("up", 0, 0), ("right down left", 4, 2)])
def test_a_wall_or_the_edge_ends_the_match(steps, at, taken):
    state, payoff = after(f"MOVE {steps} down", "AGREE")
    assert (state.at, state.steps, state.hit) == (at, taken, True)
    assert payoff == taken / 4
    assert GAME.to_move(state) == ()
    assert GAME.observe(state, 0).text.endswith("The last step is into a wall or off the map. The game is over.")
    assert GAME.measures(state)["success"] == (0, 0)


def test_a_walk_ends_at_the_goal():
    state, _ = after("MOVE right down down right up", "AGREE")
    assert (state.at, state.steps, state.hit) == (8, 4, False)
    assert state.log[-1].walked == ("right", "down", "down", "right")
    assert GAME.observe(state, 1).text == (
        "You both walk right down down right. Now at row 3, column 3. You are at the goal. The game is over."
    )


def test_grading():
    state, payoff = after("MOVE right left right down down left", "AGREE", "MOVE right right", "AGREE")
    assert state.steps == 8
    assert payoff == pytest.approx(1)
    assert GAME.measures(state) == {
        "success": (1, 1),
        "progress": (1, 1),
        "efficiency": (0.5, 0.5),
        "messages": (2, 2),
        "disagreements": (0, 0),
    }
    state, payoff = after("MOVE right down", "AGREE", "", "MOVE up")
    assert payoff == 0.5
    assert GAME.measures(state) == {
        "success": (0, 0),
        "progress": (0.5, 0.5),
        "efficiency": (0, 0),
        "messages": (1, 2),
        "disagreements": (0, 0),
    }


def test_going_away_from_the_goal_is_no_progress():
    away = Maze(3, "..S.....G", ("..S.....G", "..S.....G"))
    state, payoff = after("MOVE left left", "AGREE", maze=away)
    assert (state.progress, payoff) == (0, 0)


def test_turns_end_the_match():
    game = games.make("maze:size=3,turns=3")
    state, _ = after("a", "b", "c", game=game)
    assert game.to_move(state) == ()
    assert game.observe(state, 0).text == "No messages are left. The game is over."
    assert game.observe(state, 1).text == 'They say: "c" No messages are left. The game is over.'


def test_a_match_reads_like_this():
    own = "Your copy of the map:\nrow 1: S . #\nrow 2: # ? .\nrow 3: . ? G\n"
    assert GAME.observe(after()[0], 0).text == own + "Messages left: 30. Your message?"
    state, _ = after("Hi. MOVE right")
    assert GAME.observe(state, 1).text == (
        "Your copy of the map:\nrow 1: S ? ?\nrow 2: # . ?\nrow 3: ? . G\n"
        'They say: "Hi. MOVE right" They propose right. Messages left: 29. Your message?'
    )
    assert GAME.observe(state, 0).text == "Messages left: 29. Wait for their message."
    state, _ = after("MOVE right", "AGREE MOVE down")
    assert GAME.observe(state, 0).text == (
        'They say: "AGREE MOVE down" You both walk right. Now at row 1, column 2. They propose down. '
        "Messages left: 28. Your message?"
    )
    assert GAME.observe(state, 1).text == (
        "You both walk right. Now at row 1, column 2. Messages left: 28. Wait for their message."
    )
    state, _ = after("MOVE right", "")
    assert GAME.observe(state, 0).text == (
        "They say nothing. They do not agree to right. Messages left: 28. Your message?"
    )


def test_hidden_cells_stay_hidden():
    other = Maze(3, "S.##...#G", ("S.##?..?G", "S??#.??#G"))
    for messages in ((), ("MOVE right",), ("MOVE right", "AGREE")):
        one, two = (after(*messages, maze=maze)[0] for maze in (MAZE, other))
        faces = [(GAME.key(s, 0), GAME.observe(s, 0), GAME.render(s, 0)) for s in (one, two)]
        assert faces[0] == faces[1]
        assert GAME.key(one, 1) != GAME.key(two, 1)
    assert GAME.render(after("MOVE right", "AGREE")[0], 0).splitlines()[:3] == ["S@#", "#?.", ".?G"]


def test_alone_with_the_whole_map():
    state, payoff = after("MOVE right down", "hm", "MOVE down right", game=SOLO)
    assert payoff == 1
    assert SOLO.seats == 1
    assert SOLO.info.perfect_information
    assert SOLO.measures(state)["messages"] == (3,)
    assert SOLO.measures(state)["efficiency"] == (1,)
    assert SOLO.observe(after("MOVE right", game=SOLO)[0], 0).text == (
        "You walk right. Now at row 1, column 2. Messages left: 29. Your message?"
    )
    assert SOLO.observe(after(game=SOLO)[0], 0).text.startswith("The map:\nrow 1: S . #\nrow 2: # . .\nrow 3: . . G\n")


def test_alone_with_both_copies():
    text = BOTH.observe(after(game=BOTH)[0], 0).text
    assert "The first copy of the map:\nrow 1: S . #\nrow 2: # ? .\n" in text
    assert "The second copy:\nrow 1: S ? ?\nrow 2: # . ?\n" in text
    assert BOTH.observe(after(game=BOTH)[0], 0).fields["maps"] == MAZE.copies


def test_messages_too_long_are_silence():
    state, _ = after()
    with pytest.raises(IllegalMove, match="501 characters"):
        GAME.parse(state, 0, "x" * 501)
    assert GAME.substitute(state, 0) == ""


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ("size=1", "give 3 to 12"),
        ("size=13", "give 3 to 12"),
        ("walls=0.6", "give 0 to 0.5"),
        ("walls=-0.1", "give 0 to 0.5"),
        ("overlap=1", "give 0 to 0.8"),
        ("turns=0", "give 1 to 1000"),
        ("form=alone", "give paired, solo, solo-partial"),
    ],
)
def test_bad_options_say_what_is_allowed(options, allowed):
    with pytest.raises(BadOption, match=allowed):
        games.make(f"maze:{options}")


def test_rules():
    assert "You speak first." in GAME.rules(0)
    assert "The other player speaks first." in GAME.rules(1)
    assert "You have the whole map." in SOLO.rules(0)
    assert "two copies of the map" in BOTH.rules(0)
    for game in (GAME, SOLO, BOTH):
        assert "3 rows and 3 columns" in game.rules(0)
        assert "30 messages" in game.rules(0)
        assert "A step into a wall" in game.rules(0)
