"""Measures of graphs of arrays that lie on a GPU: NumPy's values, there."""

import cupy
import numpy as np
import pytest
from properties import without_labels
from scipy import sparse

import gpuval
from gpuval.measures.measure import measures_in
from gpuval.metrics import graph as graph_measures

RNG = np.random.default_rng(7)
N = 40
A = np.where(RNG.random((N, N)) < 0.1, RNG.random((N, N)), 0)
LABELS = RNG.integers(0, 4, N)
NAMES = [x.name for x in measures_in(graph_measures)]


@pytest.mark.parametrize("size", [{}, {"n_labels": 4}])
@pytest.mark.parametrize("name", NAMES)
def test_scores(name, size, library):
    measure, graph = getattr(gpuval, name), sparse.csr_array(A)
    made = tuple(library(x) for x in (graph.data, graph.indices.astype(np.int64), graph.indptr.astype(np.int64)))
    found, wanted = (without_labels(x) for x in (measure(made, library(LABELS), **size), measure(graph, LABELS)))
    assert type(found) is type(made[0])
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_cupy(name):
    """By the standard alone, as there are no kernels for edges."""
    measure, graph = getattr(gpuval, name), sparse.csr_array(A)
    rows = graph.data, graph.indices.astype(np.int64), graph.indptr.astype(np.int64)
    found = without_labels(measure(tuple(map(cupy.asarray, rows)), cupy.asarray(LABELS)))
    np.testing.assert_allclose(found.get(), without_labels(measure(graph, LABELS)), rtol=1e-13)


def test_strong_components(library):
    graph = sparse.csr_array(A)
    made = tuple(library(x) for x in (graph.data, graph.indices.astype(np.int64), graph.indptr.astype(np.int64)))
    found = gpuval.graph_connectivity_score(made, library(LABELS), connection="strong")
    assert float(found) == gpuval.graph_connectivity_score(graph, LABELS, connection="strong")
