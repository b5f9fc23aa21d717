"""Codes of strings, bytes and objects against a plain loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuval.inputs import strings
from gpuval.inputs.strings import factorize
from gpuval.numerics import distinct as distinct_numbers
from gpuval.numerics.distinct import number

ASTRAL = chr(0x1F600)  # sorts behind every other here by its number, and would not in UTF-16
PLAIN = ["b", "a", "", "ab", "a b", "b", ASTRAL, chr(0xFFFD), "ba", "a", "abcdefghijklmnopq", "abcdefghijklmnopr"]


def by_loop(labels):
    """The place of each label among the sorted distinct ones."""
    values = []
    for label in labels:
        if label not in values:
            values.append(label)
    values = sorted(values)
    return [values.index(label) for label in labels], values


def check(data):
    codes, values = factorize(data)
    expected_codes, expected_values = by_loop(data.tolist())
    assert codes.dtype == np.int64
    assert codes.tolist() == expected_codes
    assert values.dtype == data.dtype
    assert values.tolist() == expected_values


@pytest.mark.parametrize("width", [*range(1, 10), 12, 17, 32])
@pytest.mark.parametrize("order", ["<", ">"])
def test_strings_of_every_width(width, order):
    check(np.array(PLAIN, dtype=f"{order}U{width}"))


@pytest.mark.parametrize("width", [*range(1, 18), 24])
def test_bytes_of_every_width(width):
    check(np.array([label.encode() for label in PLAIN], dtype=f"S{width}"))


def test_strings_that_are_not_next_to_each_other():
    check(np.array(PLAIN * 2)[::3])
    check(np.array(PLAIN)[::-1])
    check(np.broadcast_to(np.array("same"), (5,)))
    held = np.array(PLAIN)
    held.flags.writeable = False
    check(held)


@pytest.mark.parametrize("dtype", ["U0", "U3", "S0", "S5"])
def test_no_labels(dtype):
    check(np.empty(0, dtype=dtype))


@pytest.mark.parametrize("dtype", ["U0", "S0"])
def test_labels_without_a_character(dtype):
    check(np.empty(3, dtype=dtype))


@settings(max_examples=200)
@given(st.lists(st.text(max_size=9), min_size=1, max_size=30))
def test_any_text(labels):
    check(np.array(labels, dtype=str))


def test_text_goes_by_its_words(monkeypatch):
    def refuse(*_args):
        raise AssertionError("the slow way")

    monkeypatch.setattr(strings, "factorize_objects", refuse)
    check(np.array(PLAIN))
    with pytest.raises(AssertionError, match="the slow way"):
        check(np.array(PLAIN, dtype=object))


def test_words_that_share_a_hash_are_told_apart(monkeypatch):
    """With a multiplier of 0 the hash is the last word alone, as if somebody had looked for strings that collide."""
    monkeypatch.setattr(strings, "_MULTIPLIER", np.uint64(0))
    data = np.array(["aa12", "bb12", "bb34", "aa12"])
    assert strings._factorize_by_words(data) is None
    check(data)


def test_many_strings():
    labels = [f"cell {i * 7919 % 3001}" for i in range(10_000)]
    codes, values = factorize(np.array(labels))
    assert values.tolist() == sorted(set(labels))
    assert values[codes].tolist() == labels


def _assert_numbered(x):
    values, codes = number(x)
    distinct = np.unique_inverse(x)
    assert values.dtype == x.dtype
    np.testing.assert_array_equal(values, distinct.values)
    np.testing.assert_array_equal(codes, distinct.inverse_indices)


@pytest.mark.parametrize("n_distinct", [1, 10, 1_000, 10_000])
@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", ">i8"])
def test_numbers_of_integers_are_those_of_a_sort(dtype, n_distinct):
    rng = np.random.default_rng(0)
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, n_distinct, np.dtype(dtype).newbyteorder("="), endpoint=True)
    values[: n_distinct // 2 : 3] -= values[: n_distinct // 2 : 3]  # 0 is in most, and the ends are
    values[-1], values[n_distinct // 2] = limits.max, limits.min
    x = values[rng.integers(0, n_distinct, 50_000)].astype(dtype)
    for order in (x, np.sort(x), x[::-2], x[:0], x[:7]):
        _assert_numbered(order)


@pytest.mark.parametrize("which", range(len(distinct_numbers._MULTIPLIERS)))
def test_integers_that_share_a_slot_have_numbers_of_their_own(which):
    """Of one table, and of all of them."""
    of_one = [pow(x, -1, 1 << 64) for x in distinct_numbers._MULTIPLIERS]
    small = np.arange(3_000, dtype=np.uint64)
    _assert_numbered(np.tile(small * np.uint64(of_one[which]), 10))
    _assert_numbered(np.tile(np.concatenate([small * np.uint64(x) for x in of_one]), 6))


def test_integers_that_no_table_tells_apart(monkeypatch):
    first = distinct_numbers._MULTIPLIERS[0]
    monkeypatch.setattr(distinct_numbers, "_MULTIPLIERS", (first,) * 3)
    _assert_numbered(np.tile(np.arange(3_000, dtype=np.uint64) * np.uint64(pow(first, -1, 1 << 64)), 10))


@pytest.mark.parametrize("values", [[0], [1], [0, 1], [0, 1 << 62], [-1, 0]])
def test_few_integers_that_are_marks_of_empty_slots(values):
    _assert_numbered(np.resize(np.array(values), 20_000))


@pytest.mark.parametrize("dtype", ["U5", "S5", "U8", ">U5"])
@pytest.mark.parametrize("n_samples", [3, 100_000, 300_000])
def test_long_vectors_of_fixed_width(dtype, n_samples):
    texts = np.array(["", "a", "ab", "abcde", "zz", "b"]).astype(dtype)
    which = np.random.default_rng(0).integers(0, 6, n_samples)
    codes, values = factorize(texts[which])
    wanted, places = np.unique(texts[which], return_inverse=True)
    assert values.dtype == wanted.dtype
    np.testing.assert_array_equal(values, wanted)
    np.testing.assert_array_equal(codes, places)


def test_texts_that_share_a_hash(monkeypatch):
    """With a multiplier of 1 a hash is a sum of letters."""
    monkeypatch.setattr(strings, "_MULTIPLIER", np.uint64(1))
    codes, values = factorize(np.array(["ab", "ba", "ab", "c"]))
    assert (codes.tolist(), values.tolist()) == ([0, 1, 0, 2], ["ab", "ba", "c"])
