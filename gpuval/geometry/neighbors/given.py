"""Neighbours from whatever users give a measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpuval.engines.backends import is_array
from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.geometry.neighbors.reading_graphs import is_graph, read_distances, read_weighted
from gpuval.geometry.neighbors.reading_knn import read_nearest
from gpuval.inputs.containers import type_of

_FORMS = (
    "a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the attributes indices and "
    "distances, or distances and connectivities (such as AnnData's obsp)"
)


def read_neighbors(neighbors: Any, name: str, *, reads_distances: bool) -> Neighbors:
    """Neighbours from whatever a measure is given; a sparse matrix alone is one of distances, or of weights."""
    if isinstance(neighbors, Neighbors):
        return neighbors
    if is_graph(neighbors):
        if reads_distances:
            return Neighbors(read_distances(neighbors, name), None)
        return Neighbors(None, read_weighted(neighbors, name))
    if isinstance(neighbors, tuple | list) and len(neighbors) == 2:
        return Neighbors(read_nearest(neighbors[0], neighbors[1], None), None)
    if is_array(neighbors):
        raise TypeError(f"{name} must be {_FORMS}, got {type_of(neighbors)} of shape {tuple(neighbors.shape)}")
    by_name = _graphs_of(neighbors)
    distances, connectivities = by_name.get("distances"), by_name.get("connectivities")
    if by_name.get("indices") is not None and distances is not None:
        return Neighbors(read_nearest(by_name["indices"], distances, None), None)
    if distances is None and connectivities is None:
        raise TypeError(f"{name} must be {_FORMS}, got {type_of(neighbors)}")
    return Neighbors(
        None if distances is None or not reads_distances else read_distances(distances, f"{name}.distances"),
        None if connectivities is None else read_weighted(connectivities, f"{name}.connectivities"),
    )


def _graphs_of(x: Any) -> dict[str, Any]:
    """What an object, a mapping, or the obsp of an object has under the names of graphs."""
    x = getattr(x, "obsp", x)
    names = ("indices", "distances", "connectivities")
    if isinstance(x, Mapping) or (hasattr(x, "keys") and hasattr(x, "__getitem__")):
        return {name: x[name] for name in names if name in x.keys()}  # noqa: SIM118  (obsp is no dictionary)
    return {name: getattr(x, name, None) for name in names}
