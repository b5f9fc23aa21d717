"""Density-based validation by kernels over the stand-ins: core distances, spanning trees and separations."""

import itertools

import cupy
import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

import gpuval
from cupy_on_cpu import launched_own
from cupy_on_cpu.arrays import on_device
from cupy_on_cpu.broken import needed_barriers
from gpuval.engines.cuda import statistics

pytestmark = pytest.mark.usefixtures("checked")

METRICS = ["euclidean", "cityblock"]
LAYOUTS = {
    "one": [130],
    "at the borders of warps": [31, 32, 33, 34, 64, 65],
    "small and empty": [0, 2, 0, 3, 2, 4, 5, 0],
    "with noise": [40, 9],
}
N_OF_NONE = 3
"""Samples of no cluster, in each layout but the first."""


def distances_of(points, metric):
    apart = points[:, None, :] - points[None, :, :]
    return np.sqrt(np.sum(apart**2, axis=2)) if metric == "euclidean" else np.sum(abs(apart), axis=2)


def some(layout, d, places):
    """Points on a lattice, so that distances are exact and often equal; their codes, and the edges of clusters."""
    sizes = LAYOUTS[layout]
    n = sum(sizes) + (0 if layout == "one" else N_OF_NONE)
    points = np.random.default_rng(n + d).integers(0, places, (n, d)).astype(np.float64)
    codes = np.full(n, len(sizes))
    codes[: sum(sizes)] = np.repeat(np.arange(len(sizes)), sizes)
    return points, codes, np.concatenate([[0], np.cumsum(sizes)])


def tree_by_definition(reach):
    """Of all edges from a sample u in the tree to another one v, the least by (length, v, u) comes next."""
    parents, lengths = [-1] * len(reach), [0.0] * len(reach)
    inside, others = [0], set(range(1, len(reach)))
    while others:
        length, v, u = min((reach[u, v], v, u) for v in others for u in [inside[int(np.argmin(reach[inside, v]))]])
        parents[v], lengths[v] = u, length
        others.remove(v)
        inside = sorted([*inside, v])
    return parents, lengths


def sparseness_by_definition(parents, lengths):
    degrees = np.zeros(len(parents), dtype=int)
    for v, u in enumerate(parents):
        degrees[[v, u]] += u >= 0
    edges = [(lengths[v], degrees[v] > 1 and degrees[u] > 1) for v, u in enumerate(parents) if u >= 0]
    between = [length for length, is_inner in edges if is_inner]
    return degrees, max(between or [length for length, _ in edges], default=0.0)


def check_trees(points, edges, cores, metric):
    found = statistics.trees(on_device(points.T.copy()), on_device(edges), on_device(cores), metric)
    parents, lengths, degrees, sparseness = (x.get() for x in found)
    apart = distances_of(points, metric)
    for c, (begin, end) in enumerate(itertools.pairwise(edges)):
        own = slice(begin, end)
        reach = np.maximum(apart[own, own], np.maximum(cores[own][:, None], cores[own]))
        of_parents, of_lengths = tree_by_definition(reach)
        assert (parents[begin + 1 : end] - begin).tolist() == of_parents[1:]
        assert lengths[begin + 1 : end].tolist() == of_lengths[1:]
        of_degrees, longest = sparseness_by_definition(of_parents, of_lengths)
        assert degrees[own].tolist() == (of_degrees * (2 if len(reach) == 2 else 1)).tolist()
        assert sparseness[c] == longest
        if len(reach):  # in which SciPy takes 0 for no edge
            shortest = minimum_spanning_tree(reach + 1).data - 1
            assert np.sort(lengths[begin + 1 : end]) == pytest.approx(np.sort(shortest), abs=1e-12)
    assert not degrees[edges[-1] :].any()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("d", "places"), [(1, 3), (2, 5), (3, 100)])
def test_trees(layout, d, places, metric):
    """Without core distances, with small ones, of which some equal distances, and with those that decide all."""
    points, _, edges = some(layout, d, places)
    rng = np.random.default_rng(1)
    for most in (0, places // 2, 2 * places * d):
        check_trees(points, edges, rng.integers(0, most + 1, len(points)).astype(np.float64), metric)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("d", [1, 2, 7, 50])
def test_core_distances(d, metric):
    for layout in LAYOUTS:
        points, codes, edges = some(layout, d, 4)
        found = statistics.cores_of(on_device(points.T.copy()), on_device(codes), on_device(edges), metric).get()
        apart = distances_of(points, metric)
        for i, code in enumerate(codes):
            own = apart[i, codes == code]
            powers = own[own > 0] ** -float(d)
            none = code == len(edges) - 1 or not len(powers)
            wanted = 0 if none else (powers.sum() / (len(own) - 1)) ** (-1 / d)
            assert found[i] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("unit", [1e-100, 1.0, 1e100])
def test_powers_of_core_distances_do_not_overflow(unit):
    """Of 200 features a power of a distance is no float."""
    X = np.random.default_rng(0).normal(size=(20, 200)) * unit
    found = gpuval.dbcv_score(cupy.asarray(X), cupy.asarray(np.arange(20) % 2), n_clusters=2)
    assert float(found) == pytest.approx(gpuval.dbcv_score(X, np.arange(20) % 2), rel=1e-11)


def samples(dtype):
    """150 samples that lie in few places, of 6 clusters, of which one has a single sample."""
    rng = np.random.default_rng(5)
    X, labels = rng.integers(0, 9, (150, 3)) + 100, rng.integers(0, 5, 150)
    labels[70] = 5
    return X.astype(dtype), labels


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [{}, {"n_clusters": 8}])
@pytest.mark.parametrize("metric", METRICS)
def test_scores(dtype, size, metric, library):
    X, labels = samples(dtype)
    how = {"metric": metric, "ignore_labels": 2, "return_per_label": True}
    found = gpuval.dbcv_score(library(X), library(labels), **how, **size)
    assert any("trees" in x for x in launched_own())
    wanted = gpuval.dbcv_score(X, labels, **how)
    assert type(found.score) is type(library(X))
    assert float(found.score) == pytest.approx(float(wanted.score), abs=1e-12)
    of_each = dict(zip(np.asarray(found.labels).tolist(), np.asarray(found.label_scores), strict=True))
    of_each_on_host = zip(wanted.labels.tolist(), wanted.label_scores, strict=True)
    assert [of_each[x] for x, _ in of_each_on_host] == pytest.approx(wanted.label_scores, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("size", [{}, {"n_clusters": 5}])
@pytest.mark.parametrize("labels", [[-1] * 4, [0] * 4, [0, 1, 2, 3], [0, 0, 1, 2]])
def test_fewer_than_two_clusters(labels, size):
    X = cupy.asarray(samples(np.float64)[0][:4])
    assert float(gpuval.dbcv_score(X, cupy.asarray(labels), ignore_labels=-1, **size)) == 0


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_makes_the_score_nan(value):
    """If values are not looked at; but not where no cluster has it."""
    X, labels = samples(np.float64)
    X[labels == 1, 0] = value
    given = cupy.asarray(X), cupy.asarray(labels)
    assert np.isnan(float(gpuval.dbcv_score(*given, n_clusters=6)))
    found = gpuval.dbcv_score(*given, n_clusters=6, ignore_labels=1)
    assert float(found) == pytest.approx(gpuval.dbcv_score(X, labels, ignore_labels=1), abs=1e-12)


@pytest.mark.parametrize("built_as", ["address", "plain"], indirect=True)
def test_on_memory_that_ends_where_it_ends(built_as):
    for metric, layout in zip(METRICS, ("small and empty", "with noise"), strict=True):
        points, codes, edges = some(layout, 5, 3)
        found = statistics.densities(*map(on_device, (points, codes, edges)), metric)[1].get()
        assert found.shape == (len(edges) - 1,)


def test_each_barrier_is_needed(monkeypatch):
    """Without any one of them the emulator finds a fault; a cluster has no samples, others have several warps."""
    points, _, _ = some("at the borders of warps", 2, 9)
    edges = np.concatenate([[0, 0], np.cumsum(LAYOUTS["at the borders of warps"])])
    given = on_device(points.T.copy()), on_device(edges), on_device(np.zeros(len(points)))
    name = "gpuval::trees<gpuval::Euclidean>"
    for function, number in (("connected", 2), ("trees", 2)):
        assert (
            needed_barriers("trees", function, name, lambda: statistics.trees(*given, METRICS[0]), monkeypatch)
            == number
        )
