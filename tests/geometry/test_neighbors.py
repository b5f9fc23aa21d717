"""Neighbours as they are read: every form that they come in, without the samples themselves, on every backend."""

from collections import namedtuple
from types import SimpleNamespace

import hypothesis
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import BACKENDS, transfers_to_host
from hypothesis import strategies as st
from scipy import sparse

import gpuval
from gpuval.geometry.neighbors.neighbors import read_edges, read_knn, read_neighbors

N, K = 12, 4


def knn(seed=0, n=N, k=K, dtype=np.int64):
    """Indices without the samples themselves, and distances that rise along each row."""
    rng = np.random.default_rng(seed)
    indices = np.stack([rng.permutation(np.delete(np.arange(n), i))[:k] for i in range(n)])
    return indices.astype(dtype), np.sort(rng.random((n, k)), axis=1)


def with_self(indices, distances, place=0):
    """The same with each sample in its own row, at a place or at one for each row."""
    n, k = indices.shape
    places = np.broadcast_to(place, n)
    wider = np.zeros((n, k + 1), dtype=indices.dtype), np.zeros((n, k + 1))
    for i, at in enumerate(places):
        wider[0][i] = np.insert(indices[i], at, i)
        wider[1][i] = np.insert(distances[i], at, 0 if at == 0 else distances[i][at - 1])
    return wider


def assert_same(block, indices, distances, backend=BACKENDS["numpy"]):
    assert np.array_equal(backend.numpy(block.indices), indices)
    assert np.allclose(backend.numpy(block.distances), distances, rtol=1e-6)


def graph_of(indices, distances, form=sparse.csr_array):
    n, k = indices.shape
    return form((distances.flatten(), indices.flatten(), np.arange(0, n * k + 1, k)), shape=(n, n))


# Nearest neighbours


@pytest.mark.parametrize("place", [0, 2, "any"])
@pytest.mark.parametrize("has_self", [None, True])
def test_samples_are_left_out_of_their_own_rows(backend, place, has_self):
    indices, distances = knn()
    place = np.random.default_rng(1).integers(0, K + 1, N) if place == "any" else place
    given = map(backend.array, with_self(indices, distances, place))
    neighbors = gpuval.Neighbors.from_knn(*given, has_self=has_self)
    assert repr(neighbors) == f"Neighbors(n_samples={N}, n_neighbors={K})"
    assert_same(neighbors.knn.block(slice(0, N)), indices, distances, backend)
    assert_same(neighbors.knn.block(slice(3, 7)), indices[3:7], distances[3:7], backend)


@pytest.mark.parametrize("has_self", [None, False])
def test_neighbours_without_the_samples_are_as_they_are(backend, has_self):
    indices, distances = knn()
    neighbors = gpuval.Neighbors.from_knn(backend.array(indices), backend.array(distances), has_self=has_self)
    assert_same(neighbors.knn.block(slice(0, N)), indices, distances, backend)


def test_a_row_without_its_sample_loses_the_furthest(backend):
    # Three equal samples, and searches of two neighbours: the last does not find itself.
    indices = np.asarray([[0, 1, 3], [1, 0, 3], [0, 3, 1], [3, 2, 0]])
    distances = np.asarray([[0.0, 0, 1], [0, 0, 2], [0, 5, 0], [0, 1, 3]])
    neighbors = gpuval.Neighbors.from_knn(backend.array(indices), backend.array(distances))
    block = neighbors.knn.block(slice(0, 4))
    assert_same(block, [[1, 3], [0, 3], [0, 1], [2, 0]], [[0, 1], [0, 2], [0, 0], [1, 3]], backend)


def test_the_nearest_of_the_nearest(backend):
    indices, distances = knn()
    given = map(backend.array, with_self(indices, distances))
    neighbors = gpuval.Neighbors.from_knn(*given).nearest(2)
    assert repr(neighbors) == f"Neighbors(n_samples={N}, n_neighbors=2)"
    assert_same(neighbors.knn.block(slice(0, N)), indices[:, :2], distances[:, :2], backend)


def test_rows_in_the_order_of_their_columns_are_sorted_by_distance():
    indices, distances = knn()
    graph = graph_of(indices, distances)
    graph.sort_indices()  # as files and slices of AnnData have them
    block = gpuval.Neighbors.from_distances(graph).nearest(2).knn.block(slice(0, N))
    assert_same(block, indices[:, :2], distances[:, :2])


def test_rows_out_of_order_are_no_number_where_values_are_not_looked_at():
    indices, distances = (np.flip(x, axis=1).copy() for x in knn())
    neighbors = jax.jit(lambda *x: gpuval.Neighbors.from_knn(*x, has_self=False).nearest(2))(indices, distances)
    assert int(neighbors.knn.invalid) == N * (K - 1)


@hypothesis.given(st.integers(0, 2**32), st.integers(2, 9), st.data())
def test_any_place_of_the_samples(seed, n, data):
    k = data.draw(st.integers(1, n - 1))
    indices, distances = knn(seed, n, k)
    places = data.draw(st.lists(st.integers(0, k), min_size=n, max_size=n))
    neighbors = gpuval.Neighbors.from_knn(*with_self(indices, distances, places))
    assert_same(neighbors.knn.block(slice(0, n)), indices, distances)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "uint64", "int16"])
def test_integers_of_any_type(dtype):
    indices, distances = with_self(*knn(dtype=dtype), 1)
    assert_same(gpuval.Neighbors.from_knn(indices, distances).knn.block(slice(0, N)), *knn())


def test_memory_is_not_copied():
    indices, distances = with_self(*knn(dtype=np.int32))
    nearest = gpuval.Neighbors.from_knn(indices, distances).knn
    assert nearest.indices is indices
    assert np.shares_memory(nearest.block(slice(0, 3)).distances, distances)


# Graphs


def test_distances_by_rows_are_nearest_neighbours():
    indices, distances = knn()
    distances[0, 0] = 0  # an entry nevertheless
    for form in (sparse.csr_array, sparse.csr_matrix):
        neighbors = gpuval.Neighbors.from_distances(graph_of(indices, distances, form))
        assert_same(neighbors.knn.block(slice(0, N)), indices, distances)


def dense_of(edges, backend):
    found = np.zeros((edges.n_samples, edges.n_samples))
    weights = np.ones(edges.n_edges) if edges.weights is None else backend.numpy(edges.weights)
    np.add.at(found, (backend.numpy(edges.sources()), backend.numpy(edges.targets)), weights)
    return found


def symmetric(seed=0, n=N):
    a = sparse.random(n, n, 0.3, random_state=seed).tocsr()
    return (a + a.T).tocsr()


def test_graphs_of_plain_arrays(backend):
    graph = symmetric()
    arrays = [backend.array(x) for x in (graph.data, graph.indices, graph.indptr)]
    for neighbors in (
        gpuval.Neighbors.from_connectivities(arrays),
        read_neighbors(tuple(arrays), "graph", reads_distances=False),
    ):
        assert repr(neighbors) == f"Neighbors(n_samples={N}, n_edges={graph.nnz})"
        assert np.allclose(dense_of(neighbors.edges(), backend), graph.toarray(), rtol=1e-6)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_graphs_of_scipy(form):
    graph = symmetric()
    for given in (graph.asformat(form), sparse.csr_matrix(graph).asformat(form)):
        edges = gpuval.Neighbors.from_connectivities(given).edges()
        assert edges.n_edges == graph.nnz
        assert np.array_equal(dense_of(edges, BACKENDS["numpy"]), graph.toarray())


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_graphs_of_torch(form):
    import torch

    graph = symmetric()
    tensor = getattr(torch.asarray(graph.toarray()), f"to_sparse_{form}")()
    edges = gpuval.Neighbors.from_connectivities(tensor).edges()
    assert isinstance(edges.targets, torch.Tensor)
    assert np.array_equal(dense_of(edges, BACKENDS["torch"]), graph.toarray())


@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
def test_entries_for_one_edge_add_up():
    pairs = ([0, 0, 1, 1], [1, 1, 0, 0])
    import torch

    for graph in (
        sparse.coo_array(([1.0, 2, 3, 4], pairs), shape=(2, 2)),
        torch.sparse_coo_tensor(torch.asarray(pairs), torch.asarray([1.0, 2, 3, 4]), (2, 2)),
    ):
        edges = gpuval.Neighbors.from_connectivities(graph).edges()
        assert dense_of(edges, BACKENDS["numpy"]).tolist() == [[0, 3], [7, 0]]


def test_nearest_neighbours_are_edges_of_weight_one(backend):
    indices, distances = knn()
    edges = gpuval.Neighbors.from_knn(*map(backend.array, with_self(indices, distances, 1))).edges()
    wanted = np.zeros((N, N))
    wanted[np.repeat(np.arange(N), K), indices.ravel()] = 1
    assert np.array_equal(dense_of(edges, backend), wanted)


def test_samples_without_edges(backend):
    graph = sparse.csr_array(([1.0, 2.0], ([1, 4], [4, 1])), shape=(6, 6))
    arrays = [backend.array(x) for x in (graph.data, graph.indices, graph.indptr)]
    edges = gpuval.Neighbors.from_connectivities(arrays).edges()
    assert backend.numpy(edges.sources()).tolist() == [1, 4]


# What measures are given


def test_objects_are_read_by_their_attributes():
    indices, distances = knn()
    as_distances, weights = graph_of(indices, distances), symmetric()
    results = namedtuple("NeighborsResults", "indices distances")(*with_self(indices, distances))  # of scib-metrics
    of_scanpy = SimpleNamespace(distances=as_distances, connectivities=weights, n_neighbors=K + 1)
    obsp = {"distances": as_distances, "connectivities": weights}
    for given in (results, (indices, distances), of_scanpy, obsp, SimpleNamespace(obsp=obsp), as_distances):
        points = read_knn(given, np.arange(N) % 3, "labels", None, None, "n_labels")
        assert_same(points.X.block(slice(0, N)), indices, distances)
    for given in (of_scanpy, obsp, SimpleNamespace(obsp=obsp), weights):
        points = read_edges(given, np.arange(N) % 3, "labels", None, None, "n_labels")
        assert np.array_equal(dense_of(points.X, BACKENDS["numpy"]), weights.toarray())
    for given in (results, (indices, distances), gpuval.Neighbors.from_distances(as_distances)):
        assert read_edges(given, np.arange(N) % 3, "labels", None, None, "n_labels").X.n_edges == N * K


def test_annotated_data_are_read_by_their_graphs():
    import anndata

    indices, distances = knn()
    obsp = {"distances": graph_of(indices, distances, sparse.csr_matrix), "connectivities": symmetric()}
    data = anndata.AnnData(np.zeros((N, 1)), obsp=obsp)
    points = read_knn(data, np.arange(N) % 3, "labels", None, None, "n_labels")
    order = np.argsort(points.X.block(slice(0, N)).distances, axis=1)
    assert np.array_equal(np.take_along_axis(points.X.block(slice(0, N)).indices, order, axis=1), indices)


def test_what_lies_on_the_host_is_seen_as_numpy():
    import torch

    indices, distances = (torch.asarray(x) for x in knn())
    points = read_knn((indices, distances), torch.arange(N) % 3, "labels", None, None, "n_labels")
    assert isinstance(points.X.indices, np.ndarray)
    assert isinstance(points.like, torch.Tensor)


# Compiled


def test_neighbours_are_arguments_of_compiled_functions():
    neighbors = gpuval.Neighbors.from_knn(*map(jnp.asarray, with_self(*knn())))
    found = jax.jit(lambda x: x.knn.block(slice(0, N)).indices)(neighbors)
    assert np.array_equal(found, knn()[0])
    edges = gpuval.Neighbors.from_connectivities(
        [jnp.asarray(x) for x in (symmetric().data, symmetric().indices, symmetric().indptr)]
    )
    assert np.array_equal(jax.jit(lambda x: x.edges().sources())(edges), edges.edges().sources())


def wrong_entries():
    indices, distances = with_self(*knn())
    indices[2, 3], indices[4, 1], distances[5, 2], distances[6, 1] = -1, N, np.nan, -1
    return indices, distances


def test_wrong_entries_are_counted_inside_of_compiled_functions():
    nearest = jax.jit(lambda *x: gpuval.Neighbors.from_knn(*x, has_self=True).knn)(*wrong_entries())
    assert int(nearest.invalid) == 4
    found = np.asarray(nearest.block(slice(0, N)).indices)
    assert found.min() >= 0
    assert found.max() < N


@pytest.mark.parametrize("name", ["strict", "strict-no-x64", "torch", "jax"])
def test_with_has_self_given_nothing_leaves_a_device(name):
    backend = BACKENDS[name]
    with backend.mode(), transfers_to_host() as copied:
        indices, distances = map(backend.array, wrong_entries())
        nearest = gpuval.Neighbors.from_knn(indices, distances, has_self=True).knn
        assert not copied
        assert int(backend.numpy(nearest.invalid)) == 4


def test_wrong_edges_are_counted_inside_of_compiled_functions():
    graph = symmetric()
    indices, data = graph.indices.copy(), graph.data.copy()
    indices[0], data[1] = N, -1
    edges = jax.jit(lambda *x: gpuval.Neighbors.from_connectivities(x).edges())(data, indices, graph.indptr)
    assert int(edges.invalid) == 2
    assert int(edges.targets.max()) < N


def test_a_graph_may_have_distances_alone():
    """Each sample has edges of weight 1 to its neighbours then."""
    graph = graph_of(*knn())
    wanted = gpuval.graph_connectivity_score(gpuval.Neighbors.from_distances(graph), np.arange(N) % 2)
    assert gpuval.graph_connectivity_score({"distances": graph}, np.arange(N) % 2) == wanted


def test_objects_with_both_keep_both():
    indices, distances = knn()
    given = SimpleNamespace(indices=indices, distances=distances, connectivities=symmetric())
    found = read_neighbors(given, "graph", reads_distances=False)
    assert repr(found) == f"Neighbors(n_samples={N}, n_neighbors={K}, n_edges={symmetric().nnz})"


def test_the_nearest_of_neighbours_that_are_arguments_of_compiled_functions():
    neighbors = gpuval.Neighbors.from_knn(*map(jnp.asarray, knn()))
    found = jax.jit(lambda x: x.nearest(2).knn)(neighbors)
    assert np.array_equal(found.indices, knn()[0][:, :2])
    assert int(found.invalid) == 0


def test_neighbours_are_equal_to_themselves_alone():
    first, second = (gpuval.Neighbors.from_knn(*knn()) for _ in range(2))
    assert first != second
    assert len({first, second}) == 2
