"""What the page about internal measures says of its cells, beside scikit-learn and networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import sklearn.metrics as sk
from guide_pages import numbers, ran
from sklearn.neighbors import kneighbors_graph

import gpuval

PAGE = "without-a-reference.md"


@pytest.fixture(scope="module")
def names():
    return ran(PAGE).names


def test_many_labelings_have_the_silhouettes_of_sklearn(names):
    _, found = ran(PAGE).that_has(PAGE, "silhouette_scores(")
    expected = [sk.silhouette_score(names["X"], names[name]) for name in ("two", "three")]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


def test_a_sample_estimates_the_score_of_all(names):
    _, estimate = ran(PAGE).that_has(PAGE, "stratified=True")
    assert abs(estimate.score - sk.silhouette_score(names["X"], names["three"])) < 4 * estimate.standard_error


def test_other_distances(names):
    _, (cosine, precomputed) = ran(PAGE).that_has(PAGE, 'metric="precomputed"')
    assert cosine == pytest.approx(sk.silhouette_score(names["X"], names["three"], metric="cosine"), abs=1e-9)
    assert precomputed == pytest.approx(sk.silhouette_score(names["X"], names["three"]), abs=1e-9)


def test_neighbours_are_no_matrix_of_distances(names):
    sparse = kneighbors_graph(names["X"], 15, mode="distance")
    with pytest.raises(ValueError, match="absent"):
        gpuval.silhouette_score(sparse, names["three"], metric="precomputed")


def test_noise(names):
    silhouette, _ = numbers(ran(PAGE).that_has(PAGE, "noisy = ")[0])
    kept = names["noisy"] >= 0
    assert silhouette == pytest.approx(sk.silhouette_score(names["X"][kept], names["noisy"][kept]), abs=1e-9)
    as_a_cluster = sk.silhouette_score(names["X"], names["noisy"])
    assert gpuval.silhouette_score(names["X"], names["noisy"]) == pytest.approx(as_a_cluster, abs=1e-9)


def test_one_cluster(names):
    _, score = ran(PAGE).that_has(PAGE, "on_degenerate")
    assert np.isnan(score)
    one = np.zeros(500, dtype=int)
    with pytest.raises(ValueError, match="more than one cluster"):
        gpuval.calinski_harabasz_score(names["X"], one)
    X = names["X"]
    assert gpuval.inertia(X, one) == pytest.approx(((X - X.mean(axis=0)) ** 2).sum(), rel=1e-12)


def test_measures_of_the_graph_are_those_of_networkx(names):
    printed, conductances = ran(PAGE).that_has(PAGE, "modularity_score")
    graph = kneighbors_graph(names["X"], 15)
    both_ways = nx.from_scipy_sparse_array(graph + graph.T)
    groups = [set(np.flatnonzero(names["three"] == x).tolist()) for x in range(3)]
    modularity, finer, coverage, connectivity = numbers(printed)
    assert modularity == pytest.approx(nx.community.modularity(both_ways, groups), abs=1e-12)
    assert finer == pytest.approx(nx.community.modularity(both_ways, groups, resolution=0.5), abs=1e-12)
    inside = sum(graph[list(x)][:, list(x)].sum() for x in groups)
    assert coverage == pytest.approx(inside / graph.sum(), abs=1e-12)
    pieces = [max(map(len, nx.connected_components(both_ways.subgraph(x)))) / len(x) for x in groups]
    assert connectivity == pytest.approx(np.mean(pieces), abs=1e-12)
    expected = [nx.conductance(both_ways, x, weight="weight") for x in groups]
    assert conductances.scores.tolist() == pytest.approx(expected, abs=1e-12)
