"""Average overlap: the definition by sets on every backend, items of every kind, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from backends import as_on_a_device, assert_close, transfers_to_host
from only_for import only_for
from packages import pd, pl

from gpuval.ranking import average_overlap

FIRST, SECOND = ["E", "D", "C", "B", "A"], ["B", "E", "A", "C", "D"]
ROWS = [[4, 3, 2, 1, 0], [7, 900, 5, 3, 1], [1, 2, 3, 4, 5]]
OTHERS = [[1, 4, 0, 2, 3], [900, 8, 1, 7, 2], [6, 7, 8, 9, 10]]
PADDED = [[4, -1, 3, 2, -1], [-1, 7, 900, 5, -1], [1, -1, -1, -1, -1]]
OTHERS_PADDED = [[1, 4, -1, -1], [7, 8, 1, 900], [-1, -1, -1, 1]]


def definition(first, second, depths=None):
    """The mean over the depths of the common share of the two sets of items down to each."""
    if depths is None:
        depths = range(1, max(len(first), len(second)) + 1)
    shares = [Fraction(len(set(first[:z]) & set(second[:z])), z) for z in depths]
    return sum(shares) / len(shares)


def without_padding(rows):
    return [[x for x in row if x != -1] for row in rows]


def test_worked_values():
    assert [definition(FIRST, SECOND, [z]) for z in range(1, 6)] == [
        0,
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(3, 4),
        1,
    ]
    assert_close(np.asarray(average_overlap(FIRST, SECOND)), Fraction(31, 60))
    assert_close(np.asarray(average_overlap(FIRST, SECOND, depths=(2, 4))), Fraction(5, 8))


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize(
    ("options", "depths"),
    [({}, None), ({"n": 3}, [1, 2, 3]), ({"depths": (2, 4)}, [2, 4]), ({"depths": {5}}, [5])],
)
def test_definition(backend, options, depths):
    first, second = backend.array(ROWS), backend.array(OTHERS)
    score, queries, of_queries = average_overlap(first, second, return_per_query=True, **options)
    values = [definition(x, y, depths) for x, y in zip(ROWS, OTHERS, strict=True)]
    backend.assert_close(of_queries, values)
    backend.assert_close(score, sum(values) / 3)
    backend.assert_at_home(score, first)
    assert backend.numpy(queries).tolist() == [0, 1, 2]


def test_rows_of_different_lengths(backend):
    first, second = backend.array(PADDED), backend.array(OTHERS_PADDED)
    lists = list(zip(without_padding(PADDED), without_padding(OTHERS_PADDED), strict=True))
    found = average_overlap(first, second, ignore_items=-1, return_per_query=True)
    backend.assert_close(found.query_scores, [definition(*x) for x in lists])
    found = average_overlap(first, second, ignore_items=-1, depths=[1], return_per_query=True)
    backend.assert_close(found.query_scores, [definition(*x, [1]) for x in lists])


def test_vectors_of_different_lengths(backend):
    first, second = ROWS[1], OTHERS[1][:3]
    for n in (None, 4):
        value = definition(first, second, None if n is None else range(1, n + 1))
        backend.assert_close(average_overlap(backend.array(first), backend.array(second), n=n), value)
        backend.assert_close(average_overlap(backend.array(second), backend.array(first), n=n), value)


def test_many_lists_of_numpy():
    rng = np.random.default_rng(3)
    for _ in range(100):
        first, second = (rng.permutation(9)[: int(rng.integers(0, 9))].tolist() for _ in range(2))
        if first or second:
            found = average_overlap(np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64))
            assert_close(np.asarray(found), definition(first, second), f"{first} {second}")


def test_equal_lists_have_exactly_one():
    for length in range(1, 60):
        assert float(average_overlap(list(range(length)), list(range(length)))) == 1.0


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.asarray,
        lambda x: np.asarray(x, dtype=object),
        lambda x: pd.Series(x),
        lambda x: pd.Series(x, dtype="category"),
        lambda x: pl.Series(x),
        lambda x: [x],
        lambda x: pd.DataFrame([x]),
        lambda x: pd.Series([(character, 1) for character in x]),
    ],
)
def test_items_of_any_kind(make):
    assert_close(np.asarray(average_overlap(make(FIRST), make(SECOND))), Fraction(31, 60))


@pytest.mark.parametrize("as_text", [list, np.asarray, lambda x: pd.Series(x), lambda x: pl.Series(x), lambda x: [x]])
def test_numbers_and_text_have_nothing_in_common(as_text):
    text = as_text(["1", "2"])
    numbers = [[1, 2]] if isinstance(text, list) and isinstance(text[0], list) else [1, 2]
    for given in ((numbers, text), (text, numbers)):
        with pytest.raises(TypeError, match="must hold items of one kind, as numbers and text are never equal"):
            average_overlap(*given)
    assert average_overlap(text, text) == 1


def test_items_of_several_types():
    assert average_overlap([1, "2"], ["2", 3]) == 0.25
    assert_close(np.asarray(average_overlap(np.asarray([1, 2], dtype=object), [1, 3])), Fraction(3, 4))
    large = [2**64 - 1, 2**64 - 2]
    assert_close(np.asarray(average_overlap(np.asarray(large, dtype=np.uint64), [-1, -2])), 0)
    assert_close(np.asarray(average_overlap(np.asarray(large, dtype=np.uint64), large[::-1])), Fraction(1, 2))


def test_masked_items():
    masked = np.ma.array([[1, 2, 9]], mask=[[False, False, True]])
    assert_close(np.asarray(average_overlap(masked, [[1, 3]], ignore_items=[None])), Fraction(3, 4))


@only_for(lambda backend: backend.name != "numpy")  # which looks, and raises: see below
def test_queries_that_cannot_be_evaluated_are_nan_on_a_device(backend):
    first = backend.array([[1, 1, 2], [1, 2, 3], [-1, -1, -1], [-1, -1, 3]])
    second = backend.array([[1, 3, 4], [3, 2, 1], [-1, -1, -1], [3, -1, -1]])
    with as_on_a_device(), transfers_to_host() as copied:
        each = average_overlap(first, second, ignore_items=-1, return_per_query=True)
        deep = average_overlap(first, second, ignore_items=-1, n=2, return_per_query=True)
    assert copied == []
    nan = math.nan
    backend.assert_close(each.query_scores, [nan, definition([1, 2, 3], [3, 2, 1]), nan, 1])
    backend.assert_close(deep.query_scores, [nan, definition([1, 2, 3], [3, 2, 1], [1, 2]), nan, nan])
    backend.assert_close(each.score, nan)


WRONG = {
    "first an item twice": (([1, 2, 1], [2]), {}, ValueError, "first must have an item once in a list, got 1 twice"),
    "second an item twice": (
        ([["a", "b"], ["a", "b"]], [["b", "a"], ["c", "c"]]),
        {},
        ValueError,
        "second must have an item once in a list, got 'c' twice in row 1",
    ),
    "n beyond both": (
        ([1, 2, 3], [1, 2]),
        {"n": 4},
        ValueError,
        "n must not be beyond both lists, got 4, where the longer one has length 3",
    ),
    "n beyond both of a row": (
        ([[1, 2], [1, -1]], [[1], [2]]),
        {"n": 2, "ignore_items": -1},
        ValueError,
        "n must not be beyond both lists, got 2, where the longer one has length 1 in row 1",
    ),
    "depths beyond both": (
        ([1, 2, 3], [1, 2]),
        {"depths": [1, 9]},
        ValueError,
        "depths must not be beyond both lists, got 9, where the longer one has length 3",
    ),
    "a huge n": (
        ([1], [1]),
        {"n": 2**36},
        ValueError,
        "n must not be beyond both lists, got 68719476736, where the longer one has length 1",
    ),
    "n of 0": (([1], [1]), {"n": 0}, ValueError, "n must be a positive integer, got 0"),
    "n and depths": (
        ([1], [1]),
        {"n": 1, "depths": [1]},
        TypeError,
        "depths= cannot be given with n=, which stands for all depths up to it, got n=1",
    ),
    "one depth": (
        ([1], [1]),
        {"depths": 1},
        TypeError,
        "depths must be a sequence of positive integers, got 1; n= gives all up to one",
    ),
    "no depths": (([1], [1]), {"depths": ()}, ValueError, "depths must be different, and at least one, got []"),
    "a depth twice": (
        ([1], [1]),
        {"depths": (1, 1)},
        ValueError,
        "depths must be different, and at least one, got [1, 1]",
    ),
    "a depth of a half": (
        ([1], [1]),
        {"depths": (0.5,)},
        TypeError,
        "depths must be a positive integer, got 0.5",
    ),
    "no items": (([], []), {}, ValueError, "first and second must have an item, got shapes (0,) and (0,)"),
    "padding alone": (
        ([[1], [-1]], [[1], [-1]]),
        {"ignore_items": -1},
        ValueError,
        "first and second must have an item that counts, got none of either in row 1",
    ),
    "a vector and a matrix": (
        ([1], [[1]]),
        {},
        ValueError,
        "first and second must be two vectors, or two matrices with as many rows, got shapes (1,) and (1, 1)",
    ),
    "other rows": (
        ([[1], [2]], [[1]]),
        {},
        ValueError,
        "first and second must be two vectors, or two matrices with as many rows, got shapes (2, 1) and (1, 1)",
    ),
    "three dimensions": (
        (np.ones((1, 1, 1), dtype=int), [[1]]),
        {},
        ValueError,
        "first must be of one dimension, or of two, (n_queries, n_items), got shape (1, 1, 1)",
    ),
    "ragged rows": (
        ([[1], [2]], [[1], [1, 2]]),
        {},
        ValueError,
        (
            "second must have rows of one length, got rows of different lengths; pad the rows with an item that is "
            "none, and give ignore_items="
        ),
    ),
    "real numbers": (
        ([1], [0.5]),
        {},
        TypeError,
        "second must hold items by number or by name, got dtype float64; give integers",
    ),
    "a missing item": (
        (["a", None], ["a"]),
        {},
        ValueError,
        "first must not have missing items (NaN, None), got 1 of 2; ignore_items=[None] leaves them out",
    ),
    "nothing": ((None, [1]), {}, TypeError, "first must be a vector of labels, got None"),
    "an item to ignore that is a list": (
        ([1], [1]),
        {"ignore_items": [[1]]},
        TypeError,
        "ignore_items must be one label or a sequence of labels, got [1] as one of them",
    ),
    "a flag that is none": (
        ([1], [1]),
        {"return_per_query": 1},
        TypeError,
        "return_per_query must be True or False, got 1",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls(name):
    lists, options, error, message = WRONG[name]
    with pytest.raises(error) as raised:
        average_overlap(*lists, **options)
    assert str(raised.value) == message


def test_lists_of_two_libraries():
    import torch

    with pytest.raises(TypeError) as raised:
        average_overlap([1], torch.tensor([1]))
    assert str(raised.value) == (
        "first and second must be of one array library, got list and torch.Tensor; convert one of them: "
        "torch.tensor(first, device=second.device)"
    )


def test_nothing_leaves_a_device(backend):
    first, second = backend.array(ROWS), backend.array(OTHERS)
    with as_on_a_device(), transfers_to_host() as copied:
        average_overlap(first, second, n=3)
        average_overlap(first[0, :], second[0, :], ignore_items=[-1, 4])
    assert copied == []


def test_compiled_by_jax():
    import jax

    values = [definition(x, y) for x, y in zip(ROWS, OTHERS, strict=True)]
    with jax.enable_x64(True):
        first, second = jax.numpy.asarray(ROWS), jax.numpy.asarray(OTHERS)
        assert_close(np.asarray(jax.jit(average_overlap)(first, second)), sum(values) / 3)
        assert_close(np.asarray(jax.jit(jax.vmap(average_overlap))(first, second)), values)


def test_compiled_by_torch():
    import torch

    compiled = torch.compile(average_overlap, fullgraph=True, backend="eager")
    for options, depths in (({"n": 3}, [1, 2, 3]), ({"depths": (2, 4)}, [2, 4])):
        values = [definition(x, y, depths) for x, y in zip(ROWS, OTHERS, strict=True)]
        assert_close(compiled(torch.tensor(ROWS), torch.tensor(OTHERS), **options).numpy(), sum(values) / 3)
