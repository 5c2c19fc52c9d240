"""A maze for two, after The Collaboration Gap (arXiv 2511.02687): each sees a part of the map, both agree on each step.

Graded exactly, with no judge: the words ``MOVE`` and ``AGREE`` in free talk decide which steps are walked. How the
paper hides cells, ends a match and weighs what was reached is not known to us. Here the copies are drawn so that what
one of them shows never connects start and goal, a step into a wall ends the match, and a match pays the share of the
way that was covered, by shortest paths. The same mazes are walked alone with ``form=solo`` (the whole map) and
``form=solo-partial`` (both copies); solo less paired is the collaboration gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games._maze_map import WALL, Maze, draw, neighbours, rows
from games._maze_talk import FORMS, MESSAGE, Said, Steps, commands, heard, place, rules, shown, tidy
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream


@dataclass(frozen=True, slots=True)
class Walk:
    """A match in progress."""

    maze: Maze
    at: int
    """The cell where the players stand."""
    steps: int = 0
    """Steps walked, one into a wall not counted."""
    hit: bool = False
    """Whether a step went into a wall or off the map."""
    log: tuple[Said, ...] = ()
    """The messages so far, oldest first."""

    @property
    def progress(self) -> float:
        """The share of the way to the goal that was covered, by shortest paths, from 0 to 1."""
        distances = self.maze.distances
        return max(0.0, 1 - (distances[self.at] or 0) / (distances[self.maze.start] or 1))


@dataclass(frozen=True)
class MazeGame(Game[Walk]):
    """Maze: two who see different parts of a map talk, and agree on every step. A message too long is silence."""

    size: int = 6
    """Rows and columns, 3 to 12; the goal is one to three more steps away."""
    walls: float = 0.3
    """The share of cells that are walls, 0 to 0.5."""
    overlap: float = 0.2
    """The share of cells that both copies show, 0 to 0.8."""
    turns: int = 30
    """Messages of both players in a match, 1 to 1000."""
    form: str = "paired"
    """paired; solo: one player with the whole map; solo-partial: one player with both copies."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option has a value that is not allowed.
        """
        limits = {"size": (3, 12), "walls": (0, 0.5), "overlap": (0, 0.8), "turns": (1, 1000)}
        for option, (low, high) in limits.items():
            value = getattr(self, option)
            if not low <= value <= high:
                raise BadOption(f"maze: {option}={value:g} is not allowed; give {low} to {high}")
        if self.form not in FORMS:
            raise BadOption(f'maze: form="{self.form}" is not allowed; give {", ".join(FORMS)}')

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options."""
        alone = self.form != "paired"
        return GameInfo(
            name=self.name,
            version=0,
            summary="walk a maze together, each with half of the map",
            kind="cooperative",
            seats=(1, 2),
            roles=("solo",) if alone else ("first", "second"),
            payoff_bounds=(0.0, 1.0),
            max_ticks=self.turns,
            moves=None,
            free=MESSAGE,
            perfect_information=alone,
            paper="arXiv 2511.02687",
        )

    def start(self, rng: Stream) -> Walk:
        """Draw the maze and its copies; the same for every form."""
        maze = draw(self.size, self.walls, self.overlap, rng)
        return Walk(maze, maze.start)

    def to_move(self, state: Walk) -> tuple[int, ...]:
        """The players speak in turn, until the goal, a wall or the last message."""
        over = state.hit or state.progress == 1 or len(state.log) == self.turns
        return () if over else (len(state.log) % self.seats,)

    def moves(self, state: Walk, seat: int) -> Moves:
        """A message of free text."""
        return Moves(free=MESSAGE)

    def parse(self, state: Walk, seat: int, reply: str) -> Move:
        """The message on one line, with its commands in capitals.

        Raises:
            IllegalMove: the message is too long.
        """
        return tidy(read_move(reply, self.moves(state, seat)))

    def substitute(self, state: Walk, seat: int) -> Move | None:
        """Silence."""
        return ""

    def play(self, state: Walk, moves: tuple[Move, ...], rng: Stream) -> tuple[Walk, Rewards]:
        """The message is heard, agreed steps are walked; the reward is the progress made."""
        agrees, proposed = commands(moves[0])
        standing = state.log[-1].proposed if state.log else ()
        if self.seats == 1:
            after = _walked(state, moves[0], proposed, Said(0, moves[0]))
        else:
            after = _answered(state, moves[0], agrees, proposed, standing)
        return after, (after.progress - state.progress,) * self.seats

    def observe(self, state: Walk, seat: int) -> Observation:
        """The map at first, then what was said and walked."""
        maps = (state.maze.cells,) if self.form == "solo" else state.maze.copies
        fields = {
            "form": self.form,
            "seat": seat,
            "size": self.size,
            "maps": maps[seat : seat + 1] if self.form == "paired" else maps,
            "at": state.at,
            "log": state.log,
            "turns_left": self.turns - len(state.log),
            "over": not self.to_move(state),
        }
        return Observation(self._text(state, seat), fields)

    def _text(self, state: Walk, seat: int) -> str:
        spoke = any(said.seat == seat for said in state.log)
        news = " ".join([*heard(state.log, seat, self.size, self.form), self._outlook(state, seat)])
        return news if spoke else shown(state.maze, seat, self.form) + news

    def _outlook(self, state: Walk, seat: int) -> str:
        if state.hit:
            return "The last step is into a wall or off the map. The game is over."
        if state.progress == 1:
            return "You are at the goal. The game is over."
        if not self.to_move(state):
            return "No messages are left. The game is over."
        left = f"Messages left: {self.turns - len(state.log)}."
        return f"{left} Your message?" if self.to_move(state) == (seat,) else f"{left} Wait for their message."

    def key(self, state: Walk, seat: int) -> str:
        """The maps that the seat sees, where the players stand, and all that was said."""
        fields = self.observe(state, seat).fields
        return repr((fields["maps"], state.at, state.hit, fields["over"], [said.message for said in state.log]))

    def rules(self, seat: int) -> str:
        """The whole game."""
        return rules(self.size, self.turns, seat, self.form)

    def render(self, state: Walk, seat: int | None = None) -> str:
        """The map (for one seat its own copy) with the place marked ``@``, and the last message."""
        maze = state.maze
        cells = maze.copies[seat] if seat is not None and self.form == "paired" else maze.cells
        lines = rows(cells[: state.at] + "@" + cells[state.at + 1 :], self.size)
        last = [f"player_{said.seat}: {said.message}" for said in state.log[-1:]]
        return "\n".join([*lines, f"steps {state.steps}, at {place(state.at, self.size)}", *last])

    def measures(self, state: Walk) -> Mapping[str, tuple[float, ...]]:
        """Success, progress, efficiency (shortest way over steps, 0 without success), messages, disagreements.

        Messages are those with words in them, by seat; a disagreement is a proposal that the other did not agree to,
        counted for who did not.
        """
        success = state.progress == 1
        seats = range(self.seats)
        shortest = state.maze.distances[state.maze.start] or 0
        return {
            "success": (float(success),) * len(seats),
            "progress": (state.progress,) * len(seats),
            "efficiency": (shortest / state.steps if success else 0.0,) * len(seats),
            "messages": tuple(float(sum(s.seat == n and bool(s.message) for s in state.log)) for n in seats),
            "disagreements": tuple(float(sum(s.seat == n and bool(s.declined) for s in state.log)) for n in seats),
        }


def _answered(state: Walk, message: str, agrees: bool, proposed: Steps, standing: Steps) -> Walk:
    """A message of two players: the standing proposal is walked where it is agreed to, else it lapses."""
    seat = len(state.log) % 2
    if standing and (agrees or proposed == standing):
        following = proposed if agrees else ()
        return _walked(state, message, standing, Said(seat, message, proposed=following))
    said = Said(seat, message, declined=standing, proposed=proposed, at=state.at)
    return Walk(state.maze, state.at, state.steps, state.hit, (*state.log, said))


def _walked(state: Walk, message: str, steps: Steps, said: Said) -> Walk:
    """The state after these steps, as far as they go: to a wall, or to the goal."""
    ways, cells, at, taken = neighbours(state.maze.size), state.maze.cells, state.at, 0
    hit = False
    for step in steps:
        following = ways[at].get(step)
        hit = following is None or cells[following] == WALL
        taken += 1
        if following is None or hit:
            break
        at = following
        if state.maze.distances[at] == 0:
            break
    done = Said(said.seat, message, steps[:taken], said.declined, said.proposed, at)
    return Walk(state.maze, at, state.steps + taken - hit, hit, (*state.log, done))


GAME = MazeGame
