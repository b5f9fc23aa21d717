"""The same numbers as scikit-learn, genieclust and igraph, wherever they agree with the definitions.

On degenerate inputs (identical partitions, one cluster, single samples) they disagree with one another; those values
are compared with exact ones elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import genieclust.compare_partitions as genieclust
import igraph
import numpy as np
import pytest
import sklearn.metrics as sklearn
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from peers import GENIECLUST, IGRAPH, of_sklearn
from sklearn.metrics.cluster import expected_mutual_information

import gpuval
from gpuval.measures.measure import measures_in

Labels = np.ndarray

TOLERANCE = 1e-12


def assert_same(ours: Any, theirs: Any, tolerance: float = TOLERANCE) -> None:
    """Compare numbers or arrays of them, absolutely and relatively."""
    np.testing.assert_allclose(np.asarray(ours, dtype=float), theirs, rtol=tolerance, atol=tolerance)


@st.composite
def two_labelings(draw: st.DrawFn, *, square: bool = False) -> tuple[Labels, Labels]:
    """Labels of both sides, of which a share agrees; at least two groups on each side, and not all single samples."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(4, 300))
    n_classes = draw(st.integers(2, 12))
    n_clusters = n_classes if square else draw(st.integers(2, 12))
    agreeing, skew = draw(st.sampled_from([0.0, 0.3, 0.9])), draw(st.sampled_from([1, 3]))
    rng = np.random.default_rng(seed)
    true = (rng.random(n) ** skew * n_classes).astype(int)
    pred = np.where(rng.random(n) < agreeing, true % n_clusters, rng.integers(0, n_clusters, n))
    counts = gpuval.contingency_matrix(true, pred)
    sides = counts.shape
    assume(min(sides) > 1)
    assume(max(sides) < n)
    assume(np.count_nonzero(counts) > max(sides))  # not the same partition
    assume(not square or sides == (n_classes, n_classes))
    return true, pred


# ---- scikit-learn --------------------------------------------------------------------------------


def _expected_mutual_info(true: Labels, pred: Labels) -> float:
    counts = sklearn.cluster.contingency_matrix(true, pred, sparse=True)
    return expected_mutual_information(counts, true.size)


SKLEARN: dict[str, list[tuple[Callable[..., Any], dict[str, Any]]]] = {
    "expected_mutual_info": [(_expected_mutual_info, {})],
}
for name, theirs, options in of_sklearn():
    SKLEARN.setdefault(name, []).append((theirs, options))


@pytest.mark.parametrize("name", SKLEARN)
@settings(max_examples=60)
@given(labels=two_labelings())
def test_sklearn(name, labels):
    for theirs, options in SKLEARN[name]:
        assert_same(getattr(gpuval, name)(*labels, **options), theirs(*labels, **options))


def test_every_measure_of_sklearn_is_compared():
    shared = set(sklearn.cluster.__all__) & {x.name for x in measures_in(gpuval) if x.family.of_two}
    assert shared - {"entropy"} <= set(SKLEARN)  # its entropy is on its way out, and is compared below
    assert len(SKLEARN) == 14


@settings(max_examples=60)
@given(labels=two_labelings(), seed=st.integers(0, 99))
def test_sklearn_kappa_with_weighted_samples(labels, seed):
    weights = np.random.default_rng(seed).integers(1, 5, labels[0].size)
    for kind in (None, "linear", "quadratic"):
        ours = gpuval.cohen_kappa_score(*labels, weights=kind, sample_weight=weights)
        assert_same(ours, sklearn.cohen_kappa_score(*labels, weights=kind, sample_weight=weights))


@pytest.mark.parametrize(
    "labels", [([5, 4, 5, 5], [0, 1, 0, 1]), ([0, 1, 5, 5, 0, 1], [0, 5, 5, 1, 1, 1]), ([2, 2, 9, 3], [9, 2, 2, 3])]
)
@pytest.mark.parametrize("library", [np.asarray, torch.tensor])
def test_sklearn_kappa_of_labels_with_gaps(labels, library):
    for kind in (None, "linear", "quadratic"):
        ours = gpuval.cohen_kappa_score(*map(library, labels), weights=kind)
        assert_same(ours, sklearn.cohen_kappa_score(*labels, weights=kind))


@settings(max_examples=60)
@given(labels=two_labelings())
def test_sklearn_entropy(labels):
    for side in labels:
        assert_same(gpuval.entropy(side), sklearn.mutual_info_score(side, side))


# ---- genieclust ----------------------------------------------------------------------------------

GENIECLUST_FUNCTIONS = [
    name for name in vars(genieclust) if name.endswith(("_score", "_accuracy", "_index")) and not name.startswith("_")
]


def full(name: str) -> str:
    """Our name of a function of genieclust."""
    return name.replace("fm_", "fowlkes_mallows_").replace("mi_", "mutual_info_")


@settings(max_examples=200)
@given(labels=two_labelings(square=True))
def test_genieclust(labels):
    counts = gpuval.contingency_matrix(*labels)
    table = gpuval.Contingency.from_counts(counts)
    theirs = genieclust.compare_partitions(counts.astype(float))
    assert set(theirs) == set(GENIECLUST)
    for key, ours in GENIECLUST.items():
        assert_same(getattr(gpuval, ours)(table), theirs[key])
    for name in GENIECLUST_FUNCTIONS:
        assert_same(getattr(gpuval, full(name))(*labels), getattr(genieclust, name)(*labels))
    raw = genieclust.compare_partitions(counts.astype(float), psi_clipped=False)
    for key in ("psi", "spsi"):
        assert_same(getattr(gpuval, GENIECLUST[key])(table, clipped=False), raw[key])


def test_every_measure_of_genieclust_is_compared():
    other = {
        "compare_partitions",
        "confusion_matrix",
        "normalized_confusion_matrix",
        "normalize_confusion_matrix",
        "normalizing_permutation",
    }
    public = {name for name in vars(genieclust) if not name.startswith("_") and callable(getattr(genieclust, name))}
    assert public - other == set(GENIECLUST_FUNCTIONS)
    assert len(GENIECLUST_FUNCTIONS) == 10


@settings(max_examples=100)
@given(labels=two_labelings())
def test_genieclust_permutation(labels):
    counts = gpuval.contingency_matrix(*labels)
    assume(counts.shape[0] <= counts.shape[1])
    ours = gpuval.normalized_confusion_matrix(gpuval.Contingency.from_counts(counts))
    theirs = np.asarray(genieclust.normalize_confusion_matrix(counts.astype(float)))
    assert np.trace(ours) == np.trace(theirs)
    order = gpuval.normalizing_permutation(gpuval.Contingency.from_counts(counts))
    assert sorted(order) == sorted(genieclust.normalizing_permutation(counts.astype(float)))
    np.testing.assert_array_equal(counts[:, order], ours)


# ---- igraph --------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(labels=two_labelings())
def test_igraph(labels):
    lists = [side.tolist() for side in labels]
    for method, (name, options) in IGRAPH.items():
        assert_same(getattr(gpuval, name)(*labels, **options), igraph.compare_communities(*lists, method=method))
    assert gpuval.van_dongen_distance(*labels, normalized=False) == sum(igraph.split_join_distance(*lists))


# ---- the checker ---------------------------------------------------------------------------------


def test_the_comparison_can_fail():
    assert_same(1.0, 1.0 + 1e-13)
    with pytest.raises(AssertionError):
        assert_same(1.0, 1.0 + 1e-11)
    with pytest.raises(AssertionError):
        assert_same([0.5, 0.25], [0.5, 0.26])
