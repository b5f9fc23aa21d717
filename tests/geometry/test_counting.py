"""What a sample counts for: weights, labels that are ignored, and clusters without samples."""

from __future__ import annotations

import internal_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS
from internal_cases import D, K, N
from only_for import only_for

import gpuval
from gpuval.registry.internal import DEFAULT_INTERNAL_METRICS

METRICS = (*oracles.METRICS, "precomputed")
RNG = np.random.default_rng(6)
X, LABELS = RNG.normal(size=(N, D)), RNG.permutation(np.arange(N) % K)
COPIES = RNG.integers(0, 4, N)
COPIES[LABELS == 3] = [1, *[0] * (N // K - 1)]  # a cluster that is left with one sample
SHARES = RNG.random(N)
SHARES[::7] = 0
SHARES[LABELS == 3] = [0.5, *[0] * (N // K - 1)]

WEIGHABLE = {name: getattr(gpuval, name) for name in DEFAULT_INTERNAL_METRICS}
ALL = WEIGHABLE | {"dunn_index": gpuval.dunn_index}
NUMPY = BACKENDS["numpy"]


def given(metric, samples=X, rows=None):
    """Samples, or some of them, or their distances."""
    if metric != "precomputed":
        return samples if rows is None else samples[rows]
    D = np.asarray(oracles.distances(samples, "euclidean")).astype(float)
    return D if rows is None else D[np.ix_(rows, rows)]


def calls(metrics=METRICS):
    """Each measure with each of its metrics."""
    for name, measure in ALL.items():
        for metric in metrics if name in ("silhouette_score", "dunn_index") else [None]:
            yield name, measure, {} if metric is None else {"metric": metric}


def sizes(backend):
    return [{}, {"n_clusters": K}] if backend.finds_sizes else [{"n_clusters": K}]


def close(backend):
    return {"rtol": 1e-12, "atol": 1e-12} if backend.has_float64 else {"rtol": 2e-5, "atol": 1e-5}


def as_floats(values):
    return np.asarray([np.nan if x is None else float(x) for x in values])


# ---- weights -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
@only_for(lambda backend, metric: not backend.compiles or metric == "euclidean")
def test_an_integer_weight_is_so_many_samples(backend, metric):
    """The definition sees the copies themselves."""
    rows = [i for i, weight in enumerate(COPIES) for _ in range(weight)]
    labels = LABELS[rows].tolist()
    D = oracles.exact(given(metric, rows=rows)) if metric == "precomputed" else oracles.distances(X[rows], metric)
    each = as_floats(oracles.silhouettes(D, labels))
    expected = np.full(N, np.nan)
    expected[rows] = each
    weights = backend.array(COPIES)
    for size in sizes(backend):
        arguments = backend.array(given(metric)), backend.array(LABELS)
        options = {"metric": metric, "sample_weight": weights, **size}
        found = gpuval.silhouette_samples(*arguments, **options)
        np.testing.assert_allclose(backend.numpy(found), expected, **close(backend))
        found = gpuval.silhouette_score(*arguments, **options)
        np.testing.assert_allclose(backend.numpy(found), each.mean(), **close(backend))


@pytest.mark.parametrize("metric", METRICS)
@only_for(lambda backend, metric: not backend.compiles or metric == "euclidean")
def test_a_real_weight_is_a_share(backend, metric):
    shares = SHARES if backend.has_float64 else SHARES.astype(np.float32)
    D = oracles.exact(given(metric)) if metric == "precomputed" else oracles.distances(X, metric)
    expected = as_floats(oracles.silhouettes(D, LABELS.tolist(), shares.tolist()))
    score = float(oracles.silhouette(D, LABELS.tolist(), shares.tolist()))
    assert np.isnan(expected).sum() == np.count_nonzero(shares == 0) > 8
    for size in sizes(backend):
        arguments = backend.array(given(metric)), backend.array(LABELS)
        options = {"metric": metric, "sample_weight": backend.array(shares), **size}
        found = gpuval.silhouette_samples(*arguments, **options)
        np.testing.assert_allclose(backend.numpy(found), expected, **close(backend))
        found = gpuval.silhouette_score(*arguments, **options)
        np.testing.assert_allclose(backend.numpy(found), score, **close(backend))


@pytest.mark.parametrize("name", ["calinski_harabasz", "davies_bouldin"])
def test_weighted_centres(backend, name):
    measure = WEIGHABLE[f"{name}_score"]
    shares = SHARES if backend.has_float64 else SHARES.astype(np.float32)
    copies = oracles.repeated(X, LABELS.tolist(), COPIES)
    for weights, expected in (
        (COPIES, getattr(oracles, name)(*copies)),
        (shares, getattr(oracles, name)(X, LABELS.tolist(), shares.tolist())),
    ):
        for size in sizes(backend):
            found = measure(*map(backend.array, (X, LABELS)), sample_weight=backend.array(weights), **size)
            np.testing.assert_allclose(backend.numpy(found), float(expected), **close(backend))


@pytest.mark.parametrize("scale", [1e-9, 0.5, 3.0, 1e9])
@pytest.mark.parametrize("name", WEIGHABLE)
def test_only_the_proportions_of_real_weights_matter(name, scale):
    expected = WEIGHABLE[name](X, LABELS, sample_weight=SHARES)
    assert WEIGHABLE[name](X, LABELS, sample_weight=scale * SHARES) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("weight", [1, 1.0, 0.25, 1e-8, 1e12])
@pytest.mark.parametrize("name", WEIGHABLE)
def test_equal_weights_are_no_weights(name, weight):
    expected = WEIGHABLE[name](X, LABELS)
    found = WEIGHABLE[name](X, LABELS, sample_weight=[weight] * N)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("kind", [np.int8, np.uint64, bool, np.float16, np.float32, list, "series"])
def test_weights_of_any_kind(kind):
    import pandas as pd

    weights = (COPIES > 0).astype(int)
    expected = gpuval.silhouette_samples(X, LABELS, sample_weight=weights)
    made = weights.tolist() if kind is list else pd.Series(weights) if kind == "series" else weights.astype(kind)
    found = gpuval.silhouette_samples(X, LABELS, sample_weight=made)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_weights_far_apart_in_size():
    """A share of 10^-12 is one: nothing of it may be lost in the weight of the cluster that it is taken from."""
    shares = np.where(np.arange(N) % 5 == 0, 1e-12, 1.0)
    shares[np.flatnonzero(LABELS == 0)] = [1.0, *[1e-12] * (N // K - 1)]
    D = oracles.distances(X, "euclidean")
    expected = as_floats(oracles.silhouettes(D, LABELS.tolist(), shares.tolist()))
    found = gpuval.silhouette_samples(X, LABELS, sample_weight=shares)
    np.testing.assert_allclose(found, expected, atol=1e-3)


# ---- what does not count -------------------------------------------------------------------------


IGNORED = [2, -1]


@pytest.mark.parametrize("how", ["labels", "weights", "real weights"])
@only_for(lambda backend, how: not backend.compiles or how == "labels")
def test_what_does_not_count_might_as_well_not_be_there(backend, how):
    """Not even as a neighbour; with a number that would be missed, if it were read into a score."""
    rows = LABELS != 2
    samples = X.copy()
    samples[~rows] *= 1e6
    options = {
        "labels": {"ignore_labels": IGNORED},
        "weights": {"sample_weight": backend.array(rows.astype(int))},
        "real weights": {"sample_weight": backend.array(rows.astype(float))},
    }[how]
    for name, measure, metric in calls(("euclidean",) if backend.compiles else METRICS):
        if name == "dunn_index" and how != "labels":
            continue
        of = given(metric.get("metric"), samples)
        alone = given(metric.get("metric"), samples, np.flatnonzero(rows))
        for size in sizes(backend):
            found = measure(backend.array(of), backend.array(LABELS), **metric, **options, **size)
            expected = NUMPY.numpy(measure(alone, LABELS[rows], **metric))
            np.testing.assert_allclose(backend.numpy(found), expected, err_msg=f"{name} {metric}", **close(backend))
            if name != "silhouette_score":
                continue
            each = backend.numpy(
                gpuval.silhouette_samples(backend.array(of), backend.array(LABELS), **metric, **options, **size)
            )
            np.testing.assert_array_equal(np.isnan(each), ~rows)
            expected = gpuval.silhouette_samples(alone, LABELS[rows], **metric)
            np.testing.assert_allclose(each[rows], expected, **close(backend))


def test_ignored_single_cells():
    labels, batch = LABELS.astype(str), np.arange(N) % 3
    rows = labels != "2"
    for function, others in ((gpuval.silhouette_label, []), (gpuval.silhouette_batch, [batch])):
        found = function(X, labels, *others, ignore_labels="2")
        expected = function(X[rows], labels[rows], *[x[rows] for x in others])
        assert found == pytest.approx(expected, rel=1e-13)


def test_a_missing_label_can_be_ignored():
    labels = LABELS.astype(float)
    labels[::5] = np.nan
    rows = ~np.isnan(labels)
    for _, measure, metric in calls():
        of, alone = given(metric.get("metric")), given(metric.get("metric"), rows=np.flatnonzero(rows))
        found = measure(of, labels, ignore_labels=[None], **metric)
        assert found == pytest.approx(measure(alone, LABELS[rows], **metric), rel=1e-12)


@only_for(lambda backend: not backend.compiles)
def test_clusters_without_samples(backend):
    """More clusters may be said to be there than are: gaps are no clusters."""
    labels = np.asarray([0, 2, 5, 6])[LABELS]
    for _, measure, metric in calls():
        of = given(metric.get("metric"))
        expected = measure(of, LABELS, **metric)
        for size in [{"n_clusters": 9}] + ([{}] if backend.finds_sizes else []):
            found = measure(backend.array(of), backend.array(labels), **metric, **size)
            np.testing.assert_allclose(backend.numpy(found), expected, **close(backend))


# ---- no score ------------------------------------------------------------------------------------

NO_SCORE = {
    "one cluster": [0] * N,
    "all of their own": [*range(K)],
    "no samples": [],
    "one sample": [0],
}


@pytest.mark.parametrize("case", NO_SCORE)
@only_for(lambda backend, case: not backend.compiles or case == "one cluster")
def test_too_few_clusters_or_too_many(backend, case):
    labels = np.asarray(NO_SCORE[case], dtype=np.int64)
    n, k = len(labels), len(set(labels.tolist()))
    message = (
        f"labels must have more than one cluster, and one with two samples: Number of labels is {k}. Valid values are "
        f"2 to n_samples - 1 (inclusive), with n_samples = {n}; on_degenerate='nan' gives NaN instead"
    )
    on_host = backend.name in ("numpy", "torch-host", "jax-x64")
    for name, measure, metric in calls(("euclidean",) if backend.compiles else METRICS):
        samples = np.zeros((n, n)) if metric.get("metric") == "precomputed" else X[:n]
        arguments = backend.of(samples.astype(np.float64 if backend.has_float64 else np.float32)), backend.array(labels)
        for size in sizes(backend):
            found = measure(*arguments, on_degenerate="nan", **metric, **size)
            assert np.isnan(backend.numpy(found)), (name, metric, size)
            backend.assert_at_home(found, arguments[0])
            if size and not on_host:
                assert np.isnan(backend.numpy(measure(*arguments, **metric, **size)))
                continue
            with pytest.raises(ValueError) as raised:
                measure(*arguments, **metric, **size)
            assert str(raised.value) == message
    for size in sizes(backend):
        arguments = backend.of(X[:n].astype(np.float64 if backend.has_float64 else np.float32)), backend.array(labels)
        found = gpuval.silhouette_samples(*arguments, on_degenerate="nan", **size)
        assert np.isnan(backend.numpy(found)).all()
        assert found.shape == (n,)


def test_all_of_their_own_but_for_copies():
    """Two copies of a sample are two: then a cluster has two samples. Real weights copy nothing."""
    samples, labels = [[1.0], [2.0], [4.0], [8.0]], [0, 1, 2, 3]
    assert gpuval.silhouette_score(samples, labels, sample_weight=[1, 1, 2, 1]) == 2 / 5
    assert gpuval.calinski_harabasz_score(samples, labels, sample_weight=[1, 1, 2, 1]) == 1
    for weights in ([1.0, 1.0, 2.0, 1.0], [1, 1, 0, 1]):
        with pytest.raises(ValueError, match=f"n_samples = {np.count_nonzero(weights)};"):
            gpuval.silhouette_score(samples, labels, sample_weight=weights)


def test_equal_samples_lie_on_their_centres():
    """The mean of three times 0.1 is 0.1, whatever floats make of it, and then Calinski-Harabasz is 1."""
    rng = np.random.default_rng(8)
    samples = rng.normal(size=(5, 3))[np.arange(35) % 5]
    assert gpuval.calinski_harabasz_score(samples, np.arange(35) % 5) == 1
    assert gpuval.davies_bouldin_score(samples, np.arange(35) % 5) == pytest.approx(0, abs=1e-14)
    assert gpuval.calinski_harabasz_score([[0.1], [0.1], [0.1], [0.7]], [0, 0, 0, 1]) == 1


def test_single_cells_without_a_score():
    for function, others in ((gpuval.silhouette_label, []), (gpuval.silhouette_batch, [[0, 1, 2, 3]])):
        assert np.isnan(function(X[:4], [0, 1, 2, 3], *others, on_degenerate="nan"))
        with pytest.raises(ValueError):
            function(X[:4], [0, 1, 2, 3], *others)
    with pytest.raises(ValueError) as raised:
        gpuval.silhouette_batch(X[:4], [0, 0, 1, 1], [0, 0, 1, 2])
    assert str(raised.value) == (
        "batch must have at least 2 values, and fewer values than cells, among the cells of one label or more, got no "
        "such label among 2; on_degenerate='nan' gives NaN instead"
    )


@pytest.mark.parametrize("labels", [[0, 1, 5, 0], [0, 1, -1, 0]])
def test_labels_beyond_the_clusters_are_told(backend, labels):
    """On the host in words; on a device, where nothing is looked at, the score is NaN."""
    labels = np.where(np.arange(N) < 4, (labels * N)[:N], 0)
    arguments = backend.array(X), backend.array(labels)
    for _, measure, metric in calls(("euclidean",)):
        if backend.name in ("numpy", "torch-host", "jax-x64"):
            with pytest.raises(ValueError, match=r"labels must lie in \[0, n_clusters\) = \[0, 4\), got (5|-1)"):
                measure(*arguments, n_clusters=K, **metric)
        else:
            assert np.isnan(backend.numpy(measure(*arguments, n_clusters=K, **metric)))


# ---- batches that are to be ignored --------------------------------------------------------------


@pytest.mark.parametrize("kind", ["floats", "objects", "pandas", "nullable", "categories", "text"])
def test_cells_of_an_ignored_batch_do_not_count(kind):
    """As those of an ignored label: what is missing, or has the name that was given."""
    import pandas as pd

    rng = np.random.default_rng(12)
    batch = rng.integers(0, 3, N).astype(float)
    batch[::6] = np.nan
    names = np.asarray(["a", "b", "c"], dtype=object)
    text = [None if np.isnan(x) else names[int(x)] for x in batch]
    made, ignored = {
        "floats": (batch, None),
        "objects": (text, None),
        "pandas": (pd.Series(batch), float("nan")),
        "nullable": (pd.Series(batch).astype("Int64"), pd.NA),
        "categories": (pd.Series(text, dtype="category"), None),
        "text": (["unknown" if x is None else x for x in text], "unknown"),
    }[kind]
    rows = ~np.isnan(batch)
    expected = gpuval.silhouette_batch(X[rows], LABELS[rows], batch[rows])
    samples = np.where(rows[:, None], X, np.nan)  # of these nothing is read
    assert gpuval.silhouette_batch(samples, LABELS, made, ignore_labels=[ignored]) == pytest.approx(expected, rel=1e-13)


def test_ignored_labels_and_ignored_batches():
    """Both at once, and of several labels."""
    batch = np.asarray(["x", "y", "z", "?"])[np.arange(N) % 4]
    labels = np.asarray(["p", "q", "r", "doublet"])[LABELS]
    rows = (batch != "?") & (labels != "doublet")
    expected = gpuval.silhouette_batch(X[rows], labels[rows], batch[rows])
    assert gpuval.silhouette_batch(X, labels, batch, ignore_labels=["?", "doublet"]) == pytest.approx(expected)
    assert gpuval.silhouette_batch(X, labels, batch) != pytest.approx(expected)


@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_an_ignored_batch_on_any_backend(backend):
    batch = np.where(np.arange(N) % 5 == 0, -1, np.arange(N) % 3)
    expected = gpuval.silhouette_batch(X[batch >= 0], LABELS[batch >= 0], batch[batch >= 0])
    given = backend.array(X), backend.array(LABELS), backend.array(batch)
    found = gpuval.silhouette_batch(*given, ignore_labels=-1)
    np.testing.assert_allclose(backend.numpy(found), expected, **close(backend))


def test_all_batches_ignored():
    with pytest.raises(ValueError, match="batch must have at least 2 values"):
        gpuval.silhouette_batch(X, LABELS, [None] * N, ignore_labels=[None])
    assert np.isnan(gpuval.silhouette_batch(X, LABELS, [None] * N, ignore_labels=[None], on_degenerate="nan"))
