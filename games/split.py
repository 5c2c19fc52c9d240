"""Split: no words, open values, three kinds of items to claim (the no-press game of arXiv 2511.19405).

Each round has ``copies`` hats, books and balls. A seat values each kind at ``high`` or ``low``; both have the same sum
of values and differ somewhere, which leaves twelve value profiles. Both see them all and claim a number of each kind,
kind by kind and without seeing the other's claims of the round; claims on a kind that add up to more than there is are
scaled down in proportion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import ClassVar, NamedTuple

from games import _split_text as text
from games._bargaining import gini
from games._checks import check_number, check_whole
from games.errors import BadOption
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream

ITEMS = ("hats", "books", "balls")
_SIDES = tuple(product((False, True), repeat=len(ITEMS)))
PROFILES = tuple((a, b) for a in _SIDES for b in _SIDES if sum(a) == sum(b) and a != b)
"""Which kinds each seat values high: the twelve profiles with equal sums and a difference."""

Profile = tuple[tuple[bool, ...], tuple[bool, ...]]
Claims = tuple[int, ...]


class Seen(NamedTuple):
    """A finished round as one seat knows it; ``history`` in the observation's fields holds these."""

    values: tuple[float, ...]
    their_values: tuple[float, ...]
    claims: Claims
    their_claims: Claims
    points: float
    their_points: float


@dataclass(frozen=True, slots=True)
class Round:
    """One round so far: what each seat values high, and the claims made, kind by kind: (of seat 0, of seat 1)."""

    profile: Profile
    claims: tuple[tuple[int, int], ...] = ()

    def of(self, seat: int) -> Claims:
        """The claims of ``seat``."""
        return tuple(pair[seat] for pair in self.claims)


@dataclass(frozen=True, slots=True)
class State:
    """The finished rounds and the one being played (the last one stays when all are finished)."""

    past: tuple[Round, ...]
    now: Round

    @property
    def over(self) -> bool:
        """Whether every round is finished."""
        return len(self.now.claims) == len(ITEMS)


@dataclass(frozen=True)
class Split(Game[State]):
    """Split. An illegal claim forfeits: the match ends, what was earned in finished rounds stays."""

    items: ClassVar[tuple[str, ...]] = ITEMS

    rounds: int = 10
    """Rounds of one match."""
    copies: int = 10
    """Items of each kind in each round."""
    high: float = 10.0
    """What an item is worth to a seat that values its kind high."""
    low: float = 1.0
    """What an item is worth to a seat that values its kind low."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "rounds", self.rounds, 1, 1000)
        check_whole(self.name, "copies", self.copies, 1, 1000)
        check_number(self.name, "high", self.high, 0, 1e6)
        check_number(self.name, "low", self.low, 0, 1e6)
        if self.low >= self.high:
            raise BadOption(f"{self.name}: low={self.low:g} is not allowed; give a number below high={self.high:g}")

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by ten items of high value."""
        most = self.copies * (2 * self.high + self.low)  # no profile has a seat that values everything high
        return GameInfo(
            name=self.name,
            version=0,
            summary="Split: claim items whose values both can see, without a word.",
            kind="social-dilemma",
            seats=(2, 2),
            roles=("player", "player"),
            payoff_bounds=(0.0, self.rounds * most),
            max_ticks=len(ITEMS) * self.rounds,
            moves=self._moves.texts,
            unit=self.copies * self.high,
            simultaneous=True,
            paper="arXiv 2511.19405",
        )

    @cached_property
    def _moves(self) -> Moves:
        return Moves(tuple(str(n) for n in range(self.copies + 1)))

    def start(self, rng: Stream) -> State:
        """Draw the values of the first round."""
        return State((), Round(rng.choice(PROFILES)))

    def starts(self) -> Iterable[tuple[float, State]]:
        """Each value profile, equally likely."""
        return [(1 / len(PROFILES), State((), Round(profile))) for profile in PROFILES]

    def to_move(self, state: State) -> tuple[int, ...]:
        """Both, until the match is over."""
        return () if state.over else (0, 1)

    def moves(self, state: State, seat: int) -> Moves:
        """Any number of the kind asked for."""
        return self._moves

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Claim one kind; after the last kind pay the round and deal the next."""
        done, rewards = self._claimed(state, moves)
        dealt = len(done.past) > len(state.past) and not done.over
        return (replace(done, now=Round(rng.choice(PROFILES))) if dealt else done), rewards

    def outcomes(self, state: State, moves: tuple[Move, ...]) -> Iterable[tuple[float, State, Rewards]]:
        """After a round each value profile of the next, equally likely; else the one outcome."""
        done, rewards = self._claimed(state, moves)
        if len(done.past) == len(state.past) or done.over:
            return [(1.0, done, rewards)]
        return [(1 / len(PROFILES), replace(done, now=Round(profile)), rewards) for profile in PROFILES]

    def _claimed(self, state: State, moves: tuple[Move, ...]) -> tuple[State, Rewards]:
        """The state before a new round is dealt (``now`` has all claims only after the last round), and the points."""
        now = replace(state.now, claims=(*state.now.claims, (int(moves[0]), int(moves[1]))))
        if len(now.claims) < len(ITEMS):
            return State(state.past, now), (0.0, 0.0)
        past = (*state.past, now)
        return State(past, now if len(past) == self.rounds else state.now), self.points(now)

    def values(self, profile: Profile, seat: int) -> tuple[float, ...]:
        """What an item of each kind is worth to ``seat``."""
        return tuple(self.high if is_high else self.low for is_high in profile[seat])

    def points(self, finished: Round) -> Rewards:
        """What each seat earns in a finished round."""
        return tuple(
            float(sum(value * self.share(pair, seat) for value, pair in self._priced(finished, seat)))
            for seat in (0, 1)
        )

    def _priced(self, finished: Round, seat: int) -> Iterable[tuple[float, tuple[int, int]]]:
        return zip(self.values(finished.profile, seat), finished.claims, strict=True)

    def share(self, claims: tuple[int, int], seat: int) -> float:
        """How many items of a kind ``seat`` gets for the claims of both on it."""
        return self.copies * claims[seat] / max(self.copies, sum(claims))

    def observe(self, state: State, seat: int) -> Observation:
        """The last round's claims and points, then the values; between kinds only the question."""
        return Observation(text.news(self, state, seat), self._fields(state, seat))

    def _fields(self, state: State, seat: int) -> Mapping[str, object]:
        now = state.now
        return {
            "round": min(len(state.past) + 1, self.rounds),
            "rounds": self.rounds,
            "copies": self.copies,
            "values": self.values(now.profile, seat),
            "their_values": self.values(now.profile, 1 - seat),
            "item": "" if state.over else ITEMS[len(now.claims)],
            "place": len(now.claims),
            "claims": now.of(seat),
            "history": tuple(self.seen(past, seat) for past in state.past),
        }

    def seen(self, past: Round, seat: int) -> Seen:
        """A finished round in the eyes of ``seat``."""
        values = (self.values(past.profile, seat), self.values(past.profile, 1 - seat))
        points = self.points(past)
        return Seen(*values, past.of(seat), past.of(1 - seat), points[seat], points[1 - seat])

    def key(self, state: State, seat: int) -> str:
        """The finished rounds, the values of this one and the own claims in it."""
        past = [(r.profile[seat], r.profile[1 - seat], r.of(seat), r.of(1 - seat)) for r in state.past]
        return repr((state.over, state.now.profile[seat], state.now.profile[1 - seat], state.now.of(seat), past))

    def rules(self, seat: int) -> str:
        """The rules, the same for both seats."""
        return text.rules(self)

    def render(self, state: State, seat: int | None = None) -> str:
        """Every round on a line; claims of the round being played are shown to nobody's opponent."""
        rounds = [*state.past] if state.over else [*state.past, state.now]
        return "\n".join(f"Round {n}: {text.line(self, r, seat)}" for n, r in enumerate(rounds, 1))

    def round(self, state: State) -> int:
        """Rounds whose claims were all made."""
        return len(state.past)

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """``efficiency`` (joint points over the best possible), ``gini``, mean claims on items worth more and less.

        ``claim_worth_more`` is the mean claim on kinds that the seat values higher than the other does.
        """
        if not state.past:
            return {}
        points = [sum(column) for column in zip(*(self.points(past) for past in state.past), strict=True)]
        best = sum(self._best(past.profile) for past in state.past)
        found: dict[str, tuple[float, ...]] = {"efficiency": (sum(points) / best,) * 2, "gini": (gini(points),) * 2}
        for name, order in (("claim_worth_more", (True, False)), ("claim_worth_less", (False, True))):
            found[name] = tuple(_mean_claim(state.past, seat, order) for seat in (0, 1))
        return found

    def _best(self, profile: Profile) -> float:
        """The greatest joint points of a round: every item to whom it is worth more."""
        return self.copies * sum(map(max, self.values(profile, 0), self.values(profile, 1)))


def _mean_claim(past: Iterable[Round], seat: int, order: tuple[bool, bool]) -> float:
    """The mean claim of ``seat`` on kinds it and the other value as ``order`` says; every profile has such a kind."""
    claims = [
        pair[seat]
        for played in past
        for pair, mine, theirs in zip(played.claims, played.profile[seat], played.profile[1 - seat], strict=True)
        if (mine, theirs) == order
    ]
    return sum(claims) / len(claims)


GAME = Split
