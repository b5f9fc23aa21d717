"""Mean distances to the own and to the nearest other cluster, of which bounds leave out most: all as by definition."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gpuval
from gpuval.geometry.distances.products import ProductsOfGroups
from gpuval.geometry.means import near_clusters, pairs
from gpuval.geometry.means.labelings import Labelings
from gpuval.geometry.means.mean_distances import mean_distances
from gpuval.geometry.points import read_points
from gpuval.geometry.progress import Progress
from gpuval.metrics.internal.silhouette import _from_means

N = 400


def expected_silhouettes(X, labels, metric="euclidean"):
    """By definition, from the differences of all pairs."""
    apart = X[:, None] - X[None]
    apart = np.abs(apart).sum(axis=2) if metric == "cityblock" else np.sqrt(np.square(apart).sum(axis=2))
    own = labels[:, None] == np.unique(labels)
    sums = apart @ own
    sizes = own.sum(axis=0)
    others = sizes[None] - own
    a = sums[own] / np.maximum(others[own], 1)
    b = np.where(own, np.inf, sums / sizes).min(axis=1)
    widest = np.maximum(a, b)
    s = np.divide(b - a, widest, out=np.zeros(len(X)), where=widest > 0)
    return np.where(others[own] > 0, s, 0)


@pytest.fixture
def found(monkeypatch):
    """Bounds for few samples, too; whether they were taken, and how many samples were beside each cluster."""
    monkeypatch.setattr(near_clusters, "_FEWEST", 1)
    monkeypatch.setattr(near_clusters, "_OF_EACH", 1)
    monkeypatch.setattr(near_clusters, "_SHARE", 10.0)
    monkeypatch.setattr(near_clusters, "_SIZE", 32)
    monkeypatch.setattr(near_clusters, "_ROWS", 50)
    calls = []
    inside = near_clusters.means_to_near_clusters

    def seen(points, labelings, rows, progress):
        means = inside(points, labelings, rows, progress)
        calls.append(means is not None)
        return means

    monkeypatch.setattr(pairs, "means_to_near_clusters", seen)
    return calls


def cells(kind, random):
    labels = random.integers(0, 6, N)
    X = random.normal(size=(N, 5))
    if kind == "blobs":
        X += 4 * random.normal(size=(6, 5))[labels]
    elif kind == "far":
        X += 1e4 * random.normal(size=(6, 5))[labels]
    elif kind == "tiny and far":
        X += 1e8 * random.integers(0, 3, size=(6, 5))[labels]
    elif kind == "tiny and far from all":
        X = 1e8 + 1e-3 * X + 1e-2 * labels[:, None]
    elif kind == "heavy tails":
        X = random.standard_cauchy((N, 5))
    elif kind == "lines":
        X *= [100, 1, 1e-3, 0, 0]
        X += (labels * [[1.0], [30.0], [0], [0], [0]]).T
    elif kind == "an outlier":
        X[7] = 1e6
    elif kind == "halves of labels far apart":
        X += 1e4 * (random.random(N) < 0.5)[:, None]
    elif kind == "equal samples":
        X = np.round(X)
    elif kind == "one place":
        X = np.ones((N, 5))
    elif kind == "uneven labels":
        labels = np.minimum(random.geometric(0.5, N), 6)
        X += 3 * labels[:, None]
    elif kind == "skewed":
        X = np.exp(2 * X) + labels[:, None]
    return X, labels


KINDS = [
    *("blobs", "alike", "far", "heavy tails", "lines", "an outlier", "halves of labels far apart"),
    *("tiny and far", "tiny and far from all"),
    *("equal samples", "one place", "uneven labels", "skewed"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", [1.0, 2.0**-500, 2.0**500])
def test_silhouettes_by_definition(kind, unit, found):
    for seed in range(3):
        X, labels = cells(kind, np.random.default_rng(seed))
        ours = gpuval.silhouette_samples(X * unit, labels)
        np.testing.assert_allclose(ours, expected_silhouettes(X, labels), rtol=0, atol=1e-11)
    assert found == [True] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_silhouettes_of_32_bits(kind, found):
    X, labels = cells(kind, np.random.default_rng(0))
    X = X.astype(np.float32)
    ours = gpuval.silhouette_samples(X, labels)
    np.testing.assert_allclose(ours, expected_silhouettes(X.astype(np.float64), labels), rtol=0, atol=2e-5)
    assert found == [True]


def test_samples_that_do_not_count(found):
    X, labels = cells("blobs", np.random.default_rng(0))
    ignored = labels == 2
    ours = gpuval.silhouette_samples(X, labels, ignore_labels=2)
    np.testing.assert_allclose(ours[~ignored], expected_silhouettes(X[~ignored], labels[~ignored]), atol=1e-12)
    assert np.isnan(ours[ignored]).all()
    assert found == [True]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_ignored", [False, True])
def test_some_rows(kind, is_ignored, found, monkeypatch):
    """Those that are drawn are compared with all samples, and find their nearest cluster by bounds, too."""
    monkeypatch.setattr(near_clusters, "_FEWEST_ROWS", 0)
    X, labels = cells(kind, np.random.default_rng(0))
    ignored = (labels == 2) & is_ignored
    points = read_points(X, labels, ignore_labels=2 if is_ignored else None)
    rows = np.flatnonzero(~ignored)[5:300:7]
    means = mean_distances(points, "euclidean", "nearest", rows, Progress(len(rows), False))
    ours = _from_means(points, means, "nearest", rows)
    expected = np.zeros(N)
    expected[~ignored] = expected_silhouettes(X[~ignored], labels[~ignored])
    np.testing.assert_allclose(ours, expected[rows], rtol=0, atol=1e-11)
    assert found == [True]


@pytest.fixture
def n_distances(monkeypatch):
    """How many distances a call computes."""
    sizes, tile = [], ProductsOfGroups.tile

    def counted(self, prepared, columns):
        found = tile(self, prepared, columns)
        sizes.append(found.size)
        return found

    monkeypatch.setattr(ProductsOfGroups, "tile", counted)

    def of(call):
        sizes.clear()
        call()
        return sum(sizes)

    return of


@pytest.mark.parametrize("apart", [0, 0.5, 2])
def test_a_sample_of_most_samples_computes_no_more_distances_than_all_samples(apart, n_distances):
    """Each pair once, whether bounds help or not; before, twice where they do not."""
    random = np.random.default_rng(0)
    labels = random.integers(0, 8, 5000)
    X = random.normal(size=(5000, 10)) + apart * random.normal(size=(8, 10))[labels]
    of_all = n_distances(lambda: gpuval.silhouette_score(X, labels))
    for size in (2600, 3500, 4500, 5000):
        of_sample = n_distances(lambda n=size: gpuval.silhouette_score(X, labels, sample_size=n, random_state=0))
        assert of_sample <= 1.05 * of_all, size


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("kind", ["blobs", "alike", "halves of labels far apart", "uneven labels"])
@pytest.mark.parametrize("has_bounds", [False, True])
@pytest.mark.parametrize("n", [150, 201, 300, 399, N])
def test_most_rows(kind, metric, has_bounds, n, found, monkeypatch):
    """Of more than half of the samples, some of which do not count: those of all samples, in their order."""
    monkeypatch.setattr(near_clusters, "_FEWEST", 1 if has_bounds else N + 1)
    X, labels = cells(kind, np.random.default_rng(0))
    ignored = np.arange(N) >= n
    points = read_points(X, np.where(ignored, -1, labels), ignore_labels=-1)
    expected = expected_silhouettes(X[:n], labels[:n], metric)
    for size in (n // 2, n // 2 + 1, n - 20, n):
        rows = np.random.default_rng(1).permutation(n)[:size]
        means = mean_distances(points, metric, "nearest", rows, Progress(size, shown=False))
        ours = _from_means(points, means, "nearest", rows)
        np.testing.assert_allclose(ours, expected[rows], rtol=0, atol=1e-11)


def test_a_sample_computes_a_share_of_the_distances(n_distances):
    """Without any number changed: bounds leave out what they leave out for all samples."""
    random = np.random.default_rng(0)
    labels = random.integers(0, 20, 20_000)
    X = random.normal(size=(20_000, 10)) + 2 * random.normal(size=(20, 10))[labels]
    of_all = n_distances(lambda: gpuval.silhouette_score(X, labels))
    of_sample = n_distances(lambda: gpuval.silhouette_score(X, labels, sample_size=1000, random_state=0))
    assert of_sample < 1.4 * of_all / 20


def test_many_clusters_of_many_features(n_distances):
    """Without any number changed: clusters of about three times as many samples as features have bounds, too."""
    random = np.random.default_rng(0)
    n, d, k = 8000, 36, 80
    labels = np.arange(n) % k
    X = random.normal(size=(n, d)) + 3 * random.normal(size=(k, d))[labels]
    rows = slice(0, n, 40)
    sums = np.stack([cdist(X[rows], X[labels == c]).sum(axis=1) for c in range(k)], axis=1)
    own, sizes = labels[rows, None] == np.arange(k), np.bincount(labels)
    a, b = sums[own] / (sizes[labels[rows]] - 1), np.where(own, np.inf, sums / sizes).min(axis=1)
    found = gpuval.silhouette_samples(X, labels)
    np.testing.assert_allclose(found[rows], (b - a) / np.maximum(a, b), rtol=1e-11)
    assert n_distances(lambda: gpuval.silhouette_score(X, labels)) < n * n / 8


def test_a_label_of_one_sample(found):
    X, labels = cells("blobs", np.random.default_rng(0))
    labels[5] = 77
    np.testing.assert_allclose(gpuval.silhouette_samples(X, labels), expected_silhouettes(X, labels), atol=1e-12)
    assert found == [True]


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_hold(kind):
    """The mean distance to each cluster is between its bounds, and the nearest cluster is never left out."""
    X, labels = cells(kind, np.random.default_rng(4))
    order = np.argsort(labels, kind="stable")
    present, sizes = np.unique(labels, return_counts=True)
    bounds = near_clusters._Bounds(X, order, np.r_[0, np.cumsum(sizes)])
    near = bounds.near(np.arange(N))
    apart = np.sqrt(np.square(X[order][:, None] - X[order][None]).sum(axis=2))
    means = np.stack([apart[:, labels[order] == label].mean(axis=1) for label in present])
    means[labels[order] == present[:, None]] = np.inf
    left = np.zeros(means.shape, dtype=bool)
    for c, (start, stop) in enumerate(zip(near.edges[:-1], near.edges[1:], strict=True)):
        left[c, near.rows[start:stop]] = True
    assert not left[labels[order] == present[:, None]].any()
    assert left.any(axis=0).all()
    assert (np.where(left, means, np.inf).min(axis=0) <= means.min(axis=0) * (1 + 1e-9)).all()
    if kind in ("far", "uneven labels"):
        assert left.sum() < 2 * N  # of the 5 * N that there are


@pytest.mark.parametrize("kind", ["blobs", "alike"])
def test_as_many_samples_as_are_worth_it(kind, monkeypatch):
    """Without any number changed; of labels that say nothing, all distances are found."""
    random = np.random.default_rng(0)
    labels = random.integers(0, 8, 5000)
    X = random.normal(size=(5000, 3)) + (5 * random.normal(size=(8, 3))[labels] if kind == "blobs" else 0)
    calls, inside = [], near_clusters.means_to_near_clusters

    def seen(*given):
        means = inside(*given)
        calls.append(means is not None)
        return means

    monkeypatch.setattr(pairs, "means_to_near_clusters", seen)
    ours = gpuval.silhouette_samples(X, labels)
    assert calls == [kind == "blobs"]
    monkeypatch.setattr(pairs, "means_to_near_clusters", lambda *given: None)
    np.testing.assert_allclose(ours, gpuval.silhouette_samples(X, labels), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["blobs", "alike", "halves of labels far apart"])
@pytest.mark.parametrize("rows", [None, np.arange(5, 300, 7)], ids=["all", "some"])
def test_progress_is_of_all_samples(kind, rows, found, monkeypatch):
    monkeypatch.setattr(near_clusters, "_FEWEST_ROWS", 0)
    X, labels = cells(kind, np.random.default_rng(0))
    points = read_points(X, labels)

    class Bar:
        done = 0.0

        def advance(self, number):
            self.done += number

    bar = Bar()
    assert near_clusters.means_to_near_clusters(points, Labelings.of([points]), rows, bar) is not None
    assert bar.done == pytest.approx(N if rows is None else len(rows))
