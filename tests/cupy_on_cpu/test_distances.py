"""What is read of all distances, by the kernels over the stand-ins, against NumPy's loops over clusters in float64."""

import cupy
import numpy as np
import pytest

from cupy_on_cpu import compiler
from cupy_on_cpu.arrays import on_device
from cupy_on_cpu.broken import Fault, put
from gpuval.engines import engine_of
from gpuval.engines.cuda import statistics
from gpuval.engines.cuda.kernels import source

pytestmark = pytest.mark.usefixtures("checked")

SIZES = [1, 63, 64, 65, 130]
METRICS = ["euclidean", "cityblock"]
RELATIVE = {"float32": 1e-6, "float64": 1e-13}


def distances_between(x, y, metric):
    differences = x.astype(np.float64)[:, None, :] - y.astype(np.float64)[None, :, :]
    return np.sqrt(np.sum(differences**2, axis=2)) if metric == "euclidean" else np.sum(abs(differences), axis=2)


def means_by_definition(rows, codes, columns, sizes, weights, metric):
    """The results, and the mass of each cluster."""
    found = distances_between(rows, columns, metric)
    weights = np.ones(len(columns)) if weights is None else weights
    of_cluster = np.repeat(np.arange(len(sizes)), sizes)
    masses = np.array([weights[of_cluster == c].sum() for c in range(len(sizes))])
    result = np.array([[0, np.inf, -np.inf, 0]] * len(rows), dtype=np.float64).reshape(-1, 4).T
    for row, code in enumerate(codes):
        sums = [found[row, of_cluster == c] @ weights[of_cluster == c] for c in range(len(sizes))]
        others = [c for c in range(len(sizes)) if c != code and masses[c] > 0]
        means = [sums[c] / masses[c] for c in others]
        result[:, row] = (
            sums[code],
            min(means, default=np.inf),
            max(means, default=-np.inf),
            sum(sums[c] for c in others),
        )
    return result, masses


def extremes_by_definition(rows, codes, columns, sizes, metric):
    found = distances_between(rows, columns, metric)
    of_cluster = np.repeat(np.arange(len(sizes)), sizes)
    own = np.asarray(codes)[:, None] == of_cluster[None, :]
    nearest = np.min(np.where(own, np.inf, found), axis=1, initial=np.inf)
    return np.stack([nearest, np.max(np.where(own, found, 0), axis=1, initial=0)])


def check(rows, codes, columns, sizes, metric, weights=None):
    """Both kernels, against their definitions; gives what they found."""
    rows, columns = np.asarray(rows), np.asarray(columns)
    relative = RELATIVE[rows.dtype.name]
    wanted, masses = means_by_definition(rows, codes, columns, sizes, weights, metric)
    edges = on_device(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
    given = on_device(rows), on_device(np.asarray(codes, dtype=np.int64)), on_device(columns), edges
    of_weights = None if weights is None else on_device(weights)
    means = statistics.cluster_means(*given, of_weights, on_device(masses), metric)
    assert means.dtype == np.float64
    np.testing.assert_allclose(means.get(), wanted, rtol=relative)
    extremes = statistics.cluster_extremes(*given, metric)
    assert extremes.dtype == np.float64
    np.testing.assert_allclose(
        extremes.get(), extremes_by_definition(rows, codes, columns, sizes, metric), rtol=relative
    )
    return means.get(), extremes.get()


def layouts(n):
    """Sizes of clusters that together have n columns."""
    third = n // 3
    return {
        "one": [n],
        "two": [n // 2, n - n // 2],
        "straddling": [third, third // 2, n - third - third // 2],
        "empty ones": [0, 0, third, 0, n - third, 0],
        "singletons": [1] * n,
        "small": [*[7] * (n // 7), n % 7],
    }


def some(m, n, d, sizes, dtype, seed=1):
    rng = np.random.default_rng(seed)
    rows, columns = rng.normal(size=(m, d)).astype(dtype), rng.normal(size=(n, d)).astype(dtype)
    return rows, rng.integers(0, len(sizes), m), columns


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("n", "d"), [*zip(SIZES, (2, 50, 7, 16, 1), strict=True), (65, 33), (130, 2)])
def test_clusters_around_the_borders_of_tiles(n, d, metric, dtype):
    for m, sizes in zip((129, 1, 128, 63, n, 65), layouts(n).values(), strict=True):
        check(*some(m, n, d, sizes, dtype), sizes, metric)


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("d", [1, 2, 7, 16, 50])
def test_weights(d, dtype):
    weights = np.random.default_rng(2).uniform(0, 3, 130)
    weights[40:70] = 0
    for sizes in ([130], [40, 30, 60], [0, 64, 0, 66, 0], [1] * 130):  # of no mass is the second of three
        check(*some(67, 130, d, sizes, dtype), sizes, METRICS[d % 2], weights)


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("metric", METRICS)
def test_equal_points_are_at_no_distance(metric, dtype):
    """Points that no type has exactly, far away, of which each occurs three times; rows are the columns."""
    points = np.repeat(some(0, 30, 20, [1], dtype)[2] / 3 + 100, 3, axis=0)
    sizes, codes = [3] * 30, np.repeat(np.arange(30), 3)
    means, extremes = check(points, codes, points, sizes, metric)
    assert means[0].tolist() == extremes[1].tolist() == [0] * 90
    _, extremes = check(points, codes % 2, np.concatenate([points, points]), [90, 90], metric)
    assert extremes[0].tolist() == [0] * 90


@pytest.mark.parametrize("metric", METRICS)
def test_points_far_from_the_origin(metric):
    """Where |x|^2 + |y|^2 - 2xy would have no digit left in float32."""
    sizes = [50, 30, 20]
    rows, codes, columns = some(70, 100, 7, sizes, np.float64)
    check((rows + 1e4).astype(np.float32), codes, (columns + 1e4).astype(np.float32), sizes, metric)


def test_values_by_hand():
    """Two clusters on a line, at 0 and 1, and at 4 and 6."""
    points = np.array([[0.0], [1], [4], [6]])
    means, extremes = check(points, [0, 0, 1, 1], points, [2, 2], "euclidean")
    assert means.tolist() == [[1, 1, 2, 2], [5, 4, 3.5, 5.5], [5, 4, 3.5, 5.5], [10, 8, 7, 11]]
    assert extremes.tolist() == [[4, 3, 3, 5], [1, 1, 2, 2]]


def test_no_rows_and_no_other_cluster():
    sizes = [3, 0]
    rows, codes, columns = some(5, 3, 2, [3], np.float32)
    for array in check(rows[:0], codes[:0], columns, sizes, "euclidean"):
        assert array.shape[1] == 0
    means, extremes = check(rows, codes, columns, sizes, "euclidean")
    assert means[1:].tolist() == [[np.inf] * 5, [-np.inf] * 5, [0] * 5]
    assert extremes[0].tolist() == [np.inf] * 5
    means, extremes = check(rows, codes + 1, columns, sizes, "euclidean")
    assert means[0].tolist() == extremes[1].tolist() == [0] * 5


def test_distances_that_overflow_stay_with_their_cluster():
    """In float32 one point is too far away to square: what is infinite is its own cluster's."""
    columns = np.array([[0], [1], [1e25], [2], [3]], dtype=np.float32)
    edges, codes = on_device(np.array([0, 2, 3, 5])), on_device(np.array([0]))
    for weights in (None, on_device(np.ones(5))):
        given = on_device(columns[:1]), codes, on_device(columns), edges
        means = statistics.cluster_means(*given, weights, on_device([2.0, 1.0, 2.0]), "euclidean")
        assert means.ravel().tolist() == [1, 2.5, np.inf, np.inf]


def test_arrays_in_another_order():
    """What is not contiguous is made so, where the kernels would read other numbers."""
    sizes = [30, 40]
    rows, codes, columns = some(70, 70, 5, sizes, np.float64)
    edges, masses = on_device(np.array([0, 30, 70])), on_device(np.array([30.0, 40.0]))
    ordered = [on_device(x) for x in (rows, codes, columns)]
    rows, columns = (cupy.asarray(x.T.copy()).T for x in (rows, columns))
    codes = cupy.asarray(np.repeat(codes, 2))[::2]
    for name, others in (("cluster_means", (None, masses)), ("cluster_extremes", ())):
        found = [getattr(statistics, name)(*x, edges, *others, "cityblock") for x in (ordered, (rows, codes, columns))]
        np.testing.assert_array_equal(*(x.get() for x in found))


@pytest.mark.parametrize("dtype", RELATIVE)
def test_the_digits_are_the_same_each_time(dtype):
    """In whatever order the threads and the blocks come: each launch has another seed."""
    sizes = [40, 20, 70, 3]
    points = some(140, 133, 9, sizes, dtype)
    weights = np.random.default_rng(3).uniform(size=133)
    first, *others = (check(*points, sizes, "euclidean", weights) for _ in range(4))
    for other in others:
        for x, y in zip(first, other, strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("built_as", ["address", "plain"], indirect=True)
def test_on_memory_that_ends_where_it_ends(built_as):
    for dtype, (m, n, d) in zip(RELATIVE, [(129, 131, 17), (3, 66, 5)], strict=True):
        sizes = [20, 0, n - 22, 1, 1]
        check(*some(m, n, d, sizes, dtype), sizes, "euclidean", np.linspace(0.5, 2, n))


def test_many_clusters_of_many_columns(monkeypatch):
    monkeypatch.setattr(compiler, "kind", "plain")
    sizes = np.random.default_rng(4).integers(0, 12, 150)
    check(*some(200, sizes.sum(), 3, sizes, np.float32), sizes, "euclidean")


@pytest.mark.parametrize("where", ["of_rows.write(", "for (u32 f = 0"])
def test_a_kernel_without_a_barrier_is_found(where, monkeypatch):
    """What these tests would say if slices were read before they are there, or written while they are read."""
    lines = source("distances").splitlines()
    (after,) = (i for i, line in enumerate(lines) if where in line)
    barrier = max(i for i, line in enumerate(lines[:after]) if "__syncthreads();" in line)
    assert after - barrier <= 2
    name = "gpuval::cluster_means<float, gpuval::Euclidean, gpuval::One>"
    put(monkeypatch, "distances", name, "\n".join(lines[:barrier] + lines[barrier + 1 :]))
    with pytest.raises(Fault, match="cluster_means"):
        check(*some(65, 65, 20, [65], np.float32), [65], "euclidean")


def test_arrays_of_the_host_are_not_for_kernels():
    assert not engine_of(np.zeros(3)).has_distances(np.zeros((3, 2)), "euclidean")
