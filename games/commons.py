"""Commons: several players catch from one stock that doubles every month, unless too little is left (GovSim).

After Piatti et al. 2024 (arXiv 2404.16698): all catch at once, see who caught what and may talk; what is left doubles
up to the capacity. Two choices of ours: catches that exceed the stock are cut in proportion (GovSim can also share unit
by unit, at random), and a reply without a number is illegal and ends the match, where GovSim reads it as a catch of 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games import _commons_text as commons_text
from games._bargaining import gini
from games._checks import check_whole
from games._talk import message_form, plain
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

MESSAGE = message_form(300)


@dataclass(frozen=True, slots=True)
class Month:
    """A month whose catches were made: the stock before, what each player wanted, and what was said afterwards."""

    stock: int
    wishes: tuple[int, ...]
    talk: tuple[str, ...] = ()

    @property
    def caught(self) -> tuple[float, ...]:
        """What each got: its wish, or its part of the stock where all wishes exceed it."""
        cut = min(1.0, self.stock / max(1, sum(self.wishes)))
        return tuple(wish * cut for wish in self.wishes)

    @property
    def left(self) -> int:
        """What was left."""
        return max(0, self.stock - sum(self.wishes))

    @property
    def sustainable(self) -> int:
        """The most that each may take so that the stock is back afterwards."""
        return self.stock // 2 // len(self.wishes)


@dataclass(frozen=True, slots=True)
class State:
    """The months whose catches were made."""

    past: tuple[Month, ...] = ()


@dataclass(frozen=True)
class Commons(Game[State]):
    """Commons. A message that is too long counts as silence; an illegal catch ends the match, catches are kept."""

    seats: int = 5
    """Players."""
    months: int = 12
    """Months of one match."""
    capacity: int = 100
    """The stock at the start, and the most there can be."""
    collapse: int = 5
    """The match ends when less than this is left."""
    talk: int = 0
    """Messages that each player sends after every month."""
    newcomer: int = 0
    """The month in which the last player joins; 0: all are there from the start."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "seats", self.seats, 2, 20)
        check_whole(self.name, "months", self.months, 1, 1000)
        check_whole(self.name, "capacity", self.capacity, 2, 10_000)
        check_whole(self.name, "collapse", self.collapse, 1, self.capacity)
        check_whole(self.name, "talk", self.talk, 0, 10)
        check_whole(self.name, "newcomer", self.newcomer, 0, self.months)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by an equal part of the whole stock."""
        roles = ["player"] * (self.seats - 1)
        return GameInfo(
            name=self.name,
            version=0,
            summary="Commons: catch from a shared stock that doubles every month while enough is left.",
            kind="social-dilemma",
            seats=(2, 20),
            roles=(*roles, "newcomer" if self.newcomer else "player"),
            payoff_bounds=(0.0, float(self.months * self.capacity)),
            max_ticks=self.months * (1 + self.talk * self.seats),
            moves=self._catches(self.capacity),
            free=MESSAGE if self.talk else None,
            unit=self.capacity / self.seats,
            simultaneous=True,
            deterministic=True,
            paper="arXiv 2404.16698",
        )

    def _catches(self, stock: int) -> tuple[Move, ...]:
        return self._words[: stock + 1]

    @cached_property
    def _words(self) -> tuple[Move, ...]:
        return tuple(str(n) for n in range(self.capacity + 1))

    def start(self, rng: Stream) -> State:
        """The full stock; draws nothing."""
        return State()

    def stock(self, state: State) -> int:
        """What is there now: the doubled rest, and 0 after a collapse."""
        if not state.past:
            return self.capacity
        left = state.past[-1].left
        return 0 if left < self.collapse else min(self.capacity, 2 * left)

    def over(self, state: State) -> bool:
        """Whether the last month is over or the stock has collapsed."""
        return len(state.past) == self.months or self.stock(state) == 0

    def players(self, month: int) -> int:
        """How many players catch in a month (1 for the first)."""
        return self.seats - 1 if month < self.newcomer else self.seats

    def _speaker(self, state: State) -> int | None:
        """Who speaks now: everybody in turn, a later one first every month; None outside the talk."""
        if not state.past or self.over(state):
            return None
        last = state.past[-1]
        here, said = len(last.wishes), len(last.talk)
        return (len(state.past) - 1 + said) % here if said < self.talk * here else None

    def to_move(self, state: State) -> tuple[int, ...]:
        """The speaker, or all who are there."""
        if self.over(state):
            return ()
        speaker = self._speaker(state)
        return tuple(range(self.players(len(state.past) + 1))) if speaker is None else (speaker,)

    def moves(self, state: State, seat: int) -> Moves:
        """A message, or a catch from 0 to the stock."""
        return Moves(self._catches(self.stock(state))) if self._speaker(state) is None else Moves(free=MESSAGE)

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A message on one line, or a catch.

        Raises:
            IllegalMove: the message is too long, or the reply names no catch.
        """
        moves = self.moves(state, seat)
        move = read_move(reply, moves)
        return plain(move) if moves.free else move

    def substitute(self, state: State, seat: int) -> Move | None:
        """Silence for a message; None (forfeit) for a catch."""
        return None if self._speaker(state) is None else ""

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Say the message, or make the catches of a month."""
        if self._speaker(state) is not None:
            last = replace(state.past[-1], talk=(*state.past[-1].talk, moves[0]))
            return State((*state.past[:-1], last)), (0.0,) * self.seats
        month = Month(self.stock(state), tuple(map(int, moves)))
        absent = (0.0,) * (self.seats - len(moves))
        return State((*state.past, month)), (*month.caught, *absent)

    def joined(self, seat: int) -> int:
        """The month in which ``seat`` joins (1: from the start)."""
        return self.newcomer if self.newcomer and seat == self.seats - 1 else 1

    def here(self, state: State, seat: int) -> bool:
        """Whether ``seat`` has joined: a newcomer does when the talk before its month is over."""
        missing = self.joined(seat) - 1 - len(state.past)
        return missing < 0 or (missing == 0 and self._speaker(state) is None)

    def observe(self, state: State, seat: int) -> Observation:
        """The last catches, what was said since, the month and its stock; before it joins a newcomer sees nothing."""
        return Observation(commons_text.news(self, state, seat), self._fields(state, seat))

    def _fields(self, state: State, seat: int) -> Mapping[str, object]:
        here = self.over(state) or self.here(state, seat)
        seen = state.past[self.joined(seat) - 1 :]
        return {
            "month": len(state.past) + 1 if here else 0,
            "months": self.months,
            "stock": self.stock(state) if here else None,
            "players": self.players(len(state.past) + 1) if here else None,
            "phase": self._phase(state, here),
            "history": tuple((m.stock, m.caught) for m in seen),
            "messages": seen[-1].talk if seen else (),
        }

    def _phase(self, state: State, here: bool) -> str:
        if self.over(state):
            return "over"
        return "away" if not here else "catch" if self._speaker(state) is None else "talk"

    def key(self, state: State, seat: int) -> str:
        """What the seat saw since it joined, and what it wanted."""
        seen = [(m.stock, m.caught, m.wishes[seat], m.talk) for m in state.past[self.joined(seat) - 1 :]]
        return repr((self.over(state), self.here(state, seat) and (len(state.past), self.stock(state)), seen))

    def rules(self, seat: int) -> str:
        """The rules; they differ in the own name and for a newcomer."""
        return commons_text.rules(self, seat)

    def render(self, state: State, seat: int | None = None) -> str:
        """Every month on a line, then the stock; nothing is hidden but what was said before a newcomer came."""
        months = [commons_text.month_line(n, month) for n, month in enumerate(state.past, 1)]
        since = 1 if seat is None else self.joined(seat)
        return "\n".join([*months[since - 1 :], f"The stock is {self.stock(state)}."])

    def round(self, state: State) -> int:
        """Months that are over; a collapse ends all of them, so that ruin doesn't look rich per month."""
        return self.months if self.over(state) else len(state.past)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """The measures of the paper: ``survival`` and ``over_use`` as shares, ``gain``, ``efficiency``, ``equality``.

        ``survived`` is 1 where every month was played. ``efficiency`` compares the joint gain with taking half of the
        full stock in every month; ``over_use`` is the share of own catches above what all may take sustainably.
        """
        if not state.past:
            return {}
        n, months = self.seats, len(state.past)
        gains = [sum(m.caught[seat] for m in state.past if seat < len(m.caught)) for seat in range(n)]
        goal = self.months * (self.capacity // 2)
        return {
            "survived": (float(months == self.months),) * n,
            "survival": (months / self.months,) * n,
            "gain": tuple(gains),
            "efficiency": (1 - max(0.0, goal - sum(gains)) / goal,) * n,
            "equality": (1 - gini(gains),) * n,
            "over_use": tuple(_over_use(state.past, seat) for seat in range(n)),
        }


def _over_use(past: tuple[Month, ...], seat: int) -> float:
    """The share of its months in which ``seat`` wanted more than is sustainable; 0 where it never came."""
    played = [m for m in past if seat < len(m.wishes)]
    return sum(m.wishes[seat] > m.sustainable for m in played) / max(1, len(played))


GAME = Commons
