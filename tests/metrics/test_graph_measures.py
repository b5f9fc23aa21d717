"""Measures of a graph and labels: definitions, worked values, degenerate graphs, and what they take and give."""

from __future__ import annotations

import tracemalloc
import warnings
from fractions import Fraction
from functools import partial
from math import nan

import graph_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS, assert_close, jax_values_refused, transfers_to_host
from hypothesis import given, settings
from hypothesis import strategies as st
from only_for import only_for
from scipy import sparse

import gpuval
from gpuval import Neighbors
from gpuval.engines.backends import Backend, backend_of
from gpuval.geometry.neighbors import components, graph_sums
from gpuval.geometry.neighbors.neighbors import read_edges


def conductances(*given, **options):
    """The scores alone; their labels are tested by themselves."""
    return gpuval.conductance_scores(*given, **options).scores


MEASURES = {
    "modularity_score": (gpuval.modularity_score, oracles.modularity),
    "modularity_score directed": (
        partial(gpuval.modularity_score, directed=True),
        partial(oracles.modularity, directed=True),
    ),
    "modularity_score at 0.5": (
        partial(gpuval.modularity_score, resolution=0.5),
        partial(oracles.modularity, resolution=0.5),
    ),
    "modularity_score at 2.25, directed": (
        partial(gpuval.modularity_score, resolution=2.25, directed=True),
        partial(oracles.modularity, resolution=2.25, directed=True),
    ),
    "coverage_score": (gpuval.coverage_score, oracles.coverage),
    "conductance_scores": (conductances, oracles.conductances),
    "performance_score": (gpuval.performance_score, oracles.performance),
    "graph_connectivity_score": (gpuval.graph_connectivity_score, oracles.connectivity),
    "graph_connectivity_score strong": (
        partial(gpuval.graph_connectivity_score, connection="strong"),
        partial(oracles.connectivity, connection="strong"),
    ),
}
"""Each measure with its definition."""

ON_A_DEVICE = [name for name in MEASURES if "strong" not in name]

TRIANGLES = np.zeros((6, 6))
for i, j in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]:
    TRIANGLES[i, j] = TRIANGLES[j, i] = 1
HALVES = [0, 0, 0, 1, 1, 1]

N, N_EDGES, N_LABELS = 24, 70, 5


def random_graph(seed, symmetric=False, n=N, n_edges=N_EDGES):
    """Weights that are fractions of 64, with loops, samples without edges, and labels."""
    random = np.random.default_rng(seed)
    A = np.zeros((n, n))
    places = random.choice((n - 2) ** 2, n_edges, replace=False)
    A[places // (n - 2), places % (n - 2)] = random.integers(1, 200, n_edges) / 64
    if symmetric:
        A = np.maximum(A, A.T)
    labels = random.integers(0, N_LABELS, n)
    labels[:N_LABELS] = range(N_LABELS)  # each occurs
    return A, labels


def rows_of(A, backend=None):
    """A dense matrix as the three arrays of its rows."""
    A = sparse.csr_array(A)
    make = np.asarray if backend is None else backend.array
    return make(A.data.astype(float)), make(A.indices.astype(np.int64)), make(A.indptr.astype(np.int64))


def given_size(backend, **options):
    """The number of labels, where it cannot be found."""
    return options if backend.finds_sizes else {"n_labels": N_LABELS} | options


# Definitions


@pytest.mark.parametrize("name", MEASURES)
def test_indices_without_a_sign(name):
    """Of 64 bits: NumPy counts by no such numbers, and adds them to others as floats."""
    A, labels = random_graph(3)
    graph = sparse.csr_array(A)
    expected = MEASURES[name][0](graph, labels)
    graph.indices, graph.indptr = graph.indices.astype(np.uint64), graph.indptr.astype(np.uint64)
    np.testing.assert_array_equal(MEASURES[name][0](graph, labels), expected)


@pytest.mark.by_default
@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("symmetric", [False, True])
def test_definitions(backend, name, symmetric):
    measure, definition = MEASURES[name]
    A, labels = random_graph(3, symmetric, n_edges=50 if symmetric else N_EDGES)
    exact = definition(oracles.exact(A), labels.tolist())
    graph, labels = rows_of(A, backend), backend.array(labels)
    for options in ({"n_labels": N_LABELS}, given_size(backend)):
        found = measure(graph, labels, **options)
        backend.assert_close(found, exact, name)
        backend.assert_at_home(found, graph[0], (N_LABELS,) if isinstance(exact, list) else ())


@pytest.mark.parametrize("name", MEASURES)
def test_many_graphs(name):
    measure, definition = MEASURES[name]
    for seed in range(40):
        A, labels = random_graph(seed, seed % 3 == 0, n=6 + seed % 9, n_edges=2 + seed % 15)
        found = measure(sparse.csr_array(A), labels[: len(A)])
        assert_close(np.asarray(found), definition(oracles.exact(A), labels[: len(A)].tolist()), f"{name} {seed}")


def test_the_definition_by_pairs_is_the_same():
    for seed in range(20):
        A, labels = random_graph(seed, symmetric=True)
        exact = oracles.exact(A)
        assert oracles.modularity(exact, labels) == oracles.modularity_of_pairs(exact, labels)
        assert oracles.modularity(exact, labels) == oracles.modularity(exact, labels, directed=True)


@settings(max_examples=60)
@given(st.integers(1, 8), st.data())
def test_any_graph(n, data):
    weights = st.sampled_from([0, 0, 0, 1, 2, 0.25, 3])
    A = np.asarray(data.draw(st.lists(weights, min_size=n * n, max_size=n * n)), dtype=float).reshape(n, n)
    labels = data.draw(st.lists(st.sampled_from("ABC"), min_size=n, max_size=n))
    for name, (measure, definition) in MEASURES.items():
        found = np.asarray(measure(sparse.csr_array(A), labels))
        assert_close(found, definition(oracles.exact(A), labels), name)


def test_modularity_without_symmetry_is_that_of_both_directions():
    A, labels = random_graph(5)
    both = gpuval.modularity_score(sparse.csr_array(A + A.T), labels)
    assert gpuval.modularity_score(sparse.csr_array(A), labels) == pytest.approx(both, abs=1e-15)
    assert gpuval.modularity_score(sparse.csr_array(A), labels, directed=True) != pytest.approx(both, abs=1e-3)


# Worked values


def test_two_triangles(backend):
    graph, labels, options = rows_of(TRIANGLES, backend), backend.array(HALVES), {"n_labels": 2}
    close = backend.assert_close
    close(gpuval.modularity_score(graph, labels, **options), Fraction(5, 14))
    close(gpuval.modularity_score(graph, labels, directed=True, **options), Fraction(5, 14))
    close(gpuval.modularity_score(graph, labels, resolution=0.5, **options), Fraction(17, 28))
    close(gpuval.coverage_score(graph, labels, **options), Fraction(6, 7))
    close(conductances(graph, labels, **options), [Fraction(1, 7)] * 2)
    close(gpuval.performance_score(graph, labels, **options), Fraction(14, 15))
    close(gpuval.graph_connectivity_score(graph, labels, **options), 1)


def nearest_of_points():
    """Of the points 0, 1, 2.1, 3.3 and 10, 11, 12.5, 40, with themselves among three."""
    x = np.asarray([0, 1, 2.1, 3.3, 10, 11, 12.5, 40])
    distances = np.abs(x[:, None] - x[None, :])
    indices = np.argsort(distances, axis=1)[:, :3]
    return indices, np.take_along_axis(distances, indices, axis=1)


def test_the_points(backend):
    indices, distances = map(backend.array, nearest_of_points())
    neighbors = Neighbors.from_knn(indices, distances, has_self=True)
    labels, options = backend.array([0] * 4 + [1] * 4), {"n_labels": 2}
    backend.assert_close(gpuval.graph_connectivity_score(neighbors, labels, **options), 1)
    strong = gpuval.graph_connectivity_score(neighbors, labels, connection="strong", **options)
    backend.assert_close(strong, Fraction(7, 8))


def test_a_loop_counts_as_its_entry():
    """By hand: S = 11, W = 5 and 4, K = 6 and 5."""
    A = np.asarray([[3.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    found = gpuval.modularity_score(sparse.csr_array(A), [0, 0, 1, 1])
    assert found == pytest.approx(9 / 11 - (36 + 25) / 121, rel=1e-14)
    assert conductances(sparse.csr_array(A), [0, 0, 1, 1]).tolist() == [1 / 5, 1 / 5]
    assert gpuval.performance_score(sparse.csr_array(A), [0, 0, 1, 1]) == 5 / 6


# Each label


@pytest.mark.parametrize("has_size", [False, True])
@only_for(lambda backend, has_size: has_size or backend.finds_sizes)
def test_scores_of_each_label(backend, has_size):
    A, labels = random_graph(1)
    exact = oracles.exact(A)
    graph, codes = rows_of(A, backend), backend.array(labels)
    options = {"n_labels": N_LABELS} if has_size else {}
    terms = oracles.modularities(exact, labels.tolist())
    shares = oracles.shares_connected(exact, labels.tolist())
    for measure, parts in ((gpuval.modularity_score, terms), (gpuval.graph_connectivity_score, shares)):
        found = measure(graph, codes, return_per_label=True, **options)
        assert found._fields == ("score", "labels", "label_scores")
        assert backend.numpy(found.score) == backend.numpy(measure(graph, codes, **options))
        assert backend.numpy(found.labels).tolist() == list(range(N_LABELS))
        assert type(found.labels) is type(graph[0])
        backend.assert_close(found.label_scores, parts)
        backend.assert_at_home(found.label_scores, graph[0], (N_LABELS,))


def test_labels_that_do_not_occur():
    graph = sparse.csr_array(TRIANGLES)
    labels = [10 * x - 3 for x in HALVES]  # -3 and 7
    found = gpuval.modularity_score(graph, labels, return_per_label=True)
    assert (found.labels.tolist(), found.label_scores.shape) == ([-3, 7], (2,))
    found = gpuval.conductance_scores(graph, labels)
    assert (found.labels.tolist(), found.scores.tolist()) == ([-3, 7], [1 / 7, 1 / 7])
    found = gpuval.graph_connectivity_score(graph, ["T", "T", "T", "B", "B", "B"], return_per_label=True)
    assert found.labels.tolist() == ["B", "T"]
    found = gpuval.conductance_scores(graph, HALVES, n_labels=3)
    assert found.labels.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.scores, [1 / 7, 1 / 7, nan])
    found = gpuval.graph_connectivity_score(graph, HALVES, n_labels=3, return_per_label=True)
    assert (found.score, found.labels.tolist()) == (1, [0, 1, 2])
    np.testing.assert_array_equal(found.label_scores, [1, 1, nan])
    found = gpuval.modularity_score(graph, HALVES, n_labels=3, return_per_label=True)
    np.testing.assert_allclose(found.label_scores, [5 / 28, 5 / 28, 0], rtol=1e-15)


@pytest.mark.parametrize("name", MEASURES)
def test_ignored_labels(backend, name):
    """As if their samples were not there, with a heavy edge between a kept and an ignored one."""
    measure, definition = MEASURES[name]
    A, labels = random_graph(7)
    A[0, 4] = 1e6
    keep = labels != 4
    exact = definition(oracles.exact(A[keep][:, keep]), labels[keep].tolist())
    options = given_size(backend) and {"n_labels": 4}
    found = measure(rows_of(A, backend), backend.array(labels), ignore_labels=4, **options)
    backend.assert_close(found, exact, name)


# Degenerate graphs


def no_edges(backend, n):
    return backend.array(np.zeros(0)), backend.array(np.zeros(0, dtype=int)), backend.array(np.zeros(n + 1, int))


@pytest.mark.parametrize("name", MEASURES)
def test_no_edges(backend, name):
    value = {"conductance_scores": [nan, nan], "performance_score": Fraction(2, 3)}.get(name, 0)
    value = Fraction(1, 2) if "connectivity" in name else value
    found = MEASURES[name][0](no_edges(backend, 4), backend.array([0, 0, 1, 1]), n_labels=2)
    backend.assert_close(found, value, name)


@pytest.mark.parametrize("name", MEASURES)
def test_one_label(backend, name):
    """All edges lie inside it: no more than expected, and nothing is cut."""
    A, _ = random_graph(2, symmetric=True)
    labels = backend.array(np.zeros(N, dtype=int))
    found = MEASURES[name][0](rows_of(A, backend), labels, n_labels=1)
    if name in ("modularity_score", "modularity_score directed"):
        assert backend.numpy(found) == 0
    elif name == "coverage_score":
        assert backend.numpy(found) == 1
    elif name == "conductance_scores":
        assert np.isnan(backend.numpy(found)).tolist() == [True]
    else:
        backend.assert_close(found, MEASURES[name][1](oracles.exact(A), [0] * N), name)


OF_ONE_SAMPLE = {
    "modularity_score": -(4 * 4 + 2 * 9) / 14**2,
    "coverage_score": 0,
    "conductance_scores": [1.0] * 6,
    "performance_score": 8 / 15,
    "graph_connectivity_score": 1,
    "graph_connectivity_score strong": 1,
}
"""Of the triangles, if each sample has a label of its own."""


@pytest.mark.parametrize("name", OF_ONE_SAMPLE)
def test_labels_of_one_sample(name):
    """Modularity is less what is expected; a label is cut from all others; every sample is connected."""
    found = MEASURES[name][0](sparse.csr_array(TRIANGLES), list(range(6)))
    np.testing.assert_allclose(found, OF_ONE_SAMPLE[name], rtol=1e-15)


@pytest.mark.parametrize("name", MEASURES)
def test_no_samples(name):
    """Also if all are ignored, and with the number of labels given."""
    value = {"conductance_scores": []}.get(name, nan if "connectivity" in name else 0)
    measure = MEASURES[name][0]
    np.testing.assert_array_equal(measure(sparse.csr_array((0, 0)), np.zeros(0, dtype=int)), value)
    np.testing.assert_array_equal(measure(sparse.csr_array(TRIANGLES), [-1] * 6, ignore_labels=-1), value)
    value = [nan, nan] if value == [] else value
    np.testing.assert_array_equal(measure(sparse.csr_array((0, 0)), np.zeros(0, dtype=int), n_labels=2), value)


@pytest.mark.parametrize("name", MEASURES)
def test_one_sample(name):
    value = {"conductance_scores": [nan]}.get(name, 1 if "connectivity" in name else 0)
    np.testing.assert_array_equal(MEASURES[name][0](sparse.csr_array((1, 1)), [5]), value)


@pytest.mark.parametrize("name", MEASURES)
def test_zeros_and_entries_that_are_there_twice(backend, name):
    """An entry of 0 is no edge; entries of one place add up (SciPy's strong components would not end by them)."""
    measure = MEASURES[name][0]
    data, indices, starts = [2.0, 1, 0, 1, 1, 1, 0, 4], [1, 1, 2, 2, 0, 3, 0, 2], [0, 3, 5, 7, 8]
    A = np.zeros((4, 4))
    for row in range(4):
        for place in range(starts[row], starts[row + 1]):
            A[row, indices[place]] += data[place]
    exact = MEASURES[name][1](oracles.exact(A), [0, 0, 1, 0])
    graph = backend.array(data), backend.array(indices), backend.array(starts)
    backend.assert_close(measure(graph, backend.array([0, 0, 1, 0]), n_labels=2), exact, name)


# Numbers


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e300, 5e307, 5e-320])
@pytest.mark.parametrize("name", MEASURES)
def test_any_unit(name, scale):
    measure, definition = MEASURES[name]
    A, labels = random_graph(4)
    scaled = A * scale
    exact = definition(oracles.exact(scaled), labels.tolist())
    for backend in (BACKENDS["numpy"], BACKENDS["torch"]):
        with backend.mode():
            found = measure(rows_of(scaled, backend), backend.array(labels), n_labels=N_LABELS)
        backend.assert_close(found, exact, name)


def test_small_weights_beside_an_ignored_large_one():
    A, labels = random_graph(6)
    A *= 1e-200
    A[0, 4] = 1e200
    keep = labels != 4
    exact = oracles.modularity(oracles.exact(A[keep][:, keep]), labels[keep].tolist())
    assert_close(np.asarray(gpuval.modularity_score(sparse.csr_array(A), labels, ignore_labels=4)), exact)


@pytest.mark.parametrize("name", ["modularity_score", "modularity_score directed", "conductance_scores"])
def test_one_label_with_nearly_all_weight(name):
    """What the others have is 1e-13 of the whole, and keeps its digits."""
    measure, definition = MEASURES[name]
    A = np.asarray([[0, 1e13 / 3, 0, 0], [1e13 / 3, 0, 0.1, 0], [0, 0.1, 0, 0.7], [0, 0, 0.3, 0]])
    labels = [0, 0, 1, 2]
    exact = definition(oracles.exact(A), labels)
    for backend in (BACKENDS["numpy"], BACKENDS["torch"]):
        with backend.mode():
            found = backend.numpy(measure(rows_of(A, backend), backend.array(labels), n_labels=3))
        np.testing.assert_allclose(found, np.asarray(exact, dtype=float), rtol=1e-12)


def test_a_modularity_near_zero_of_edges_of_weight_one():
    """Two labels whose edges are nearly as many inside as expected: 1 edge of 4 million more."""
    n = 2000
    A = sparse.lil_array((n, n))
    A[:, :] = 1
    A[0, 0] = 2
    labels = [0] * (n // 2) + [1] * (n // 2)
    total, inside, strength = n * n + 1, n * n // 2 + 1, (n * n // 2 + 1, n * n // 2)
    exact = Fraction(inside, total) - Fraction(strength[0] ** 2 + strength[1] ** 2, total**2)
    found = gpuval.modularity_score(A.tocsr(), labels)
    assert abs(Fraction(float(found)) - exact) <= Fraction(1, 10**12) * abs(exact)


def test_pairs_of_many_samples_are_exact(backend):
    """A cycle of 10^5 samples, of which pairs number 5e9; in two halves."""
    n = 100_000 if backend.sorts else 1000
    indices = (np.arange(n)[:, None] + 1) % n
    labels = (np.arange(n) >= n // 2).astype(int)
    total, inside = n * (n - 1) // 2, 2 * (n // 2) * (n // 2 - 1) // 2
    exact = Fraction((n - 2) + (total - inside - 2), total)
    neighbors = Neighbors.from_knn(backend.array(indices), has_self=False)
    backend.assert_close(gpuval.performance_score(neighbors, backend.array(labels), n_labels=2), exact)


def test_blocks_of_the_host(monkeypatch):
    """Every number of edges in a block gives the same, with rows that have none, and one with many."""
    A, labels = random_graph(8)
    A[3] = 1.5
    A[5:9] = 0
    found = {}
    for size in (1, 2, 7, 1 << 17):
        monkeypatch.setattr(graph_sums, "BLOCK", size)
        monkeypatch.setattr(graph_sums, "PART", size)
        found[size] = [np.asarray(measure(sparse.csr_array(A), labels)) for measure, _ in MEASURES.values()]
    for some in found.values():
        for value, (name, (_, definition)) in zip(some, MEASURES.items(), strict=True):
            assert_close(value, definition(oracles.exact(A), labels.tolist()), name)


def test_as_many_labels_as_samples(monkeypatch):
    """The sums by label of all blocks together are few beside the edges."""
    monkeypatch.setattr(graph_sums, "BLOCK", 1 << 10)
    n = 20_000
    indices = (np.arange(n)[:, None] + np.arange(1, 11)) % n
    neighbors = Neighbors.from_knn(indices.astype(np.int32), has_self=False)
    tracemalloc.start()
    score = gpuval.modularity_score(neighbors, np.arange(n))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert score == pytest.approx(-1 / n, rel=1e-12)  # each has 20 of the 20 n ends
    assert peak < 20e6


# Components


def shuffled(sources, targets, n, seed=0):
    order = np.random.default_rng(seed).permutation(n)
    return order[np.asarray(sources)], order[np.asarray(targets)]


def path(n):
    return np.arange(n - 1), np.arange(1, n)


def star(n):
    return np.full(n - 1, n - 1), np.arange(n - 1)


def comb(n):
    """A path of half of the samples, on each of which another hangs."""
    half = n // 2
    return np.concatenate([np.arange(half - 1), np.arange(half)]), np.concatenate(
        [np.arange(1, half), np.arange(half) + half]
    )


def tree(n):
    return np.arange(1, n), (np.arange(1, n) - 1) // 2


def alternating(n):
    """A path along which low and high samples take turns: every second one is lowest among its neighbours."""
    places = np.empty(n, dtype=int)
    places[::2], places[1::2] = np.arange((n + 1) // 2), np.arange((n + 1) // 2, n)
    return places[:-1], places[1:]


SHAPES = [path, star, comb, tree, alternating]


@pytest.mark.parametrize("is_shuffled", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [2, 3, 10, 1000, 4096])
def test_components_of_a_tree(n, shape, is_shuffled):
    """One component, in no more rounds than are proven, without a look at a value."""
    sources, targets = shape(n) if n > 3 else path(n)
    if is_shuffled:
        sources, targets = shuffled(sources, targets, n)
    graph = sparse.coo_array((np.ones(len(sources)), (sources, targets)), shape=(n, n)).tocsr()
    backend = BACKENDS["torch"]
    with backend.mode(), transfers_to_host() as copied:
        points = read_edges(rows_of(graph, backend), backend.array([0] * n), "labels", 1, None, "n_labels")
        assert points.invalid is not None  # as the number of labels is given
        copied.clear()  # of the checks of the graph
        sizes = components.component_sizes(points, "weak")
        assert not copied
    assert np.array_equal(sizes, [n] * n)  # as arrays: pytest would look for the lines that lists differ by, for long


def test_components_of_a_long_path():
    test_components_of_a_tree(100_000, path, True)


def test_fewer_rounds_are_too_few(monkeypatch):
    """So the test above can fail: of a path in random order, after half of the rounds some samples are apart."""
    plain = Backend.until_same
    monkeypatch.setattr(
        Backend, "until_same", lambda self, step, x, most, looks: plain(self, step, x, most // 8, looks)
    )
    with pytest.raises(AssertionError):
        test_components_of_a_tree(1000, path, True)


@pytest.mark.parametrize("most", [1, 7, 40])
@pytest.mark.parametrize("shape", SHAPES)
def test_components_of_parts_of_the_edges_are_joined(shape, most, monkeypatch):
    n = 60
    sources, targets = shuffled(*shape(n), n)
    kept = np.random.default_rng(3).random(len(sources)) < 0.9  # several components
    graph = sparse.csr_array((np.ones(kept.sum()), (sources[kept], targets[kept])), shape=(n, n))
    labels = np.arange(n) % 2
    for weights in (graph, graph[labels == 0][:, labels == 0]):
        points = read_edges(weights, labels[: weights.shape[0]] * 0, "labels", None, None, "n_labels")
        wanted = components.component_sizes(points, "weak")
        with monkeypatch.context() as patched:
            patched.setattr(components, "_MOST_EDGES", most)
            assert np.array_equal(components.component_sizes(points, "weak"), wanted)


def test_components_of_many_labels(backend):
    """Of paths of 1, 2, 3, ... samples in random order, each of its own label, with edges between the labels."""
    lengths = range(1, 8)
    n = sum(lengths)
    labels = np.repeat(np.arange(len(lengths)), lengths)
    sources, targets = path(n)  # the last of each label has an edge to the first of the next
    broken = labels[sources] * 2 == 6  # and one has lost its edges
    sources, targets = sources[~broken], targets[~broken]
    order = np.random.default_rng(1).permutation(n)
    A = np.zeros((n, n))
    A[order[sources], order[targets]] = 1
    by_sample = np.empty(n, dtype=int)
    by_sample[order] = labels
    found = gpuval.graph_connectivity_score(
        rows_of(A, backend), backend.array(by_sample), n_labels=len(lengths), return_per_label=True
    )
    expected = [Fraction(1, 4) if x == 3 else 1 for x in range(len(lengths))]
    backend.assert_close(found.label_scores, expected)


# Where values may not be looked at


@pytest.mark.parametrize("name", ON_A_DEVICE)
def test_nothing_leaves_the_device(name):
    """With the number of labels given: of the checked graph, and of one that is not looked at."""
    measure, definition = MEASURES[name]
    A, labels = random_graph(3)
    exact = definition(oracles.exact(A), labels.tolist())
    backend = BACKENDS["torch"]
    with backend.mode():
        neighbors, codes = Neighbors.from_connectivities(rows_of(A, backend)), backend.array(labels)
        with transfers_to_host() as copied:
            found = measure(neighbors, codes, n_labels=N_LABELS)
        assert copied == []
    backend.assert_close(found, exact, name)


@pytest.mark.parametrize("name", ON_A_DEVICE)
def test_nothing_is_read_of_jax(name):
    measure, definition = MEASURES[name]
    A, labels = random_graph(3)
    backend = BACKENDS["jax"]
    with backend.mode():
        neighbors, codes = Neighbors.from_connectivities(rows_of(A, backend)), backend.array(labels)
        with jax_values_refused(), transfers_to_host() as copied:
            found = measure(neighbors, codes, n_labels=N_LABELS)
        assert copied == []
        backend.assert_close(found, definition(oracles.exact(A), labels.tolist()), name)


@pytest.mark.parametrize("x64", [True, False])
@pytest.mark.parametrize("name", ON_A_DEVICE)
def test_compiled_by_jax(name, x64):
    """Of a Neighbors that goes in, of arrays, of the neighbours of a search, and of a graph of SciPy's."""
    import jax

    measure, definition = MEASURES[name]
    A, labels = random_graph(3)
    exact = definition(oracles.exact(A), labels.tolist())
    backend = BACKENDS["jax-x64" if x64 else "jax"]
    with backend.mode():
        arrays, codes = rows_of(A, backend), backend.array(labels)
        compiled = jax.jit(lambda graph, codes: measure(graph, codes, n_labels=N_LABELS))
        backend.assert_close(compiled(Neighbors.from_connectivities(arrays), codes), exact, name)
        backend.assert_close(compiled(arrays, codes), exact, name)
        beside = jax.jit(lambda codes: measure(sparse.csr_array(A), codes, n_labels=N_LABELS))
        backend.assert_close(beside(codes), exact, name)
        assert np.isnan(backend.numpy(compiled(arrays, codes + 1))).all()  # a label that is none
        data, indices, starts = arrays
        for broken in ((-data, indices, starts), (data, indices - 30, starts), (data, indices, starts[::-1])):
            assert np.isnan(backend.numpy(compiled(broken, codes))).all()


@pytest.mark.parametrize("name", ON_A_DEVICE)
def test_neighbours_compiled_by_jax(name):
    import jax

    measure, definition = MEASURES[name]
    random = np.random.default_rng(0)
    indices = np.stack([(i + 1 + random.choice(N - 1, 4, replace=False)) % N for i in range(N)])
    labels, A = random.integers(0, 3, N), np.zeros((N, N))
    np.put_along_axis(A, indices, 1.0, axis=1)
    backend = BACKENDS["jax-x64"]
    with backend.mode():

        @jax.jit
        def compiled(indices, codes):
            return measure(Neighbors.from_knn(indices, has_self=False), codes, n_labels=3)

        found = compiled(backend.array(indices), backend.array(labels))
        backend.assert_close(found, definition(oracles.exact(A), labels.tolist()), name)


def test_each_label_compiled_by_jax():
    import jax

    A, labels = random_graph(3)
    backend = BACKENDS["jax-x64"]
    with backend.mode():
        compiled = jax.jit(partial(gpuval.modularity_score, n_labels=N_LABELS, return_per_label=True))
        found = compiled(rows_of(A, backend), backend.array(labels))
        assert found.labels.tolist() == list(range(N_LABELS))
        backend.assert_close(found.label_scores, oracles.modularities(oracles.exact(A), labels.tolist()))


@pytest.mark.parametrize(
    "name",
    ["modularity_score", "conductance_scores", "coverage_score", "performance_score", "graph_connectivity_score"],
)
def test_compiled_by_torch(name):
    import torch

    measure, definition = MEASURES[name]
    A, labels = random_graph(3)
    arrays, codes = [torch.asarray(x) for x in rows_of(A)], torch.asarray(labels)
    neighbors = Neighbors.from_connectivities(tuple(arrays))
    compiled = torch.compile(partial(measure, n_labels=N_LABELS), fullgraph=True, backend="aot_eager")
    assert_close(compiled(neighbors, codes).numpy(), definition(oracles.exact(A), labels.tolist()))


@pytest.mark.parametrize("n", [40, 46_342])
def test_pairs_by_two_sorts(n, monkeypatch):
    """Where integers of 32 bits hold no key of two samples: each is linked to the next or the one before, twice."""
    backend = BACKENDS["jax"]
    indices = (np.arange(n) ^ 1)[:, None]
    labels = np.arange(n) % 4 // 3  # the first two of four have one label, the others two
    with backend.mode():
        if n < 1000:
            monkeypatch.setattr(backend_of(backend.array(0)).xp, "iinfo", lambda _: np.iinfo(np.int8))
        neighbors = Neighbors.from_knn(backend.array(indices), has_self=False)
        points = read_edges(neighbors, backend.array(labels), "labels", 2, None, "n_labels")
        found = graph_sums.count_links(points)
        assert [int(x) for x in found] == [(n // 2 + 1) // 2, n // 4]


# What is taken


@pytest.mark.parametrize("name", MEASURES)
def test_in_whatever_way(name):
    """Each form of the same graph, and labels of other kinds, give the same."""
    import anndata
    import torch

    measure, definition = MEASURES[name]
    A, labels = random_graph(9)
    exact = definition(oracles.exact(A), labels.tolist())
    csr = sparse.csr_array(A)
    data = anndata.AnnData(np.zeros((N, 1)), obsp={"connectivities": csr, "distances": csr})
    names = np.asarray(list("abcde"))[labels]
    ways = [csr, sparse.csc_matrix(A), sparse.coo_array(A), rows_of(A), list(rows_of(A)), data, data.obsp]
    ways += [Neighbors.from_connectivities(csr), {"connectivities": csr}]
    for graph in ways:
        for these in (labels, labels.tolist(), names, labels * 7 - 3, labels.astype(np.uint8)):
            assert_close(np.asarray(measure(graph, these)), exact, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch says that its sparse tensors are new
        by_rows = torch.asarray(A).to_sparse_csr()
    for graph in (by_rows, torch.asarray(A).to_sparse()):
        found = measure(graph, torch.asarray(labels))
        assert isinstance(found, torch.Tensor)
        assert_close(found.numpy(), exact, name)
        found = measure(graph, names)
        assert isinstance(found, torch.Tensor)


def test_types_of_weights():
    A, labels = random_graph(9)
    whole = np.ceil(A)
    exact = oracles.modularity(oracles.exact(whole), labels.tolist())
    for dtype in (np.float32, np.int8, np.int64, np.uint16, bool):
        found = gpuval.modularity_score(sparse.csr_array(whole.astype(dtype)), labels)
        of_dtype = oracles.modularity(oracles.exact(whole.astype(dtype)), labels.tolist())
        assert_close(np.asarray(found), of_dtype, str(dtype))
    assert_close(np.asarray(gpuval.modularity_score(sparse.csr_array(whole), labels)), exact)


GRAPH = sparse.csr_array(TRIANGLES)
NEGATIVE = -GRAPH
BAD = [
    (
        lambda f: f(TRIANGLES, HALVES),
        (
            "graph must be a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes "
            "indices and distances, or distances and connectivities (such as AnnData's obsp), got a dense "
            "numpy.ndarray; scipy.sparse.csr_array(graph) makes one of a dense matrix"
        ),
    ),
    (
        lambda f: f("leiden", HALVES),
        (
            "graph must be a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes "
            "indices and distances, or distances and connectivities (such as AnnData's obsp), got str"
        ),
    ),
    (lambda f: f(GRAPH, HALVES[:5]), "labels must have as many samples as graph (6), got 5"),
    (lambda f: f(GRAPH[:5], HALVES), "graph must be square, (n_samples, n_samples), got shape (5, 6)"),
    (lambda f: f(NEGATIVE, HALVES), "graph must have weights that are finite and not negative, got -1.0"),
    (lambda f: f(GRAPH * nan, HALVES), "graph must have weights that are finite and not negative, got nan"),
    (lambda f: f(GRAPH, [0, 0, 0, 1, 1, 2], n_labels=2), None),
    (lambda f: f(GRAPH, HALVES, n_labels=0), "n_labels must be a positive integer, got 0"),
    (lambda f: f(GRAPH, HALVES, n_labels=2.0), "n_labels must be a positive integer, got 2.0"),
    (lambda f: f((np.asarray([[1], [2], [-1]]), None), [0, 0, 1]), None),
]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("mistake", range(len(BAD)))
def test_bad_input(name, mistake):
    call, message = BAD[mistake]
    with pytest.raises((TypeError, ValueError)) as raised:
        call(MEASURES[name][0])
    if message is not None:
        assert str(raised.value) == message


OPTIONS = [
    (
        lambda: gpuval.modularity_score(GRAPH, HALVES, resolution=-0.5),
        "resolution must be finite and not negative, got -0.5",
    ),
    (
        lambda: gpuval.modularity_score(GRAPH, HALVES, resolution=float("inf")),
        "resolution must be finite and not negative, got inf",
    ),
    (lambda: gpuval.modularity_score(GRAPH, HALVES, resolution="1"), "resolution must be a number, got '1'"),
    (
        lambda: gpuval.graph_connectivity_score(GRAPH, HALVES, connection="both"),
        "connection must be one of 'weak', 'strong', got 'both'",
    ),
]


@pytest.mark.parametrize("mistake", range(len(OPTIONS)))
def test_bad_options(mistake):
    call, message = OPTIONS[mistake]
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert str(raised.value) == message


def test_strong_components_while_jax_compiles():
    import jax

    backend = BACKENDS["jax-x64"]
    A, labels = random_graph(3)
    with backend.mode(), pytest.raises(TypeError) as raised:
        jax.jit(partial(gpuval.graph_connectivity_score, connection="strong", n_labels=N_LABELS))(
            rows_of(A, backend), backend.array(labels)
        )
    message = "connection must be 'weak' inside jax.jit, got 'strong': strong components are found on the host"
    assert str(raised.value) == message


def test_strong_components_of_a_graph_that_could_not_be_read():
    """Its rows are found to be wrong before SciPy sees them."""
    backend = BACKENDS["torch"]
    A, labels = random_graph(3)
    with backend.mode():
        neighbors, codes = Neighbors.from_connectivities(rows_of(A, backend)), backend.array(labels)
        found = gpuval.graph_connectivity_score(neighbors, codes + 1, connection="strong", n_labels=N_LABELS)
        assert np.isnan(float(found))
