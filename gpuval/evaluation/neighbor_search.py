"""The nearest neighbours of the cells of an embedding: given ones, or those of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, to_host
from gpuval.geometry.neighbors.neighbors import Neighbors, read_neighbors
from gpuval.inputs.features import with_squares, with_squares_of_32_bits
from gpuval.inputs.options import check_option, check_size, require_extra

N_NEIGHBORS = 14, 49, 89
"""Of the connectivity, of kBET and of LISI: the 15, 50 and 90 of scib-metrics, less the cell itself."""

Search = Literal["exact", "pynndescent"]
"""The searches that have a name."""

_Search = Callable[[Any, int], Any]
"""What finds so many neighbours of each cell, itself among them."""


def read_n_neighbors(n_neighbors: Any) -> tuple[int, int, int]:
    """The three numbers of neighbours."""
    listed = n_neighbors.tolist() if hasattr(n_neighbors, "tolist") else n_neighbors
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes) or len(listed) != len(N_NEIGHBORS):
        raise TypeError(
            f"n_neighbors must be three numbers, for the graph connectivity, kBET and LISI, got {n_neighbors!r}"
        )
    first, second, third = (check_size(x, "n_neighbors") for x in listed)
    return first, second, third


def is_search(neighbors: Any) -> bool:
    """Whether neighbours are still to be found: by a search that has a name, or a function."""
    return isinstance(neighbors, str) or (callable(neighbors) and not hasattr(neighbors, "indices"))


def neighbors_by(neighbors: Any, name: str, n_cells: int, n_neighbors: int) -> Callable[[Any], Neighbors]:
    """A function of cells that gives so many neighbours of each, or more: those that are given, or by a search.

    What can be checked before a search is; messages call neighbours by the name.
    """
    if not is_search(neighbors):
        given = read_neighbors(neighbors, name, reads_distances=True)
        _check_enough(given, name, n_cells, n_neighbors)
        return lambda _: given
    if n_cells <= n_neighbors:
        raise ValueError(
            f"X must have more than {n_neighbors} cells to search for the {n_neighbors} nearest neighbours of each, "
            f"got {n_cells}; a smaller n_neighbors is possible, and changes the scores"
        )
    search = _host_search(neighbors, name) if isinstance(neighbors, str) else neighbors

    def find(cells: Any) -> Neighbors:
        found = read_neighbors(search(cells, n_neighbors + 1), name, reads_distances=True, of_search=True)
        _check_enough(found, name, n_cells, n_neighbors)
        return found

    return find


def _check_enough(found: Neighbors, name: str, n_cells: int, n_neighbors: int) -> None:
    """Check that there are the neighbours of all cells that scores need, with their distances."""
    if found.n_samples != n_cells:
        raise ValueError(f"{name} must have as many samples as X ({n_cells}), got {found.n_samples}")
    if found.knn is None:
        raise ValueError(f"{name} must have nearest neighbours, got a graph of connectivities only")
    if found.knn.distances is None:
        raise ValueError(f"{name} must have distances for LISI, got indices alone")
    if found.knn.n_neighbors < n_neighbors:
        raise ValueError(
            f"{name} must have {n_neighbors} nearest neighbours of each cell, without itself, got "
            f"{found.knn.n_neighbors}; a smaller n_neighbors is possible, and changes the scores"
        )


def _host_search(name_of_search: str, name: str) -> _Search:
    """A search on the host, of cells of any library that lie there."""
    check_option(name, name_of_search, get_args(Search))
    search = _exact() if name_of_search == "exact" else _pynndescent()

    def search_on_the_host(cells: Any, k: int) -> Any:
        if is_sparse(cells):
            return search(cells, k)
        cells = backend_of(cells).without_gradient(cells)
        if not backend_of(cells).lies_on_host(cells):
            raise TypeError(
                f"{name} must not be the name of a search if X is on a device, got {name_of_search!r}; give a function "
                "that searches there, such as one that calls cuML's NearestNeighbors, or its result"
            )
        return search(to_host(cells), k)

    return search_on_the_host


def _exact() -> _Search:
    with require_extra("neighbors='exact'", "integration"):
        from sklearn.neighbors import NearestNeighbors

    def search(cells: Any, k: int) -> tuple[Any, Any]:
        cells = with_squares(cells, np.ones(cells.shape[0], dtype=bool))
        distances, indices = NearestNeighbors(n_neighbors=k, n_jobs=-1).fit(cells).kneighbors(cells)
        return indices, distances

    return search


def _pynndescent() -> _Search:
    """With the options that scib-metrics has, which are those of UMAP."""
    with require_extra("neighbors='pynndescent'", "integration"):
        from pynndescent import NNDescent

    def search(cells: Any, k: int) -> tuple[Any, Any]:
        n = cells.shape[0]
        n_trees, n_rounds = min(64, 5 + round(n**0.5 / 20)), max(5, round(np.log2(n)))
        options = {"n_trees": n_trees, "n_iters": n_rounds, "max_candidates": 60, "low_memory": True}
        cells = with_squares_of_32_bits(cells)
        index = NNDescent(cells, n_neighbors=k, random_state=0, n_jobs=-1, compressed=False, **options)
        found: tuple[Any, Any] = index.neighbor_graph
        return found

    return search
