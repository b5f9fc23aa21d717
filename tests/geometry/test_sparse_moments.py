"""Moments of sparse samples by their entries: right where little is left beside them, and never dense as a whole."""

from __future__ import annotations

import tracemalloc

import internal_oracles as oracles
import numpy as np
import pytest
from scipy import sparse

import gpuval

RNG = np.random.default_rng(11)
N, D, K = 30, 12, 3
LABELS = np.arange(N) % K
SPARSE = np.where(RNG.random((N, D)) < 0.2, RNG.normal(size=(N, D)), 0.0)
CASES = {
    "few entries": SPARSE,
    "tight": 10.0 * (np.arange(D) % K == LABELS[:, None]) + 1e-7 * SPARSE,
    "some equal": np.where(LABELS[:, None] == 1, np.eye(D)[4] / 3, SPARSE),
    "all entries": RNG.normal(size=(N, D)) + 5,
    "far": np.where(SPARSE != 0, SPARSE + 2.0**40, 0.0) * (LABELS[:, None] == 2) + SPARSE,
    "no entries": np.where(LABELS[:, None] == 0, 0.0, SPARSE),
    "small and large": SPARSE * np.asarray([1e-180, 1.0, 1e180])[LABELS][:, None],
}
MEASURES = {
    "calinski_harabasz": gpuval.calinski_harabasz_score,
    "davies_bouldin": gpuval.davies_bouldin_score,
}


@pytest.mark.parametrize("weights", [None, RNG.random(N)], ids=["equal", "shares"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", MEASURES)
def test_sparse_samples_are_exact(name, case, weights):
    expected = float(getattr(oracles, name)(CASES[case], LABELS.tolist(), weights))
    found = MEASURES[name](sparse.csr_array(CASES[case]), LABELS, sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_entries_that_occur_twice(name):
    """In any order, and some of 0: and what was given stays as it is."""
    rows, columns = np.nonzero(SPARSE)
    order = RNG.permutation(3 * len(rows))
    data = np.concatenate([SPARSE[rows, columns] - 4, np.full(len(rows), 4.0), np.zeros(len(rows))])[order]
    at = np.tile(rows, 3)[order], np.tile(columns, 3)[order]
    by_row = np.argsort(at[0], kind="stable")
    given = sparse.csr_array(
        (data[by_row], at[1][by_row], np.searchsorted(at[0][by_row], np.arange(N + 1))), shape=(N, D)
    )
    before = given.data.copy(), given.indices.copy(), given.indptr.copy()
    expected = float(getattr(oracles, name)(given.toarray(), LABELS.tolist()))
    assert MEASURES[name](given, LABELS) == pytest.approx(expected, rel=1e-12)
    for x, y in zip(before, (given.data, given.indices, given.indptr), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("name", MEASURES)
def test_samples_that_do_not_count(name):
    samples = SPARSE.copy()
    samples[LABELS == 2] = np.inf
    expected = float(getattr(oracles, name)(SPARSE[LABELS < 2], LABELS[LABELS < 2].tolist()))
    for how in ({"ignore_labels": 2}, {"sample_weight": (LABELS < 2).astype(int)}):
        assert MEASURES[name](sparse.csr_array(samples), LABELS, **how) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_memory_is_that_of_the_centres(name):
    """A hundredth of that of dense samples."""
    n, d = 1000, 50_000
    samples = sparse.csr_array(
        (RNG.random(20 * n), RNG.integers(0, d, 20 * n), np.arange(0, 20 * n + 1, 20)), shape=(n, d)
    )
    labels = np.arange(n) % 2
    MEASURES[name](samples, labels)
    tracemalloc.start()
    MEASURES[name](samples, labels)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * n * d / 50


def test_indices_without_a_sign():
    """Which SciPy takes only as they are: its conversions and products need a sign."""
    x, counts = sparse.csr_array(SPARSE), sparse.csr_array([[3, 0], [1, 4]])
    expected = gpuval.silhouette_score(x, LABELS, metric="cosine"), gpuval.Contingency.from_counts(counts).to_array()
    for matrix in (x, counts):
        matrix.indices, matrix.indptr = matrix.indices.astype("uint64"), matrix.indptr.astype("uint64")
    assert gpuval.silhouette_score(x, LABELS, metric="cosine") == expected[0]
    np.testing.assert_array_equal(gpuval.Contingency.from_counts(counts).to_array(), expected[1])
