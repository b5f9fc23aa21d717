"""Neighbours and the labels of the samples, read together, in one library and on one device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from gpuval.engines.backends import backend_of, is_array
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.neighbors.given import check_index, read_neighbors
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.points import Points, all_invalid, read_points
from gpuval.numerics import Array

Found = TypeVar("Found", Nearest, Edges)


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
    check_index(neighbors, labels, ("neighbors", name))
    found = read_neighbors(neighbors, "neighbors", reads_distances=True)
    if found.knn is None:
        raise ValueError(
            "neighbors must have the nearest neighbours of each sample, got a graph of connectivities only; give "
            "its distances (Neighbors.from_distances), or the arrays of the search (Neighbors.from_knn)"
        )
    return _beside(found.knn, labels, name, size, ignore_labels, size_name, "neighbors", ignored_elsewhere)


def read_edges(graph: Any, labels: Any, name: str, size: int | None, ignore_labels: Any, size_name: str) -> Points:
    """Read labeled samples whose ``X`` are the edges of a graph, in the same way."""
    check_index(graph, labels, ("graph", name))
    edges = read_neighbors(graph, "graph", reads_distances=False).edges()
    return _beside(edges, labels, name, size, ignore_labels, size_name, "graph")


def _beside(
    found: Found,
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
        seen = _seen(found) if on_host else found
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


def _seen(found: Found) -> Found:
    """The same as arrays of NumPy, if all lie on the host; else as it is."""
    arrays = [x for x in (getattr(found, field.name) for field in fields(found)) if is_array(x)]
    if any(backend_of(x).host_view(x) is None for x in arrays):
        return found
    return _with_arrays(found, lambda x: backend_of(x).host_view(x))


def _with_arrays(found: Found, function: Callable[[Array], Any]) -> Found:
    """The same with what a function gives for each of its arrays."""
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return replace(found, **{name: function(x) for name, x in values.items() if is_array(x)})
