"""The one turn loop: error as data, batches, order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import games
from arena import Match, run_matches
from arena.match import KEPT
from games import ArenaError
from policies import Reply, Script, Turn

DILEMMA = "prisoners-dilemma:rounds=3"


class Says(Script):
    """Answers with the same text always."""

    def __init__(self, text: str, error: str = "") -> None:
        self.text, self.error = text, error
        self.batches: list[int] = []
        self.forgotten: list[int] = []

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        self.batches.append(len(turns))
        return [Reply(self.text, error=self.error) for _ in turns]

    def forget(self, matches) -> None:
        self.forgotten.extend(matches)


def one(game: str, policies: dict, *, seed: int = 0):
    table = games.make(game)
    [episode] = run_matches([Match(1, table, 0, tuple(policies))], policies, seed=seed)
    return episode


def test_payoffs_are_summed_over_rounds():
    episode = one(DILEMMA, {"a": Says("cooperate"), "b": Says("defect")})
    assert episode.payoffs == (0.0, 15.0)  # three rounds of 0 and 5
    assert episode.rewards == ((0.0, 5.0),) * 3
    assert (episode.rounds, episode.ticks, episode.ending) == (3, 3, "finished")


def test_turns_are_recorded_in_order():
    episode = one(DILEMMA, {"a": Says("cooperate"), "b": Says("Defect!")})
    assert [(t.tick, t.seat, t.round) for t in episode.turns] == [(k, s, k) for k in range(3) for s in (0, 1)]
    assert {t.move for t in episode.turns if t.seat == 1} == {"defect"}
    assert {t.reply for t in episode.turns if t.seat == 1} == {"Defect!"}


def test_an_illegal_reply_forfeits_where_the_game_has_no_substitute():
    episode = one("kuhn-poker", {"a": Says("banana"), "b": Says("call")})
    assert episode.ending == "forfeit"
    assert episode.turns[0].move is None
    assert "check" in episode.turns[0].illegal
    assert episode.illegal(0) == 1
    assert episode.payoffs[0] < 0


def test_all_seats_of_a_tick_are_recorded_before_a_forfeit():
    episode = one(DILEMMA, {"a": Says("banana"), "b": Says("defect")})
    assert len(episode.turns) >= 2
    assert episode.turns[1].move == "defect"


def test_a_refused_call_counts_as_illegal_and_keeps_its_reason():
    episode = one("kuhn-poker", {"a": Says("check", error="timed out after 30 s"), "b": Says("check")})
    assert episode.turns[0].illegal == "timed out after 30 s"


def test_a_long_reply_is_parsed_whole_and_kept_short():
    text = "x" * 100_000 + "\ncheck"
    episode = one("kuhn-poker", {"a": Says(text), "b": Says("check")})
    first = episode.turns[0]
    assert first.move == "check"
    assert len(first.reply) < KEPT + 100
    assert first.reply.startswith("x" * KEPT)
    assert "96,006 more characters" in first.reply


def test_a_long_thought_and_reason_are_kept_short():
    class Thinks(Says):
        def act(self, turns):
            return [Reply("", thought="t" * 10_000, error="e" * 10_000) for _ in turns]

    turn = one("kuhn-poker", {"a": Thinks(""), "b": Says("check")}).turns[0]
    assert len(turn.thought) < KEPT + 100
    assert len(turn.illegal) < KEPT + 100


def test_each_policy_is_asked_once_a_tick_with_all_its_turns():
    a, b = Says("cooperate"), Says("defect")
    table = games.make(DILEMMA)
    matches = [Match(i, table, i, ("a", "b")) for i in range(5)]
    assert len(list(run_matches(matches, {"a": a, "b": b}, seed=0, live=5))) == 5
    assert a.batches == [5, 5, 5]
    assert sorted(a.forgotten) == [0, 1, 2, 3, 4]


def test_no_more_than_live_matches_are_kept_going():
    a = Says("cooperate")
    table = games.make(DILEMMA)
    matches = [Match(i, table, i, ("a", "b")) for i in range(5)]
    list(run_matches(matches, {"a": a, "b": Says("defect")}, seed=0, live=2))
    assert max(a.batches) == 2


def test_the_wrong_number_of_replies_names_the_policy():
    class Short(Says):
        def act(self, turns):
            return []

    with pytest.raises(ArenaError, match='policy "shorty" gave 0 replies to 1 turns'):
        one("kuhn-poker", {"shorty": Short(""), "b": Says("check")})


def test_a_crash_in_a_policy_passes_through_after_what_was_finished():
    class Breaks(Says):
        def act(self, turns):
            if any(turn.match == 3 for turn in turns):
                raise ZeroDivisionError
            return super().act(turns)

    table = games.make("prisoners-dilemma:rounds=1")
    matches = [Match(i, table, i, ("a", "b")) for i in range(5)]
    played = run_matches(matches, {"a": Breaks("cooperate"), "b": Says("defect")}, seed=0, live=1)
    assert [next(played).match.id for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        next(played)


def test_only_games_of_perfect_information_show_their_state():
    seen = {}

    class Looks(Says):
        def act(self, turns):
            seen[turns[0].game.name] = turns[0].state
            return [Reply(turn.moves.texts[0]) for turn in turns]

    for game in ("kuhn-poker", "tic-tac-toe"):
        one(game, {"a": Looks(""), "b": Looks("")})
    assert seen["kuhn-poker"] is None
    assert seen["tic-tac-toe"] is not None


def test_matches_of_one_deal_share_their_chance():
    table = games.make("kuhn-poker")
    policies = {"a": Says("check"), "b": Says("check")}
    matches = [Match(i, table, deal, ("a", "b")) for i, deal in enumerate((4, 4, 5))]
    first, second, _ = run_matches(matches, policies, seed=0)
    assert [t.observation for t in first.turns] == [t.observation for t in second.turns]
