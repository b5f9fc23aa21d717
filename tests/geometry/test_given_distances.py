"""Silhouettes of given distances beside their definition in 60 digits: of any size, not symmetric, with errors."""

from __future__ import annotations

from contextlib import nullcontext

import internal_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device
from scipy import sparse

import gpuval
from gpuval.geometry.distances.precomputed import DistanceMatrix
from gpuval.geometry.means import pairs

RNG = np.random.default_rng(14)
N = 23
LABELS = np.arange(N) % 4
WEIGHTS = np.where(np.arange(N) % 7 == 3, 0.0, RNG.uniform(0.1, 4, N))
ASYMMETRIC = np.where(np.eye(N), 0, RNG.uniform(0.5, 1, (N, N)))
ASYMMETRIC[(LABELS[:, None] == LABELS)] *= 0.7


@pytest.fixture(params=["as it is", "blocks"])
def _ways(request, monkeypatch):
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    if request.param == "blocks":
        monkeypatch.setattr(DistanceMatrix, "height", 5)
        monkeypatch.setattr(pairs, "_COLUMNS", 7)
        monkeypatch.setattr(pairs, "_LITTLE", 0)


def expected(distances, labels, weights=None, between="nearest"):
    values = oracles.silhouettes(oracles.exact(distances), list(labels), weights, between)
    return np.asarray([np.nan if value is None else float(value) for value in values])


def of_torch(distances, labels, sample_weight=None):
    weights = None if sample_weight is None else torch.asarray(sample_weight)
    given = torch.asarray(distances), torch.asarray(labels)
    return gpuval.silhouette_samples(*given, metric="precomputed", sample_weight=weights).numpy()


def on_a_device(distances, labels, sample_weight=None):
    with as_on_a_device():
        return of_torch(distances, labels, sample_weight)


def of_jax(distances, labels, sample_weight=None):
    with jax.enable_x64(True):
        weights = None if sample_weight is None else jnp.asarray(sample_weight)
        given = jnp.asarray(distances), jnp.asarray(labels)
        return np.asarray(gpuval.silhouette_samples(*given, metric="precomputed", sample_weight=weights))


def of_numpy(distances, labels, **options):
    return gpuval.silhouette_samples(distances, labels, metric="precomputed", **options)


def of_function(distances, labels, **options):
    return of_numpy(lambda start, stop: distances[start:stop], labels, **options)


def of_sparse(distances, labels, **options):
    return of_numpy(sparse.csr_array(distances), labels, absent=0.0, **options)


HOST = {"numpy": of_numpy, "function": of_function, "sparse": of_sparse, "torch": of_torch, "jax": of_jax}
WAYS = {**HOST, "device": on_a_device}
UNITS = [(np.float64, 1.7e308), (np.float64, 1.0), (np.float64, 1e-300), (np.float32, 3.4e38), (np.float32, 1e-30)]


@pytest.mark.usefixtures("_ways")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("dtype", "unit"), UNITS)
def test_of_any_size(way, dtype, unit):
    """Rows count, not columns; labels in any order, and sorted ones."""
    given = (ASYMMETRIC * unit).astype(dtype)
    bound = 1e-6 if way == "device" and dtype == np.float32 else 1e-14
    for labels in (LABELS, np.sort(LABELS)):
        for weights in (None, WEIGHTS):
            wanted = expected(given, labels, weights)
            np.testing.assert_allclose(
                WAYS[way](given, labels, sample_weight=weights), wanted, rtol=0, atol=bound, err_msg=f"{labels}"
            )
    assert abs(expected(given.T, LABELS) - expected(given, LABELS)).max() > 0.01


@pytest.mark.usefixtures("_ways")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_ones_beside_the_largest(way, dtype):
    """Of one row: those to its own cluster and to the next one; those to a third are near the largest float."""
    labels = np.arange(N) % 3
    largest, small = {np.float32: (3e38, 1e-25), np.float64: (1e308, 1e-200)}[dtype]
    given = ASYMMETRIC * np.where((labels[:, None] == 2) ^ (labels == 2), largest, small)
    given = given.astype(dtype)
    bound = 1e-6 if way == "device" and dtype == np.float32 else 1e-14
    np.testing.assert_allclose(WAYS[way](given, labels), expected(given, labels), rtol=0, atol=bound)


@pytest.mark.usefixtures("_ways")
@pytest.mark.parametrize("way", WAYS)
def test_rounding_on_the_diagonal_is_none(way):
    """Up to 100 units in the last place of the largest distance, or of 1 as in scikit-learn, of either sign."""
    eps = np.finfo(float).eps
    for unit in (1.0, 1e6):
        given = unit * ASYMMETRIC
        noise = np.diag(np.where(LABELS == 1, -50, 50) * eps * unit)
        np.testing.assert_array_equal(WAYS[way](given + noise, LABELS), WAYS[way](given, LABELS))
    assert not WAYS[way](np.eye(N) * eps, LABELS).any()


@pytest.mark.parametrize("of", [np.asarray, torch.asarray])
def test_the_dunn_index_of_rounding_on_the_diagonal(of):
    """All distances within clusters are 0."""
    given = of((LABELS[:, None] != LABELS) + np.eye(N) * 1e-15)
    for context in (nullcontext(), as_on_a_device()):
        with context:
            assert gpuval.dunn_index(given, of(LABELS), metric="precomputed") == np.inf


@pytest.mark.usefixtures("_ways")
@pytest.mark.parametrize("way", HOST)
@pytest.mark.parametrize(
    ("value", "place", "text"),
    [
        (np.nan, (17, 3), "X must hold finite distances, got nan"),
        (np.inf, (17, 22), "X must hold finite distances, got inf"),
        (-0.5, (22, 0), "got -0.5"),
        (0.5, (17, 17), "non-zero elements on the diagonal, got 0.5"),
    ],
)
def test_what_is_no_distance(way, value, place, text):
    """An error of the block that it is in; nothing where the sample does not count, as a row and as a column."""
    given = ASYMMETRIC.copy()
    given[place] = value
    with pytest.raises(ValueError, match=text):
        HOST[way](given, LABELS)
    for i in place:
        kept = np.arange(N) != i
        labels = np.where(kept, LABELS, -1)
        wanted = expected(given[np.ix_(kept, kept)], LABELS[kept])
        if way in ("torch", "jax"):
            continue
        found = HOST[way](given, labels, ignore_labels=-1)
        np.testing.assert_allclose(found[kept], wanted, rtol=0, atol=1e-14)
        found = HOST[way](given, LABELS, sample_weight=kept.astype(int))
        np.testing.assert_allclose(found[kept], wanted, rtol=0, atol=1e-14)
        assert np.isnan(found[~kept]).all()
