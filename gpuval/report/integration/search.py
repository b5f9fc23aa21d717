"""The nearest neighbours of the cells of an embedding: those that are given, or what a search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, to_host
from gpuval.geometry.neighbors.given import read_neighbors
from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.inputs.limits import check_size
from gpuval.inputs.matrices.features import finite
from gpuval.inputs.options import check_option, needed

N_NEIGHBORS = 14, 49, 89
"""Of the connectivity, of kBET and of LISI: the 15, 50 and 90 of scib-metrics, less the cell itself."""

Search = Literal["exact", "pynndescent"]
"""The searches that have a name."""


def read_n_neighbors(n_neighbors: Any) -> tuple[int, int, int]:
    """The three numbers of neighbours."""
    listed = n_neighbors.tolist() if hasattr(n_neighbors, "tolist") else n_neighbors
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes) or len(listed) != len(N_NEIGHBORS):
        raise TypeError(
            f"n_neighbors must be three numbers, those of the graph connectivity, kBET and LISI, got {n_neighbors!r}"
        )
    first, second, third = (check_size(x, "n_neighbors") for x in listed)
    return first, second, third


def is_search(neighbors: Any) -> bool:
    """Whether neighbours are still to be found: by a search that has a name, or a function."""
    return isinstance(neighbors, str) or (callable(neighbors) and not hasattr(neighbors, "indices"))


def neighbors_by(neighbors: Any, cells: Any, k: int) -> Neighbors:
    """The neighbours that are given, or the k nearest of each cell, itself among them, as a search finds them."""
    if is_search(neighbors) and cells.shape[0] < k:
        raise ValueError(
            f"X must have more than {k - 1} cells for a search for the {k - 1} nearest neighbours of each, got "
            f"{cells.shape[0]}; n_neighbors= takes fewer, of which scores are others"
        )
    if isinstance(neighbors, str):
        check_option("neighbors", neighbors, get_args(Search))
        neighbors = _by_name(_exact if neighbors == "exact" else _by_pynndescent, cells, k)
    elif is_search(neighbors):
        neighbors = neighbors(cells, k)
    return read_neighbors(neighbors, "neighbors", reads_distances=True)


def _by_name(search: Callable[[Any, int], Any], cells: Any, k: int) -> tuple[Any, Any]:
    """Indices and distances, of a search on the host."""
    if not is_sparse(cells):
        cells = backend_of(cells).without_gradient(cells)
        if not backend_of(cells).lies_on_host(cells):
            raise TypeError(
                "neighbors must be given for cells that are on a device: a function that searches there, such as one "
                "that calls cuML's NearestNeighbors, or what it found"
            )
        cells = to_host(cells)
    finite(cells, np.ones(cells.shape[0], dtype=bool))
    indices, distances = search(cells, k)
    return indices, distances


def _exact(cells: Any, k: int) -> tuple[Any, Any]:
    with needed("neighbors='exact'", "integration"):
        from sklearn.neighbors import NearestNeighbors

    distances, indices = NearestNeighbors(n_neighbors=k, n_jobs=-1).fit(cells).kneighbors(cells)
    return indices, distances


def _by_pynndescent(cells: Any, k: int) -> tuple[Any, Any]:
    """With the options that scib-metrics has, which are those of UMAP."""
    with needed("neighbors='pynndescent'", "integration"):
        from pynndescent import NNDescent

    n = cells.shape[0]
    n_trees, n_rounds = min(64, 5 + round(n**0.5 / 20)), max(5, round(np.log2(n)))
    options = {"n_trees": n_trees, "n_iters": n_rounds, "max_candidates": 60, "low_memory": True, "compressed": False}
    found: tuple[Any, Any] = NNDescent(cells, n_neighbors=k, random_state=0, n_jobs=-1, **options).neighbor_graph
    return found
