"""Counter-based randomness: known SplitMix64 numbers, scalar and array forms bit-equal, draws that look uniform."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.stream import NoChance, Stream, derive, derive_array, mix, mix_array, uniform_array

WORD = st.integers(0, 2**64 - 1)
PART = st.integers(-(2**63), 2**63 - 1)
GOLDEN = 0x9E3779B97F4A7C15

# the first outputs of SplitMix64 from seed 0 (Steele, Lea & Flood 2014; also the seeding vectors of xoshiro)
SPLITMIX64 = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]


def test_mixer_gives_the_known_numbers() -> None:
    assert [mix(GOLDEN * n % 2**64) for n in range(1, 6)] == SPLITMIX64


def test_a_stream_is_splitmix64_seeded_with_its_key() -> None:
    stream = Stream(12, 34)
    draws = [stream.bits() for _ in range(3)]
    assert draws == [mix((derive(12, 34) + GOLDEN * n) % 2**64) for n in (1, 2, 3)]


def test_the_first_part_is_mixed_as_a_seed_is() -> None:
    assert derive(0) == SPLITMIX64[0]
    assert derive() == 0


@given(st.lists(WORD, min_size=1, max_size=8))
def test_array_mixer_is_bit_equal(words: list[int]) -> None:
    assert mix_array(np.array(words, np.uint64)).tolist() == [mix(word) for word in words]


@given(PART, st.lists(PART, min_size=1, max_size=5), st.lists(PART, min_size=1, max_size=5))
def test_array_keys_are_bit_equal_and_broadcast(seed: int, rows: list[int], columns: list[int]) -> None:
    keys = derive_array(seed, np.array(rows)[:, None], np.array(columns)[None, :])
    expected = [derive(seed, row, column) for row, column in product(rows, columns)]
    assert keys.ravel().tolist() == expected


@given(st.lists(PART, min_size=1, max_size=5), st.integers(0, 50))
def test_array_draws_are_bit_equal(parts: list[int], draw: int) -> None:
    drawn = uniform_array(derive_array(3, np.array(parts)), draw)
    expected = []
    for part in parts:
        stream = Stream(3, part)
        expected.append([stream.random() for _ in range(draw + 1)][-1])
    assert drawn.tolist() == expected


@given(st.lists(PART, max_size=5))
def test_draws_depend_on_the_place_alone(parts: list[int]) -> None:
    one, other = Stream(*parts), Stream(*parts)
    Stream(1).bits()
    assert [one.random() for _ in range(5)] == [other.random() for _ in range(5)]


def test_order_and_number_of_parts_matter() -> None:
    keys = {derive(*parts) for parts in ((1, 2), (2, 1), (1, 2, 0), (0, 1, 2), (1,), (2,), (1, 3), (-1, 2))}
    assert len(keys) == 8


def test_neighbouring_places_share_nothing() -> None:
    """Bits of the first draw at 4,096 neighbouring places: each is set half of the time (5 standard deviations)."""
    words = [Stream(7, 1, deal, tick).bits() for deal in range(64) for tick in range(64)]
    assert len(set(words)) == len(words)
    for bit in range(64):
        assert abs(sum(word >> bit & 1 for word in words) - 2048) < 5 * 32


def test_floats_are_uniform() -> None:
    numbers = uniform_array(derive_array(5, np.arange(50_000)), 0)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert abs(numbers.mean() - 0.5) < 5 * math.sqrt(1 / 12 / 50_000)
    counts = np.bincount((numbers * 20).astype(int), minlength=20)
    assert ((counts - 2500) ** 2 / 2500).sum() < 50.8  # chi-square, 19 degrees of freedom, p = 0.0001


def test_successive_draws_are_not_correlated() -> None:
    keys = derive_array(9, np.arange(20_000))
    pairs = np.corrcoef(uniform_array(keys, 0), uniform_array(keys, 1))
    assert abs(pairs[0, 1]) < 5 / math.sqrt(20_000)


@given(st.lists(PART, max_size=3), st.integers(1, 1000))
def test_integers_stay_in_their_range(parts: list[int], n: int) -> None:
    stream = Stream(*parts)
    assert all(0 <= stream.integers(n) < n for _ in range(20))


def test_choice_takes_every_option_alike() -> None:
    drawn = [Stream(1, n).choice("abc") for n in range(3000)]
    assert all(abs(drawn.count(option) - 1000) < 5 * math.sqrt(3000 * 2 / 9) for option in "abc")


def test_weighted_follows_the_weights_and_never_takes_nothing() -> None:
    drawn = [Stream(2, n).weighted(("a", "b", "c", "d"), (0.0, 3.0, 1.0, 0.0)) for n in range(4000)]
    assert set(drawn) == {"b", "c"}
    assert abs(drawn.count("b") - 3000) < 5 * math.sqrt(4000 * 3 / 16)


def test_shuffles_are_permutations_and_all_alike() -> None:
    orders = [tuple(Stream(3, n).shuffled("abc")) for n in range(6000)]
    assert {tuple(sorted(order)) for order in orders} == {("a", "b", "c")}
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert all(abs(count - 1000) < 5 * math.sqrt(6000 * 5 / 36) for count in counts)


def test_nothing_can_be_drawn_where_there_is_no_chance() -> None:
    with pytest.raises(RuntimeError, match=r"must define starts\(\) and outcomes\(\)"):
        NoChance().random()


def test_streams_beside_and_above_are_functions_of_the_place() -> None:
    here = Stream(7, 2, 31, 1, 4)
    here.bits()
    assert here.apart(9).bits() == Stream(7, 2, 31, 1, 4, 9).bits()
    assert here.apart(9).bits() != here.apart(8).bits()
    above = [Stream(7, 2, 31, 1, tick).above(9).bits() for tick in range(3)]
    assert len({*above}) == 1
    assert above[0] not in (Stream(7, 2, 31, 0, 4).above(9).bits(), here.above(8).bits(), here.apart(9).bits())


def test_where_there_is_no_chance_there_is_none_beside() -> None:
    for stream in (NoChance().apart(3), NoChance().above(3)):
        with pytest.raises(RuntimeError, match="draws chance"):
            stream.random()
