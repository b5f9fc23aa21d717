"""Neighbours as users give them: read and checked once, for all measures of neighbours and of graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, is_sparse, trees
from gpuval.geometry.neighbors.edges import Edges, edges_of
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.reading_graphs import read_distances, read_weighted
from gpuval.geometry.neighbors.reading_knn import read_nearest
from gpuval.inputs.containers import type_of

__all__ = ["Neighbors"]


@dataclass(frozen=True, repr=False, eq=False)
class Neighbors:
    """Who is a neighbour of whom: the nearest neighbours of each sample, the edges of a graph, or both.

    It is checked once, where it is made, and then given to any number of measures. What a measure reads of it is the
    nearest neighbours (LISI, kBET) or the edges (modularity, conductance, connectivity): those of the graph, or without
    one an edge of weight 1 from each sample to each of its neighbours. It keeps the arrays that were given, in their
    library, on their device and of their type: they are not to be written into afterwards. For JAX and PyTorch it is a
    tree of its arrays.

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
        trees.register(Neighbors, Nearest, Edges)

    @staticmethod
    def from_knn(indices: Any, distances: Any = None, *, has_self: bool | None = None) -> Neighbors:
        """The nearest neighbours of each sample, as searches give them (scikit-learn, FAISS, cuML, pynndescent).

        Parameters
        ----------
        indices
            The indices of the neighbours of each sample, nearest first, integers of shape (n_samples, n_neighbors):
            an array of any library, or nested sequences.
        distances
            Their distances, of the same shape, library and device, in any unit; not squared, for LISI. Without them
            there are no measures that read distances.
        has_self
            Whether each sample is among its own neighbours, mostly as the first: it is none, and is left out. Of a row
            without its sample, whose place equal samples may have taken, the furthest is left out instead. None finds
            it out: all rows have theirs, at least half of them, or none. Given, on a device, no value is transferred:
            what is wrong makes scores NaN.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            For arrays of another shape or type, or of two libraries or devices; indices that are none of a sample, such
            as -1, or twice in a row; distances that are negative or not finite; a ``has_self`` that is not so.
        """
        return Neighbors(read_nearest(indices, distances, has_self), None)

    @staticmethod
    def from_distances(graph: Any) -> Neighbors:
        """The nearest neighbours of each sample as a sparse matrix of distances, such as ``obsp["distances"]``.

        Parameters
        ----------
        graph
            Shape (n_samples, n_samples), as many entries in each row: a sparse matrix of SciPy or CuPy, a sparse
            tensor, or its arrays ``(data, indices, indptr)`` by rows. An entry of 0 is a neighbour at distance 0.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            For anything else, rows of different lengths, and what :meth:`from_knn` raises.
        """
        return Neighbors(read_distances(graph), None)

    @staticmethod
    def from_connectivities(graph: Any) -> Neighbors:
        """The edges of a graph by their weights, such as ``obsp["connectivities"]``: a larger one is a closer tie.

        Parameters
        ----------
        graph
            Shape (n_samples, n_samples), with an undirected edge in both directions: a sparse matrix of SciPy or CuPy,
            a sparse tensor, or its arrays ``(data, indices, indptr)`` by rows. An entry of 0 is no edge; entries for
            the same edge add up.

        Returns
        -------
        Neighbors
            With ``graph``.

        Raises
        ------
        TypeError, ValueError
            For anything else, and weights that are negative or not finite.
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
        """The k nearest neighbours of each sample alone, without a graph.

        Parameters
        ----------
        k
            How many, without the sample itself.

        Returns
        -------
        Neighbors
            With ``knn``.

        Raises
        ------
        TypeError, ValueError
            For a ``k`` that is no integer from 1 to the number of neighbours; without nearest neighbours.
        """
        knn = self.knn
        if knn is None:
            raise ValueError("neighbors must have nearest neighbours here, got a graph of connectivities")
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise TypeError(f"k must be an integer, got {k!r}")
        if not 1 <= k <= knn.n_neighbors:
            raise ValueError(f"k must be from 1 to the number of neighbours ({knn.n_neighbors}), got {k}")
        return Neighbors(knn.first(int(k)), None)

    def edges(self) -> Edges:
        """The edges of the graph, or, without one, one of weight 1 from each sample to each of its neighbours."""
        if self.graph is not None:
            return self.graph
        assert self.knn is not None
        return edges_of(self.knn)

    def __repr__(self) -> str:
        """Its sizes."""
        parts = [f"n_samples={self.n_samples}"]
        if self.knn is not None:
            parts.append(f"n_neighbors={self.knn.n_neighbors}")
        if self.graph is not None:
            parts.append(f"n_edges={self.graph.n_edges}")
        return f"Neighbors({', '.join(parts)})"
