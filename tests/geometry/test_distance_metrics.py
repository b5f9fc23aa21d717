"""The names of the metrics, and correlation: of samples of any kind, as exact as cosines, never dense as a whole."""

from __future__ import annotations

import internal_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS
from internal_cases import BY_METRIC, case, distances
from only_for import only_for
from packages import sk
from scipy import sparse
from scipy.spatial.distance import cdist

import gpuval
from gpuval.geometry.points import rows_of

X, LABELS = case("normal")
BATCH = np.arange(len(LABELS)) % 3
NAMES = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean"}


def in_batches(samples, labels, **options):
    return gpuval.silhouette_batch(samples, labels, BATCH, **options)


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [*BY_METRIC, in_batches])
@pytest.mark.parametrize("name", NAMES)
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_scikit_learn_s_names(backend, name, measure):
    given, of_each = backend.array(X), backend.array(LABELS)
    if measure is in_batches:
        of_each = LABELS
    found, expected = (backend.numpy(measure(given, of_each, metric=metric)) for metric in (name, NAMES[name]))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", [*NAMES, "cosine", "sqeuclidean", "correlation"])
def test_they_mean_what_they_mean_there(name):
    expected = sk.silhouette_samples(X, LABELS, metric=name)
    np.testing.assert_allclose(gpuval.silhouette_samples(X, LABELS, metric=name), expected, atol=1e-13)


@pytest.mark.parametrize("measure", [*BY_METRIC, in_batches])
def test_strings_of_numpy(measure):
    """As they come out of an array of names."""
    for name in np.asarray(["euclidean", "l2", "cosine", "correlation", "l1"]):
        assert type(name) is np.str_
        found = measure(X, LABELS, metric=name)
        np.testing.assert_array_equal(found, measure(X, LABELS, metric=str(name)))
    of = cdist(X, X)
    if measure is not in_batches:
        expected = measure(of, LABELS, metric="precomputed")
        np.testing.assert_array_equal(measure(of, LABELS, metric=np.str_("precomputed")), expected)


def test_strings_of_numpy_as_other_options():
    found = gpuval.silhouette_batch(X, LABELS, BATCH, between_cluster_distances=np.str_("furthest"))
    assert found == gpuval.silhouette_batch(X, LABELS, BATCH, between_cluster_distances="furthest")
    assert np.isnan(gpuval.dunn_index(X, np.zeros(len(X), int), on_degenerate=np.str_("nan")))
    found = gpuval.normalized_mutual_info_score(LABELS, BATCH, average_method=np.str_("max"))
    assert found == gpuval.normalized_mutual_info_score(LABELS, BATCH, average_method="max")


# ---- correlation ---------------------------------------------------------------------------------


def test_by_hand():
    """Rows that rise have a correlation of 1 with one another, of -1 with those that fall, and of 0 with neither."""
    samples = [[1, 2, 3], [10, 20, 30], [3, 2, 1], [7.5, 7.0, 6.5], [5, 5, 5], [5, 5, 5]]
    found = gpuval.silhouette_samples(samples, [0, 0, 1, 1, 2, 2], metric="correlation")
    np.testing.assert_allclose(found, [1, 1, 1, 1, 0, 0], atol=1e-15)
    assert gpuval.dunn_index(samples, [0, 0, 1, 1, 2, 2], metric="correlation") == pytest.approx(1, rel=1e-15)
    found = gpuval.silhouette_samples([[0, 1], [2, 5], [1, 0], [3, 3]], [0, 1, 0, 1], metric="correlation")
    np.testing.assert_allclose(found, [-0.75, 0, -0.25, 0], atol=1e-15)


def test_one_feature_has_no_correlation():
    """All samples are at 1 from all others."""
    samples = np.arange(6.0)[:, None]
    np.testing.assert_array_equal(gpuval.silhouette_samples(samples, [0, 1] * 3, metric="correlation"), np.zeros(6))
    assert gpuval.dunn_index(samples, [0, 1] * 3, metric="correlation") == 1


@only_for(lambda backend: not backend.compiles)
def test_constant_rows_of_numbers_that_are_no_fractions_of_two(backend):
    """Seven times 0.1 over 7 is not 0.1 in floats: what is left of it is no direction."""
    samples = np.concatenate([np.full((6, 7), 0.1), np.full((6, 7), 1e8 / 3)])
    labels = np.arange(12) % 3
    assert (np.full(7, 0.1).sum() / 7 != 0.1) or (np.full(7, 1e8 / 3).sum() / 7 != 1e8 / 3)
    size = {} if backend.finds_sizes else {"n_clusters": 3}
    given, of_each = backend.array(samples), backend.array(labels)
    found = backend.numpy(gpuval.silhouette_samples(given, of_each, metric="correlation", **size))
    np.testing.assert_array_equal(found, np.zeros(12))
    assert backend.numpy(gpuval.dunn_index(given, of_each, metric="correlation", **size)) == 1


@pytest.mark.parametrize("name", ["normal", "far", "some_are_constant", "many_features"])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_of_sparse_samples(name, form):
    samples, labels = case(name)
    D = distances(name, "correlation")
    found = gpuval.silhouette_samples(form(samples), labels, metric="correlation")
    expected = [float(x) for x in oracles.silhouettes(D, labels.tolist())]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    found = gpuval.dunn_index(form(samples), labels, metric="correlation")
    assert found == pytest.approx(float(oracles.dunn(D, labels.tolist())), rel=1e-12)


def test_sparse_samples_are_dense_by_the_tile_only(monkeypatch):
    """Of 4000 samples no more than so many rows at a time, by either measure."""
    rng = np.random.default_rng(0)
    samples = sparse.random_array((4000, 400), density=0.02, rng=rng, format="csr")
    labels, seen = np.arange(4000) % 5, []

    def spied(self, *args, **options):
        seen.append(self.shape[0])
        return dense(self, *args, **options)

    dense = sparse.csr_array.toarray
    monkeypatch.setattr(sparse.csr_array, "toarray", spied)
    found = gpuval.dunn_index(samples, labels, metric="correlation")
    assert max(seen) <= 2621  # 2^20 numbers, of which is looked for what is constant
    assert sum(x <= 1024 for x in seen) > 30
    expected = gpuval.dunn_index(rows_of(samples, slice(0, 4000)), labels, metric="correlation")
    assert found == pytest.approx(expected, rel=1e-9)
    seen.clear()
    gpuval.silhouette_score(samples, labels, metric="correlation")
    assert max(seen) <= 2621


def test_samples_that_do_not_count_are_no_neighbours():
    rows = LABELS != 2
    samples = np.where(rows[:, None], X, np.nan)
    found = gpuval.silhouette_score(samples, LABELS, metric="correlation", ignore_labels=2)
    assert found == pytest.approx(gpuval.silhouette_score(X[rows], LABELS[rows], metric="correlation"), rel=1e-13)


def test_a_sample_of_the_rows():
    found = gpuval.silhouette_score(X, LABELS, metric="correlation", sample_size=len(X))
    assert found == pytest.approx(gpuval.silhouette_score(X, LABELS, metric="correlation"), rel=1e-13)


# ---- the bar -------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [*BY_METRIC, in_batches])
@pytest.mark.parametrize("where", ["numpy", "torch", "sparse"])
@pytest.mark.parametrize("metric", ["correlation", "l1"])
def test_the_bar_comes_to_its_end(monkeypatch, metric, where, measure):
    made = []

    class Bar:
        def __init__(self, total, **options):
            self.total, self.done = total, 0
            made.append(self)

        def update(self, n):
            self.done += n

        def close(self):
            pass

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    backend = BACKENDS["numpy" if where == "sparse" else where]
    with backend.mode():
        given = sparse.csr_array(X) if where == "sparse" else backend.array(X)
        measure(given, LABELS, metric=metric, progress=True)
    (bar,) = made
    assert bar.done == pytest.approx(bar.total)
    assert bar.total == len(X)
