"""Trust-and-Split: talk about private hands, then split coins (arXiv 2511.19405).

Each round two different hands of rock, paper, scissors are dealt, one to each seat, privately. A coin is worth ``high``
to the winning (upper) hand and ``low`` to the losing one. Both say one message in turn, then both claim coins at once;
claims that add up to more than there is are scaled down in proportion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from games._talk import message_form, plain
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

HANDS = ("rock", "paper", "scissors")
DEALS = tuple((a, b) for a in HANDS for b in HANDS if a != b)
MESSAGE = message_form(500)


def beats(hand: str, other: str) -> bool:
    """Whether ``hand`` wins against ``other``."""
    return (HANDS.index(hand) - HANDS.index(other)) % 3 == 1


class Seen(NamedTuple):
    """A finished round as one seat knows it; ``history`` in the observation's fields holds these."""

    hand: str
    their_rank: str
    """``upper`` or ``lower``."""
    claim: int
    their_claim: int
    message: str
    their_message: str


@dataclass(frozen=True, slots=True)
class Round:
    """One round so far: ``messages`` in speaking order, ``claims`` by seat (empty until made)."""

    speaker: int
    hands: tuple[str, str]
    messages: tuple[str, ...] = ()
    claims: tuple[int, ...] = ()

    def said(self, seat: int) -> str | None:
        """What ``seat`` said, or None when it has not spoken yet."""
        place = 0 if seat == self.speaker else 1
        return self.messages[place] if place < len(self.messages) else None

    def seen(self, seat: int) -> Seen:
        """This finished round in the eyes of ``seat``."""
        other = 1 - seat
        rank = "upper" if beats(self.hands[other], self.hands[seat]) else "lower"
        words = (self.said(seat) or "", self.said(other) or "")
        return Seen(self.hands[seat], rank, self.claims[seat], self.claims[other], *words)


@dataclass(frozen=True, slots=True)
class State:
    """The finished rounds and the one being played (the last one stays when all are finished)."""

    past: tuple[Round, ...]
    now: Round


@dataclass(frozen=True)
class TrustAndSplit(Game[State]):
    """Trust-and-Split. A message that is too long counts as silence; an illegal claim forfeits.

    When a seat forfeits, the match ends: what was earned in finished rounds stays, neither seat gets anything more.
    """

    rounds: int = 10
    """Rounds of one match."""
    coins: int = 10
    """Coins to split in each round."""
    high: float = 10.0
    """What a coin is worth to the winning hand."""
    low: float = 1.0
    """What a coin is worth to the losing hand."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        if not 1 <= self.rounds <= 1000:
            raise BadOption(f"trust-and-split: rounds={self.rounds} is not allowed; give 1 to 1000")
        if not 1 <= self.coins <= 1000:
            raise BadOption(f"trust-and-split: coins={self.coins} is not allowed; give 1 to 1000")
        if not 0 <= self.low < self.high <= 1e6:
            raise BadOption(
                f"trust-and-split: high={self.high:g}, low={self.low:g} is not allowed; give 0 <= low < high <= 1000000"
            )

    @property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by the best joint payoff of a round."""
        best = self.coins * self.high
        return GameInfo(
            name=self.name,
            version=0,
            summary="Trust-and-Split: tell your private hand truly or not, then both claim coins.",
            kind="social-dilemma",
            seats=(2, 2),
            roles=("player", "player"),
            payoff_bounds=(0.0, self.rounds * best),
            max_ticks=3 * self.rounds,
            moves=self._claims,
            free=MESSAGE,
            unit=best,
            simultaneous=True,
            paper="arXiv 2511.19405",
        )

    @property
    def _claims(self) -> tuple[Move, ...]:
        return tuple(str(n) for n in range(self.coins + 1))

    def start(self, rng: Stream) -> State:
        """Draw who speaks first, then the hands."""
        return State((), Round(rng.integers(2), rng.choice(DEALS)))

    def to_move(self, state: State) -> tuple[int, ...]:
        """The speaker, then the other, then both."""
        if state.now.claims:
            return ()
        said = len(state.now.messages)
        return (0, 1) if said == 2 else (state.now.speaker ^ said,)

    def moves(self, state: State, seat: int) -> Moves:
        """A message of free text, or a claim."""
        return Moves(free=MESSAGE) if len(state.now.messages) < 2 else Moves(self._claims)

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A message on one line (see :func:`plain`), or a claim.

        Raises:
            IllegalMove: the message is too long, or the reply names no claim.
        """
        moves = self.moves(state, seat)
        move = read_move(reply, moves)
        return plain(move) if moves.free else move

    def substitute(self, state: State, seat: int) -> Move | None:
        """Silence for a message; None (forfeit) for a claim."""
        return "" if len(state.now.messages) < 2 else None

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Say the message, or pay the claims and deal the next round."""
        if len(state.now.messages) < 2:
            return replace(state, now=replace(state.now, messages=(*state.now.messages, moves[0]))), (0.0, 0.0)
        done, rewards = self._claimed(state, moves)
        return (done if done.now.claims else _deal(done, rng.choice(DEALS))), rewards

    def outcomes(self, state: State, moves: tuple[Move, ...]) -> Iterable[tuple[float, State, Rewards]]:
        """After claims each deal of the next round, equally likely; a message has one outcome."""
        if len(state.now.messages) < 2:
            return super().outcomes(state, moves)
        done, rewards = self._claimed(state, moves)
        if done.now.claims:
            return [(1.0, done, rewards)]
        return [(1 / len(DEALS), _deal(done, hands), rewards) for hands in DEALS]

    def starts(self) -> Iterable[tuple[float, State]]:
        """Each first speaker and deal, equally likely."""
        return [(1 / 2 / len(DEALS), State((), Round(s, hands))) for s in (0, 1) for hands in DEALS]

    def _claimed(self, state: State, moves: tuple[Move, ...]) -> tuple[State, Rewards]:
        """The state with this round finished (``now`` shows its claims only after the last one), and its points."""
        claims = tuple(int(move) for move in moves)
        finished = replace(state.now, claims=claims)
        past = (*state.past, finished)
        now = finished if len(past) == self.rounds else state.now
        return State(past, now), self._points(finished)

    def _points(self, finished: Round) -> Rewards:
        most = max(self.coins, sum(finished.claims))
        values = [self.high if beats(finished.hands[s], finished.hands[1 - s]) else self.low for s in (0, 1)]
        return tuple(self.coins * finished.claims[s] / most * values[s] for s in (0, 1))

    def observe(self, state: State, seat: int) -> Observation:
        """The last round's outcome, the hand, the other's words: what is new; the fields hold everything."""
        return Observation(self._text(state, seat), self._fields(state, seat))

    def _text(self, state: State, seat: int) -> str:
        now, parts = state.now, []
        spoke = now.said(seat)
        if (spoke is None or now.claims) and state.past:
            last = state.past[-1].seen(seat)
            parts.append(f"They claimed {last.their_claim} and had the {last.their_rank} hand.")
        if now.claims:
            return " ".join([*parts, "The game is over."])
        if spoke is None:
            who = "You speak" if seat == now.speaker else "They speak"
            parts.append(f"Round {len(state.past) + 1} of {self.rounds}. Your hand is {now.hands[seat]}. {who} first.")
        if spoke == "":
            parts.append("You said nothing.")
        return " ".join([*parts, *self._heard(now, seat), self._question(state, seat)])

    def _heard(self, now: Round, seat: int) -> list[str]:
        heard = now.said(1 - seat)
        if heard is None or (seat != now.speaker and now.said(seat) is not None):
            return []
        return [f'They say: "{heard}"' if heard else "They say nothing."]

    def _question(self, state: State, seat: int) -> str:
        if seat not in self.to_move(state):
            return "Wait for their message."
        return "Your message?" if len(state.now.messages) < 2 else f"Your claim, 0 to {self.coins}?"

    def _fields(self, state: State, seat: int) -> Mapping[str, object]:
        now = state.now
        return {
            "round": min(len(state.past) + 1, self.rounds),
            "rounds": self.rounds,
            "coins": self.coins,
            "hand": now.hands[seat],
            "speaks_first": seat == now.speaker,
            "phase": "over" if now.claims else "message" if len(now.messages) < 2 else "claim",
            "message": now.said(seat),
            "their_message": now.said(1 - seat),
            "history": tuple(past.seen(seat) for past in state.past),
        }

    def key(self, state: State, seat: int) -> str:
        """Everything the seat has seen and done."""
        now, past = state.now, [tuple(past.seen(seat)) for past in state.past]
        return repr((bool(now.claims), seat == now.speaker, now.hands[seat], now.messages, past))

    def rules(self, seat: int) -> str:
        """The rules, the same for both seats."""
        return (
            f"Trust-and-Split: two players, {self.rounds} rounds, {self.coins} coins in each round. "
            "Each round both get different hands of rock, paper, scissors and see only their own. "
            "Rock beats scissors, scissors beats paper, paper beats rock. "
            f"A coin is worth {self.high:g} to the winning (upper) hand and {self.low:g} to the losing (lower) hand. "
            f"First each sends one message of at most {MESSAGE.max_length} characters, true or not; who speaks first "
            f"alternates. Then both claim 0 to {self.coins} coins at the same time. If the claims add up to more than "
            f"{self.coins}, you get {self.coins} times your claim divided by the sum of the claims; else your claim. "
            "Then you learn their claim and whether their hand was upper or lower. "
            "Get as many points as you can. "
            "Asked for a message, reply with the message only. Asked for a claim, reply with one number only. "
            "An illegal claim ends the game."
        )

    def render(self, state: State, seat: int | None = None) -> str:
        """Every round on a line; for one seat, with the other's hand shown only by its rank once it is known."""
        rounds = [*state.past] if state.now.claims else [*state.past, state.now]
        return "\n".join(f"Round {n}: {_line(r, seat)}" for n, r in enumerate(rounds, 1))

    def round(self, state: State) -> int:
        """Rounds whose claims were made."""
        return len(state.past)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``efficiency`` (joint points over the best possible) and the mean claim with the upper and the lower hand.

        A mean claim is left out of a match where some seat never had such a hand.
        """
        best = len(state.past) * self.coins * self.high
        joint = sum(sum(self._points(past)) for past in state.past)
        found = {"efficiency": (joint / best,) * 2 if best else (0.0, 0.0)}
        for name, mine in (("claim_upper", "lower"), ("claim_lower", "upper")):
            seen = [[past.seen(seat) for past in state.past] for seat in (0, 1)]
            claims = [[s.claim for s in rounds if s.their_rank == mine] for rounds in seen]
            if all(claims):
                found[name] = (fmean(claims[0]), fmean(claims[1]))
        return found


def _deal(done: State, hands: tuple[str, str]) -> State:
    """The next round: new hands, the other speaks first."""
    return State(done.past, Round(1 - done.past[-1].speaker, hands))


def _line(played: Round, seat: int | None) -> str:
    hands = [hand if seat in (None, s) or played.claims else "?" for s, hand in enumerate(played.hands)]
    parts = [f"player_{s} has {hands[s]}" for s in (0, 1)]
    parts += [f'player_{s} says "{played.said(s)}"' for s in (0, 1) if played.said(s) is not None]
    parts += [f"player_{s} claims {claim}" for s, claim in enumerate(played.claims)]
    return "; ".join(parts)


GAME = TrustAndSplit
