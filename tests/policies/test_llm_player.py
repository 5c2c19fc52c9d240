"""Language models in seats: cached play equals uncached logits, choices don't depend on batches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch

import games
import policies
from arena.match import run_matches
from arena.records import Episode, Match
from games.errors import UsageError
from games.stream import NoChance
from policies import Exchange, Turn
from policies.llm.base import TINY, Base
from policies.llm.player import LLMPolicy

GAMES = ["prisoners-dilemma", "kuhn-poker", "tic-tac-toe", "trust-and-split:rounds=3"]


def played(spec: str, policy, matches: int = 8, live: int = 64, seed: int = 1) -> list[Episode]:
    game = games.make(spec)
    plan = [Match(i, game, i // 2, ("x",) * game.seats) for i in range(matches)]
    return sorted(run_matches(plan, {"x": policy}, seed=seed, live=live), key=lambda e: e.match.id)


def conversations(episodes: Sequence[Episode]):
    """(ids, decisions) of each conversation: a decision is (position, token, log-probability, allowed)."""
    for episode in episodes:
        for seat in range(episode.match.game.seats):
            ids, decisions = [], []
            for turn in (t for t in episode.turns if t.seat == seat):
                sample = turn.sample
                if sample.fresh and ids:
                    yield ids, decisions
                    ids, decisions = [], []
                ids += sample.prompt_ids
                for token, logp, allowed in zip(sample.reply_ids, sample.logprobs, sample.allowed, strict=True):
                    decisions.append((len(ids) - 1, token, logp, allowed))
                    ids.append(token)
            if ids:
                yield ids, decisions


def greatest_gap(policy, episodes: Sequence[Episode]) -> tuple[float, int]:
    """Greatest difference between stored log-probabilities and those of plain uncached logits, and how many tokens."""
    gap, count = 0.0, 0
    for ids, decisions in conversations(episodes):
        policy.base.use(policy.adapter)
        with torch.no_grad():
            logits = policy.base.model(torch.tensor([ids])).logits[0].double() / policy.decoding.temperature
        for position, token, logp, allowed in decisions:
            options = list(allowed) if allowed is not None else list(range(logits.shape[1]))
            expected = logits[position][options].log_softmax(-1)[options.index(token)]
            gap, count = max(gap, abs(float(expected) - logp)), count + 1
    return gap, count


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("query", ["", "?decode=free&max_new_tokens=40", "?temperature=0.7"])
def test_stored_log_probabilities_are_those_of_uncached_logits(spec, query) -> None:
    policy = policies.make(f"llm:tiny{query}")
    gap, count = greatest_gap(policy, played(spec, policy))
    assert count > 20
    assert gap <= 1e-4


def test_a_conversation_that_outgrows_the_context_begins_anew(monkeypatch) -> None:
    policy = policies.make("llm:tiny?max_new_tokens=8")
    monkeypatch.setattr(policy.base.model.config, "max_position_embeddings", 420)
    episodes = played("prisoners-dilemma:rounds=40", policy, matches=2)
    samples = [t.sample for e in episodes for t in e.turns if t.seat == 0]
    assert sum(s.fresh for s in samples) > 2
    gap, _ = greatest_gap(policy, episodes)
    assert gap <= 1e-4
    assert max(len(ids) for ids, _ in conversations(episodes)) <= 420
    rules = policy.base.chat.opening(games.make("prisoners-dilemma:rounds=40").rules(0))
    assert all(s.prompt_ids[: len(rules)] == rules for s in samples if s.fresh)


@pytest.mark.parametrize("spec", GAMES)
def test_choices_do_not_depend_on_how_many_matches_are_live(spec) -> None:
    """The same matches one at a time and all at once: same replies, log-probabilities within 1e-4."""
    alone, together = (played(spec, policies.make("llm:tiny"), matches=6, live=live) for live in (1, 64))
    for one, many in zip(alone, together, strict=True):
        assert [t.reply for t in one.turns] == [t.reply for t in many.turns]
        for a, b in zip(one.turns, many.turns, strict=True):
            assert a.sample.logprobs == pytest.approx(b.sample.logprobs, abs=1e-4)


def fresh() -> LLMPolicy:
    """llm:tiny with an engine of its own."""
    return LLMPolicy(Base("tiny", str(TINY), torch.float32, torch.device("cpu")))


def test_equal_conversations_are_read_once() -> None:
    few, many = fresh(), fresh()
    played("prisoners-dilemma:rounds=1", few, matches=2)
    played("prisoners-dilemma:rounds=1", many, matches=64)
    assert many.engine.tokens_read == few.engine.tokens_read


def test_evicted_conversations_are_read_again_with_the_same_result() -> None:
    roomy, cramped = fresh(), fresh()
    cramped.engine.cache.tokens = 3 * 640
    a, b = (played("prisoners-dilemma:rounds=4", p, matches=6) for p in (roomy, cramped))
    assert [t.reply for e in a for t in e.turns] == [t.reply for e in b for t in e.turns]
    assert cramped.engine.tokens_read > roomy.engine.tokens_read
    cache = cramped.engine.cache
    assert cache.slots * cache.length <= 3 * 640
    assert cache.slots >= 2


def test_forgotten_matches_leave_nothing_behind() -> None:
    policy = fresh()
    played("trust-and-split:rounds=1", policy, matches=4)
    assert not policy._talks
    assert set(policy.engine._resident) == set(policy.engine._roots.values())
    assert policy.engine.cache.free == policy.engine.cache.slots - len(policy.engine._roots)


def test_probabilities_are_the_distribution_that_is_sampled() -> None:
    policy = policies.make("llm:tiny")
    [episode] = played("kuhn-poker", policy, matches=1)
    past: dict[int, tuple[Exchange, ...]] = {0: (), 1: ()}
    game, state = episode.match.game, None
    turn = episode.turns[0]
    from games.stream import CHANCE, Stream

    state = game.start(Stream(1, CHANCE, 0, 0))
    [found] = policy.probabilities(
        [
            Turn(
                game,
                0,
                turn.seat,
                0,
                game.observe(state, turn.seat),
                game.moves(state, turn.seat),
                NoChance(),
                past=past[turn.seat],
            )
        ]
    )
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-9)
    assert torch.log(torch.tensor(found[turn.move])) == pytest.approx(sum(turn.sample.logprobs), abs=1e-4)


def test_free_decoding_has_no_exact_probabilities() -> None:
    game = games.make("kuhn-poker")
    policy = policies.make("llm:tiny?decode=free")
    from arena.exploitability import exploitability

    with pytest.raises(UsageError, match="only in constrained decoding"):
        exploitability(game, policy)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("llm:", "names no base model"),
        ("llm:no/such-model-here", "can't be loaded"),
        ("llm:tiny?decode=greedy", "constrained or free"),
        ("llm:tiny?temprature=1", "temperature"),
        ("llm:tiny?temperature=hot", "can't be read"),
        ("llm:tiny?temperature=0", "between 0.01 and 100"),
        ("llm:tiny?temperature", "no option"),
        ("llm:tiny?think=-1", "between 0 and"),
        ("llm:tiny?kv_tokens=lots", "no number of tokens"),
        ("llm:tiny?chunk_tokens=0", "no number of tokens"),
        ("llm:tiny+no/such/folder", "no adapter folder"),
    ],
)
def test_wrong_specs_get_one_clear_line(spec, words) -> None:
    with pytest.raises(UsageError, match=words):
        policies.make(spec)
