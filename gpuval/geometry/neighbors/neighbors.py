"""Neighbours as users give them, read and checked once for all measures of neighbours and of graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, is_sparse
from gpuval.engines.backends.trees import as_tree
from gpuval.geometry.neighbors.edges import Edges, edges_of
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.reading_graphs import read_distances, read_weighted
from gpuval.geometry.neighbors.reading_knn import read_nearest
from gpuval.inputs.containers import type_of

__all__ = ["Neighbors"]


@as_tree
@dataclass(frozen=True, repr=False, eq=False)
class Neighbors:
    """Neighbours of samples: the nearest neighbours of each sample, the edges of a graph, or both.

    Make one with :meth:`from_knn` (from the result of a neighbour search), :meth:`from_distances` or
    :meth:`from_connectivities` (from sparse matrices), and give it to any number of measures: the input is checked
    once, when the object is made. LISI and kBET read the nearest neighbours. Modularity, conductance and the other
    graph measures read the edges; if there is no graph, each sample has an edge of weight 1 to each of its neighbours.

    The object keeps the given arrays, in their library, type and device, so do not write into them afterwards. For JAX
    and PyTorch it is a pytree: its arrays can pass through ``jax.jit`` and similar functions.

    Attributes
    ----------
    knn
        The nearest neighbours of each sample, or None.
    graph
        The edges of the graph, or None.

    Examples
    --------
    >>> import gpuval
    >>> from sklearn.neighbors import NearestNeighbors
    >>> X = [[0.0], [1.0], [3.0], [9.0], [10.0], [12.0]]
    >>> distances, indices = NearestNeighbors(n_neighbors=3).fit(X).kneighbors(X)
    >>> neighbors = gpuval.Neighbors.from_knn(indices, distances)
    >>> neighbors
    Neighbors(n_samples=6, n_neighbors=2)
    >>> neighbors.nearest(1)
    Neighbors(n_samples=6, n_neighbors=1)
    """

    knn: Nearest | None
    graph: Edges | None

    def __post_init__(self) -> None:
        given = [x for x in (self.knn, self.graph) if x is not None]
        if not given or any(is_array(x) or is_sparse(x) for x in given):
            raise TypeError(
                "Neighbors must be made by from_knn, from_distances or from_connectivities, got "
                f"{' and '.join(map(type_of, given)) or 'nothing'}"
            )

    @staticmethod
    def from_knn(indices: Any, distances: Any = None, *, has_self: bool | None = None) -> Neighbors:
        """Read the nearest neighbours of each sample from the arrays that a search returns.

        These are the arrays of scikit-learn, FAISS, cuML, pynndescent and others.

        Parameters
        ----------
        indices
            The indices of the neighbours of each sample, nearest first: integers of shape (n_samples, n_neighbors), as
            an array of any library, or nested sequences.
        distances
            Their distances, of the same shape, library and device, in any unit; LISI needs distances that are not
            squared. Without distances, only measures that do not read them are possible.
        has_self
            Whether each sample is among its own neighbours, usually as the first. A sample does not count as its own
            neighbour, so its entry is left out. If a row does not contain its own sample, because equal samples took
            its place, the furthest neighbour of that row is left out instead. By default (None), the indices show it:
            all rows contain their own sample, or at least half of them, or none. If it is given, no value is copied
            from a device, and errors in the input there make scores NaN.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            If the arrays differ in shape, library or device, or have a wrong shape or type; if an index is not that of
            a sample, such as -1, or occurs twice in a row; if a distance is negative or not finite; if ``has_self`` is
            not true of the indices.
        """
        return Neighbors(read_nearest(indices, distances, has_self), None)

    @staticmethod
    def from_distances(graph: Any) -> Neighbors:
        """Read the nearest neighbours of each sample from a sparse matrix of distances, such as ``obsp["distances"]``.

        Parameters
        ----------
        graph
            The distances, shape (n_samples, n_samples), with equally many entries in each row: a sparse matrix of SciPy
            or CuPy, a sparse tensor, or the three arrays ``(data, indices, indptr)`` of a matrix in CSR format. An
            entry of 0 is a neighbour at distance 0.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            If ``graph`` is of another type, if its rows have different numbers of entries, and as :meth:`from_knn`
            does.
        """
        return Neighbors(read_distances(graph), None)

    @staticmethod
    def from_connectivities(graph: Any) -> Neighbors:
        """Read the edges of a graph from a sparse matrix of their weights, such as ``obsp["connectivities"]``.

        A larger weight means a closer connection.

        Parameters
        ----------
        graph
            The weights, shape (n_samples, n_samples), with each undirected edge in both directions: a sparse matrix of
            SciPy or CuPy, a sparse tensor, or the three arrays ``(data, indices, indptr)`` of a matrix in CSR format.
            An entry of 0 is no edge; several entries for one edge are added up.

        Returns
        -------
        Neighbors
            With ``graph``.

        Raises
        ------
        TypeError, ValueError
            If ``graph`` is of another type, or if a weight is negative or not finite.
        """
        return Neighbors(None, read_weighted(graph))

    @property
    def n_samples(self) -> int:
        """The number of samples."""
        return self._any.n_samples

    @property
    def _any(self) -> Nearest | Edges:
        found = self.knn if self.knn is not None else self.graph
        assert found is not None
        return found

    def nearest(self, k: int) -> Neighbors:
        """Keep only the k nearest neighbours of each sample, without a graph.

        Parameters
        ----------
        k
            The number of neighbours, not counting the sample itself.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            If ``k`` is not an integer from 1 to the number of neighbours, or if there are no nearest neighbours, only a
            graph.
        """
        knn = self.knn
        if knn is None:
            raise ValueError("neighbors must have nearest neighbours, got a graph of connectivities only")
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise TypeError(f"k must be an integer, got {k!r}")
        if not 1 <= k <= knn.n_neighbors:
            raise ValueError(f"k must be from 1 to the number of neighbours ({knn.n_neighbors}), got {k}")
        return Neighbors(knn.first(int(k)), None)

    def edges(self) -> Edges:
        """The edges of the graph; without a graph, an edge of weight 1 from each sample to each of its neighbours."""
        if self.graph is not None:
            return self.graph
        assert self.knn is not None
        return edges_of(self.knn)

    def __repr__(self) -> str:
        """Its numbers of samples, of neighbours and of edges."""
        parts = [f"n_samples={self.n_samples}"]
        if self.knn is not None:
            parts.append(f"n_neighbors={self.knn.n_neighbors}")
        if self.graph is not None:
            parts.append(f"n_edges={self.graph.n_edges}")
        return f"Neighbors({', '.join(parts)})"
