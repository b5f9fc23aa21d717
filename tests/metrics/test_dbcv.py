"""Density-based validation beside its definition, worked values and the values of hdbscan; and where there is none."""

from __future__ import annotations

import functools
import json

import hdbscan_values
import internal_cases as cases
import internal_oracles as oracles
import numpy as np
import pytest
import torch
from backends import BACKENDS, transfers_to_host
from hypothesis import given, settings
from hypothesis import strategies as st
from only_for import only_for
from oracles import mp
from scipy import sparse

import gpuval
from gpuval.metrics.internal import _spanning_trees, dbcv

X9 = np.asarray([(3, 6), (1, 5), (4, 0), (2, 6), (13, 3), (15, 8), (15, 4), (9, 9), (9, 7)], dtype=float)
LABELS9 = np.asarray([0, 0, 0, 0, 1, 1, 1, 1, 1])
WORKED = {
    "euclidean": (0.428085925560457, [0.713193332511029, 0.2]),
    "sqeuclidean": (0.615897322286783, [0.935768975145261, 0.36]),
}
"""By the definition; hdbscan 0.8.44 and DBCV of FelSiq have the same."""

SEEN = "numpy", "torch-host", "jax-x64"
"""Backends whose arrays lie on the host, where values are looked at."""


def sizes(backend, k):
    return [{}, {"n_clusters": k}] if backend.finds_sizes else [{"n_clusters": k}]


def close(backend, exact):
    return pytest.approx(exact, rel=1e-12, abs=1e-12) if backend.has_float64 else pytest.approx(exact, abs=1e-5)


@functools.cache
def expected(name, metric, bits=64):
    """The score of a case; differences that 60 digits leave of a distance of 0 are 0."""
    X, labels = cases.case(name, bits)
    D = [[x if x > mp.mpf(10) ** -45 else mp.mpf(0) for x in row] for row in cases.distances(name, metric, bits)]
    return float(oracles.dbcv(D, labels.tolist(), X.shape[1]))


def euclidean(X):
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


# ---- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", WORKED)
def test_worked_values(backend, metric):
    given, labels = backend.array(X9), backend.array(LABELS9)
    score, of_each = WORKED[metric]
    for size in sizes(backend, 2):
        found = gpuval.dbcv_score(given, labels, metric=metric, **size)
        backend.assert_at_home(found, given)
        assert float(backend.numpy(found)) == close(backend, score)
        found = gpuval.dbcv_score(given, labels, metric=metric, return_per_label=True, **size)
        assert found._fields == ("score", "labels", "label_scores")
        assert float(backend.numpy(found.score)) == close(backend, score)
        assert type(found.labels) is type(labels)
        assert backend.numpy(found.labels).tolist() == [0, 1]
        backend.assert_at_home(found.label_scores, given, (2,))
        assert backend.numpy(found.label_scores) == close(backend, of_each)


@pytest.mark.parametrize("metric", WORKED)
def test_worked_values_of_distances(backend, metric):
    D = euclidean(X9) ** (2 if metric == "sqeuclidean" else 1)
    for size in sizes(backend, 2):
        found = gpuval.dbcv_score(backend.array(D), backend.array(LABELS9), metric="precomputed", n_features=2, **size)
        assert float(backend.numpy(found)) == close(backend, WORKED[metric][0])


OF_ALL = tuple(cases.CASES)
KNOWN = {"cosine": 1e-9, "correlation": 1e-9}
"""Directions are known to fewer digits than distances where samples are far from 0."""


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("metric", oracles.METRICS)
@only_for(lambda backend, metric: not backend.compiles or metric == "euclidean")
def test_definition(backend, metric):
    """Also of samples in one place, of one line, and of directions that are one: ties that rounding must not break."""
    among = ("normal", "duplicates") if backend.compiles else OF_ALL
    if not backend.has_float64:  # in which ties are others
        among = ("normal", "one_mean")
    bits = 64 if backend.has_float64 else 32
    for name in among:
        X, labels = cases.case(name, bits)
        for size in sizes(backend, int(labels.max()) + 1)[-1 if name != "singles" else 0 :]:
            found = gpuval.dbcv_score(backend.of(X), backend.array(labels), metric=metric, **size)
            within = max(1e-12 if backend.has_float64 else 1e-4, KNOWN.get(metric, 0) if name == "far" else 0)
            assert float(backend.numpy(found)) == pytest.approx(expected(name, metric, bits), abs=within), name


@pytest.mark.parametrize("name", ["normal", "far", "tiny"])
def test_numbers_of_32_bits_are_taken_in_64(name):
    """The score is that of the numbers as float32 has them."""
    X, labels = cases.case(name, 32)
    assert gpuval.dbcv_score(X, labels) == pytest.approx(expected(name, "euclidean", 32), abs=1e-12)
    given = np.float32(euclidean(X.astype(float)))
    exact = float(oracles.dbcv(oracles.exact(given), labels.tolist(), 3))
    assert gpuval.dbcv_score(given, labels, metric="precomputed", n_features=3) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("metric", hdbscan_values.METRICS)
def test_hdbscan_has_the_same(metric):
    """Where clusters have 3 samples or more; its Euclidean distances are found by products, ours by differences."""
    recorded = json.loads(hdbscan_values.VALUES.read_text(encoding="utf-8"))[metric]
    assert len(recorded) == 100
    for seed, value in zip(hdbscan_values.SEEDS, recorded, strict=True):
        X, labels = hdbscan_values.samples_of(seed)
        noise = -1 if -1 in labels else None
        assert gpuval.dbcv_score(X, labels, metric=metric, ignore_labels=noise) == pytest.approx(value, abs=1e-10), seed


def test_the_recorded_values_tell_metrics_and_noise_apart():
    recorded = json.loads(hdbscan_values.VALUES.read_text(encoding="utf-8"))
    assert not np.allclose(recorded["euclidean"], recorded["sqeuclidean"], atol=1e-3)
    X, labels = hdbscan_values.samples_of(0)
    assert -1 in labels
    assert gpuval.dbcv_score(X, labels) != pytest.approx(recorded["euclidean"][0], abs=1e-3)


# ---- many features, any unit ---------------------------------------------------------------------


@functools.cache  # all backends and units have the same samples
def many_features(d):
    """Samples with d features, their labels and their score."""
    labels = np.arange(24) % 3
    X = np.random.default_rng(d).normal(size=(24, d)) + labels[:, None]
    return X, labels, float(oracles.dbcv(oracles.distances(X, "euclidean"), labels.tolist(), d))


@pytest.mark.parametrize("d", [1, 2, 50, 1000])
@pytest.mark.parametrize("unit", [1e-200, 1e-8, 1, 1e8, 1e200])
@only_for(lambda backend: not backend.compiles)
@only_for(lambda backend, unit: unit not in (1e-200, 1e200) or backend.name in SEEN)
def test_powers_of_distances_do_not_overflow(backend, d, unit):
    """1e8^-1000 is no float, nor is 1e-8^-50.

    Squares of the smallest and the largest are none either, where no value is looked at: see the next test.
    """
    X, labels, wanted = many_features(d)
    found = gpuval.dbcv_score(backend.array(X * unit), backend.array(labels), n_clusters=3)
    bound = {"abs": 1e-11} if backend.has_float64 else {"abs": 1e-4}
    assert float(backend.numpy(found)) == pytest.approx(wanted, **bound)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "cosine"])
@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_any_unit_where_values_are_looked_at(name, unit, metric):
    X, labels = cases.case("normal")
    with BACKENDS[name].mode():
        found = gpuval.dbcv_score(BACKENDS[name].array(X * unit), BACKENDS[name].array(labels), metric=metric)
    assert float(found) == pytest.approx(expected("normal", metric), abs=1e-11)


# ---- degenerate cases ----------------------------------------------------------------------------

DEGENERATE = {
    "one cluster": ([0, 0, 0, 0], [0]),
    "one cluster and single samples": ([0, 0, 1, 2], [0, np.nan, np.nan]),
    "single samples": ([0, 1, 2, 3], [np.nan] * 4),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_fewer_than_two_clusters(backend, case):
    labels, of_each = DEGENERATE[case]
    X = backend.array(X9[:4])
    for size in sizes(backend, 4):
        found = gpuval.dbcv_score(X, backend.array(labels), return_per_label=True, **size)
        assert float(backend.numpy(found.score)) == 0
        np.testing.assert_array_equal(backend.numpy(found.label_scores), of_each)


def test_no_samples(backend):
    X, labels = np.zeros((0, 2)), np.zeros(0, dtype=int)
    for size in sizes(backend, 2):
        found = gpuval.dbcv_score(backend.of(np.float32(X)), backend.array(labels), **size)
        assert float(backend.numpy(found)) == 0


def test_single_samples_are_noise(backend):
    """They count in n, and are none that others are to be apart from."""
    X, labels = np.concatenate([X9, [[4.0, 5.0], [5.0, 5.0]]]), np.asarray([*LABELS9, 2, 3])
    score, of_each = WORKED["euclidean"]
    for size in sizes(backend, 4):
        found = gpuval.dbcv_score(backend.array(X), backend.array(labels), return_per_label=True, **size)
        assert float(backend.numpy(found.score)) == close(backend, score * 9 / 11)
        assert backend.numpy(found.label_scores)[:2] == close(backend, of_each)
        assert np.isnan(backend.numpy(found.label_scores)[2:]).all()


def test_ignored_labels_are_noise(backend):
    X, labels = np.concatenate([X9, X9[:3] + 1]), np.asarray([*LABELS9, -1, -1, -1])
    for size in sizes(backend, 2):
        found = gpuval.dbcv_score(backend.array(X), backend.array(labels), ignore_labels=-1, **size)
        assert float(backend.numpy(found)) == close(backend, WORKED["euclidean"][0] * 9 / 12)


def test_clusters_of_two_samples_are_inner(backend):
    """By hand: edges of length 1, 4 and 1 apart; all samples are inner, as no tree has a node with two edges."""
    X, labels = np.asarray([[0.0], [1.0], [5.0], [6.0], [10.0], [14.0]]), [0, 0, 1, 1, 2, 2]
    # Cores are the edges. Separations: 4, 4, and 4 of the third, which is 4 from 10 to 6; validities 3/4, 3/4, 0.
    for size in sizes(backend, 3):
        found = gpuval.dbcv_score(backend.array(X), backend.array(labels), return_per_label=True, **size)
        assert backend.numpy(found.label_scores) == close(backend, [0.75, 0.75, 0.0])
        assert float(backend.numpy(found.score)) == close(backend, 0.5)


def test_samples_in_one_place(backend):
    """Clusters of copies are as dense as can be: 1 where apart, and 0 for 0/0."""
    labels = backend.array([0, 0, 0, 1, 1, 1])
    for size in sizes(backend, 2):
        apart = gpuval.dbcv_score(backend.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]]), labels, **size)
        assert float(backend.numpy(apart)) == 1
        one = gpuval.dbcv_score(backend.array([[2.0]] * 6), labels, **size)
        assert float(backend.numpy(one)) == 0


def test_copies_are_not_added_up(backend):
    """By hand, of 0, 0, 1 (1 feature): the mean over both others is of 1/1 alone, so the core distance of 0 is 2."""
    X, labels = np.asarray([[0.0], [0.0], [1.0], [9.0], [9.0], [10.0]]), [0, 0, 0, 1, 1, 1]
    # Cores 2, 2, 1: all edges have length 2. The tree is 0-0, 0-1, of which the first is inner; so from 9. At 9 apart.
    for size in sizes(backend, 2):
        found = gpuval.dbcv_score(backend.array(X), backend.array(labels), return_per_label=True, **size)
        assert backend.numpy(found.label_scores) == close(backend, [7 / 9, 7 / 9])


def test_ties_go_to_the_smallest_index():
    """The order of samples that are equally near decides which are inner: of a square, the first two or three."""
    square = np.asarray([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    tree = _spanning_trees.tree_on_host(lambda left: dbcv.Whole(euclidean(square), left), np.zeros(4))
    assert tree.parents.tolist() == [-1, 0, 0, 1]
    late = np.asarray([[0.0, 3, 3, 9], [3, 0, 9, 5], [3, 9, 0, 5], [9, 5, 5, 0]])
    tree = _spanning_trees.tree_on_host(lambda left: dbcv.Whole(late, left), np.zeros(4))
    assert tree.parents.tolist() == [-1, 0, 0, 1]
    late[0, 1] = late[1, 0] = 4  # now the third comes before the second, and the last goes to the second all the same
    tree = _spanning_trees.tree_on_host(lambda left: dbcv.Whole(late, left), np.zeros(4))
    assert (tree.parents.tolist(), tree.lengths.tolist()) == ([-1, 0, 0, 1], [0, 4, 3, 5])


# ---- in parts ------------------------------------------------------------------------------------


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(dbcv, "_WHOLE", 4)
    monkeypatch.setattr(dbcv, "_CELLS_OF_BLOCKS", (64, 512))
    monkeypatch.setattr(dbcv, "_TILE", 8)
    monkeypatch.setattr(dbcv, "_CELLS", 512)
    monkeypatch.setattr(_spanning_trees, "_FEWEST", 3)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("metric", [*oracles.METRICS, "precomputed"])
@only_for(lambda backend: backend.has_float64 and not backend.compiles)
def test_in_parts(backend, metric):
    for name in ("normal", "singles", "tiny", "two_features"):
        X, labels = cases.case(name)
        p, wanted = X.shape[1], expected(name, "euclidean" if metric == "precomputed" else metric)
        how = {"metric": metric} | ({"n_features": p} if metric == "precomputed" else {})
        X = cases.precomputed(name) if metric == "precomputed" else X
        found = gpuval.dbcv_score(backend.of(X), backend.array(labels), n_clusters=int(labels.max()) + 1, **how)
        assert float(backend.numpy(found)) == pytest.approx(wanted, abs=1e-12), name


@pytest.mark.parametrize("metric", oracles.METRICS)
@pytest.mark.parametrize("whole", [4, 2048])
def test_sparse_samples(monkeypatch, metric, whole):
    monkeypatch.setattr(dbcv, "_WHOLE", whole)
    rng = np.random.default_rng(4)
    X, labels = rng.normal(size=(60, 8)) * (rng.random((60, 8)) < 0.6), np.arange(60) % 3
    wanted = gpuval.dbcv_score(X, labels, metric=metric)
    assert gpuval.dbcv_score(sparse.csr_array(X), labels, metric=metric) == pytest.approx(wanted, abs=1e-11)


def test_given_distances_in_any_form(monkeypatch):
    monkeypatch.setattr(dbcv, "_WHOLE", 4)
    D, wanted = euclidean(X9), WORKED["euclidean"][0]
    how = {"metric": "precomputed", "n_features": 2}
    before = D.copy()
    for form in (D, D.tolist(), lambda start, stop: D[start:stop], sparse.csr_array(D), np.asfortranarray(D)):
        assert gpuval.dbcv_score(form, LABELS9, **how) == pytest.approx(wanted, abs=1e-12)
    near = np.where(D > 6, 0, D)
    far = np.where(D > 6, 50, D)
    found = gpuval.dbcv_score(sparse.csr_array(near), LABELS9, absent=50, **how)
    assert found == gpuval.dbcv_score(far, LABELS9, **how)
    np.testing.assert_array_equal(D, before)


def test_what_is_given_is_not_written_into():
    D = euclidean(X9) + 1e-15 * np.eye(9)  # samples are as far from themselves as rounding lets them be
    before = D.copy()
    wanted = WORKED["euclidean"][0]
    assert gpuval.dbcv_score(D, LABELS9, metric="precomputed", n_features=2) == pytest.approx(wanted, abs=1e-12)
    np.testing.assert_array_equal(D, before)


@only_for(lambda backend: backend.name not in SEEN)
def test_no_transfer_with_the_size_given(backend):
    X, labels = backend.array(X9), backend.array(LABELS9)
    with transfers_to_host() as copied:
        gpuval.dbcv_score(X, labels, n_clusters=2)
        gpuval.dbcv_score(X, labels, n_clusters=2, metric="cosine", ignore_labels=5)
    assert copied == []


@only_for(lambda backend: backend.name not in SEEN)
def test_wrong_labels_on_a_device_are_nan(backend):
    found = gpuval.dbcv_score(backend.array(X9), backend.array(LABELS9 + 1), n_clusters=2)
    assert np.isnan(float(backend.numpy(found)))


# ---- what must not change it ---------------------------------------------------------------------


def some_samples(seed):
    rng = np.random.default_rng(seed)
    k, d = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    labels = np.concatenate([np.repeat(np.arange(k), 3), rng.integers(0, k, int(rng.integers(0, 30)))])
    return rng.normal(size=(len(labels), d)) + rng.choice([0, 2]) * labels[:, None], labels, rng


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_it_is_that_of_other_names_places_and_units(seed):
    X, labels, rng = some_samples(seed)
    d = X.shape[1]
    score = float(gpuval.dbcv_score(X, labels))
    assert -1 <= score <= 1
    names = rng.permutation(1000)[: labels.max() + 1]
    assert float(gpuval.dbcv_score(X, names[labels])) == pytest.approx(score, abs=1e-14)
    assert float(gpuval.dbcv_score(X + 64 * rng.normal(size=d), labels)) == pytest.approx(score, abs=1e-10)
    assert float(gpuval.dbcv_score(X * 2.0 ** rng.integers(-60, 60), labels)) == pytest.approx(score, abs=1e-13)
    turned, _ = np.linalg.qr(rng.normal(size=(d, d)))
    assert float(gpuval.dbcv_score(X @ turned, labels)) == pytest.approx(score, abs=1e-10)
    squared = float(gpuval.dbcv_score(X, labels, metric="sqeuclidean"))
    given = euclidean(X) ** 2
    found = gpuval.dbcv_score(given, labels, metric="precomputed", n_features=d)
    assert float(found) == pytest.approx(squared, abs=1e-10)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_on_a_device_it_is_that_of_the_host(seed):
    """Of whole numbers, among which there are many ties."""
    rng = np.random.default_rng(seed)
    X, labels = rng.integers(0, 4, (40, 2)).astype(float), np.arange(40) % 3
    wanted = gpuval.dbcv_score(X, labels, return_per_label=True)
    torch = BACKENDS["torch"]
    with torch.mode():
        found = gpuval.dbcv_score(torch.array(X), torch.array(labels), return_per_label=True)
    np.testing.assert_allclose(torch.numpy(found.label_scores), wanted.label_scores, rtol=0, atol=1e-13)


def test_noise_brings_it_nearer_to_0():
    X, labels = np.concatenate([X9, X9 + 100]), np.concatenate([LABELS9, np.full(9, -1)])
    found = gpuval.dbcv_score(X, labels, ignore_labels=-1)
    assert found == pytest.approx(WORKED["euclidean"][0] / 2, rel=1e-12)


@pytest.mark.parametrize("of", [np.asarray, torch.tensor, sparse.csr_array, np.ndarray.tolist])
def test_distances_that_are_not_symmetric(of):
    """An error that names the samples; not of those in no cluster, nor for what rounding does."""
    apart = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    labels, options = [0, 0, 0, 1, 1, 1], {"metric": "precomputed", "n_features": 2}
    options |= {"absent": 0} if of is sparse.csr_array else {}
    exact = gpuval.dbcv_score(apart, labels, metric="precomputed", n_features=2)
    nearly = apart * (1 + np.triu(np.full((6, 6), 1e-15)))
    assert float(gpuval.dbcv_score(of(nearly), labels, **options)) == pytest.approx(float(exact), abs=1e-12)
    wrong = apart.copy()
    wrong[1, 4] = 7
    with pytest.raises(
        ValueError, match=r"^X must be symmetric .* got the distances 7.0 and 3.0 between samples 1 and 4"
    ):
        gpuval.dbcv_score(of(wrong), labels, **options)
    without = [0, 0, 0, 1, -1, 1]
    exact = gpuval.dbcv_score(apart, without, metric="precomputed", n_features=2, ignore_labels=-1)
    assert float(gpuval.dbcv_score(of(wrong), without, ignore_labels=-1, **options)) == pytest.approx(float(exact))
