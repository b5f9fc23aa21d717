"""Codes of strings, bytes and objects against a plain loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuval.inputs import strings
from gpuval.inputs.strings import factorize

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
