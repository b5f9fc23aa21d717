"""Wrong neighbours: each raises one error, of this type and with all of this message."""

import anndata
import array_api_strict as strict
import dask.array as da
import jax
import networkx
import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from wrong_calls import assert_raises, wrong_calls

import gpuval

J = np.asarray([[0, 1, 2], [1, 0, 2], [2, 1, 0], [3, 2, 1]])
D = np.asarray([[0.0, 1, 2], [0, 1, 3], [0, 2, 2], [0, 5, 6]])
OF_DASK = da.asarray(J)
OF_STRICT = strict.asarray(J)
BESIDE = strict.asarray(D, device=strict.Device("device1"))
OF_TORCH = torch.asarray(J)
PATH = networkx.path_graph(3)
A = sparse.csr_array([[0, 1.0, 0, 0], [1.0, 0, 2.0, 0], [0, 2.0, 0, 0], [0, 0, 0, 0]])
SHORT = A.copy()
SHORT.indices = SHORT.indices[:-1]
OF_VECTORS = torch.ones(2, 2, 3).to_sparse(2)


def changed(x, value, place):
    x = x.copy()
    x[place] = value
    return x


NAMES = pd.DataFrame(index=list("abcd"))
DISTANCES = sparse.csr_array((D[:, 1:].flatten(), J[:, 1:].flatten(), range(0, 9, 2)), shape=(4, 4))
NAMED = anndata.AnnData(obs=NAMES, obsp={"distances": DISTANCES})
OTHER_NAMES = anndata.AnnData(obs=NAMES, obsp={"scvi_distances": DISTANCES})


def compiled(indices):
    return jax.jit(lambda x: gpuval.Neighbors.from_knn(x).knn.indices)(indices)


WRONG = """
Neighbors.from_knn(changed(J, -1, (3, 1)), D)
    ValueError: indices must be from 0 to below the number of samples (4), got -1 (1 of 12 entries are not); in some
    searches -1 stands for a neighbour that was not found
Neighbors.from_knn(changed(J, 4, (3, 1)), D)
    ValueError: indices must be from 0 to below the number of samples (4), got 4 (1 of 12 entries
    are not)
Neighbors.from_knn(changed(J, 2, (0, 1)), D)
    ValueError: indices must not have an index twice in a row, got 2 twice in row 0
Neighbors.from_knn(D, J)
    TypeError: indices must hold integers, got dtype float64; indices come first, then distances
Neighbors.from_knn(J > 0, D)
    TypeError: indices must hold integers, got dtype bool; indices come first, then distances
Neighbors.from_knn(J[:, 0], D)
    ValueError: indices must be of shape (n_samples, n_neighbors), with at least one neighbour, got (4,)
Neighbors.from_knn(None, D)
    TypeError: indices must be an array of shape (n_samples, n_neighbors), got NoneType
Neighbors.from_knn("knn", D)
    TypeError: indices must be an array of shape (n_samples, n_neighbors), got str
Neighbors.from_knn([[1, 2], [0]])
    ValueError: indices must have equally many neighbours in each row, got rows of different lengths
Neighbors.from_knn(OF_DASK, D)
    TypeError: indices must be in memory, got dask.Array; compute it
Neighbors.from_knn(A, D)
    TypeError: indices must be an array of shape (n_samples, n_neighbors), got scipy.csr_array;
    Neighbors.from_distances(graph) reads a sparse matrix of distances
Neighbors.from_knn(J, D[:, :2])
    ValueError: distances must have the shape of indices (4, 3), got (4, 2)
Neighbors.from_knn(J, D.astype(complex))
    TypeError: distances must hold real numbers, got dtype complex128
Neighbors.from_knn(J, changed(D, -1.0, (1, 2)))
    ValueError: distances must be finite and not negative, got -1.0 in row 1, column 2
Neighbors.from_knn(J, changed(D, np.nan, (1, 2)))
    ValueError: distances must be finite and not negative, got nan in row 1, column 2
Neighbors.from_knn(J, changed(D, np.inf, (1, 2)))
    ValueError: distances must be finite and not negative, got inf in row 1, column 2
Neighbors.from_knn(OF_TORCH, D)
    TypeError: indices and distances must be of one array library, got torch.Tensor and numpy.ndarray; convert
    one of them: torch.tensor(distances, device=indices.device)
Neighbors.from_knn(OF_STRICT, strict.asarray(D, device=strict.Device("device1")))
    ValueError: indices and distances must be on one device, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: distances.to_device(indices.device)
Neighbors.from_knn(J, D, has_self=False)
    ValueError: indices must have no sample in its own row with has_self=False, got 4 such rows of 4
Neighbors.from_knn(J[:, 1:], D[:, 1:], has_self=True)
    ValueError: indices must have samples in their own rows with has_self=True, got no such row
Neighbors.from_knn(J, D, has_self="first")
    TypeError: has_self must be True, False or None, got 'first'
Neighbors.from_knn(J[:, :1], D[:, :1])
    ValueError: indices must have at least one neighbour of each sample besides itself, got only the samples themselves
Neighbors.from_knn(J[:, :0], D[:, :0])
    ValueError: indices must be of shape (n_samples, n_neighbors), with at least one neighbour, got (4, 0)
Neighbors.from_knn(np.ma.masked_equal(J, 3), D)
    ValueError: indices must have no masked values, got 1 of 12
compiled(J)
    TypeError: has_self must be given inside jax.jit or jax.vmap, where the values of the neighbours are not known
Neighbors.from_distances(A)
    ValueError: graph must have equally many distances in each row, got rows of 0 to 2: do not eliminate zeros
    (neighbours at distance 0), and do not make the matrix symmetric
Neighbors.from_distances(A.toarray())
    TypeError: graph must be a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices,
    indptr) by rows, got a dense numpy.ndarray; scipy.sparse.csr_array(graph) makes one of a dense matrix
Neighbors.from_distances((D, J))
    TypeError: graph must be a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices,
    indptr) by rows, got tuple
Neighbors.from_distances(A[:2])
    ValueError: graph must be square, (n_samples, n_samples), got shape (2, 4)
Neighbors.from_connectivities(OF_VECTORS)
    ValueError: graph must be square, (n_samples, n_samples), got shape (2, 2, 3)
Neighbors.from_connectivities(-A)
    ValueError: graph must have weights that are finite and not negative, got -1.0
Neighbors.from_connectivities(A * np.nan)
    ValueError: graph must have weights that are finite and not negative, got nan
Neighbors.from_connectivities(A * 1j)
    TypeError: graph must hold real numbers, got dtype complex128
Neighbors.from_connectivities(PATH)
    TypeError: graph must be a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices,
    indptr) by rows, got networkx.Graph; networkx.to_scipy_sparse_array(graph) makes one
Neighbors.from_connectivities(None)
    TypeError: graph must be a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices,
    indptr) by rows, got NoneType
Neighbors.from_connectivities((A.data, A.indices, A.indptr[::-1]))
    ValueError: indptr of graph must rise from 0 to the number of entries (4), got 4 to 0 with falls between
Neighbors.from_connectivities((A.data, A.indices + 2, A.indptr))
    ValueError: the column indices of graph must be from 0 to below the number of samples (4), got 4
Neighbors.from_connectivities((A.data, A.indices[1:], A.indptr))
    ValueError: indices of graph must have as many entries as data (4), got 3
Neighbors.from_connectivities(SHORT)
    ValueError: indices of graph must have as many entries as data (4), got 3
Neighbors.from_connectivities((A.indptr, A.data, A.indices))
    TypeError: indices of graph must hold integers, got dtype float64; give (data, indices, indptr)
Neighbors.from_connectivities((A.data, A.indices, A.indptr.astype(float)))
    TypeError: indptr of graph must hold integers, got dtype float64; give (data, indices, indptr)
Neighbors.from_connectivities((A.data, J, A.indptr))
    ValueError: indices of graph must be one-dimensional, got shape (4, 3)
Neighbors.from_connectivities((A.data, OF_TORCH[0], A.indptr))
    TypeError: data and indices of graph must be of one array library, got numpy.ndarray and torch.Tensor;
    convert one of them: torch.tensor(data, device=indices.device)
Neighbors.from_connectivities(OF_TORCH)
    TypeError: graph must be a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices,
    indptr) by rows, got a dense torch.Tensor; scipy.sparse.csr_array(graph) makes one of a dense matrix
Neighbors.from_knn(J, D).nearest(3)
    ValueError: k must be from 1 to the number of neighbours (2), got 3
Neighbors.from_knn(J, D).nearest(1.0)
    TypeError: k must be an integer, got 1.0
Neighbors.from_connectivities(A).nearest(1)
    ValueError: neighbors must have nearest neighbours, got a graph of connectivities only
Neighbors.from_knn(changed(J, 1, (0, 0))[:, :2])
    ValueError: indices must not have an index twice in a row, got 1 twice in row 0
Neighbors.from_knn([[1, 2], [0, 2], [0, 1], [3, 0]])
    ValueError: indices must have all samples in their own rows, or none, got 1 of 4; if all should be,
    Neighbors.from_knn(indices, distances, has_self=True) leaves out the furthest neighbour in the other rows
clisi_score((changed(J, 4, (3, 1)), D), [0, 0, 1, 1])
    ValueError: neighbors.indices must be from 0 to below the number of samples (4), got 4 (1 of 12 entries are not)
clisi_score({"indices": J, "distances": -D}, [0, 0, 1, 1])
    ValueError: neighbors.distances must be finite and not negative, got -1.0 in row 0, column 1
modularity_score((J, D[:, :2]), [0, 0, 1, 1])
    ValueError: graph.distances must have the shape of graph.indices (4, 3), got (4, 2)
Neighbors.from_distances(sparse.csr_array(np.ones((4, 4)) - np.eye(4)))
    ValueError: graph must hold distances, got 1 for all neighbours, as graphs of connectivities have; give the
    distances, or the arrays of the search (Neighbors.from_knn)
clisi_score(NAMED, pd.Series([0, 0, 1, 1], list("dcba")))
    ValueError: neighbors and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
modularity_score(OTHER_NAMES, [0, 0, 1, 1])
    TypeError: graph must be a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes
    indices and distances, or distances and connectivities (such as AnnData's obsp), got anndata.AnnData with
    'scvi_distances'
modularity_score(PATH, [0, 0, 1])
    TypeError: graph must be a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes
    indices and distances, or distances and connectivities (such as AnnData's obsp), got networkx.Graph;
    networkx.to_scipy_sparse_array(graph) makes one
modularity_score(A, [0, 0, 1, 1], directed="no")
    TypeError: directed must be True or False, got 'no'
Neighbors(None, None)
    TypeError: Neighbors must be made by from_knn, from_distances or from_connectivities, got nothing
Neighbors(J, D)
    TypeError: Neighbors must be made by from_knn, from_distances or from_connectivities, got numpy.ndarray and
    numpy.ndarray
"""


def test_wrong_calls_are_many():
    assert len(wrong_calls(WRONG)) >= 40


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_wrong_neighbours(call, error):
    assert_raises(call, error, globals())
