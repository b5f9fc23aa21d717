"""Silhouettes of sparse samples: whatever entries stand for them, exact where they are equal, in little memory."""

from __future__ import annotations

import tracemalloc

import internal_oracles as oracles
import numpy as np
import pytest
from scipy import sparse

import gpuval

RNG = np.random.default_rng(13)
N = 24
LABELS = np.arange(N) % 3
METRICS = ("euclidean", "sqeuclidean", "cosine", "cityblock")


def samples():
    """Integers of which most are 0; samples of zeros in two clusters, and some that are equal."""
    x = np.where(RNG.random((N, 6)) < 0.5, RNG.integers(-3, 4, (N, 6)), 0)
    x[5] = x[13] = 0
    x[7] = x[3]
    x[8] = x[11] = 2 * x[2]
    return x


X = samples()


def twice(x):
    """Each number as two entries, out of order; zeros too, some as entries that cancel and some as entries of 0."""
    n, d = x.shape
    columns = np.tile(np.r_[np.arange(d)[::-1], np.arange(d)], n)
    halves = np.concatenate([x[:, ::-1] - 2, np.full((n, d), 2)], axis=1).ravel()
    return sparse.csr_array((halves.astype(np.float64), columns, np.arange(0, 2 * n * d + 1, 2 * d)), shape=x.shape)


def filled(x):
    """All numbers as entries, those of 0 as well."""
    n, d = x.shape
    return sparse.csr_array(
        (x.astype(np.float64).ravel(), np.tile(np.arange(d), n), np.arange(n + 1) * d), shape=(n, d)
    )


FORMS = {
    "duplicates": twice,
    "zeros": filled,
    "int": sparse.csr_array,
    "float32": lambda x: sparse.csr_array(x.astype(np.float32)),
    "coo": lambda x: sparse.coo_array(x.astype(np.float64)),
}


def expected(x, metric, weights=None):
    values = oracles.silhouettes(oracles.distances(x, metric), LABELS.tolist(), weights)
    return np.asarray([np.nan if value is None else float(value) for value in values])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("form", FORMS)
def test_any_entries(form, metric):
    given, weights = FORMS[form](X), np.where(np.arange(N) % 7 == 3, 0.0, RNG.uniform(0.1, 4, N))
    np.testing.assert_allclose(given.toarray(), X)
    found = gpuval.silhouette_samples(given, LABELS, metric=metric)
    np.testing.assert_allclose(found, expected(X, metric), rtol=0, atol=1e-14)
    found = gpuval.silhouette_samples(given, LABELS, metric=metric, sample_weight=weights)
    np.testing.assert_allclose(found, expected(X, metric, weights.tolist()), rtol=0, atol=1e-14)


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_given_stays_as_it_is(metric):
    given, before = twice(X), twice(X)
    gpuval.silhouette_samples(given, LABELS, metric=metric)
    gpuval.dunn_index(given, LABELS, metric=metric)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(given, name), getattr(before, name))


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean"])
def test_entries_that_are_near_each_other(metric, offset):
    """A mean far from 0 has no digits left for what is between the samples; some samples lack a feature."""
    x = offset * np.asarray([[1, 0, 2, 0, 0]]) + np.where(RNG.random((N, 5)) < 0.7, RNG.normal(size=(N, 5)), 0)
    for given in (x, x + 2 * np.eye(5)[LABELS], np.where(np.arange(N)[:, None] % 8 == 3, 0, x)):
        found = gpuval.silhouette_samples(sparse.csr_array(given), LABELS, metric=metric)
        np.testing.assert_allclose(found, expected(given, metric), rtol=0, atol=1e-13)


@pytest.mark.parametrize("metric", METRICS)
def test_equal_samples_are_at_no_distance(metric):
    """Two clusters at one place, of which neither the mean nor the length is exact, and one elsewhere."""
    place = np.asarray([[0.1, 0, 1e6 / 3, 0, 0.7]])
    x = sparse.csr_array(np.concatenate([np.repeat(place, 10, axis=0), np.repeat(place[:, ::-1], 5, axis=0)]))
    labels = np.repeat([0, 1, 2], [3, 7, 5])
    assert gpuval.silhouette_samples(x, labels, metric=metric).tolist() == [0] * 10 + [1] * 5


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_memory(metric):
    """A few times that of 100,000 entries: dense centres would be 6 million numbers, dense samples 200 million."""
    n, d, a_row = 2000, 100_000, 50
    entries = RNG.normal(size=n * a_row)
    x = sparse.csr_array((entries, RNG.integers(0, d, n * a_row), np.arange(n + 1) * a_row), shape=(n, d))
    labels = np.arange(n) % 60
    gpuval.silhouette_samples(x[:90], labels[:90], metric=metric)
    tracemalloc.start()
    gpuval.silhouette_samples(x, labels, metric=metric)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6
