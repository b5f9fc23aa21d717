"""Mean distances of samples to clusters: the choice of how to compute them, and their derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry.distances.derivatives import Slopes, score_derivatives
from gpuval.geometry.distances.precomputed import DistanceMatrix
from gpuval.geometry.distances.unit_rows import CentredRows
from gpuval.geometry.means.centres import OfClusters, OfSparseClusters, means_by_centres, means_by_centres_on_device
from gpuval.geometry.means.folding import Between, Means
from gpuval.geometry.means.pairs import means_by_pairs
from gpuval.geometry.means.tiles import means_on_device
from gpuval.geometry.points import Points, Rows
from gpuval.geometry.progress import Progress
from gpuval.inputs.features import are_extreme
from gpuval.numerics import Array, NDArray

_BY_CENTRES = ("sqeuclidean", "cosine")
"""The metrics whose means follow from the centres."""


def mean_distances(points: Points, metric: str, between: Between, rows: Array | None, progress: Progress) -> Means:
    """Mean distances of the rows, which are indices beside the codes; None for all samples, in their order.

    What is given for samples that do not count means nothing.
    """
    return mean_distances_of_all([points], metric, between, rows, progress)[0]


def mean_distances_of_all(
    several: Sequence[Points], metric: str, between: Between, rows: Array | None, progress: Progress
) -> list[Means]:
    """The same of each of several labelings, one at least, of the same samples with the same weights."""
    each = progress.part(1 / len(several))
    hosts = list(filter(None, map(_points_in_numpy, several)))
    if len(hosts) == len(several):

        def means_of(points: Points, chosen: NDArray | None) -> Means:
            return mean_distances(points, metric, between, chosen, each)

        both = zip(several, hosts, strict=True)
        return [_means_with_derivative(points, host, means_of, metric, between, rows) for points, host in both]
    if metric == "correlation":
        several, metric = [replace(x, X=CentredRows(x.X)) for x in several], "cosine"
    on_host = several[0].backend.on_host
    if metric in _BY_CENTRES and on_host:
        of_clusters = OfSparseClusters if is_sparse(several[0].X) else OfClusters
        return means_by_centres(of_clusters, several, metric, between, rows, each)
    if metric in _BY_CENTRES:
        return [means_by_centres_on_device(x, metric, between, rows, each) for x in several]
    return (means_by_pairs if on_host else means_on_device)(several, metric, between, rows, progress)


# Mean distances by NumPy of arrays of another library on the host, with a derivative of their own.

_ARRAYS = ("X", "codes", "weights", "sizes", "masses")
"""The arrays of points."""


def _points_in_numpy(points: Points) -> Points | None:
    """The same in NumPy, if samples or weights on the host have a derivative to find, and squares are floats."""
    backend, X = points.backend, points.X
    if backend.on_host or is_sparse(X) or isinstance(X, Rows | DistanceMatrix):
        return None
    if not any(x is not None and backend.is_differentiated(x) for x in (X, points.weights)):
        return None
    seen: dict[str, Any] = {name: _view(getattr(points, name)) for name in _ARRAYS}
    if any(view is None and getattr(points, name) is not None for name, view in seen.items()):
        return None
    if are_extreme(seen["X"]) or not np.isfinite(seen["masses"]).all():
        return None
    return replace(points, **seen, like=seen["X"], invalid=None)


def _view(x: Array | None) -> Any:
    return None if x is None else (backend := backend_of(x)).host_view(backend.without_gradient(x))


def _means_with_derivative(
    points: Points,
    host: Points,
    means_of: Callable[[Points, NDArray | None], Means],
    metric: str,
    between: Between,
    rows: Array | None,
) -> Means:
    """The means that a function finds of ``host``, the points seen by NumPy, and of the rows, for the points."""
    chosen = _view(rows)
    arrays = (points.X,) if points.weights is None else (points.X, points.weights)

    def find_means() -> tuple[tuple[NDArray, ...], Callable[..., tuple[NDArray, ...]]]:
        means = means_of(host, chosen)

        def derivatives(*of_means: NDArray) -> tuple[NDArray, ...]:
            return score_derivatives(host, metric, *_slopes(host, between, chosen, means, *of_means))[: len(arrays)]

        return (means.own, means.other), derivatives

    return Means(*points.backend.with_derivative(find_means, arrays, points.codes))


def _slopes(
    points: Points, between: Between, rows: NDArray | None, means: Means, of_own: NDArray, of_other: NDArray
) -> tuple[Slopes, NDArray]:
    """The derivatives by sums of distances, and by the masses of the clusters, of those by both means."""
    rows = np.arange(points.n_samples) if rows is None else rows
    counted = points.codes[rows] < points.n_clusters
    rows, of_own, of_other = rows[counted], of_own[counted], of_other[counted]
    if between == "mean_other":
        return Slopes(rows, of_own, of_other, None), np.zeros(points.n_clusters)
    which, other = np.asarray(means.which)[counted], means.other[counted]
    of_other = of_other / points.masses[which]
    return Slopes(rows, of_own, of_other, which), -np.bincount(which, of_other * other, minlength=points.n_clusters)
