"""Modes that others have switched on: Python without docstrings and assertions, and the strict ones of JAX."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import SIZE, N, as_on_a_device
from properties import MEASURES

import gpuval
from gpuval import Accumulator, Contingency

JITTED = {str(row): row for row in MEASURES if row.jits}
TRUE, PRED = np.arange(N) % 8, np.arange(N) % 20 % 7


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
    return jnp.asarray(TRUE), jnp.asarray(PRED)


def test_the_mode_refuses_unequal_ranks(strict_ranks):
    with pytest.raises(ValueError, match="rank_promotion"):
        jnp.ones((2, 3)) * jnp.ones(3)
    with pytest.raises(ValueError, match="rank_promotion"):
        jax.eval_shape(lambda x: x * x[0], jnp.ones((2, 3)))


@pytest.mark.parametrize("row", JITTED)
def test_measures_without_promotion_of_ranks(row, strict_ranks):
    """The mode refuses while operations are traced, so nothing needs to be compiled; of counts and of real weights."""
    labels = some_labels()
    shapes = jax.tree.map(np.shape, JITTED[row].of_labels(TRUE, PRED))
    for options in ({}, {"sample_weight": jnp.ones(N)}):
        found = jax.eval_shape(lambda *x: JITTED[row].of_labels(*x, **options, **SIZE), *labels)
        assert jax.tree.map(np.shape, found) == shapes


@pytest.mark.parametrize(
    "row", ["cluster_f_score", "homogeneity_completeness_v_measure", "cohen_kappa_score-weights=linear"]
)
def test_measures_of_values_without_promotion_of_ranks(row, strict_ranks):
    """Not traced, one of each kind; the others of one number are in ``evaluate`` below."""
    found, expected = JITTED[row].of_labels(*some_labels(), **SIZE), JITTED[row].of_labels(TRUE, PRED)
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-12)


def test_tables_without_promotion_of_ranks(strict_ranks):
    """However they are built, with real weights, in all layouts, and added up."""
    true, pred = some_labels()
    weights = jnp.asarray(np.resize([0.5, 1.5, 2.5, 0.25, 1.0, 2.0, 100.0], N))
    u, v = jnp.asarray(np.eye(8)[TRUE]), jnp.asarray(np.eye(7)[PRED])
    accumulator = Accumulator(n_classes=8, n_clusters=300)
    parts = [(true[part], pred[part], weights[part]) for part in (slice(0, 20), slice(20, 40), slice(40, 60))]
    for part in parts:
        accumulator.update(*part)
    first, *rest = [Contingency.from_labels(a, b, sample_weight=w, **SIZE) for a, b, w in parts]
    tables = [
        Contingency.from_labels(true, pred, sample_weight=weights, **SIZE),
        Contingency.from_labels(true, pred, sample_weight=weights),
        Contingency.from_labels(true, pred, sample_weight=weights, layout="cells"),
        sum(rest, first),
        Contingency.from_memberships(u, v, sample_weight=weights),
        accumulator.table,
    ]
    for table in tables:
        assert float(table.total) == pytest.approx(float(weights.sum()), rel=1e-12)
        for name in ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score"):
            assert jax.eval_shape(getattr(gpuval, name), table).shape == ()


def test_evaluating_without_promotion_of_ranks(strict_ranks):
    labels = some_labels()
    assert float(gpuval.evaluate(*labels)["adjusted_mutual_info_score"]) < 1
    found = gpuval.evaluate(*labels, metrics="all", **SIZE)
    assert float(found["adjusted_mutual_info_score"]) < float(found["rand_score"]) < 1
    counts = jnp.asarray([[[1, 2], [3, 4]], [[5, 1], [0, 2]]])
    for weights in (None, "linear", [[0, 1], [1, 0]]):
        kappa = functools.partial(gpuval.cohen_kappa_score, weights=weights)
        assert jax.eval_shape(kappa, Contingency.from_counts(counts)).shape == (2,)


@pytest.mark.parametrize(
    "name",
    [
        *("silhouette_score", "silhouette_samples", "davies_bouldin_score", "calinski_harabasz_score", "dunn_index"),
        *("ball_hall_index", "dbcv_score", "hartigan_index", "inertia", "pbm_index", "xie_beni_index"),
    ],
)
@pytest.mark.parametrize("size", [{}, {"n_clusters": 3}])
def test_internal_measures_without_promotion_of_ranks(name, size, strict_ranks):
    X, labels = np.random.default_rng(0).random((8, 3)), np.asarray([0, 1, 1, 1, 2, 0, 2, 2])
    found = getattr(gpuval, name)(jnp.asarray(X), jnp.asarray(labels), **size)
    np.testing.assert_allclose(np.asarray(found), getattr(gpuval, name)(X, labels), rtol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "correlation", "cityblock"])
def test_compiled_silhouettes_without_promotion_of_ranks(metric, strict_ranks):
    """Of as many features as samples, where a vector of features might be taken for one of samples."""
    X, labels = jnp.asarray(np.random.default_rng(0).random((5, 5))), jnp.asarray([0, 1, 0, 1, 1])
    score = jax.jit(lambda X, labels: gpuval.silhouette_score(X, labels, metric=metric, n_clusters=2))
    expected = gpuval.silhouette_score(np.asarray(X), np.asarray(labels), metric=metric)
    np.testing.assert_allclose(np.asarray(score(X, labels)), expected, rtol=1e-5)
