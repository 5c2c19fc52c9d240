"""What becomes of illegal replies: the game's rule, a forfeit, a random legal move, or another try."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import arena
import games
import policies
from arena import Store
from arena.export import episode_json
from arena.illegal import IllegalRule
from arena.show import turn_line
from games import BadOption, UsageError
from games.stream import Stream
from policies import BasePolicy, Reply, Turn

DILEMMA = "prisoners-dilemma:rounds=4"


class Mends(BasePolicy):
    """Replies nonsense ``bad`` times at each turn, then cooperates; remembers what it was told."""

    name = "mends"

    def __init__(self, bad: int) -> None:
        self.bad, self.notices, self.draws, self.batches = bad, [], [], []
        self.asked: dict[tuple[int, int, int], int] = {}

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        self.batches.append(len(turns))
        return [self._one(turn) for turn in turns]

    def _one(self, turn: Turn) -> Reply:
        place = (turn.match, turn.seat, turn.tick)
        self.asked[place] = self.asked.get(place, 0) + 1
        self.notices.append(turn.notice)
        self.draws.append(turn.rng.random())
        text = "banana" if self.asked[place] <= self.bad else "cooperate"
        return Reply(text, prompt_tokens=10, completion_tokens=2, cost=0.5)


def mine(episode):
    return [turn for turn in episode.turns if turn.seat == 0]


def test_without_a_rule_the_game_decides() -> None:
    [split] = arena.play("split", [Mends(1), "equal-split"], matches=1)
    assert split.turns[0].illegal
    game = games.make("split")
    assert split.turns[0].move == game.substitute(game.start(Stream(0)), 0)


def test_forfeit_ends_the_match_also_where_the_game_is_milder() -> None:
    for game, other in (("split", "equal-split"), (DILEMMA, "grim")):
        [episode] = arena.play(game, [Mends(1), other], illegal="forfeit")
        assert episode.ending == "forfeit"
        assert episode.turns[0].move is None
        assert "banana" in episode.turns[0].illegal


def test_random_legal_draws_a_move_that_depends_on_the_turn_alone() -> None:
    runs = [arena.play(DILEMMA, [Mends(9), "grim"], matches=40, illegal="random-legal", live=n) for n in (1, 40)]
    moves = [[t.move for e in run for t in mine(e)] for run in runs]
    assert moves[0] == moves[1]
    assert 0.3 < moves[0].count("defect") / len(moves[0]) < 0.7
    assert all(t.illegal for e in runs[0] for t in mine(e))
    assert all(e.ending == "finished" and e.illegal(0) == 4 for e in runs[0])


def test_a_retry_is_told_what_was_wrong_and_mends_it() -> None:
    player = Mends(2)
    [episode] = arena.play(DILEMMA, [player, "grim"], illegal="retry:3")
    assert [t.move for t in mine(episode)] == ["cooperate"] * 4
    first = mine(episode)[0]
    assert first.illegal == ""
    assert [reply for reply, _ in first.refused] == ["banana", "banana"]
    assert first.tries == 3
    assert player.notices[0] == ""
    assert player.notices[1] == f"Your last reply was refused: {first.refused[0][1]}. Reply again."
    assert "cooperate, defect" in player.notices[1]
    assert (first.prompt_tokens, first.completion_tokens, first.cost) == (30, 6, 1.5)
    assert episode.retried(0) == 4
    assert episode.retried(1) == 0
    assert episode.measures["retried"] == (1.0, 0.0)
    assert episode.measures["spent"] == (6.0, 0.0)
    assert len(set(player.draws)) == 12  # every try draws noise of its own


def test_what_stays_illegal_falls_to_the_rule_behind_the_retries() -> None:
    [forfeit] = arena.play(DILEMMA, [Mends(9), "grim"], illegal="retry:2:forfeit")
    assert forfeit.ending == "forfeit"
    assert (forfeit.turns[0].tries, forfeit.turns[0].move) == (3, None)
    [random] = arena.play(DILEMMA, [Mends(9), "grim"], illegal="retry:1:random-legal")
    assert random.ending == "finished"
    assert [t.tries for t in mine(random)] == [2] * 4


def test_all_that_try_again_are_asked_in_one_batch() -> None:
    player = Mends(1)
    arena.play(DILEMMA, [player, "grim"], matches=5, live=5, illegal="retry:1")
    assert player.batches == [5] * 8


def test_a_failed_call_may_be_tried_again_too() -> None:
    class Flaky(Mends):
        def _one(self, turn: Turn) -> Reply:
            reply = super()._one(turn)
            return Reply("", error="timed out") if reply.text == "banana" else reply

    [episode] = arena.play(DILEMMA, [Flaky(1), "grim"], illegal="retry:1")
    assert [t.refused for t in mine(episode)] == [(("", "timed out"),)] * 4


def test_a_retry_in_a_mix_stays_with_the_part_that_was_drawn() -> None:
    """The draw that picks a part is one of the whole match; a further try must not draw it anew."""
    for seed in range(6):
        spec = "mix:tit-for-tat=0.5,always-defect=0.5"
        [first] = arena.play(DILEMMA, [policies.make(spec), "grim"], seed=seed)
        [again] = arena.play(DILEMMA, [Refused(policies.make(spec)), "grim"], seed=seed, illegal="retry:1")
        assert [t.move for t in mine(first)] == [t.move for t in mine(again)]


class Refused(BasePolicy):
    """Another policy, every first try of which is spoilt."""

    name = "refused"

    def __init__(self, inner) -> None:
        self.inner = inner

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        return [r if t.notice else Reply("banana") for t, r in zip(turns, self.inner.act(turns), strict=True)]


def test_a_store_keeps_tries_and_what_they_cost(tmp_path) -> None:
    path = tmp_path / "arena.sqlite"
    players = {"a": Mends(1), "b": Mends(0)}
    with arena.tournament(DILEMMA, players, deals=1, store=path, illegal="retry:1") as store:
        assert store.config["illegal"] == "retry:1"
        played = [store.episode(row.id) for row in store.matches()]
        rows = list(store.seats())
    with Store(path) as store:
        assert [store.episode(e.match.id) for e in played] == played
    tried = [t for e in played for t in e.turns if e.match.entrants[t.seat] == "a"]
    assert {t.refused[0][0] for t in tried} == {"banana"}
    assert {r.measures["retried"] for r in rows if r.entrant == "a"} == {1.0}
    assert {r.measures["spent"] for r in rows if r.entrant == "a"} == {4.0}
    assert {r.illegal for r in rows} == {0}
    line = turn_line(tried[0], "a")
    assert line.splitlines()[0].startswith("a (seat 0) tried: banana  [refused: no legal move")
    assert episode_json(played[0])["turns"][0]["tries"] == 2
    with pytest.raises(UsageError, match="illegal"):
        arena.tournament(DILEMMA, players, deals=1, store=path, illegal="forfeit")


def test_a_language_model_reads_why_and_its_tokens_add_up() -> None:
    """The second try continues the conversation of the first; the sample of the turn holds both."""
    policy = policies.make("llm:tiny?decode=free&max_new_tokens=1&temperature=5")
    [episode] = arena.play(DILEMMA, [policy, "grim"], illegal="retry:2:random-legal", seed=3)
    turn = next(t for t in mine(episode) if t.refused)
    chat = policy.base.chat
    said = chat.decode(turn.sample.prompt_ids)
    assert turn.refused[0][0] in said
    assert "Your last reply was refused" in said
    assert said.count(turn.observation) == 1
    read = sum(len(t.sample.prompt_ids) + len(t.sample.reply_ids) for t in mine(episode))
    assert read == sum(t.prompt_tokens + t.completion_tokens for t in mine(episode))


@pytest.mark.parametrize(
    "text", ["", "retry", "retry:", "retry:x", "retry:1:banana", "banana", "forfeit:2", "retry:101"]
)
def test_unknown_rules_are_refused(text) -> None:
    with pytest.raises(BadOption, match="illegal="):
        IllegalRule.parse(text)


def test_rules_are_read() -> None:
    assert IllegalRule.parse("retry:3:forfeit") == IllegalRule(3, "forfeit")
    assert IllegalRule.parse("retry:3") == IllegalRule(3, "game")
    assert IllegalRule.parse("random-legal") == IllegalRule(0, "random-legal")
