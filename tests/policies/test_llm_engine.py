"""The engine: memory bounded, large batches split, adapters mixed in a batch; all equal to uncached logits."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from peft import LoraConfig

import games
from arena.match import run_matches
from arena.records import Match
from games.stream import NoChance
from policies import Turn
from policies.llm.base import TINY, Base
from policies.llm.nodes import Node, Read
from policies.llm.player import LLMPolicy
from policies.llm.trie import Trie

VOCABULARY = 500


@pytest.fixture(name="base")
def own_base() -> Base:
    return Base("tiny", str(TINY), torch.float32, torch.device("cpu"))


def with_adapters(base: Base, count: int) -> list[str]:
    """So many adapters with large random weights."""
    keys = []
    for seed in range(count):
        key = base.add(LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"), seed=seed)
        rng = torch.Generator().manual_seed(seed)
        base.set_weights(key, {n: torch.randn(w.shape, generator=rng) * 0.2 for n, w in base.weights(key).items()})
        keys.append(key)
    return keys


def uncached(base: Base, adapter: str | None, ids: tuple[int, ...]) -> np.ndarray:
    """Logits (vocabulary,) after ``ids`` from plain transformers, nothing cached."""
    base.use(adapter)
    with torch.no_grad():
        return base.model(torch.tensor([ids])).logits[0, -1].numpy()


def words(rng: np.random.Generator, length: int) -> tuple[int, ...]:
    return tuple(int(i) for i in rng.integers(10, VOCABULARY, length))


def gap(base: Base, row: Read) -> float:
    found = [np.abs(row.logits[0] - uncached(base, row.parent.adapter, row.arrived().ids)).max()]
    for branch in row.trie.branches if row.trie else ():
        if branch:
            path = next(p for p in row.trie.paths.values() if branch in p)
            spelled = tuple(row.trie._nodes[n].token for n in path[1 : path.index(branch) + 1])
            expected = uncached(base, row.parent.adapter, row.arrived().ids + spelled)
            found.append(np.abs(row.logits[branch] - expected).max())
    return float(max(found))


def grow(engine, nodes: list[Node], rng: np.random.Generator, trie: Trie | None) -> list[Read]:
    """One more turn of ragged length for every conversation."""
    rows = [Read(node, words(rng, int(rng.integers(1, 40))), trie) for node in nodes]
    with torch.no_grad():
        engine.read(rows)
    for row in rows:
        row.arrived().holders += 1
    for node in nodes:
        engine.release(node)
    return rows


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("tokens", [1 << 30, 4 * 256])
def test_cached_logits_equal_uncached_ones_whatever_the_memory_and_the_adapters(base, mixed, tokens) -> None:
    """Six conversations of three adapters and the base, four turns, a trie of replies looked at each time."""
    adapters = [None, *with_adapters(base, 3)]
    engine, rng = base.engine, np.random.default_rng(0)
    engine.mixed, engine.cache.tokens, engine.chunk_tokens = mixed, tokens, 128
    trie = Trie({"a": (11, 12, 2), "b": (11, 13, 2), "c": (14, 2)})
    nodes = [Node((), adapters[i % 4], holders=1) for i in range(6)]
    for _ in range(4):
        rows = grow(engine, nodes, rng, trie)
        nodes = [row.arrived() for row in rows]
        assert max(gap(base, row) for row in rows) <= 1e-4
        assert engine.cache.slots * engine.cache.length <= tokens


def test_mixed_rows_of_several_adapters_share_a_pass(base) -> None:
    adapters = [None, *with_adapters(base, 3)]
    for mixed, passes in ((True, 1), (False, 4)):
        base.engine.mixed, before = mixed, base.engine.passes
        rows = [Read(Node((), adapter, holders=1), (20 + i, 30)) for i, adapter in enumerate(adapters)]
        with torch.no_grad():
            base.engine.read(rows)
        assert base.engine.passes - before == passes
        assert max(gap(base, row) for row in rows) <= 1e-4
        base.engine.cache.tokens = 1 << 30


def test_adapters_of_one_base_are_asked_together(base) -> None:
    """Two adapters in two seats of simultaneous matches: one batch a tick, the same replies as one after the other."""
    keys = with_adapters(base, 2)
    game = games.make("prisoners-dilemma:rounds=3")
    plan = [Match(i, game, i, ("a", "b")) for i in range(4)]

    def replies(mixed: bool) -> list[list[str]]:
        base.engine.mixed = mixed
        table = {name: LLMPolicy(base, key) for name, key in zip("ab", keys, strict=True)}
        return [[t.reply for t in e.turns] for e in run_matches(plan, table, seed=0)]

    base.engine.mixed, before = True, base.engine.passes
    together = replies(True)
    assert base.engine.passes - before == 3 + 2  # a tick each, and the two adapters' rules
    apart = replies(False)
    assert together == apart


def test_a_batch_too_large_for_the_device_is_split(base, monkeypatch) -> None:
    sizes = []

    def small(adapters, ids, *rest):
        sizes.append(len(ids))
        if len(ids) > 2:
            raise torch.OutOfMemoryError("out of memory")
        return base.forward(adapters, ids, *rest)

    engine = base.engine
    monkeypatch.setattr(engine, "_forward", small)
    nodes = [Node((), holders=1) for _ in range(5)]
    rng = np.random.default_rng(1)
    for _ in range(2):
        rows = grow(engine, nodes, rng, None)
        nodes = [row.arrived() for row in rows]
        assert max(gap(base, row) for row in rows) <= 1e-4
    assert sizes[0] == 5
    assert 1 in sizes
    monkeypatch.setattr(engine, "_forward", lambda *args: small([None] * 3, torch.zeros(3, 1)))
    with pytest.raises(torch.OutOfMemoryError), torch.no_grad():
        engine.read([Read(Node((), holders=1), (5, 6))])


def test_batches_are_split_at_the_tokens_of_a_pass(base, monkeypatch) -> None:
    shapes = []
    forward = base.forward
    monkeypatch.setattr(base.engine, "_forward", lambda *a: (shapes.append(tuple(a[1].shape)), forward(*a))[1])
    base.engine.chunk_tokens = 100
    rng = np.random.default_rng(2)
    rows = [Read(Node((), holders=1), words(rng, 30)) for _ in range(7)] + [Read(Node((), holders=1), words(rng, 150))]
    with torch.no_grad():
        base.engine.read(rows)
    assert sorted(shapes) == [(1, 30), (1, 150), (3, 30), (3, 30)]


def test_many_long_matches_stay_within_their_memory(base) -> None:
    """The whole policy under a bound that holds two conversations: same replies, never more memory."""
    game = games.make("prisoners-dilemma:rounds=6")
    plan = [Match(i, game, i, ("x", "x")) for i in range(5)]

    def played(tokens: int) -> list[list[str]]:
        own = Base("tiny", str(TINY), torch.float32, torch.device("cpu"))
        own.engine.cache.tokens = tokens
        episodes = list(run_matches(plan, {"x": LLMPolicy(own)}, seed=2))
        assert own.engine.cache.slots * own.engine.cache.length <= tokens
        return [[t.reply for t in e.turns] for e in episodes]

    assert played(2 * 768) == played(1 << 30)


def test_the_rules_are_read_once_also_for_exact_probabilities(base) -> None:
    policy, game = LLMPolicy(base), games.make("prisoners-dilemma")
    state = game.start(NoChance())
    turn = Turn(game, 0, 0, 0, game.observe(state, 0), game.moves(state, 0), NoChance())
    first = policy.probabilities([turn])
    read = base.engine.tokens_read
    assert policy.probabilities([turn]) == first
    assert base.engine.tokens_read - read < 40  # the observation, not the rules


def test_the_end_of_a_conversation_can_be_dropped(base) -> None:
    """Two conversations that end alike drop the end; both go on from the same beginning, read once."""
    engine = base.engine
    with torch.no_grad():
        first = Read(Node((), holders=1), (20, 21, 22, 23))
        engine.read([first])
        node = first.arrived()
        node.holders = 2
        stems = [engine.drop_end(node, 2) for _ in range(2)]
        assert stems[0] is stems[1]
        assert stems[0].slot is not None
        assert node.slot is None
        read = engine.tokens_read
        rows = [Read(stem, (40 + i,)) for i, stem in enumerate(stems)]
        engine.read(rows)
    assert engine.tokens_read == read + 2
    assert [row.arrived().ids for row in rows] == [(20, 21, 40), (20, 21, 41)]
    assert max(gap(base, row) for row in rows) <= 1e-4
