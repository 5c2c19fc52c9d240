"""Kuhn poker: three cards, one bet."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from games.game import Game, GameInfo, Moves, Observation, Rewards
from games.stream import Stream

CARDS = ("jack", "queen", "king")  # rising
DEALS = tuple(itertools.permutations(range(3), 2))

_OPEN, _FACING = Moves(("check", "bet")), Moves(("call", "fold"))
_ENDS = {("check", "check"), ("bet", "call"), ("bet", "fold"), ("check", "bet", "call"), ("check", "bet", "fold")}
_THEY = {"check": "They check.", "bet": "They bet.", "call": "They call.", "fold": "They fold."}


@dataclass(frozen=True, slots=True)
class KuhnState:
    """A deal in progress."""

    cards: tuple[int, int]
    """The card of each seat, as a number in ``CARDS``."""
    line: tuple[str, ...] = ()
    """The moves so far, oldest first."""


@dataclass(frozen=True)
class KuhnPoker(Game[KuhnState]):
    """Kuhn poker: one card each out of three, one bet, hidden information at its smallest."""

    @cached_property
    def info(self) -> GameInfo:
        """What is true of Kuhn poker."""
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 2),
            roles=("first", "second"),
            payoff_bounds=(-2.0, 2.0),
            max_ticks=3,
            moves=(*_OPEN.texts, *_FACING.texts),
            unit=2.0,
            zero_sum=True,
            paper="Kuhn 1950, A simplified two-person poker, doi 10.1515/9781400881727-010",
        )

    def start(self, rng: Stream) -> KuhnState:
        """One of the six deals, each alike."""
        return KuhnState(rng.choice(DEALS))

    def starts(self) -> Iterable[tuple[float, KuhnState]]:
        """The six deals."""
        return [(1 / 6, KuhnState(cards)) for cards in DEALS]

    def to_move(self, state: KuhnState) -> tuple[int, ...]:
        """The seats take turns, until both checked or a bet was answered."""
        return _movers(state.line)

    def moves(self, state: KuhnState, seat: int) -> Moves:
        """Check or bet; facing a bet, call or fold."""
        return _FACING if state.line[-1:] == ("bet",) else _OPEN

    def play(self, state: KuhnState, moves: tuple[str, ...], rng: Stream) -> tuple[KuhnState, Rewards]:
        """The move is added; the rewards come with the last one."""
        line = (*state.line, moves[0])
        return KuhnState(state.cards, line), _rewards(state.cards, line)

    def observe(self, state: KuhnState, seat: int) -> Observation:
        """The own card, then what the other did; the other's card after a showdown."""
        fields = {
            "card": CARDS[state.cards[seat]],
            "line": state.line,
            "shown": CARDS[state.cards[1 - seat]] if _showdown(state.line) else None,
        }
        return Observation(_text(state.cards, state.line, seat), fields)

    def key(self, state: KuhnState, seat: int) -> str:
        """The own card and the moves so far, as in ``K|check bet``; after a showdown the other's card too."""
        shown = f"|{CARDS[state.cards[1 - seat]][0].upper()}" if _showdown(state.line) else ""
        return f"{CARDS[state.cards[seat]][0].upper()}|{' '.join(state.line)}{shown}"

    def rules(self, seat: int) -> str:
        """The whole game in fewer than 90 words."""
        order = "You move first." if seat == 0 else "You move second."
        return (
            "You play Kuhn poker with one other player. The cards are jack, queen and king; the king is highest. "
            f"Each player puts 1 in the pot and holds one card, hidden from the other. {order}\n"
            "Without a bet you may check or bet 1 more. After two checks the higher card wins 1.\n"
            "Facing a bet you may call or fold. After a fold the other player wins 1. "
            "After a call the higher card wins 2.\n"
            "Answer with one word: check, bet, call or fold."
        )

    def render(self, state: KuhnState, seat: int | None = None) -> str:
        """Cards and moves; the other's card hidden from ``seat`` until a showdown."""
        lines = []
        for s, card in enumerate(state.cards):
            hidden = seat not in (None, s) and not _showdown(state.line)
            said = " ".join(state.line[s::2]) or "-"
            lines.append(f"player_{s} [{'?' if hidden else CARDS[card]}]: {said}")
        if not _movers(state.line):
            won, lost = _rewards(state.cards, state.line)
            lines.append(f"payoffs: {won:+g} {lost:+g}")
        return "\n".join(lines)


def _showdown(line: tuple[str, ...]) -> bool:
    return line in _ENDS and line[-1] != "fold"


@cache
def _movers(line: tuple[str, ...]) -> tuple[int, ...]:
    return () if line in _ENDS else (len(line) % 2,)


@cache
def _rewards(cards: tuple[int, int], line: tuple[str, ...]) -> Rewards:
    if line not in _ENDS:
        return 0.0, 0.0
    if line[-1] == "fold":
        folded = (len(line) - 1) % 2
        return (-1.0, 1.0) if folded == 0 else (1.0, -1.0)
    stake = 2.0 if line[-1] == "call" else 1.0
    return (stake, -stake) if cards[0] > cards[1] else (-stake, stake)


@cache
def _text(cards: tuple[int, int], line: tuple[str, ...], seat: int) -> str:
    """What is new to ``seat`` since it last acted."""
    parts = [] if line[seat:] else [f"You hold the {CARDS[cards[seat]]}."]
    if line and (len(line) - 1) % 2 != seat:
        parts.append(_THEY[line[-1]])
    if line in _ENDS:
        return " ".join([*parts, *_ending(cards, line, seat)])
    if _movers(line) == (seat,):
        parts.append("Call or fold?" if line[-1:] == ("bet",) else "Check or bet?")
    else:
        parts.append("The other player is to move.")
    return " ".join(parts)


def _ending(cards: tuple[int, int], line: tuple[str, ...], seat: int) -> list[str]:
    payoff = _rewards(cards, line)[seat]
    result = f"You {'win' if payoff > 0 else 'lose'} {abs(payoff):g}."
    return [f"They hold the {CARDS[cards[1 - seat]]}.", result] if _showdown(line) else [result]


GAME = KuhnPoker
