"""Silhouettes beside their definition in 60 digits: at any scale and offset, with weights, on the host and beside."""

from __future__ import annotations

import tracemalloc
from contextlib import nullcontext

import internal_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device
from only_for import only_for
from scipy import sparse

import gpuval
from gpuval.geometry.points import read_points
from gpuval.geometry.progress import Progress
from gpuval.metrics.internal import silhouette

RNG = np.random.default_rng(11)
N = 24
PAIRS = np.asarray([0, 0, 1, 1, 2, 2])
LABELS = np.arange(N) % 3
SAMPLES = RNG.normal(size=(N, 3)) + 3 * np.eye(3)[LABELS]
LAST = (LABELS == 2)[:, None]
REAL = np.where(np.arange(N) % 7 == 3, 0.0, RNG.uniform(0.1, 4, N))
WHOLE = RNG.integers(0, 4, N)


def column(*values):
    return np.asarray(values)[:, None]


def with_outlier(x, value):
    x = x.copy()
    x[4] = value
    return x


CASES = {
    "far": (column(0, 1, 10, 11, 1e16, 1.001e16), PAIRS),
    "two near each other, far from one": (column(0, 1, 1e15, 1e15 + 1, 1e15 + 4, 1e15 + 6), PAIRS),
    "fill values": (SAMPLES + 9.97e36 * LAST, LABELS),
    "one large cluster": (SAMPLES * (1 + 1e200 * LAST), LABELS),
    "one tiny cluster": (SAMPLES * np.where(LAST, 1e-150, 1), LABELS),
    "outlier": (with_outlier(SAMPLES, 1e9), LABELS),
    "fill value": (with_outlier(SAMPLES, 9.97e36), LABELS),
    **{f"unit {unit}": (SAMPLES * unit, LABELS) for unit in (1e-200, 1e-150, 1, 1e150, 1e200)},
    **{f"offset {offset}": (SAMPLES + offset, LABELS) for offset in (1e6, 1e9)},
    "offsets of clusters": (SAMPLES + 1e9 / 3 * (1 + LAST), LABELS),
    "32 bits": (SAMPLES.astype(np.float32), LABELS),
    "32 bits, offset": ((SAMPLES + 1e4).astype(np.float32), LABELS),
}


def expected(x, labels, metric, weights=None, between="nearest"):
    """The silhouettes by their definition; NaN for samples that do not count."""
    distances = oracles.exact(x) if metric == "precomputed" else oracles.distances(x, metric)
    values = oracles.silhouettes(distances, list(labels), weights, between)
    return np.asarray([np.nan if value is None else float(value) for value in values])


def on_a_device(x, labels, **options):
    with as_on_a_device():
        return gpuval.silhouette_samples(torch.asarray(x), torch.asarray(labels), **options).numpy()


def of_sparse(x, labels, **options):
    return gpuval.silhouette_samples(sparse.csr_array(x), labels, **options)


def in_a_graph(x, labels, **options):
    with jax.enable_x64(False):
        found = jax.jit(lambda a, b: gpuval.silhouette_samples(a, b, n_clusters=3, **options))
        return np.asarray(found(jnp.asarray(x, dtype=jnp.float32), jnp.asarray(labels)))


WAYS = {"numpy": gpuval.silhouette_samples, "sparse": of_sparse, "device": on_a_device}


# ---- scales and offsets --------------------------------------------------------------------------


@pytest.mark.parametrize("metric", oracles.METRICS)
@pytest.mark.parametrize("case", CASES)
def test_of_any_scale(case, metric):
    x, labels = CASES[case]
    wanted = expected(x, labels, metric)
    directions = np.median(abs(x)) if metric == "cosine" and "offset" in case else 0.0  # known to so many digits
    for way, silhouettes in WAYS.items():
        if way == "sparse" and metric == "correlation":
            continue
        narrow = way == "device" and x.dtype == np.float32
        bound = max(1e-6 if narrow else 1e-13, 8 * 2.0**-52 * directions)
        np.testing.assert_allclose(silhouettes(x, labels, metric=metric), wanted, rtol=0, atol=bound, err_msg=way)


def test_squares_of_clusters_far_apart():
    """The mean of samples 10^16 away has no digits left for the two near 0, which have 11.01 and 0.5."""
    x, labels = CASES["far"]
    found = gpuval.silhouette_samples(x, labels, metric="sqeuclidean")
    assert found.tolist() == expected(x, labels, "sqeuclidean").tolist()
    near = 1 - 1 / ((81 + 100) / 2), 1 - 1 / ((100 + 121) / 2)
    np.testing.assert_allclose(found[:4], [near[1], near[0], near[0], near[1]], rtol=1e-15)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "cityblock"])
def test_compiled_in_32_bits(metric):
    x, labels = column(0, 1, 10, 11, 1e7, 1.1e7), PAIRS
    np.testing.assert_allclose(in_a_graph(x, labels, metric=metric), expected(x, labels, metric), rtol=0, atol=1e-6)


@pytest.mark.parametrize("way", [*WAYS, "graph"])
def test_samples_in_one_direction(way):
    """Whatever their lengths, their cosine distances are 0, within clusters and between them."""
    x = np.concatenate(
        [np.arange(1, 11)[:, None] * [[1.0, 0, 3, 0, 7]], np.arange(1, 6)[:, None] * [[7.0, 0, 3, 0, 1]]]
    )
    silhouettes = in_a_graph if way == "graph" else WAYS[way]
    found = silhouettes(x, np.repeat([0, 1, 2], [3, 7, 5]), metric="cosine")
    np.testing.assert_allclose(found, [0] * 10 + [1] * 5, rtol=0, atol=1e-6 if way == "graph" else 1e-15)


# ---- weights, labels that are ignored, rows ------------------------------------------------------


@pytest.mark.parametrize("metric", [*oracles.METRICS, "precomputed"])
@pytest.mark.parametrize("way", WAYS)
@only_for(lambda way, metric: way != "sparse" or metric not in ("correlation", "precomputed"))
def test_weights(way, metric):
    x = np.asarray(oracles.distances(SAMPLES, "euclidean"), dtype=float) if metric == "precomputed" else SAMPLES
    ignored = [None if i % 5 == 2 else label for i, label in enumerate(LABELS.tolist())]
    labels = np.asarray([-1 if label is None else label for label in ignored])

    def found(weights):
        given = torch.asarray(weights) if way == "device" else weights
        return WAYS[way](x, labels, metric=metric, sample_weight=given, ignore_labels=-1)

    np.testing.assert_allclose(found(REAL), expected(x, ignored, metric, REAL.tolist()), rtol=0, atol=1e-13)
    copies = np.repeat(np.arange(N), WHOLE)
    of_copies = expected(
        x[np.ix_(copies, copies)] if metric == "precomputed" else x[copies], [ignored[i] for i in copies], metric
    )
    counted = np.isfinite(found(WHOLE))
    assert counted.tolist() == [label is not None and weight > 0 for label, weight in zip(ignored, WHOLE, strict=True)]
    np.testing.assert_allclose(found(WHOLE)[copies], of_copies, rtol=0, atol=1e-13)


BATCH = RNG.permutation(np.arange(N) % 4)


@pytest.mark.parametrize("between", ["nearest", "furthest", "mean_other"])
@pytest.mark.parametrize("metric", oracles.METRICS)
def test_batches(metric, between):
    x = SAMPLES + 1e6 * (BATCH == 1)[:, None]
    options = {"metric": metric, "between_cluster_distances": between}
    wanted = float(
        oracles.silhouette_batch(oracles.distances(x, metric), LABELS.tolist(), BATCH.tolist(), True, between)
    )
    for of in (np.asarray, sparse.csr_array) if metric != "correlation" else (np.asarray,):
        assert gpuval.silhouette_batch(of(x), LABELS, BATCH, **options) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("metric", [*oracles.METRICS, "precomputed"])
@pytest.mark.parametrize("weights", [None, REAL], ids=["", "weights"])
def test_rows_that_are_drawn(metric, weights):
    """As many rows as there are, in any order, have the score of all; of fewer the score is a mean of theirs."""
    x = np.asarray(oracles.distances(SAMPLES, "euclidean"), dtype=float) if metric == "precomputed" else SAMPLES
    values = expected(x, LABELS, metric, weights)
    counted = np.flatnonzero(np.isfinite(values))
    seen = set()
    for seed in range(12):
        found = gpuval.silhouette_score(
            x, LABELS, metric=metric, sample_weight=weights, sample_size=2, random_state=seed
        )
        w = np.ones(N) if weights is None else weights
        means = {
            (i, j): (w[i] * values[i] + w[j] * values[j]) / (w[i] + w[j]) for i in counted for j in counted if i < j
        }
        pair = min(means, key=lambda pair: abs(means[pair] - found))
        assert found == pytest.approx(means[pair], abs=1e-13)
        seen.add(pair)
    assert len(seen) > 6


# ---- a weight beside which the others are nothing -------------------------------------------------


@pytest.mark.parametrize("weight", [1e15, 1e17, 1e30])
def test_a_cluster_that_weighs_nearly_everything(weight):
    """There is another cluster, however little it weighs."""
    x, labels = np.asarray([[0.0], [1.0], [5.0], [6.0]]), [0, 0, 1, 1]
    found = gpuval.silhouette_samples(x, labels, sample_weight=[weight, 1.0, 1.0, 1.0])
    expected = [(5.5 - 1) / 5.5, (4.5 - 1) / 4.5, (5 - 1) / 5, (6 - 1) / 6]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("weight", [1.0, 1e10, 1e14, 1e20])
def test_the_mean_of_all_others_where_they_weigh_little(weight):
    points = read_points(np.asarray([[0.0], [1.0], [1.2], [6.0]]), [0, 0, 1, 2], sample_weight=[weight, 0.7, 0.3, 0.1])
    found = silhouette.silhouettes(points, "euclidean", "mean_other", None, Progress(4, False))
    others = [(0.3 * 1.2 + 0.1 * 6) / 0.4, (0.3 * 0.2 + 0.1 * 5) / 0.4]
    np.testing.assert_allclose(found[:2], [(others[0] - 1) / others[0], (others[1] - 1) / others[1]], rtol=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, torch.asarray])
def test_a_heavy_sample_of_no_length(kind):
    """It is at 1 from all others: a and b are 1."""
    x = kind(np.asarray([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    for context in (nullcontext(), as_on_a_device()):
        with context:
            found = gpuval.silhouette_samples(x, [0, 0, 1, 1], metric="cosine", sample_weight=[1e12, 1e-5, 1.0, 1.0])
            assert abs(float(found[0])) <= 2 * np.finfo(float).eps  # 0, or the last digit of a sum of ones


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("weight", [1e-30, 1e12, 1e30])
def test_cosines_beside_a_heavy_sample(way, weight):
    """The scatter of the light samples counts, however near the heavy one draws the mean to itself."""
    weights = np.where(np.arange(N) < 2, weight, REAL)
    given = torch.asarray(weights) if way == "device" else weights
    found = WAYS[way](SAMPLES, LABELS, metric="cosine", sample_weight=given)
    np.testing.assert_allclose(found, expected(SAMPLES, LABELS, "cosine", weights.tolist()), rtol=0, atol=1e-13)


def test_memory_of_a_sparse_cluster_with_many_entries():
    """Samples near a centre that has an entry of each of them."""
    n = 4000
    rows, columns = np.repeat(np.arange(n), 2), np.stack([np.zeros(n, dtype=int), 1 + np.arange(n)], axis=1).ravel()
    x = sparse.csr_array((np.tile([1.0, 1e-3], n), (rows, columns)), shape=(n + 2, n + 1)).tolil()
    x[n:, n] = 1.0
    tracemalloc.start()
    try:
        gpuval.silhouette_score(x.tocsr(), np.arange(n + 2) >= n, metric="sqeuclidean")
        assert tracemalloc.get_traced_memory()[1] < 150e6  # all of the differences at once take 300 MB
    finally:
        tracemalloc.stop()
