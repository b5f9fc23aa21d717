"""Neighbours as users give them, read and checked once for all measures of neighbours and of graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_sparse
from gpuval.engines.backends.pytrees import as_tree
from gpuval.geometry.neighbors.edges import Edges, edges_of
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.reading import is_graph, kind_of, read_distances, read_nearest, read_weighted
from gpuval.geometry.points import Points, all_invalid, read_points
from gpuval.inputs.containers import type_of
from gpuval.inputs.labels import check_indexes
from gpuval.numerics import Array

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


# Read neighbours from any form in which users give them.

_FORMS = (
    "a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes indices and "
    "distances, or distances and connectivities (such as AnnData's obsp)"
)

_NAMES = "indices", "distances", "connectivities"


def read_neighbors(neighbors: Any, name: str, *, reads_distances: bool, of_search: bool = False) -> Neighbors:
    """Read neighbours in any form; a sparse matrix holds distances if ``reads_distances``, and weights if not.

    ``of_search`` is that of :func:`read_nearest`.
    """
    if isinstance(neighbors, Neighbors):
        return neighbors
    if is_graph(neighbors):
        if reads_distances:
            return Neighbors(read_distances(neighbors, name, of_search=of_search), None)
        return Neighbors(None, read_weighted(neighbors, name))
    names = f"{name}.indices", f"{name}.distances"
    if isinstance(neighbors, tuple | list) and len(neighbors) == 2:
        return Neighbors(read_nearest(neighbors[0], neighbors[1], None, names, of_search=of_search), None)
    graphs = _graphs_of(neighbors)
    indices, distances, connectivities = (graphs.get(x) for x in _NAMES)
    if distances is None and connectivities is None:
        keys = (
            f" with {', '.join(map(repr, list(graphs)))}" if graphs and not any(graphs.get(x) for x in _NAMES) else ""
        )
        raise TypeError(f"{name} must be {_FORMS}, got {kind_of(neighbors)}{keys}")
    knn = None
    if distances is not None and indices is not None:
        knn = read_nearest(indices, distances, None, names, of_search=of_search)
    elif distances is not None and (reads_distances or connectivities is None):
        knn = read_distances(distances, names[1], of_search=of_search)
    return Neighbors(knn, None if connectivities is None else read_weighted(connectivities, f"{name}.connectivities"))


def _graphs_of(x: Any) -> dict[str, Any]:
    """The graphs that an object holds: as its attributes, or as entries of its ``obsp``; or those of a mapping."""
    x = getattr(x, "obsp", x)
    if isinstance(x, Mapping) or (hasattr(x, "keys") and hasattr(x, "__getitem__")):
        return {str(name): x[name] for name in x.keys()}  # noqa: SIM118  (obsp is no dictionary)
    return {name: getattr(x, name) for name in _NAMES if getattr(x, name, None) is not None}


def _check_index(neighbors: Any, labels: Any, names: tuple[str, str]) -> None:
    """Check that annotated data, whose samples have names, and labels with an index have the same index."""
    samples = getattr(neighbors, "obs", None)
    if samples is not None:
        check_indexes(**dict(zip(names, (samples, labels), strict=True)))


# Neighbours and the labels of the samples, read together, in one library and on one device.

NearestOrEdges = TypeVar("NearestOrEdges", Nearest, Edges)


def read_knn(
    neighbors: Any,
    labels: Any,
    name: str,
    size: int | None,
    ignore_labels: Any,
    size_name: str,
    *,
    ignored_elsewhere: bool = False,
) -> Points:
    """Read labeled samples whose ``X`` are their nearest neighbours; neighbours and labels are then on one device.

    Both become NumPy arrays if both are in the memory of the host. Messages call the labels ``name`` and their number
    ``size_name``; ``ignored_elsewhere`` says that labels to ignore may be those of another vector.
    """
    _check_index(neighbors, labels, ("neighbors", name))
    found = read_neighbors(neighbors, "neighbors", reads_distances=True)
    if found.knn is None:
        raise ValueError(
            "neighbors must have the nearest neighbours of each sample, got a graph of connectivities only; give "
            "its distances (Neighbors.from_distances), or the arrays of the search (Neighbors.from_knn)"
        )
    return _points_with_labels(found.knn, labels, name, size, ignore_labels, size_name, "neighbors", ignored_elsewhere)


def read_edges(graph: Any, labels: Any, name: str, size: int | None, ignore_labels: Any, size_name: str) -> Points:
    """Read labeled samples whose ``X`` are the edges of a graph, in the same way."""
    _check_index(graph, labels, ("graph", name))
    edges = read_neighbors(graph, "graph", reads_distances=False).edges()
    return _points_with_labels(edges, labels, name, size, ignore_labels, size_name, "graph")


def _points_with_labels(
    found: NearestOrEdges,
    labels: Any,
    name: str,
    size: int | None,
    ignore_labels: Any,
    size_name: str,
    of: str,
    ignored_elsewhere: bool = False,
) -> Points:
    if found.backend.on_host and is_array(labels) and backend_of(labels).is_traced(labels):
        found = _with_arrays(found, lambda x: backend_of(labels).from_host(x, labels))

    def read(_: Any, n_samples: int, on_host: bool) -> tuple[Any, Any, Array]:
        seen = _host_view(found) if on_host else found
        given = found.indices if isinstance(found, Nearest) else found.targets
        like = seen.indices if isinstance(seen, Nearest) else seen.targets
        return given, seen, like

    points = read_points(
        found,
        labels,
        ignore_labels=ignore_labels,
        n_clusters=size,
        name=name,
        read=read,
        ignored_elsewhere=ignored_elsewhere,
        size_name=size_name,
        beside=of,
    )
    return replace(points, invalid=all_invalid(points.invalid, found.invalid))


def _host_view(found: NearestOrEdges) -> NearestOrEdges:
    """The same as arrays of NumPy, if all lie on the host; else as it is."""
    arrays = [x for x in (getattr(found, field.name) for field in fields(found)) if is_array(x)]
    if any(backend_of(x).host_view(x) is None for x in arrays):
        return found
    return _with_arrays(found, lambda x: backend_of(x).host_view(x))


def _with_arrays(found: NearestOrEdges, function: Callable[[Array], Any]) -> NearestOrEdges:
    """The same with what a function gives for each of its arrays."""
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return replace(found, **{name: function(x) for name, x in values.items() if is_array(x)})
