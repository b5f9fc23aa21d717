"""The kernels on a GPU, and what calls them: ``pytest -m gpu``."""

import os
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gpuval
from gpuval import Contingency
from gpuval.engines import engine_of
from gpuval.engines.backends import to_host
from gpuval.engines.cuda import tabulate

pytestmark = pytest.mark.gpu

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]
SHAPES = [(1, 1), (7, 5), (60, 70), (240, 242), (1000, 1000), (5000, 5000)]
ARI_SIZE = {"n_classes": 30, "n_clusters": 40}
STANDS_IN = "GPUVAL_CUPY_ON_CPU" in os.environ
"""Whether the device is one of `tests/cupy_on_cpu`, which takes a thousand times as long."""
N, N_POINTS = (2003, 300) if STANDS_IN else (10**6 + 3, 3000)


@pytest.fixture
def cupy():
    import cupy

    assert cupy.is_available(), "CuPy finds no GPU"
    return cupy


@pytest.fixture
def torch():
    import torch

    assert torch.cuda.is_available(), "PyTorch finds no GPU"
    return torch


def samples(kind, shape, n, rng):
    true, pred = (rng.integers(0, size, n) for size in shape)
    if kind == "sorted":
        true.sort()
    if kind == "mostly one":
        true, pred = (np.where(rng.random(n) < 0.9, 0, x) for x in (true, pred))
    if kind == "good":
        pred = np.where(rng.random(n) < 0.9, true % shape[1], pred)
    return true, pred


@pytest.mark.parametrize("kind", ["random", "sorted", "mostly one"])
@pytest.mark.parametrize("shape", SHAPES)
def test_tables(shape, kind, cupy):
    """Of every kernel, from starts that no pack is aligned to."""
    rng = np.random.default_rng(1)
    for n in (1, 1000, N):
        true, pred = (x.astype(np.int32) for x in samples(kind, shape, n + 1, rng))
        counts, outside = tabulate.dense_counts(cupy.asarray(true)[1:], cupy.asarray(pred)[1:], *map(range, shape))
        cells = true[1:].astype(np.int64) * shape[1] + pred[1:]
        np.testing.assert_array_equal(counts.get().ravel(), np.bincount(cells, minlength=shape[0] * shape[1]))
        assert int(outside) == 0
        runs = tabulate.runs_of(cupy.asarray(true)[1:], cupy.asarray(pred)[1:], *map(range, shape))
        distinct, times = np.unique(cells, return_counts=True)
        np.testing.assert_array_equal((runs.rows * shape[1] + runs.columns).get(), distinct)
        np.testing.assert_array_equal(runs.counts.get(), times)


@pytest.mark.parametrize("kind", ["random", "sorted", "mostly one", "good"])
def test_cells_of_many_samples(kind, cupy):
    """Some are counted in slots: of the blocks of a table, or before a sort."""
    n, rng = (1 << 24) + 3, np.random.default_rng(3)
    for shape in ((1000, 1000), (10**5, 10**5)):
        true, pred = (x.astype(np.int32) for x in samples(kind, shape, n, rng))
        on_gpu = cupy.asarray(true), cupy.asarray(pred)
        distinct, times = np.unique(true.astype(np.int64) * shape[1] + pred, return_counts=True)
        runs = tabulate.runs_of(*on_gpu, *map(range, shape))
        np.testing.assert_array_equal((runs.rows * shape[1] + runs.columns).get(), distinct)
        np.testing.assert_array_equal(runs.counts.get(), times)
        if shape == (1000, 1000):
            counts = tabulate.dense_counts(*on_gpu, *map(range, shape))[0].get().ravel()
            np.testing.assert_array_equal(counts[distinct], times)
            assert counts.sum() == n


@pytest.mark.parametrize("b", DTYPES)
@pytest.mark.parametrize("a", DTYPES)
def test_types(a, b, cupy):
    rng = np.random.default_rng(2)
    true, pred = (rng.integers(0, 2 if x == "bool" else 100, min(N, 70_001)).astype(x) for x in (a, b))
    table = Contingency.from_labels(cupy.asarray(true), cupy.asarray(pred))
    wanted = Contingency.from_labels(true, pred)
    np.testing.assert_array_equal(gpuval.contingency_matrix(table).get(), wanted.to_array())


def test_more_samples_than_32_bits_count(cupy):
    """Labels i mod 7 and i mod 5 of 2^31 + 1 samples: each cell holds every 35th."""
    n = 2**31 + 1
    true, pred = (cupy.resize(cupy.arange(period, dtype=cupy.int8), n) for period in (7, 5))
    counts, _ = tabulate.dense_counts(true, pred, range(7), range(5))
    wanted = np.zeros((7, 5), np.int64)
    for i in range(35):
        wanted[i % 7, i % 5] = (n - i + 34) // 35
    np.testing.assert_array_equal(counts.get(), wanted)
    runs = tabulate.runs_of(true, pred, range(7), range(5))
    np.testing.assert_array_equal(runs.counts.get(), wanted.ravel())


def test_labels_outside(cupy):
    true = cupy.asarray(np.tile([0, 1, -1, 30], 1000))
    table = Contingency.from_labels(true, cupy.zeros_like(true), **ARI_SIZE)
    assert int(table.invalid) == 2000
    assert np.isnan(float(gpuval.rand_score(table)))


@contextmanager
def waiting_forbidden(torch):
    """PyTorch raises where the host waits for the device; it warns that this is a prototype."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            torch.cuda.set_sync_debug_mode("error")
        yield
    finally:
        torch.cuda.set_sync_debug_mode("default")


@pytest.mark.parametrize("name", ["adjusted_rand_score", "v_measure_score", "adjusted_mutual_info_score"])
def test_nothing_is_waited_for_in_torch(name, torch):
    labels = torch.arange(10**4, device="cuda") % 30, torch.arange(10**4, device="cuda") % 40
    score = getattr(gpuval, name)
    wanted = float(score(*labels, **ARI_SIZE))
    with waiting_forbidden(torch):
        found = score(*labels, **ARI_SIZE)
    assert float(found) == wanted


def test_an_epoch_waits_for_nothing_in_torch(torch):
    """Batches, a score so far, and the reset before the next epoch."""
    labels = torch.arange(10**4, device="cuda") % 30, torch.arange(10**4, device="cuda") % 40
    accumulator = gpuval.Accumulator(30, 40, like=labels[0])
    found = []
    accumulator.update(*labels)
    for _ in range(2):
        with waiting_forbidden(torch):
            accumulator.reset()
            accumulator.update(*labels)
            found.append(gpuval.adjusted_rand_score(accumulator.unchecked_table))
    assert [float(x) for x in found] == [float(gpuval.adjusted_rand_score(*labels))] * 2


@pytest.mark.filterwarnings("ignore:.*allow_synchronize")
def test_nothing_is_waited_for_in_cupy(cupy):
    import cupyx

    labels = cupy.arange(10**4) % 30, cupy.arange(10**4) % 40
    wanted = float(gpuval.adjusted_rand_score(*labels, **ARI_SIZE))
    with cupyx.allow_synchronize(False):
        found = gpuval.adjusted_rand_score(*labels, **ARI_SIZE)
    assert float(found) == wanted


def test_a_score_in_a_cuda_graph(torch):
    rng = np.random.default_rng(3)

    def some():
        return torch.asarray(rng.integers(0, 30, 10**4), device="cuda")

    true, pred = some(), some()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        gpuval.adjusted_rand_score(true, pred, **ARI_SIZE)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        score = gpuval.adjusted_rand_score(true, pred, **ARI_SIZE)
    for _ in range(3):
        true.copy_(some())
        pred.copy_(true if rng.random() < 0.5 else some())
        graph.replay()
        assert float(score) == pytest.approx(gpuval.adjusted_rand_score(true.cpu(), pred.cpu()), abs=1e-14)


def test_an_accumulator_in_a_cuda_graph(torch):
    """A step of a loop: a batch and the score so far, without the host."""
    rng = np.random.default_rng(5)
    true, pred = (torch.zeros(1000, dtype=torch.int64, device="cuda") for _ in range(2))
    accumulator, seen = gpuval.Accumulator(30, 40, like=true), []

    def step():
        accumulator.update(true, pred)
        return gpuval.adjusted_rand_score(accumulator.unchecked_table)

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        score = step()
    accumulator.reset()
    for _ in range(3):
        batch = rng.integers(0, 30, 1000), rng.integers(0, 40, 1000)
        seen.append(batch)
        true.copy_(torch.asarray(batch[0]))
        pred.copy_(torch.asarray(batch[1]))
        graph.replay()
        whole = gpuval.adjusted_rand_score(*(np.concatenate(x) for x in zip(*seen, strict=True)))
        assert float(score) == pytest.approx(whole, abs=1e-14)
    assert int(accumulator.table.total) == 3000


@pytest.mark.filterwarnings("ignore:.*allow_synchronize")
def test_an_accumulator_of_cupy(cupy):
    import cupyx

    rng = np.random.default_rng(6)
    true, pred, weights = rng.integers(0, 30, 999), rng.integers(0, 40, 999), rng.integers(0, 9, 999)
    accumulator = gpuval.Accumulator(30, 40, xp=cupy)
    accumulator.update(*map(cupy.asarray, (true, pred)))
    columns = [*map(cupy.asarray, (true, pred, weights))]
    with cupyx.allow_synchronize(False):
        accumulator.update(*columns)
    whole = Contingency.from_labels(true, pred, sample_weight=weights + 1, n_classes=30, n_clusters=40)
    np.testing.assert_array_equal(accumulator.table.to_array().get(), whole.to_array())
    accumulator.update(cupy.asarray([30]), cupy.asarray([0]))
    with pytest.raises(ValueError, match="labels_true range from 30 to 30, labels_pred from 0 to 0 "):
        _ = accumulator.table


def test_under_vmap(torch):
    """Where there is no memory to read, labels go through PyTorch's own functions; also if one side is plain."""
    true = torch.arange(60, device="cuda") % 3
    preds = torch.stack([true, (true + 1) % 3, true // 2])
    scores = torch.func.vmap(lambda pred: gpuval.v_measure_score(true, pred, n_classes=3, n_clusters=3))(preds)
    assert scores.tolist() == [float(gpuval.v_measure_score(true.cpu(), pred.cpu())) for pred in preds]


def test_labels_that_another_stream_is_still_writing(torch):
    side = torch.cuda.Stream()
    for _ in range(20):
        with torch.cuda.stream(side):
            true = torch.zeros(10**7, dtype=torch.int64, device="cuda")
            for _ in range(5):
                true = true + 1
            assert float(gpuval.entropy(true)) == 0
            table = Contingency.from_labels(true, true, n_classes=6, n_clusters=6)
        torch.cuda.synchronize()
        assert int(table.counts[5, 5]) == 10**7


def test_the_expected_mutual_information(cupy):
    rng = np.random.default_rng(4)
    n_classes, n_clusters = (50, 80) if STANDS_IN else (500, 800)
    true, pred = rng.integers(0, n_classes, N), rng.integers(0, n_clusters, N)
    wanted = gpuval.expected_mutual_info(true, pred)
    for size in ({}, {"n_classes": n_classes, "n_clusters": n_clusters}):
        found = gpuval.expected_mutual_info(cupy.asarray(true), cupy.asarray(pred), **size)
        assert float(found) == pytest.approx(wanted, rel=1e-13)


def placing(module):
    """A function that brings arrays of NumPy to the GPU, for CuPy or PyTorch; None stays."""
    return lambda x: (
        None if x is None else module.asarray(x).cuda() if module.__name__ == "torch" else module.asarray(x)
    )


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_distances_to_clusters(library, dtype, metric, request):
    """All that is read of all distances, in 40 clusters of which some are small and some are empty."""
    module = request.getfixturevalue(library)
    rng = np.random.default_rng(7)
    labels = np.sort(np.minimum(rng.integers(0, 45, N_POINTS), rng.integers(0, 400, N_POINTS)))
    points, weights = rng.normal(10, 1, (N_POINTS, 50)).astype(dtype), rng.uniform(0, 3, N_POINTS)
    edges = np.searchsorted(labels, np.arange(48))  # the last ones are empty
    found, own = cdist(*2 * [points.astype(np.float64)], metric), labels[:, None] == labels[None, :]

    on_gpu = placing(module)
    given = [on_gpu(x) for x in (points, labels, points, edges)]
    relative = 1e-6 if dtype == "float32" else 1e-13
    for w in (None, weights):
        of_columns = np.ones(N_POINTS) if w is None else w
        sums = np.add.reduceat(found * of_columns, np.unique(edges[edges < N_POINTS]), axis=1)
        masses = np.bincount(labels, of_columns, minlength=47)
        present = np.unique(labels)
        is_own = present[None, :] == labels[:, None]
        means = sums / masses[present]
        wanted = [
            sums[is_own],
            np.where(is_own, np.inf, means).min(axis=1),
            np.where(is_own, -np.inf, means).max(axis=1),
            np.where(is_own, 0, sums).sum(axis=1),
        ]
        result = engine_of(given[0]).cluster_means(*given, on_gpu(w), on_gpu(masses), metric)
        np.testing.assert_allclose(to_host(result), np.stack(wanted), rtol=relative)
        again = engine_of(given[0]).cluster_means(*given, on_gpu(w), on_gpu(masses), metric)
        assert bool((result == again).all())
    result = engine_of(given[0]).cluster_extremes(*given, metric)
    wanted = [np.where(own, np.inf, found).min(axis=1), np.where(own, found, 0).max(axis=1)]
    np.testing.assert_allclose(to_host(result), np.stack(wanted), rtol=relative)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_density_based_validation(library, dtype, metric, request):
    """In 40 clusters of which some are small, by samples that often lie in one place, or equally far apart."""
    module = request.getfixturevalue(library)
    rng = np.random.default_rng(8)
    labels = np.minimum(rng.integers(0, 45, N_POINTS), rng.integers(0, 400, N_POINTS))
    X = rng.integers(0, 5, (N_POINTS, 4)).astype(dtype)
    given = [*map(placing(module), (X, labels))]
    wanted = gpuval.dbcv_score(X, labels, metric=metric, ignore_labels=3)
    for size in ({}, {"n_clusters": 47}):
        found = gpuval.dbcv_score(*given, metric=metric, ignore_labels=3, **size)
        assert float(found) == pytest.approx(float(wanted), abs=1e-12)
