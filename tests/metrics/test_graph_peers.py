"""Measures of graphs beside networkx and igraph, on random graphs."""

from __future__ import annotations

import igraph
import networkx
import numpy as np
import pytest
from scipy import sparse

import gpuval

CLOSE = {"rel": 1e-10, "abs": 1e-10}


def random_graph(seed, directed):
    """Weighted, with several components and samples without edges; of two labels or more, each of which has edges."""
    random = np.random.default_rng(seed)
    n = int(random.integers(12, 60))
    labels = random.integers(0, int(random.integers(2, 6)), n)
    part = random.integers(0, 3, n)  # of which the last have no edges
    A = np.where(random.random((n, n)) < 0.2, random.random((n, n)) * 10 ** random.uniform(-3, 3), 0)
    A[(part[:, None] != part[None, :]) | (part[:, None] == 2)] = 0
    np.fill_diagonal(A, 0)
    _, labels = np.unique(labels, return_inverse=True)
    return (A if directed else A + A.T), labels


def communities(labels):
    return [set(np.flatnonzero(labels == x).tolist()) for x in np.unique(labels)]


def with_loops(A, seed):
    """A matrix with loops, which count twice in undirected graphs, and the graph of networkx, given them once."""
    loops = np.where(np.random.default_rng(seed).random(len(A)) < 0.3, 0.5, 0.0)
    return A + np.diag(2 * loops), networkx.from_numpy_array(A + np.diag(loops))


@pytest.mark.parametrize("seed", range(100))
def test_undirected(seed):
    A, labels = random_graph(seed, directed=False)
    resolution = [1.0, 0.5, 2.0][seed % 3]
    A, graph = with_loops(A, seed)
    csr, of_labels = sparse.csr_array(A), communities(labels)

    found = gpuval.modularity_score(csr, labels, resolution=resolution)
    of_networkx = networkx.community.modularity(graph, of_labels, weight="weight", resolution=resolution)
    assert found == pytest.approx(of_networkx, **CLOSE)
    edges = igraph.Graph.Weighted_Adjacency(A.tolist(), mode="undirected", loops="twice")
    of_igraph = edges.modularity(labels.tolist(), weights="weight", resolution=resolution)
    assert found == pytest.approx(of_igraph, **CLOSE)

    conductances = gpuval.conductance_scores(csr, labels).scores
    for score, members in zip(conductances, of_labels, strict=True):
        try:
            of_networkx = networkx.conductance(graph, members, weight="weight")
        except ZeroDivisionError:
            assert np.isnan(score)
        else:
            assert score == pytest.approx(of_networkx, **CLOSE)

    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    coverage, performance = networkx.community.partition_quality(graph, of_labels)
    without_loops = sparse.csr_array(np.where(np.eye(len(A)) == 1, 0, A))
    assert gpuval.coverage_score(without_loops > 0, labels) == pytest.approx(coverage, **CLOSE)
    assert gpuval.performance_score(csr, labels) == pytest.approx(performance, **CLOSE)

    parts = [graph.subgraph(members) for members in of_labels]
    shares = [max(map(len, networkx.connected_components(part))) / len(part) for part in parts]
    assert gpuval.graph_connectivity_score(csr, labels) == pytest.approx(np.mean(shares), **CLOSE)


@pytest.mark.parametrize("seed", range(100))
def test_directed(seed):
    A, labels = random_graph(seed, directed=True)
    csr, of_labels = sparse.csr_array(A), communities(labels)
    graph = networkx.from_numpy_array(A, create_using=networkx.DiGraph)
    found = gpuval.modularity_score(csr, labels, directed=True)
    assert found == pytest.approx(networkx.community.modularity(graph, of_labels, weight="weight"), **CLOSE)
    edges = igraph.Graph.Weighted_Adjacency(A.tolist(), mode="directed")
    assert found == pytest.approx(edges.modularity(labels.tolist(), weights="weight"), **CLOSE)
    undirected = edges.modularity(labels.tolist(), weights="weight", directed=False)
    assert gpuval.modularity_score(csr, labels) == pytest.approx(undirected, **CLOSE)

    for connection in ("weak", "strong"):
        shares = [
            max(edges.induced_subgraph(list(members)).connected_components(mode=connection).sizes()) / len(members)
            for members in of_labels
        ]
        found = gpuval.graph_connectivity_score(csr, labels, connection=connection)
        assert found == pytest.approx(np.mean(shares), **CLOSE)


def test_loops_of_both():
    """Both count a loop of weight 3 twice, and the matrix that networkx makes of its graph has it once."""
    A = np.asarray([[3.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    graph, labels = networkx.from_numpy_array(A), [0, 0, 1, 1]
    of_networkx = networkx.community.modularity(graph, [{0, 1}, {2, 3}])
    once = igraph.Graph.Weighted_Adjacency(A.tolist(), mode="undirected", loops="once")
    assert once.modularity(labels, weights="weight") == pytest.approx(of_networkx, **CLOSE)
    matrix = networkx.to_scipy_sparse_array(graph)
    assert gpuval.modularity_score(matrix, labels) != pytest.approx(of_networkx, abs=1e-3)
    doubled = matrix + sparse.diags_array(matrix.diagonal())
    assert gpuval.modularity_score(doubled, labels) == pytest.approx(of_networkx, **CLOSE)
