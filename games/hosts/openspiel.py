"""Any sequential or simultaneous game of OpenSpiel (arXiv 1908.09453): ``openspiel:kuhn_poker``.

The string is OpenSpiel's own, parameters and all: ``openspiel:goofspiel(players=3,num_cards=4)``. A state is the
actions so far. Chance is drawn from our streams; the four games that draw for themselves get a seed from them. A seat
reads its information state as text (of perfect information: what was played since its last turn, and the board), and
moves by the names that OpenSpiel gives to actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.hosts._spiel import CHANCE, MOST_OUTCOMES, Kept, Live, begin, legal, names_of, outcomes, settle
from games.hosts._spiel_facts import facts_of, load
from games.stream import Stream

_KEPT = Kept()
_SEEDS = 2**31 - 1


def make(rest: str, **options: Any) -> HostedGame:
    """The game of an OpenSpiel string.

    Args:
        rest: ``tic_tac_toe`` or ``goofspiel(players=3,num_cards=4)``.
        options: more parameters, by name.

    Raises:
        MissingExtra: OpenSpiel is not installed.
        UnknownName: it has no such game; the message names the nearest.
        BadOption: it refuses the parameters, or the game can't be hosted (mean-field games; moves without numbers).
    """
    text = rest.strip()
    if options:
        given = ",".join(f"{key}={value}" for key, value in options.items())
        text = f"{text[:-1]},{given})" if text.endswith(")") and not text.endswith("()") else f"{text}({given})"
    game = HostedGame(text)
    facts_of(text)
    return game


@dataclass(frozen=True, slots=True)
class Position:
    """A state: a tuple for the actions of each tick, a number for each outcome of chance."""

    steps: tuple[int | tuple[int, ...], ...] = ()
    seed: int = 0
    """Of games that draw for themselves; 0 elsewhere."""


@dataclass(frozen=True)
class HostedGame(Game[Position]):
    """A game of OpenSpiel. Who forfeits ends with the lowest payoff there is."""

    string: str
    """OpenSpiel's string for the game."""

    def __post_init__(self) -> None:
        """Take OpenSpiel's name."""
        object.__setattr__(self, "name", f"openspiel:{self.string.partition('(')[0]}")

    @property
    def spec(self) -> str:
        """The string that makes this game."""
        return f"openspiel:{self.string}"

    @property
    def info(self) -> GameInfo:
        """What is known of it; ``moves`` are the names met in sample matches, some may go by other names later on."""
        return facts_of(self.string).info

    def start(self, rng: Stream) -> Position:
        """After chance has dealt."""
        seed = 1 + rng.integers(_SEEDS) if facts_of(self.string).sampled else 0
        return self._settled(Position(seed=seed), self._fresh(seed), rng)

    def to_move(self, state: Position) -> tuple[int, ...]:
        """The seats that must move now."""
        return self._at(state).movers()

    def moves(self, state: Position, seat: int) -> Moves:
        """The legal actions by name."""
        return Moves(tuple(legal(self._at(state).state, seat)))

    def play(self, state: Position, moves: tuple[Move, ...], rng: Stream) -> tuple[Position, Rewards]:
        """Play the tick, then let chance act."""
        at = self._at(state)
        actions, live = self._tick(at, moves)
        if live.state.is_chance_node() and facts_of(self.string).sampled:  # copies would share one sequence of draws
            _, live = self._tick(self._replayed(state), moves)
        after = self._settled(Position((*state.steps, actions), state.seed), live, rng)
        return after, _gained(at, self._at(after))

    def starts(self) -> Iterable[tuple[float, Position]]:
        """Everything that chance can deal."""
        return ((p, after) for p, after, _ in self._enumerated(Position(), self._fresh(0)))

    def outcomes(self, state: Position, moves: tuple[Move, ...]) -> Iterable[tuple[float, Position, Rewards]]:
        """Everything that chance can make of a tick."""
        at = self._at(state)
        actions, live = self._tick(at, moves)
        for p, after, settled in self._enumerated(Position((*state.steps, actions)), live):
            yield p, after, _gained(at, settled)

    def observe(self, state: Position, seat: int) -> Observation:
        """The information state as text, with the legal moves on its turn."""
        live = self._at(state)
        fields = {"player": seat, "state": _seen(live, seat, self.info), "legal": self._asked(live, seat)}
        return Observation(self._text(live, seat), fields)

    def key(self, state: Position, seat: int) -> str:
        """Everything that happened where all is seen; else all that the seat read, its moves, what it sees now."""
        live = self._at(state)
        return repr(live.log if self.info.perfect_information else (*live.read[seat], self._text(live, seat)))

    def forfeit(self, state: Position, seats: tuple[int, ...]) -> Rewards:
        """The lowest payoff in all for ``seats``; the others keep theirs, or in zero-sum games share the rest."""
        low, returns = self.info.payoff_bounds[0], self._at(state).state.returns()
        others = self.seats - len(seats)
        share = -low * len(seats) / others if self.info.zero_sum and others else None
        ends = [low if seat in seats else returns[seat] if share is None else share for seat in range(self.seats)]
        return tuple(float(end - now) for end, now in zip(ends, returns, strict=True))

    def rules(self, seat: int) -> str:
        """How to answer; OpenSpiel has no rules as text."""
        kind, known = facts_of(self.string).game.get_type(), self.info.moves or ()
        shown = ", ".join(known[:40]) + (", …" if len(known) > 40 else "")
        return (
            f"You play {kind.long_name} ({self.string} of OpenSpiel) as player {seat} of {self.seats}, counted from 0. "
            f"Payoffs lie between {self.info.payoff_bounds[0]:g} and {self.info.payoff_bounds[1]:g}; get as much as "
            f"you can. You are shown what you know and your legal moves. Reply with one legal move, such as: {shown}"
        )

    def render(self, state: Position, seat: int | None = None) -> str:
        """OpenSpiel's own picture of the state; for one seat what it sees."""
        live = self._at(state)
        if seat is not None:
            return self._text(live, seat)
        return str(live.state).strip() or "\n".join(_events(live, 0)) or "Nothing has happened yet."

    def _at(self, state: Position) -> Live:
        return _KEPT.get((self.string, state), lambda: self._replayed(state))

    def _fresh(self, seed: int) -> Live:
        return begin(load(self.string, seed) if seed else facts_of(self.string).game)

    def _replayed(self, state: Position) -> Live:
        live = self._fresh(state.seed)
        for step in state.steps:
            live = (
                live.chance(step) if isinstance(step, int) else live.tick(step, names_of(live, step), self._texts(live))
            )
        return live

    def _tick(self, live: Live, moves: tuple[Move, ...]) -> tuple[tuple[int, ...], Live]:
        pairs = zip(live.movers(), moves, strict=True)
        actions = tuple(legal(live.state, seat)[move] for seat, move in pairs)
        return actions, live.tick(actions, moves, self._texts(live))

    def _settled(self, state: Position, live: Live, rng: Stream) -> Position:
        live, drawn = settle(live, lambda actions, odds: rng.weighted(actions, odds))
        after = Position((*state.steps, *drawn), state.seed)
        _KEPT.put((self.string, after), live)
        return after

    def _enumerated(self, state: Position, live: Live) -> Iterator[tuple[float, Position, Live]]:
        if facts_of(self.string).sampled:
            raise RuntimeError(f"{self.spec} draws for itself, so its chance can't be listed")
        for number, (p, after, drawn) in enumerate(outcomes(live)):
            if number >= MOST_OUTCOMES:
                raise RuntimeError(f"{self.spec} has more than {MOST_OUTCOMES} outcomes of chance at once")
            yield p, Position((*state.steps, *drawn)), after

    def _asked(self, live: Live, seat: int) -> tuple[Move, ...]:
        return tuple(legal(live.state, seat)) if seat in live.movers() else ()

    def _texts(self, live: Live) -> tuple[str, ...]:
        return tuple(self._text(live, seat) for seat in live.movers())

    def _text(self, live: Live, seat: int) -> str:
        lines = [_seen(live, seat, self.info)]
        if self.info.perfect_information:
            lines = [*_events(live, live.since[seat], seat), *lines]
        if live.state.is_terminal():
            lines.append(f"The game is over. You get {live.state.returns()[seat]:g}.")
        elif asked := self._asked(live, seat):
            lines.append(f"Legal moves: {', '.join(asked)}")
        return "\n".join(filter(None, lines)) or "Nothing to see yet."


def _gained(before: Live, after: Live) -> Rewards:
    pairs = zip(after.state.returns(), before.state.returns(), strict=True)
    return tuple(float(now - then) for now, then in pairs)


def _events(live: Live, since: int, besides: int | None = None) -> list[str]:
    """What happened, a line each, without the moves of seat ``besides``."""
    rest = [event for event in live.log[since:] if event[0] != besides]
    return [f"{'Chance' if player == CHANCE else f'Player {player}'}: {name}" for player, name in rest]


def _seen(live: Live, seat: int, info: GameInfo) -> str:
    """The board where all is seen, else the information state, or the observation where there is nothing more."""
    if info.perfect_information:
        return str(live.state).strip()
    kind = live.state.get_game().get_type()
    told = kind.provides_information_state_string
    return str(live.state.information_state_string(seat) if told else live.state.observation_string(seat)).strip()
