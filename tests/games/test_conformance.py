"""Every built-in game passes the conformance checks; a game with one fault fails the check made for it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import games
from games import conformance
from games.conformance.__main__ import main
from games.errors import IllegalMove
from games.game import FreeText, Game, GameInfo, Move, Moves, Observation, Rewards
from games.stream import Stream
from games.trust_and_split import TrustAndSplit


@pytest.mark.parametrize("name", games.names())
def test_built_in_game_conforms(name: str) -> None:
    conformance.check(name)


@dataclass(frozen=True)
class State:
    cards: tuple[int, int]
    claims: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Toy(Game[State]):
    """Each seat holds a card; in turn they say high or low; the first wins 1 from the other when both say the same."""

    name = "toy"

    @property
    def info(self) -> GameInfo:
        return GameInfo("toy", 0, "a toy", "competitive", (2, 2), ("a", "b"), (-1.0, 1.0), 2, ("high", "low"))

    def start(self, rng: Stream) -> State:
        return State((rng.integers(2), rng.integers(2)))

    def to_move(self, state: State) -> tuple[int, ...]:
        return (len(state.claims),) if len(state.claims) < 2 else ()

    def moves(self, state: State, seat: int) -> Moves:
        return Moves(("high", "low"))

    def observe(self, state: State, seat: int) -> Observation:
        return Observation(self.key(state, seat), {"card": state.cards[seat]})

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        after = replace(state, claims=(*state.claims, *moves))
        if len(after.claims) < 2:
            return after, (0.0, 0.0)
        return after, ((1.0, -1.0) if after.claims[0] == after.claims[1] else (0.0, 0.0))

    def key(self, state: State, seat: int) -> str:
        return f"You hold {state.cards[seat]}. So far: {', '.join(state.claims) or 'nothing'}."

    def rules(self, seat: int) -> str:
        return "Say high or low."

    def render(self, state: State, seat: int | None = None) -> str:
        return repr(state)

    def starts(self) -> Iterable[tuple[float, State]]:
        return [(0.25, State((a, b))) for a in (0, 1) for b in (0, 1)]


def check(game: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a game that ``games.make`` makes anew from any spec."""
    monkeypatch.setattr("games.make", lambda spec: type(game)())
    conformance.check(game)


def test_the_toy_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    check(Toy(), monkeypatch)


class Renamed(Toy):
    name = "other"


class TwoLines(Toy):
    @property
    def info(self) -> GameInfo:
        return replace(super().info, summary="two\nlines")


class OddKind(Toy):
    @property
    def info(self) -> GameInfo:
        return replace(super().info, kind="funny")


class NeverDealt(Toy):
    @property
    def info(self) -> GameInfo:
        return replace(super().info, deterministic=True)


class TooShort(Toy):
    @property
    def info(self) -> GameInfo:
        return replace(super().info, max_ticks=1)


class NotZeroSum(Toy):
    @property
    def info(self) -> GameInfo:
        return replace(super().info, zero_sum=True)

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        after, rewards = super().play(state, moves, rng)
        return after, (rewards[0], 0.0)


class OutOfBounds(Toy):
    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        return super().play(state, moves, rng)[0], (0.0, -1.0)


class WholeNumbers(Toy):
    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        return super().play(state, moves, rng)[0], (0, 0)


class GlobalRandomState(Toy):
    def start(self, rng: Stream) -> State:
        return State((random.randrange(1_000_000), 0))


class QuietlyRandom(Toy):
    def start(self, rng: Stream) -> State:
        random.random()
        return super().start(rng)


class Descending(Toy):
    def to_move(self, state: State) -> tuple[int, ...]:
        return (1, 0) if not state.claims else ()


class NothingToDo(Toy):
    def moves(self, state: State, seat: int) -> Moves:
        return Moves(("high", "low")) if seat == 0 or not state.claims else Moves(("high",), FreeText(5))


class UnknownMove(Toy):
    def moves(self, state: State, seat: int) -> Moves:
        return Moves(("high", "low", "middle"))


class CaseMatters(Toy):
    def parse(self, state: State, seat: int, reply: str) -> Move:
        if reply in ("high", "low"):
            return reply
        raise IllegalMove("legal is high, low")


class SilentRefusal(Toy):
    def parse(self, state: State, seat: int, reply: str) -> Move:
        try:
            return super().parse(state, seat, reply)
        except IllegalMove:
            raise IllegalMove("no") from None


class LongRefusal(Toy):
    def parse(self, state: State, seat: int, reply: str) -> Move:
        try:
            return super().parse(state, seat, reply)
        except IllegalMove:
            raise IllegalMove(f"{reply} is neither high nor low") from None


class BadSubstitute(Toy):
    def substitute(self, state: State, seat: int) -> Move | None:
        return "middle"


class LeakyText(Toy):
    def observe(self, state: State, seat: int) -> Observation:
        return Observation(f"{self.key(state, seat)} They hold {state.cards[1 - seat]}.")


class LeakyFields(Toy):
    def observe(self, state: State, seat: int) -> Observation:
        return Observation(self.key(state, seat), {"cards": state.cards})


class Forgetful(Toy):
    def observe(self, state: State, seat: int) -> Observation:
        return Observation("Your move.")


class Blank(Toy):
    def observe(self, state: State, seat: int) -> Observation:
        return Observation("")


class NoRules(Toy):
    def rules(self, seat: int) -> str:
        return "Say high." if seat else "Say high or low."


class Invisible(Toy):
    def render(self, state: State, seat: int | None = None) -> str:
        return "" if seat == 1 else "here"


class BadMeasure(Toy):
    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        return {"mean": (float("nan"), 0.0)}


class HalfTheStarts(Toy):
    def starts(self) -> Iterable[tuple[float, State]]:
        return [(0.25, State((0, 0))), (0.25, State((1, 1)))]


class MissingStarts(Toy):
    def starts(self) -> Iterable[tuple[float, State]]:
        return [(0.5, State((0, 0))), (0.5, State((1, 1)))]


class WrongOutcome(Toy):
    def outcomes(self, state: State, moves: tuple[Move, ...]) -> Iterable[tuple[float, State, Rewards]]:
        return [(1.0, state, (0.0, 0.0))]


class NeverCounts(Toy):
    def round(self, state: State) -> int:
        return 0


class OtherSpec(Toy):
    @property
    def spec(self) -> str:
        return "another"

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Loose:
    cards: tuple[int, int] = (0, 0)
    claims: tuple[Move, ...] = ()
    seen: list[int] = field(default_factory=list)

    def __hash__(self) -> int:
        return hash(self.claims)


class Changeable(Toy):
    def start(self, rng: Stream) -> Any:
        return Loose()


FAULTS: list[tuple[type[Toy], str]] = [
    (Renamed, 'info: info.name is "toy"'),
    (TwoLines, "info: info.summary must be one line"),
    (OddKind, "info: info.kind"),
    (TooShort, "goes on after max_ticks=1"),
    (NeverDealt, "determinism: info.deterministic is True"),
    (GlobalRandomState, "determinism: two matches from the same streams"),
    (QuietlyRandom, "determinism: the game draws from a global random state"),
    (Descending, r"to_move gives \[1, 0\]|several seats move"),
    (NeverCounts, "turns: rounds go from 0 to 0"),
    (NothingToDo, "moves: a turn is either finite or free text"),
    (UnknownMove, r"moves: \['middle'\] is not in info.moves"),
    (Changeable, "states: the state Loose can be changed"),
    (NotZeroSum, "payoffs: info.zero_sum is True"),
    (OutOfBounds, "payoffs: payoffs .* are outside"),
    (WholeNumbers, "payoffs: rewards .* are no floats"),
    (CaseMatters, "parsing: 'HIGH' does not read as 'high'"),
    (SilentRefusal, "refusals: the refusal does not say what is legal"),
    (LongRefusal, "refusals: the refusal has 100024 characters"),
    (BadSubstitute, "refusals: the substitute 'middle'"),
    (Blank, "observations: player_0 reads nothing"),
    (LeakyText, "keys: player_0 has one key for two texts"),
    (LeakyFields, r"keys: player_0 has one key for two values of the fields \['cards'\]"),
    (Forgetful, "keys: player_0 read the same texts, but has the keys"),
    (NoRules, 'rules: the rules of player_1 never name the move "low"'),
    (Invisible, "render: render shows nothing to 1"),
    (BadMeasure, 'measures: measure "mean"'),
    (HalfTheStarts, r"chance: the probabilities of starts\(\) sum to 0.5"),
    (MissingStarts, r"chance: something was drawn that starts\(\) does not list"),
    (WrongOutcome, r"chance: something was drawn that outcomes\(\) does not list"),
    (OtherSpec, 'spec: games.make\\("another"\\) is another game'),
]


@pytest.mark.parametrize(("fault", "sentence"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_a_fault_is_found_and_named(fault: type[Toy], sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(conformance.ConformanceError, match=sentence):
        check(fault(), monkeypatch)


class PeekingSplit(TrustAndSplit):
    """Trust-and-Split that shows the other's hand."""

    name = "trust-and-split"

    def observe(self, state: Any, seat: int) -> Observation:
        seen = super().observe(state, seat)
        return Observation(seen.text, {**seen.fields, "theirs": state.now.hands[1 - seat]})


def test_a_leak_in_a_long_game_is_found() -> None:
    with pytest.raises(conformance.ConformanceError, match="one key for two values of the fields \\['theirs'\\]"):
        conformance.check(PeekingSplit())


def test_an_error_of_conformance_is_an_assertion_and_one_of_ours() -> None:
    assert issubclass(conformance.ConformanceError, AssertionError)
    assert issubclass(conformance.ConformanceError, games.ArenaError)


def test_playthroughs_of_the_same_players_differ_in_chance_alone() -> None:
    one, other = (conformance.playthrough(Toy(), 1, deal, players=0) for deal in (0, 1))
    assert [s.moves for s in one.steps] == [s.moves for s in other.steps]
    assert conformance.playthrough(Toy(), 1, 0) == conformance.playthrough(Toy(), 1, 0)


def test_command_checks_and_records(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "kuhn-poker"]) == 0
    assert "kuhn-poker: every check passed" in capsys.readouterr().out
    assert main(["record", "kuhn-poker", "--folder", str(tmp_path)]) == 0
    assert (tmp_path / "kuhn-poker.txt").is_file()


def test_command_names_the_nearest_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "khun-poker"]) == 2
    assert 'did you mean "kuhn-poker"' in capsys.readouterr().err
