"""Hanabi: everybody sees all hands but their own, and all build together (Bard et al. 2020, arXiv 1902.00506).

The rules are those of OpenSpiel's ``hanabi`` (the Hanabi learning environment), with its turns, legal moves and
returns: when the last life is lost the score is 0, whatever was built; a finished colour gives a hint back; once the
deck is empty everybody has one more turn. An illegal reply ends the match like the loss of the last life. On
purpose different: the deck is shuffled at the start, so that a deal is the same cards for all who play it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games._hanabi_cards import COLOURS, PRESETS, Setup
from games._hanabi_state import Fireworks, dealt, hint_move, legal, moved
from games._hanabi_text import rules, seen_text, shown
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_loosely
from games.stream import Stream

ROLES = ("first", "second", "third", "fourth", "fifth")
_LIMITS = {"players": (2, 5), "colours": (1, 5), "ranks": (2, 5), "hand": (1, 5), "hints": (0, 20), "lives": (1, 10)}
_FILLER = re.compile(r"\b(?:card|number|position|slot|colou?r|rank) +", re.IGNORECASE)
_HINT = re.compile(r"\b(?:clue|tell|reveal)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Hanabi(Game[Fireworks]):
    """Hanabi: play cards in order that only the others see, by hints that are scarce."""

    preset: str = "mini"
    """mini (2 colours, ranks 1 and 2, hands of 3, 3 hints) or full; the options below change single numbers of it."""
    players: int | None = None
    """Seats, 2 to 5."""
    colours: int | None = None
    """Colours, 1 to 5."""
    ranks: int | None = None
    """Highest rank, 2 to 5."""
    hand: int | None = None
    """Cards in a hand, 1 to 5."""
    hints: int | None = None
    """Hints at the start, and the most there can be."""
    lives: int | None = None
    """Wrong cards that end the match."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range, or more cards in hands than there are.
        """
        if self.preset not in PRESETS:
            raise BadOption(f'hanabi: preset="{self.preset}" is not allowed; give {" or ".join(PRESETS)}')
        for option, (low, high) in _LIMITS.items():
            value = getattr(self, option)
            if value is not None and not low <= value <= high:
                raise BadOption(f"hanabi: {option}={value} is not allowed; give {low} to {high}")
        setup = self.setup
        if setup.players * setup.hand > setup.cards:
            dealt = f"players={setup.players} with hand={setup.hand}"
            room = f"give fewer, or more colours or ranks: there are {setup.cards} cards to deal"
            raise BadOption(f"hanabi: {dealt} is not allowed; {room}")

    @cached_property
    def setup(self) -> Setup:
        """The preset with the options given on top."""
        given = {option: value for option in _LIMITS if (value := getattr(self, option)) is not None}
        if self.preset == "full" and given.get("players", 2) > 3:
            given.setdefault("hand", 4)
        return PRESETS[self.preset]._replace(**given)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options."""
        setup = self.setup
        drawn = setup.cards - setup.players * setup.hand
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="cooperative",
            seats=_LIMITS["players"],
            roles=ROLES[: setup.players],
            payoff_bounds=(0.0, float(setup.most)),
            # every card drawn costs a turn and gives at most one hint back, every colour one more
            max_ticks=2 * drawn + setup.hints + setup.colours + setup.players,
            moves=tuple(self._every_move()),
            unit=float(setup.most),
            paper="arXiv 1902.00506",
        )

    def _every_move(self) -> list[Move]:
        setup = self.setup
        slots = range(1, setup.hand + 1)
        told = [*COLOURS[: setup.colours], *map(str, range(1, setup.ranks + 1))]
        seats = range(setup.players) if setup.players > 2 else (None,)
        hints = [hint_move(seat, word) for seat in seats for word in told]
        return [*(f"play {n}" for n in slots), *(f"discard {n}" for n in slots), *hints]

    def start(self, rng: Stream) -> Fireworks:
        """Shuffle, and deal the hands seat by seat."""
        return dealt(tuple(rng.shuffled(self.setup.deck)), self.setup)

    def to_move(self, state: Fireworks) -> tuple[int, ...]:
        """Seats in turn, until all is built, the lives are lost, or the last turns are over."""
        over = state.lives == 0 or state.turns_left == 0 or sum(state.built) == self.setup.most
        return () if over else (len(state.log) % self.setup.players,)

    def moves(self, state: Fireworks, seat: int) -> Moves:
        """Play any card; discard unless no hint is spent; hint at cards that somebody holds while hints are left."""
        return legal(state.hands, seat, state.hints < self.setup.hints, state.hints > 0)

    def parse(self, state: Fireworks, seat: int, reply: str) -> Move:
        """A move, also with a filler such as ``play card 1``, or ``tell``, ``clue`` or ``reveal`` for ``hint``.

        Raises:
            IllegalMove: the reply names no legal move, or several.
        """
        return read_loosely(reply, self.moves(state, seat), lambda said: _HINT.sub("hint", _FILLER.sub("", said)))

    def play(self, state: Fireworks, moves: tuple[Move, ...], rng: Stream) -> tuple[Fireworks, Rewards]:
        """Everybody is paid what the score rises or falls by."""
        after = moved(state, moves[0], self.setup)
        return after, (float(after.score - state.score),) * self.setup.players

    def forfeit(self, state: Fireworks, seats: tuple[int, ...]) -> Rewards:
        """All points are lost, as with the last life."""
        return (0.0 - state.score,) * self.setup.players

    def observe(self, state: Fireworks, seat: int) -> Observation:
        """What happened since the seat last moved, hands that changed, and what is known of the own cards."""
        fields = {
            "seat": seat,
            "hands": tuple(() if s == seat else hand for s, hand in enumerate(state.hands)),
            "knowledge": state.knowledge,
            "built": state.built,
            "hints": state.hints,
            "lives": state.lives,
            "deck": len(state.deck),
            "turns_left": None if state.deck else state.turns_left,
            "discards": state.discards,
            "log": tuple(event.seen_by(seat) for event in state.log),
            "setup": self.setup,
        }
        return Observation(seen_text(state, seat, self.setup, self.to_move(state)), fields)

    def key(self, state: Fireworks, seat: int) -> str:
        """The others' hands, what is known of the own one, and all that happened."""
        others = [",".join(map(str, hand)) for s, hand in enumerate(state.hands) if s != seat]
        own = ",".join(map(str, state.knowledge[seat]))
        return "|".join([*others, own, *(event.seen_by(seat).brief for event in state.log)])

    def rules(self, seat: int) -> str:
        """The whole game, with the numbers of these options."""
        return rules(self.setup, seat)

    def render(self, state: Fireworks, seat: int | None = None) -> str:
        """Hands, fireworks, hints and lives; the own hand of ``seat`` only as it knows it."""
        return shown(state, seat)

    def measures(self, state: Fireworks) -> Mapping[str, tuple[float, ...]]:
        """The score, its share of the best score, lives left, and by seat hints given and cards played wrong."""
        same = {
            "score": float(state.score),
            "normalised_score": state.score / self.setup.most,
            "lives_left": float(state.lives),
        }
        seats = range(self.setup.players)
        hints = tuple(float(sum(e.seat == s and e.card is None for e in state.log)) for s in seats)
        wrong = tuple(float(sum(e.seat == s and e.wrong for e in state.log)) for s in seats)
        return {name: (value,) * len(seats) for name, value in same.items()} | {"hints_given": hints, "misplays": wrong}


GAME = Hanabi
