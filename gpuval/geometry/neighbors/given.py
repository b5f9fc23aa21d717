"""Read neighbours from any form in which users give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.geometry.neighbors.reading_graphs import is_graph, kind_of, read_distances, read_weighted
from gpuval.geometry.neighbors.reading_knn import read_nearest
from gpuval.inputs.labels import check_indexes

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


def check_index(neighbors: Any, labels: Any, names: tuple[str, str]) -> None:
    """Check that annotated data, whose samples have names, and labels with an index have the same index."""
    samples = getattr(neighbors, "obs", None)
    if samples is not None:
        check_indexes(**dict(zip(names, (samples, labels), strict=True)))
