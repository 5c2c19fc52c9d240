"""The trie of legal replies against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from policies.llm.trie import Trie, pick_by_cdf

END = 9
REPLIES = {"a": (1, END), "ab": (1, 2, END), "c": (3, END), "dd": (4, 4, END), "de": (4, 5, END)}


def brute_force(logits: dict[tuple[int, ...], np.ndarray], temperature: float) -> dict[str, float]:
    """Probability of each reply by renormalising over the continuations that are still legal, prefix by prefix."""
    out = {}
    for text, ids in REPLIES.items():
        p = 1.0
        for i, token in enumerate(ids):
            legal = sorted({r[i] for r in REPLIES.values() if len(r) > i and r[:i] == ids[:i]})
            weights = np.exp(logits[ids[:i]][legal] / temperature)
            p *= weights[legal.index(token)] / weights.sum()
        out[text] = p
    return out


def by_node(trie: Trie, logits: dict[tuple[int, ...], np.ndarray]) -> dict[int, np.ndarray]:
    out = {}
    for text, path in trie.paths.items():
        for depth, node in enumerate(path[:-1]):
            out[node] = logits[REPLIES[text][:depth]]
    return out


@pytest.fixture(name="logits")
def some_logits() -> dict[tuple[int, ...], np.ndarray]:
    rng = np.random.default_rng(3)
    prefixes = {ids[:i] for ids in REPLIES.values() for i in range(len(ids))}
    return {p: rng.normal(size=10).astype(np.float32) for p in sorted(prefixes)}


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_probabilities_are_those_of_the_renormalised_walk(logits, temperature) -> None:
    trie = Trie(REPLIES)
    found = trie.probabilities(trie.log_softmax(by_node(trie, logits), temperature))
    expected = brute_force(logits, temperature)
    assert found == pytest.approx(expected, abs=1e-6)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)


def test_only_branches_and_the_way_to_them_are_computed() -> None:
    trie = Trie(REPLIES)
    assert trie.tokens() == [1, 4]  # after 1: end or 2; after 4: 4 or 5; the root is the prompt's end
    assert len(trie.branches) == 3
    assert trie.depths() == [1, 1]
    assert trie.visible().tolist() == [[True, False], [False, True]]


def test_single_token_moves_need_nothing_beyond_the_prompt() -> None:
    trie = Trie({"rock": (5, END), "paper": (6, END)})
    assert trie.computed == ()
    assert trie.branches == (0,)


def test_walk_frequencies_follow_the_probabilities(logits) -> None:
    trie = Trie(REPLIES)
    logps = trie.log_softmax(by_node(trie, logits), 1.0)
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(REPLIES, 0)
    for draws in rng.random((20_000, trie.depth)):
        text, ids, chosen, among = trie.walk(logps, list(draws))
        assert ids == REPLIES[text]
        assert all(token in options for token, options in zip(ids, among, strict=True))
        counts[text] += 1
        assert sum(chosen) == pytest.approx(np.log(trie.probabilities(logps)[text]), abs=1e-9)
    for text, p in trie.probabilities(logps).items():
        assert counts[text] / 20_000 == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 20_000))


def test_cdf_never_picks_what_has_no_probability() -> None:
    p = np.array([0.0, 0.3, 0.0, 0.7, 0.0])
    assert {pick_by_cdf(p, d) for d in (0.0, 0.1, 0.299999, 0.3, 0.5, 1 - 2**-53)} == {1, 3}
