"""Deal or No Deal: talk about who takes which items, then both select privately (Lewis et al. 2017, arXiv 1706.05125).

There are 5 to 7 books, hats and balls, at least one of each. All items together are worth 10 to each side, each kind is
worth something to one of them and some kind to both; each knows only its own values. They talk in turn; then both
select what they take at the same time. Selections that don't add up to exactly what is there pay nothing to either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from games._bargaining import frontier
from games._checks import check_whole
from games._items import Bundle, bundle_moves, bundle_text, find_bundle, read_bundle, rest, split_payoffs, worth
from games._talk import message_form, plain, says
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

KINDS = ("book", "hat", "ball")
TOTAL = 10
POOLS = tuple(p for p in product(range(1, 6), repeat=len(KINDS)) if 5 <= sum(p) <= 7)
MESSAGE = message_form(300)
DEAL, NO_DEAL = "deal", "no deal"
Values = tuple[int, ...]


@lru_cache(maxsize=64)
def value_pairs(pool: Bundle) -> tuple[tuple[Values, Values], ...]:
    """All pairs of values for ``pool``: each side's total is 10, every kind has a taker, some kind has two."""
    each = [v for v in product(range(TOTAL + 1), repeat=len(pool)) if worth(pool, v) == TOTAL]
    return tuple((a, b) for a in each for b in each if _contested(a, b))


def _contested(a: Values, b: Values) -> bool:
    kinds = list(zip(a, b, strict=True))
    return all(x or y for x, y in kinds) and any(x and y for x, y in kinds)


@dataclass(frozen=True, slots=True)
class State:
    """The items, what they are worth to each seat, the talk so far, and the selections once made."""

    pool: Bundle
    values: tuple[Values, Values]
    messages: tuple[str, ...] = ()
    closed: bool = False
    """Whether the talk is over."""
    selections: tuple[Move, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the selections add up to exactly what is there."""
        taken = [find_bundle(selection, KINDS) for selection in self.selections]
        return len(taken) == 2 and taken[0] is not None and taken[1] == rest(self.pool, taken[0])

    @property
    def payoffs(self) -> tuple[float, ...]:
        """What each earns with these selections."""
        if not self.fits:
            return 0.0, 0.0
        return tuple(worth(_bundle(s), v) for s, v in zip(self.selections, self.values, strict=True))


def _bundle(selection: Move) -> Bundle:
    found = find_bundle(selection, KINDS)
    assert found is not None
    return found


@dataclass(frozen=True)
class DealOrNoDeal(Game[State]):
    """Deal or No Deal. A message that is too long counts as silence, an illegal selection as ``no deal``."""

    turns: int = 10
    """Messages that there can be, of both together."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "turns", self.turns, 1, 100)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game; returns are divided by what all items are worth."""
        texts = dict.fromkeys(move for pool in POOLS for move in bundle_moves(pool, KINDS).texts)
        return GameInfo(
            name=self.name,
            version=0,
            summary="Deal or No Deal: talk about books, hats and balls, then select what must fit.",
            kind="mixed",
            seats=(2, 2),
            roles=("first speaker", "second speaker"),
            payoff_bounds=(0.0, float(TOTAL)),
            max_ticks=self.turns + 1,
            moves=(*texts, NO_DEAL),
            free=MESSAGE,
            unit=float(TOTAL),
            simultaneous=True,
            paper="arXiv 1706.05125",
        )

    def start(self, rng: Stream) -> State:
        """Draw the items, then what they are worth."""
        pool = rng.choice(POOLS)
        return State(pool, rng.choice(value_pairs(pool)))

    def to_move(self, state: State) -> tuple[int, ...]:
        """In turn, then both."""
        if state.selections:
            return ()
        return (0, 1) if state.closed else (len(state.messages) % 2,)

    def moves(self, state: State, seat: int) -> Moves:
        """A message, or a selection."""
        return bundle_moves(state.pool, KINDS, NO_DEAL) if state.closed else Moves(free=MESSAGE)

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A message on one line (the word "deal" alone as just that), or a selection.

        Raises:
            IllegalMove: the message is too long, or the reply names no selection.
        """
        moves = self.moves(state, seat)
        if state.closed:
            return read_bundle(reply, moves, KINDS)
        message = plain(read_move(reply, moves))
        return DEAL if message.strip(" .,!'").casefold() == DEAL else message

    def substitute(self, state: State, seat: int) -> Move | None:
        """Silence for a message, ``no deal`` for a selection."""
        return NO_DEAL if state.closed else ""

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Say the message, or pay the selections."""
        if state.closed:
            done = replace(state, selections=moves)
            return done, done.payoffs
        messages = (*state.messages, moves[0])
        return replace(state, messages=messages, closed=moves[0] == DEAL or len(messages) == self.turns), (0.0, 0.0)

    def observe(self, state: State, seat: int) -> Observation:
        """First the items and what they are worth, then what the other said, at last what came of it."""
        return Observation(self._text(state, seat), self._fields(state, seat))

    def _text(self, state: State, seat: int) -> str:
        if state.selections:
            fit = "fit" if state.fits else "do not fit"
            result = f"They selected {state.selections[1 - seat]}. The selections {fit}."
            return f"{result} You get {state.payoffs[seat]:g} points. The game is over."
        spoken = (len(state.messages) + 1 - seat) // 2
        parts = [] if spoken else [self._opening(state, seat)]
        if spoken and state.messages[2 * spoken - 2 + seat] == "":
            parts.append("You said nothing.")
        if state.messages and (len(state.messages) - 1) % 2 != seat:
            parts.append(says("They", state.messages[-1]))
        return " ".join([*parts, self._question(state, seat)])

    def _opening(self, state: State, seat: int) -> str:
        values = ", ".join(f"{kind} {value}" for kind, value in zip(KINDS, state.values[seat], strict=True))
        return f"There are {bundle_text(state.pool, KINDS)}. Worth to you: {values}."

    def _question(self, state: State, seat: int) -> str:
        if state.closed:
            return "The talk is over. Your selection?"
        return "Your message?" if seat in self.to_move(state) else "Wait for their message."

    def _fields(self, state: State, seat: int) -> Mapping[str, object]:
        return {
            "pool": state.pool,
            "values": state.values[seat],
            "messages": tuple((place % 2 == seat, text) for place, text in enumerate(state.messages)),
            "turns": self.turns,
            "phase": "over" if state.selections else "selection" if state.closed else "talk",
            "selections": (state.selections[seat], state.selections[1 - seat]) if state.selections else (),
            "payoff": state.payoffs[seat],
        }

    def key(self, state: State, seat: int) -> str:
        """The items, the own values, the talk, and the selections once both are made."""
        return repr((state.pool, state.values[seat], state.messages, state.selections))

    def rules(self, seat: int) -> str:
        """The rules; they differ in who speaks first."""
        first = "you speak" if seat == 0 else "they speak"
        return (
            "Deal or No Deal: you and another player share some books, hats and balls. All of them together are worth "
            f"{TOTAL} points to each of you, but a kind may be worth more or less to them than to you; each knows only "
            f"the own values. You talk in turn, at most {self.turns} messages in all, of at most {MESSAGE.max_length} "
            f"characters; {first} first. Who sends the one word {DEAL} ends the talk. Then both select what they take "
            "at the same time. If the two selections add up to exactly what is there, each gets the points of the own "
            "selection. Else both get 0. Get as many points as you can. Asked for a message, reply with the message "
            "only. Asked for a selection, reply with what you take, such as 2 books 1 hat 0 balls, or with "
            f"{NO_DEAL}. An illegal selection counts as {NO_DEAL}."
        )

    def render(self, state: State, seat: int | None = None) -> str:
        """The items, the values that may be shown, the talk and the selections."""
        lines = [f"There are {bundle_text(state.pool, KINDS)}."]
        for s in (0, 1):
            shown = seat in (None, s)
            values = ", ".join(f"{kind} {v if shown else '?'}" for kind, v in zip(KINDS, state.values[s], strict=True))
            lines.append(f"player_{s} values: {values}")
        lines += [says(f"player_{place % 2}", text) for place, text in enumerate(state.messages)]
        return "\n".join([*lines, *(f"player_{s} selects {text}" for s, text in enumerate(state.selections))])

    def round(self, state: State) -> int:
        """1 once the selections are made."""
        return len(state.selections) // 2

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``agreement``, and how the payoffs compare with all ways to split the items (:mod:`games._bargaining`)."""
        if not state.selections:
            return {}
        possible = frontier(split_payoffs(state.pool, state.values), (0.0, 0.0))
        return {"agreement": (float(state.fits),) * 2, **possible.measures(state.payoffs)}


GAME = DealOrNoDeal
