"""Where samples are drawn: two coordinates of each, and what their axes are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.display.tables import label_text
from gpuval.engines.backends import is_dask, is_sparse, to_host
from gpuval.inputs.features import as_array
from gpuval.numerics import NDArray


class Coordinates(NamedTuple):
    """Two coordinates of each sample, on the host."""

    points: NDArray
    """Shape (n_samples, 2)."""
    names: tuple[str, str]
    """What the axes are called."""


def read_coordinates(coordinates: Any, n_samples: int | None) -> Coordinates:
    """The coordinates that a user gives: a matrix with two columns, of which a table has names."""
    if isinstance(coordinates, Coordinates):
        points, names = coordinates
    else:
        points, names = _on_host(coordinates, "coordinates"), _names(coordinates, "coordinate")
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"coordinates must have shape (n_samples, 2), got {points.shape}")
    if n_samples is not None and len(points) != n_samples:
        raise ValueError(f"coordinates must have as many samples as the labelings ({n_samples}), got {len(points)}")
    if not np.isfinite(points).all():
        raise ValueError("coordinates must be finite, got NaN or infinity")
    return Coordinates(points, names)


def first_columns(X: Any) -> Coordinates | None:
    """The first two columns of samples; None if there are fewer, or not all are finite."""
    if X is None or is_dask(X):
        return None
    rows = X if is_sparse(X) else as_array(X, "X")
    if len(rows.shape) != 2 or rows.shape[1] < 2:
        return None
    points = _on_host(rows[:, :2].toarray() if is_sparse(rows) else rows[:, :2], "X")
    return Coordinates(points, _names(X, "column")) if np.isfinite(points).all() else None


def axis_names(names: Sequence[str]) -> tuple[str, str]:
    """What axes are called: two columns by their names, the columns of one key by that and their numbers."""
    first, second = names[:2] if len(names) > 1 else (f"{names[0]} 1", f"{names[0]} 2")
    return label_text(first), label_text(second)


def _on_host(rows: Any, name: str) -> NDArray:
    return np.asarray(to_host(as_array(rows, name)), dtype=float)


# Which of several embeddings is drawn.

_DRAWN = ("X_umap", "X_tsne", "X_draw_graph")
"""The beginnings of the keys under which scanpy keeps coordinates that are made to be drawn."""


def key_to_draw(keys: Iterable[str]) -> str | None:
    """The first key of coordinates that are made to be drawn; None if there is none."""
    known = list(keys)
    return next((key for drawn in _DRAWN for key in known if key.startswith(drawn)), None)


def _names(given: Any, otherwise: str) -> tuple[str, str]:
    """The names of the first two columns of a table; else their numbers."""
    columns = list(getattr(given, "columns", ()))[:2]
    first, second = map(label_text, columns) if len(columns) == 2 else (f"{otherwise} 1", f"{otherwise} 2")
    return first, second
