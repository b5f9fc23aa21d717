"""Mean distances by pairs on the host: the same in every way that they are found, of few samples and of many."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

import gpuval
from gpuval.geometry.distances import products
from gpuval.geometry.means import near_clusters, pairs

RNG = np.random.default_rng(12)


def by_differences(x, labels, weights=None, *, squared=False):
    """Euclidean silhouettes by the differences of all features, which lose nothing, and sums of all distances."""
    x, labels = np.asarray(x, dtype=np.float64), np.asarray(labels)
    squares = np.zeros((len(x), len(x)))
    for feature in x.T:
        squares += (feature[:, None] - feature) ** 2
    weights = np.ones(len(x)) if weights is None else weights
    hits = (labels[:, None] == np.unique(labels)) * weights[:, None]
    sums, masses = (squares if squared else np.sqrt(squares)) @ hits, hits.sum(axis=0)
    own = labels[:, None] == np.unique(labels)
    others = (masses - hits)[own]
    a = np.divide(sums[own], others, out=np.zeros(len(x)), where=others > 0)
    b = np.where(own, np.inf, sums / masses).min(axis=1)
    larger = np.maximum(a, b)
    values = np.divide(b - a, larger, out=np.zeros(len(x)), where=larger > 0)
    return np.where(others > 0, values, 0)


WAYS = {
    "as it is": {},
    "one tile": {"_WHOLE": ((10**6, 0),)},
    "blocks in one thread": {"_WHOLE": ()},
    "blocks": {"_WHOLE": (), "_LITTLE": 0},
    "small blocks": {"_WHOLE": (), "_LITTLE": 0, "_SIZE": 17, "_MULTIPLE": 8, "_BLOCKS": 3},
    "rows": {"_WHOLE": (), "_LITTLE": 0, "_SUMS": 0},
    "rows of one tile": {"_WHOLE": ((10**6, 0),), "_SUMS": 0},
    "few rows": {"_WHOLE": (), "_LITTLE": 0, "_SUMS": 0, "_SUMS_OF_ROWS": 40, "_SIZE": 16},
}


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    for name, value in WAYS[request.param].items():
        monkeypatch.setattr(pairs, name, value)
    if "_SUMS" in WAYS[request.param]:
        monkeypatch.setattr(pairs, "_bytes", lambda X: 0)
    return request.param


def grouped(n, n_groups, far, d=3):
    """Samples of groups that are far apart, whatever their labels are."""
    return RNG.normal(size=(n, d)) + far * np.arange(n_groups)[RNG.integers(0, n_groups, n)][:, None]


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("n_groups", [2, 5])
def test_labels_unrelated_to_groups(way, n_groups, far):
    n = 700
    x, labels = grouped(n, n_groups, far), RNG.integers(0, 4, n)
    weights = RNG.uniform(0.5, 2, n)
    assert near_clusters.far_groups(x) is not None
    for w in (None, weights):
        found = gpuval.silhouette_samples(x, labels, sample_weight=w)
        np.testing.assert_allclose(found, by_differences(x, labels, w), rtol=0, atol=1e-13)


@pytest.mark.parametrize("odd", [1e6, 9.97e36])
def test_outliers_and_fill_values(way, odd):
    x, labels = grouped(400, 2, 1e3), RNG.integers(0, 3, 400)
    x[::57] = odd
    x[5, 1] = -odd
    np.testing.assert_allclose(gpuval.silhouette_samples(x, labels), by_differences(x, labels), rtol=0, atol=1e-13)


def test_equal_samples_are_at_no_distance(way):
    """Of clusters at one place a and b are 0, and so is the silhouette, however far from 0 and from others it is."""
    place = np.asarray([[1 / 3, 7e5, 0.1]])
    x = np.concatenate([np.repeat(place, 200, axis=0), place + 1e-3 * RNG.normal(size=(100, 3)) + 50])
    labels = np.repeat([0, 1, 2], 100)
    found = gpuval.silhouette_samples(x, labels)
    assert found[:200].tolist() == [0] * 200
    np.testing.assert_allclose(found[200:], by_differences(x, labels)[200:], rtol=0, atol=1e-13)


def test_all_samples_equal(way):
    for n in (6, 130, 300):
        x = np.full((n, 2), 1e9 / 3)
        assert gpuval.silhouette_samples(x, np.arange(n) % 3).tolist() == [0] * n
        assert gpuval.dunn_index(x, np.arange(n) % 3) == 0


def test_clusters_of_one_sample(way):
    x = grouped(300, 2, 1e6)
    assert gpuval.silhouette_samples(x[:6], [0, 0, 1, 2, 3, 4])[2:].tolist() == [0] * 4
    labels = np.minimum(np.arange(300), 250)
    np.testing.assert_allclose(gpuval.silhouette_samples(x, labels), by_differences(x, labels), rtol=0, atol=1e-13)


SIZES = (63, 64, 65, 127, 129, 511, 512, 513, 1281)


@pytest.mark.parametrize("n", SIZES)
def test_around_the_sizes_of_blocks(monkeypatch, n):
    """With few features, and with those of which one tile takes more samples; sorted and not."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    for d, bound in ((3, 1e-13), (130, 1e-13)):
        if d > 3 and n < 500:
            continue
        x, labels = RNG.normal(size=(n, d)), RNG.integers(0, 3, n)
        wanted = by_differences(x, labels)
        np.testing.assert_allclose(gpuval.silhouette_samples(x, labels), wanted, rtol=0, atol=bound)
        of_sparse = gpuval.silhouette_samples(sparse.csr_array(x), labels) if n < 600 and d < 9 else wanted
        np.testing.assert_allclose(of_sparse, wanted, rtol=0, atol=bound)


@pytest.mark.parametrize("far", [0, 100, 1e4])
@pytest.mark.parametrize("whole", [False, True])
def test_single_precision(monkeypatch, whole, far):
    """Of enough samples products have 32 bits: as exact as these are, of the numbers as they are given."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    monkeypatch.setattr(products, "_FEW", 300)
    monkeypatch.setattr(pairs, "_WHOLE", ((10**6, 0),) if whole else ())
    x, labels = grouped(500, 2, far).astype(np.float32), RNG.integers(0, 4, 500)
    x[200:210] = x[0]
    for given in (x, x + np.float32(1e5)):
        found = gpuval.silhouette_samples(given, labels)
        np.testing.assert_allclose(found, by_differences(given, labels), rtol=0, atol=1e-6)
    seen = []
    monkeypatch.setattr(products, "room", lambda name, shape, dtype: seen.append(dtype) or np.empty(shape, dtype))
    gpuval.silhouette_samples(x, labels)
    assert np.float32 in seen


def test_single_precision_of_many():
    x = grouped(products._FEW + 3, 2, 30, d=20).astype(np.float32)
    labels = RNG.integers(0, 5, len(x))
    found = gpuval.silhouette_samples(x, labels)
    assert 0 < abs(found - by_differences(x, labels)).max() < 1e-6


@pytest.mark.parametrize("offset", [0, 1e6])
def test_squares_and_cosines_of_many(monkeypatch, offset):
    """Blocks of samples beside all centres, of which some are of one group and some of several."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    x, labels, weights = grouped(2100, 2, 1e3), RNG.integers(0, 3, 2100), RNG.uniform(0.5, 2, 2100)
    unit = x / np.sqrt((x * x).sum(axis=1, keepdims=True))
    for w in (None, weights):
        for of in (np.asarray, sparse.csr_array):
            found = gpuval.silhouette_samples(of(x + offset), labels, metric="sqeuclidean", sample_weight=w)
            wanted = by_differences(x + offset, labels, w, squared=True)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)
            found = gpuval.silhouette_samples(of(x), labels, metric="cosine", sample_weight=w)
            np.testing.assert_allclose(found, by_differences(unit, labels, w, squared=True), rtol=0, atol=1e-9)


# ---- threads -------------------------------------------------------------------------------------


def different_calls():
    """Calls of several sizes and types, in one tile and in blocks, with their results by definition."""
    given = [(grouped(n, 2, far, d), RNG.integers(0, 3, n)) for n, d, far in ((90, 3, 0), (520, 2, 1e3), (700, 5, 1e6))]
    given += [(x.astype(np.float32), labels) for x, labels in given]
    return [(x, labels, by_differences(x, labels)) for x, labels in given]


def test_calls_at_once(monkeypatch):
    """Memory that a thread uses again is its own: of a pool's thread, of the main one, and of those they start."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    monkeypatch.setattr(products, "_FEW", 300)
    calls = different_calls()
    wrong = []

    def called(seed):
        for i in np.random.default_rng(seed).permutation(len(calls)):
            x, labels, wanted = calls[i]
            found = gpuval.silhouette_samples(x, labels)
            if not abs(found - wanted).max() <= (1e-13 if x.dtype == np.float64 else 1e-6):
                wrong.append((seed, i, abs(found - wanted).max()))

    threads = [threading.Thread(target=called, args=(seed,)) for seed in range(2)]
    for thread in threads:
        thread.start()
    called(2)
    for thread in threads:
        thread.join()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(called, range(4)))
    assert wrong == []


def test_what_was_found_is_not_written_over():
    """A result is no view of memory that is used again."""
    calls = different_calls()
    found = [gpuval.silhouette_samples(x, labels) for x, labels, _ in calls]
    again = [gpuval.silhouette_samples(x, labels) for x, labels, _ in reversed(calls)][::-1]
    for first, second in zip(found, again, strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.fixture
def uneven(monkeypatch):
    """Three threads, also where BLAS has one, and tiles that take another time at each call."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    monkeypatch.setattr("gpuval.numerics.parallel.blas_threads", lambda: 3)
    inside, random = products.ProductsOfGroups.tile, np.random.default_rng()

    def tile(self, prepared, columns):
        time.sleep(random.uniform(0, 0.002))
        return inside(self, prepared, columns)

    monkeypatch.setattr(products.ProductsOfGroups, "tile", tile)


@pytest.mark.parametrize("where", ["pairs", "near clusters"])
def test_each_run_gives_the_same_bits(uneven, where, monkeypatch):
    """Whichever thread is ready first."""
    labels = RNG.integers(0, 3, 1500)
    x = RNG.normal(size=(1500, 4)) + 10.0 * labels[:, None]
    if where == "near clusters":
        monkeypatch.setattr(near_clusters, "_FEWEST", 1)
        monkeypatch.setattr(near_clusters, "_SIZE", 64)
    else:
        for name, value in WAYS["small blocks"].items():
            monkeypatch.setattr(pairs, name, value)
        monkeypatch.setattr(pairs, "_SIZE", 64)
    assert len({gpuval.silhouette_samples(x, labels).tobytes() for _ in range(8)}) == 1
