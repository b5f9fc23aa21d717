"""The natural order of names, and short names that are told apart."""

import itertools

import numpy as np
import pytest

from gpuval.display.names import natural_order, short_names
from gpuval.display.text import text_width


@pytest.mark.parametrize(
    "ordered",
    [
        ["0", "1", "2", "10"],
        [0, 1, 2, 10],
        [-1, 0.5, "0.75", 2, 10**30],
        ["2", "a"],
        ["leiden_0.1", "leiden_0.4", "leiden_1.5", "leiden_2", "leiden_10"],
        ["a2b10", "a10b2"],
        ["a", "B", "c"],
        ["", "a"],
        [("a", 2), ("a", 10)],
        [1e-7, 0.1, np.float32(2e20), np.inf, float("nan"), True],
        [np.int64(3), np.int64(20)],
        ["9" * 5000, "1" + "0" * 5000],
    ],
)
def test_natural_order(ordered):
    for names in itertools.permutations(ordered) if len(ordered) < 6 else [ordered, ordered[::-1]]:
        assert [names[i] for i in natural_order(names)] == ordered


def test_names_that_are_alike_stay_in_their_order():
    assert natural_order(["a1", "A1", "1", "1.0", "a01"]) == [2, 3, 0, 1, 4]


def test_names_are_shortened_in_their_middle():
    assert short_names(["abcdefghij", "short"], 7) == ["abc…hij", "short"]
    assert short_names([], 7) == []
    assert short_names(["same name of all", "same name of all"], 9) == ["same… all"] * 2


def test_names_that_would_be_equal_are_lengthened():
    # At 11 columns both are "CD4 p…"; they differ from the 17th on.
    first, second = short_names(["CD4 positive T cell", "CD4 positive alpha-beta T cell"], 11)
    assert (first, second) == ("CD4 posi…e T cell", "CD4 posi…a T cell")


@pytest.mark.parametrize("where", [0, 40, 79])
def test_names_that_differ_in_one_letter_are_told_apart(where):
    names = ["x" * where + letter + "x" * (79 - where) for letter in "abcdefghijkl"]
    found = short_names([*names, "y" * 80], 24)
    assert len(set(found)) == 13
    assert max(map(text_width, found)) <= 48
    assert text_width(found[-1]) == 24
    assert all(letter in name for letter, name in zip("abcdefghijkl", found, strict=False))


def test_what_differs_in_the_middle_is_shown():
    names = [
        f"Very long name of a cell type, with its number {i}, of the tissue that it was taken from" for i in (3, 33)
    ]
    assert short_names(names, 20) == [
        "Very long… number 3, of the …aken from",
        "Very long… number 33, of the …aken from",
    ]


@pytest.mark.parametrize("widest", [8, 20, 30, 40])
def test_names_that_differ_in_two_places_are_told_apart(widest):
    names = [f"{'a' * 30}{x}{'b' * 60}{m}{'c' * 60}" for x in "12" for m in "de"]
    for some in (names, names[::-1], [*names, "a" * 30]):
        found = short_names(some, widest)
        assert len(set(found)) == len(some)
        assert max(map(text_width, found)) <= 2 * widest


def test_long_names_of_all_kinds_stay_different():
    random = np.random.default_rng(0)
    for _ in range(200):
        parts = [random.choice([f"{x * 20}{i}" for i in range(3)]) for x in "abcd"]
        names = sorted({"".join(random.permutation(parts)[: random.integers(1, 5)]) for _ in range(12)})
        assert len({*short_names(names, int(random.integers(8, 30)))}) == len(names)


def test_what_is_not_seen_does_not_tell_apart():
    found = short_names([f"{'x' * 40}{letter}{'y' * 40}" for letter in ("", "\u200b")], 10)
    assert [name[-4:] for name in found] == [" (1)", " (2)"]


def test_names_that_differ_in_much_are_numbered():
    names = [f"{'x' * 40}{letter * 50}{'y' * 40}" for letter in "ab"]
    assert short_names(names, 10) == ["xxxxxxxx…yyyyyyy (1)", "xxxxxxxx…yyyyyyy (2)"]
