"""The stored form of turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.blob import decode, encode
from arena.records import TurnRecord

TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
TURN = st.builds(
    TurnRecord,
    seat=st.just(0),
    tick=st.just(0),
    round=st.just(0),
    observation=st.just(""),
    reply=TEXT,
    move=st.none() | TEXT,
    illegal=TEXT,
    thought=TEXT,
    prompt_tokens=st.integers(0, 10**6),
    completion_tokens=st.integers(0, 10**6),
    seconds=st.integers(0, 10**6).map(lambda n: n / 10_000),
    cost=st.sampled_from([0.0, 0.0, 0.25]),
    refused=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
)
KEPT = ("move", "reply", "illegal", "thought", "prompt_tokens", "completion_tokens", "seconds", "cost", "refused")


@given(st.lists(TURN, max_size=60))
def test_what_is_kept_comes_back(turns):
    assert decode(encode(turns)) == [{name: getattr(turn, name) for name in KEPT} for turn in turns]


def test_a_thousand_throws_are_about_a_kilobyte():
    from games import Stream

    rng = Stream(1)
    throws = [rng.choice(("rock", "paper", "scissors")) for _ in range(2000)]
    turns = [TurnRecord(i % 2, i // 2, i // 2, "", throw, throw) for i, throw in enumerate(throws)]
    assert len(encode(turns)) < 1_000  # 2,000 throws hold 2,000 log2(3) bits: 396 bytes


def test_more_distinct_values_than_fit_an_index_come_back():
    turns = [TurnRecord(0, i, i, "", f"reply {i}", None, illegal="no") for i in range(200)]
    assert [t["reply"] for t in decode(encode(turns))] == [f"reply {i}" for i in range(200)]
