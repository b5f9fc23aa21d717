"""The internal measures by the kernels, with CPU tensors in the place of CUDA's: NumPy's values."""

import numpy as np
import pytest
from slopes import gradient, slope

import cupy_on_cpu
import gpuval
from cupy_on_cpu import launched_own

RNG = np.random.default_rng(5)
X = RNG.normal(size=(150, 3)) + 100
LABELS = RNG.integers(0, 6, 150)
WEIGHTS = RNG.integers(0, 3, 150)


def launched(name):
    return any(name in x for x in launched_own())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [{}, {"n_clusters": 8}])
@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("weights", [None, WEIGHTS, WEIGHTS / 7])
def test_silhouettes(dtype, size, metric, weights, library):
    how = {"metric": metric, "ignore_labels": 4}
    wanted = gpuval.silhouette_samples(X.astype(dtype), LABELS, sample_weight=weights, **how)
    weights = None if weights is None else library(weights)
    found = gpuval.silhouette_samples(library(X.astype(dtype)), library(LABELS), sample_weight=weights, **how, **size)
    assert launched("cluster_means")
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=0, atol=1e-12 if dtype is np.float64 else 1e-5)
    assert np.isnan(wanted).sum() >= np.sum(LABELS == 4)


def test_a_sample_of_the_rows(library):
    how = {"sample_size": 40, "random_state": 3, "return_standard_error": True}
    found, wanted = (gpuval.silhouette_score(x, LABELS, **how) for x in (library(X), X))
    assert launched("cluster_means")
    np.testing.assert_allclose([float(x) for x in found], wanted, rtol=1e-11)


@pytest.mark.parametrize("other", ["nearest", "mean_other", "furthest"])
def test_batches(other, library):
    batch = RNG.integers(0, 3, 150)
    how = {"between_cluster_distances": other}
    found, wanted = (gpuval.silhouette_batch(x, LABELS, batch, **how) for x in (library(X), X))
    assert launched("cluster_means")
    assert float(found) == pytest.approx(float(wanted), rel=1e-11)


def test_a_sample_of_the_cells_of_each_label(library):
    batch = RNG.integers(0, 3, 150)
    how = {"sample_size": 60, "random_state": 3, "return_per_label": True}
    found, wanted = (gpuval.silhouette_batch(x, LABELS, batch, **how) for x in (library(X), X))
    assert launched("cluster_means")
    for value, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(value), expected, rtol=1e-11)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock"])
def test_dunn(metric, library):
    how = {"metric": metric, "ignore_labels": 2}
    found, wanted = (gpuval.dunn_index(x, LABELS, **how) for x in (library(X), X))
    assert launched("cluster_extremes")
    assert float(found) == pytest.approx(float(wanted), rel=1e-11)
    cupy_on_cpu.forget()  # without a look at the values, samples that do not count are told apart by the tile
    assert float(gpuval.dunn_index(library(X), library(LABELS), n_clusters=6, **how)) == pytest.approx(
        float(wanted), rel=1e-11
    )
    assert not launched("cluster_extremes")


@pytest.mark.parametrize("size", [{}, {"n_clusters": 6}])
def test_gradients_of_weights(library, size):
    """The kernels give none: where one is asked for, by the weights alone, the distances are the library's own."""

    def score(weights):
        return gpuval.silhouette_score(library(X[:60]), library(LABELS[:60]), sample_weight=weights, **size)

    values = RNG.random(60) + 0.5
    found = gradient(score, library(values))
    assert not launched("cluster_means")
    for i in (0, 31, 59):
        wanted = slope(lambda x: gpuval.silhouette_score(X[:60], LABELS[:60], sample_weight=x), values, (i,), 1e-5)
        assert float(found[i]) == pytest.approx(wanted, abs=1e-8)
    score(library(values))
    assert launched("cluster_means")
