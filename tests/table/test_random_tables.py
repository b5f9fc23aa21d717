"""Random tables: their margins, their law, and that a seed gives the same ones however many cores there are."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from null_distributions import SIZES, all_tables
from scipy.stats import chi2

import gpuval
from gpuval.numerics import parallel
from gpuval.table.resampling import draws, permuted_tables
from gpuval.table.resampling.permuted_tables import NullModel, random_tables


def as_rows(table):
    return tuple(map(tuple, table.tolist()))


def chi_square(found: Counter, shares: dict, size: int) -> float:
    """The probability of a fit that is worse, tables of fewer than 5 expected draws taken together."""
    expected = {key: float(share) * size for key, share in shares.items()}
    rare = [key for key, number in expected.items() if number < 5]
    pairs = [(found[key], number) for key, number in expected.items() if number >= 5]
    if rare:
        pairs.append((sum(found[key] for key in rare), sum(expected[key] for key in rare)))
    return float(chi2.sf(sum((x - y) ** 2 / y for x, y in pairs), len(pairs) - 1))


@pytest.mark.parametrize("sizes", [*SIZES, ((0, 3, 0), (2, 0, 1)), ((), (0, 0)), ((100,) * 33, (300,) * 11)], ids=str)
def test_margins_hold(sizes):
    tables = random_tables(*(np.asarray(x, dtype=int) for x in sizes), 50, random_state=0)
    assert tables.shape == (50, *map(len, sizes))
    assert tables.dtype == np.int64
    assert (tables >= 0).all()
    assert (tables.sum(axis=2) == np.asarray(sizes[0])).all()
    assert (tables.sum(axis=1) == np.asarray(sizes[1])).all()


@pytest.mark.parametrize("sizes", SIZES[:8], ids=str)
def test_frequencies_are_the_exact_probabilities(sizes):
    tables, size = all_tables(*sizes), 20_000
    found = Counter(map(as_rows, random_tables(*sizes, size, random_state=1)))
    assert set(found) <= set(tables)
    assert chi_square(found, tables, size) > 1e-3


def test_frequencies_of_permuted_labels_are_the_exact_probabilities(monkeypatch):
    """Where a table has more cells than samples."""
    monkeypatch.setattr(permuted_tables, "dense_is_better", lambda *_: False)
    model = NullModel(*(np.asarray(x) for x in SIZES[0]))
    found = Counter()
    for chunk in model.chunks(4000, np.random.default_rng(0)):
        found.update(as_rows(table.to_array()) for _, table in model.batches(*chunk, with_tables=True))
    assert chi_square(found, all_tables(*SIZES[0]), 4000) > 1e-3


def test_other_probabilities_are_found_out():
    tables, size = all_tables(*SIZES[0]), 20_000
    found = Counter(map(as_rows, random_tables(*SIZES[0], size, random_state=1)))
    assert chi_square(found, dict.fromkeys(tables, 1 / len(tables)), size) < 1e-9


def test_cells_of_large_tables_have_their_mean_and_variance():
    """Of 30 x 20 groups, of which all halvings are of uneven lengths: each cell is hypergeometric."""
    rng = np.random.default_rng(0)
    a, b = rng.multinomial(10**6, [1 / 30] * 30), rng.multinomial(10**6, [1 / 20] * 20)
    n, size = 10**6, 2000
    tables = random_tables(a, b, size, random_state=2)
    mean = np.outer(a, b) / n
    variance = mean * np.outer(n - a, n - b) / (n * (n - 1))
    z = (tables.mean(axis=0) - mean) / np.sqrt(variance / size)
    assert np.abs(z).max() < 5
    assert abs(np.mean(z**2) - 1) < 5 * math.sqrt(2 / z.size)
    assert abs(np.mean(tables.var(axis=0) / variance) - 1) < 0.02


@pytest.mark.parametrize("is_dense", [True, False])
def test_a_seed_gives_the_same_tables_on_any_number_of_cores(monkeypatch, is_dense):
    monkeypatch.setattr(draws, "_CHUNK", 1 << 7)
    monkeypatch.setattr(permuted_tables, "dense_is_better", lambda *_: is_dense)
    found = []
    for cores in (1, 3):
        monkeypatch.setattr(parallel, "allowed_threads", lambda cores=cores: cores)
        sums = NullModel(*(np.asarray(x) for x in SIZES[0])).sums(100, np.random.default_rng(5))
        found.append((random_tables(*SIZES[0], 100, random_state=3), *sums))
    for one, other in zip(*found, strict=True):
        assert len(one) == 100
        assert np.array_equal(one, other)
    assert not np.array_equal(found[0][0], random_tables(*SIZES[0], 100, random_state=4))


def test_sums_are_those_of_the_tables():
    model = NullModel(*(np.asarray(x) for x in SIZES[0]))
    ((sums, table),) = model.batches(np.random.default_rng(0), 20, with_tables=True)
    counts = table.to_array()
    assert np.array_equal(sums.squares, (counts**2).sum(axis=(1, 2)))
    wanted = [sum(x * math.log(x) for x in one.reshape(-1).tolist() if x) for one in counts]
    np.testing.assert_allclose(sums.logarithms, wanted, rtol=1e-14)
    ((again, _),) = model.batches(np.random.default_rng(0), 20, with_tables=False)
    assert np.array_equal(sums, again)


def test_a_large_sparse_table_is_never_dense():
    n, k = 20_000, 10**5
    sizes = [np.bincount(np.random.default_rng(i).integers(0, k, n), minlength=k) for i in (0, 1)]
    ((sums, table),) = NullModel(*sizes).batches(np.random.default_rng(0), 1, with_tables=True)
    assert table.counts.shape[0] <= n
    assert np.array_equal(table.class_sizes, sizes[0])
    assert np.array_equal(table.cluster_sizes, sizes[1])
    assert sums.squares.tolist() == [int((table.counts**2).sum())]


def test_sizes_of_any_library(backend):
    sizes = [backend.array(x) for x in SIZES[0]]
    assert np.array_equal(random_tables(*sizes, 5, random_state=0), random_tables(*SIZES[0], 5, random_state=0))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 2], [2], 1), ValueError, "class_sizes and cluster_sizes must have the same sum, got 3 and 2"),
        (([[1]], [1], 1), ValueError, r"class_sizes must be of one dimension, got shape (1, 1)"),
        (([1], 1, 1), ValueError, r"cluster_sizes must be of one dimension, got shape ()"),
        (([1.5], [1.5], 1), ValueError, "class_sizes must be whole numbers, not negative, got 1.5"),
        (([1], [2, -1], 1), ValueError, "cluster_sizes must be whole numbers, not negative, got -1"),
        (([np.nan], [1], 1), ValueError, "class_sizes must be whole numbers, not negative, got nan"),
        ((["a"], [1], 1), TypeError, "class_sizes must be whole numbers, got <U1"),
        (([10**9], [10**9], 1), ValueError, "class_sizes must have a sum below 10**9, got 1000000000"),
        (([1], [1], -1), ValueError, "size must not be negative, got -1"),
        (([1], [1], 1.0), TypeError, "size must be an integer, got 1.0"),
        (([1], [1], True), TypeError, "size must be an integer, got True"),
        (([1], [1], 1, "a"), TypeError, "random_state must be a seed or a generator of NumPy, got 'a'"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error) as raised:
        gpuval.random_tables(*arguments)
    assert str(raised.value) == message
