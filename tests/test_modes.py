"""Modes that others have switched on: Python without docstrings and assertions, and the strict ones of JAX."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import as_on_a_device
from properties import MEASURES

import gpuval
from gpuval import Accumulator, Contingency

JITTED = {str(row): row for row in MEASURES if row.jits}
SIZE = {"n_classes": 4, "n_clusters": 3}


@pytest.mark.parametrize("optimised", ["-O", "-OO"])
def test_python_without_assertions_and_docstrings(optimised):
    program = """
import gpuval
from gpuval import Contingency
print(float(gpuval.adjusted_rand_score([0, 0, 1, 1], [1, 1, 0, 0])))
print(float(gpuval.silhouette_score([[0.0], [0.0], [2.0], [2.0]], [0, 0, 1, 1])))
weighted = Contingency.from_labels([0, 1, 1], [0, 1, 1], sample_weight=[0.5, 1.5, 2.5], layout="cells")
print(float(gpuval.rand_score(weighted + weighted)))
try:
    gpuval.adjusted_rand_score([0, 1], [0, 1], beta=2)
except TypeError:
    print("refused")
"""
    ran = subprocess.run([sys.executable, optimised, "-c", program], capture_output=True, text=True)
    assert ran.stdout.split() == ["1.0", "1.0", "1.0", "refused"], ran.stderr


@pytest.fixture
def strict_ranks() -> Iterator[None]:
    with jax.enable_x64(True), jax.numpy_rank_promotion("raise"), as_on_a_device():
        yield


def some_labels() -> tuple[jax.Array, jax.Array]:
    return jnp.asarray([0, 0, 1, 1, 2, 2, 3, 3]), jnp.asarray([0, 1, 1, 1, 2, 0, 2, 2])


def test_the_mode_refuses_unequal_ranks(strict_ranks):
    with pytest.raises(ValueError, match="rank_promotion"):
        jnp.ones((2, 3)) * jnp.ones(3)


@pytest.mark.parametrize("row", JITTED)
def test_measures_without_promotion_of_ranks(row, strict_ranks):
    measure = JITTED[row]
    with jax.numpy_rank_promotion("allow"):
        expected = np.asarray(measure.of_labels(*some_labels(), **SIZE))
    np.testing.assert_array_equal(np.asarray(measure.of_labels(*some_labels(), **SIZE)), expected)


def test_tables_without_promotion_of_ranks(strict_ranks):
    """However they are built, with real weights, in all layouts, and added up."""
    true, pred = some_labels()
    weights = jnp.asarray([0.5, 1.5, 2.5, 0.25, 1.0, 2.0, 3.0, 100.0])
    u, v = (jnp.asarray(np.eye(4)[np.asarray(x)]) for x in (true, pred))
    accumulator = Accumulator(n_classes=4, n_clusters=300)
    accumulator.update(true[:4], pred[:4], weights[:4])
    accumulator.update(true[4:], pred[4:], weights[4:])
    tables = [
        Contingency.from_labels(true, pred, sample_weight=weights, **SIZE),
        Contingency.from_labels(true, pred, sample_weight=weights),
        Contingency.from_labels(true, pred, sample_weight=weights, layout="cells"),
        Contingency.from_labels(true[:3], pred[:3], sample_weight=weights[:3], **SIZE)
        + Contingency.from_labels(true[3:], pred[3:], sample_weight=weights[3:], **SIZE),
        Contingency.from_memberships(u, v, sample_weight=weights),
        accumulator.table,
    ]
    for name in ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score"):
        found = [float(getattr(gpuval, name)(table)) for table in tables]
        assert found == pytest.approx([found[0]] * len(tables), rel=1e-12)


def test_evaluating_without_promotion_of_ranks(strict_ranks):
    labels = some_labels()
    assert float(gpuval.evaluate(*labels)["adjusted_mutual_info_score"]) < 1
    assert float(gpuval.evaluate(*labels, metrics="all")["rand_score"]) < 1
    counts = jnp.asarray([[[1, 2], [3, 4]], [[5, 1], [0, 2]]])
    for weights in (None, "linear", [[0, 1], [1, 0]]):
        assert gpuval.cohen_kappa_score(Contingency.from_counts(counts), weights=weights).shape == (2,)


@pytest.mark.parametrize(
    "name", ["silhouette_score", "silhouette_samples", "davies_bouldin_score", "calinski_harabasz_score", "dunn_index"]
)
@pytest.mark.parametrize("size", [{}, {"n_clusters": 3}])
def test_internal_measures_without_promotion_of_ranks(name, size, strict_ranks):
    X, labels = jnp.asarray(np.random.default_rng(0).random((8, 3))), some_labels()[1]
    with jax.numpy_rank_promotion("allow"):
        expected = np.asarray(getattr(gpuval, name)(X, labels, **size))
    np.testing.assert_allclose(np.asarray(getattr(gpuval, name)(X, labels, **size)), expected, rtol=1e-13)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "correlation", "cityblock"])
def test_compiled_silhouettes_without_promotion_of_ranks(metric, strict_ranks):
    """Of as many features as samples, where a vector of features might be taken for one of samples."""
    X, labels = jnp.asarray(np.random.default_rng(0).random((5, 5))), jnp.asarray([0, 1, 0, 1, 1])
    score = jax.jit(lambda X, labels: gpuval.silhouette_score(X, labels, metric=metric, n_clusters=2))
    expected = gpuval.silhouette_score(np.asarray(X), np.asarray(labels), metric=metric)
    np.testing.assert_allclose(np.asarray(score(X, labels)), expected, rtol=1e-5)
