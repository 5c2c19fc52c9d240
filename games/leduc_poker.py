"""Leduc poker: six cards, two rounds of betting, one card on the board (Southey et al. 2005, arXiv 1207.1411).

The rules are those of OpenSpiel's ``leduc_poker`` with ``suit_isomorphism=True``: suits never matter, so cards are told
apart by rank alone, which leaves 288 information states. One name differs: to call where nothing is to be called is to
``check`` here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

CARDS = ("jack", "queen", "king")  # rising, two of each
RAISES = (2, 4)
"""What a raise adds to a call, by round."""
MOST_RAISES = 2
"""In each round."""

Bets = tuple[tuple[Move, ...], tuple[Move, ...]]
"""The moves of each round, oldest first."""

_DECK = (0, 0, 1, 1, 2, 2)
_THEY = {"check": "They check.", "raise": "They raise.", "call": "They call.", "fold": "They fold."}


@dataclass(frozen=True, slots=True)
class LeducState:
    """A deal in progress; cards are numbers in ``CARDS``."""

    cards: tuple[int, int]
    """The card of each seat."""
    board: int | None = None
    """The card on the board, from the second round on."""
    bets: Bets = ((), ())


@dataclass(frozen=True)
class LeducPoker(Game[LeducState]):
    """Leduc poker: one card each, a card on the board after the first of two rounds of betting."""

    @cached_property
    def info(self) -> GameInfo:
        """What is true of Leduc poker."""
        return GameInfo(
            name=self.name,
            version=0,
            summary=(type(self).__doc__ or "").splitlines()[0],
            kind="competitive",
            seats=(2, 2),
            roles=("first", "second"),
            payoff_bounds=(-13.0, 13.0),
            max_ticks=8,
            moves=("check", "raise", "call", "fold"),
            unit=13.0,
            zero_sum=True,
            paper="arXiv 1207.1411",
        )

    def start(self, rng: Stream) -> LeducState:
        """Two cards of the six."""
        first, second, *_ = rng.shuffled(_DECK)
        return LeducState((first, second))

    def starts(self) -> Iterable[tuple[float, LeducState]]:
        """Every pair of ranks with its probability: 1/15 where they are equal, else 2/15."""
        return [((1 if a == b else 2) / 15, LeducState((a, b))) for a in range(3) for b in range(3)]

    def to_move(self, state: LeducState) -> tuple[int, ...]:
        """In each round the first seat begins and they take turns."""
        return _movers(state.bets)

    def moves(self, state: LeducState, seat: int) -> Moves:
        """Check or raise; facing a raise fold, call or, once more, raise."""
        return _legal(_now(state.bets))

    def play(self, state: LeducState, moves: tuple[Move, ...], rng: Stream) -> tuple[LeducState, Rewards]:
        """The move is added, the board dealt after the first round; the rewards come with the last move."""
        after = _bet(state, moves[0])
        if _board_is_due(after):
            after = LeducState(after.cards, rng.choice(_left(after.cards)), after.bets)
        return after, _rewards(after)

    def outcomes(self, state: LeducState, moves: tuple[Move, ...]) -> Iterable[tuple[float, LeducState, Rewards]]:
        """After the first round each rank that the board may show; else one outcome."""
        after = _bet(state, moves[0])
        if not _board_is_due(after):
            return [(1.0, after, _rewards(after))]
        counts = sorted(Counter(_left(after.cards)).items())
        return [(n / 4, LeducState(after.cards, card, after.bets), (0.0, 0.0)) for card, n in counts]

    def observe(self, state: LeducState, seat: int) -> Observation:
        """The own card, then what the other did and the board; the other's card after a showdown."""
        mine, theirs = (_stakes(state.bets)[s] for s in (seat, 1 - seat))
        fields = {
            "card": CARDS[state.cards[seat]],
            "board": None if state.board is None else CARDS[state.board],
            "bets": state.bets,
            "stakes": (mine, theirs),
            "shown": CARDS[state.cards[1 - seat]] if _showdown(state.bets) else None,
        }
        return Observation(" ".join(_sentences(state, seat)), fields)

    def key(self, state: LeducState, seat: int) -> str:
        """The own card, the moves and the board, as in ``K|raise call|Q|check``; after a showdown the other's card."""
        parts = [CARDS[state.cards[seat]][0].upper(), " ".join(state.bets[0])]
        if state.board is not None:
            parts += [CARDS[state.board][0].upper(), " ".join(state.bets[1])]
        if _showdown(state.bets):
            parts.append(CARDS[state.cards[1 - seat]][0].upper())
        return "|".join(parts)

    def rules(self, seat: int) -> str:
        """The whole game in fewer than 170 words."""
        order = "You move first in both rounds." if seat == 0 else "You move second in both rounds."
        return (
            "You play Leduc poker with one other player. There are six cards: two jacks, two queens and two kings; the "
            "king is highest. Each player puts 1 in the pot and holds one card, hidden from the other. "
            f"There are two rounds of betting; after the first, one card is laid open on the board. {order}\n"
            "Without a raise you may check or raise. Facing a raise you may fold, call or raise again. A raise adds 2 "
            "in the first round and 4 in the second; each round has at most two raises. Two checks or a call end a "
            "round. After a fold the other player wins the pot.\n"
            "At the end a card equal to the board wins, else the higher card; equal cards share the pot. You win or "
            "lose what the loser put in, at most 13.\n"
            "Answer with one word: check, raise, call or fold."
        )

    def render(self, state: LeducState, seat: int | None = None) -> str:
        """Cards, moves and stakes; the other's card hidden from ``seat`` until a showdown."""
        lines = [f"board: {'-' if state.board is None else CARDS[state.board]}"]
        for s, card in enumerate(state.cards):
            hidden = seat not in (None, s) and not _showdown(state.bets)
            said = "; ".join(" ".join(bets[s::2]) or "-" for bets in state.bets)
            lines.append(f"player_{s} [{'?' if hidden else CARDS[card]}]: {said} (put in {_stakes(state.bets)[s]})")
        if not _movers(state.bets):
            won, lost = _rewards(state)
            lines.append(f"payoffs: {won:+g} {lost:+g}")
        return "\n".join(lines)


def _now(bets: Bets) -> tuple[Move, ...]:
    """The moves of the round being played."""
    return bets[1] if _closed(bets[0]) else bets[0]


def _closed(line: tuple[Move, ...]) -> bool:
    return line == ("check", "check") or line[-1:] in (("call",), ("fold",))


@cache
def _movers(bets: Bets) -> tuple[int, ...]:
    over = bets[0][-1:] == ("fold",) or _closed(bets[1])
    return () if over else (len(_now(bets)) % 2,)


@cache
def _legal(line: tuple[Move, ...]) -> Moves:
    if "raise" not in line:
        return Moves(("check", "raise"))
    return Moves(("fold", "call", "raise") if line.count("raise") < MOST_RAISES else ("fold", "call"))


def _bet(state: LeducState, move: Move) -> LeducState:
    """The move added to its round; no board is dealt."""
    first, second = state.bets
    bets = (first, (*second, move)) if _closed(first) else ((*first, move), second)
    return LeducState(state.cards, state.board, bets)


def _board_is_due(state: LeducState) -> bool:
    first = state.bets[0]
    return state.board is None and _closed(first) and first[-1] != "fold"


def _left(cards: tuple[int, int]) -> list[int]:
    """The four cards that nobody holds."""
    left = list(_DECK)
    for card in cards:
        left.remove(card)
    return left


@cache
def _stakes(bets: Bets) -> tuple[int, int]:
    """What each seat put in so far."""
    put = [1, 1]
    for line, size in zip(bets, RAISES, strict=True):
        for n, move in enumerate(line):
            if move in ("call", "raise"):
                put[n % 2] = put[1 - n % 2] + (size if move == "raise" else 0)
    return put[0], put[1]


def _showdown(bets: Bets) -> bool:
    return _closed(bets[1]) and bets[1][-1] != "fold"


def _rewards(state: LeducState) -> Rewards:
    """Nothing before the end; then the loser's stake changes hands."""
    if _movers(state.bets):
        return 0.0, 0.0
    winner, put = _winner(state), _stakes(state.bets)
    if winner is None:
        return 0.0, 0.0
    won = float(put[1 - winner])
    return (won, -won) if winner == 0 else (-won, won)


def _winner(state: LeducState) -> int | None:
    """The seat that wins a finished deal; None where the pot is shared."""
    if not _showdown(state.bets):
        return len(state.bets[1] or state.bets[0]) % 2  # whose turn it would be after the fold
    first, second = ((card == state.board, card) for card in state.cards)
    return None if first == second else 0 if first > second else 1


def _sentences(state: LeducState, seat: int) -> Iterator[str]:
    """What is new to ``seat`` since it last acted, and what is asked."""
    events = _events(state)
    own = [n for n, event in enumerate(events) if event[0] == seat]
    if not own:
        yield f"You hold the {CARDS[state.cards[seat]]}."
    for who, what in events[own[-1] + 1 if own else 0 :]:
        yield f"The board shows the {what}." if who is None else _THEY[what]
    if not _movers(state.bets):
        yield from _ending(state, seat)
    elif _movers(state.bets) == (seat,):
        *others, last = _legal(_now(state.bets)).texts
        yield f"{', '.join(others).capitalize()} or {last}?"
    else:
        yield "The other player is to move."


def _events(state: LeducState) -> list[tuple[int | None, str]]:
    """(seat, move), and (None, card) for the board, in order."""
    events: list[tuple[int | None, str]] = [(n % 2, move) for n, move in enumerate(state.bets[0])]
    if state.board is not None:
        events.append((None, CARDS[state.board]))
    return events + [(n % 2, move) for n, move in enumerate(state.bets[1])]


def _ending(state: LeducState, seat: int) -> Iterator[str]:
    if _showdown(state.bets):
        yield f"They hold the {CARDS[state.cards[1 - seat]]}."
    payoff = _rewards(state)[seat]
    yield f"You {'win' if payoff > 0 else 'lose'} {abs(payoff):g}." if payoff else "A draw."


GAME = LeducPoker
