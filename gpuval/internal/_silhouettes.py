"""From mean distances to silhouettes, and from silhouettes to their mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval import _namespace as ns
from gpuval._namespace import Array
from gpuval._numerics import ratio
from gpuval.internal._means import Between, mean_distances
from gpuval.internal._points import Points
from gpuval.internal._progress import Progress


def silhouettes(
    points: Points, metric: str, between: Between, rows: np.ndarray[Any, Any] | None, progress: Progress
) -> Array:
    """The silhouettes of the rows, by default of all; of samples that do not count they mean nothing."""
    xp = points.xp
    means = mean_distances(points, metric, between, rows, progress)
    masses = points.own(points.masses)
    itself = points.of_itself
    others = masses - itself  # what the other samples of the cluster weigh
    if not points.counts_samples:
        others = xp.where(points.own(points.sizes) > 1, others, xp.zeros_like(others))
    elsewhere = xp.sum(points.masses) - masses
    if rows is not None:
        chosen = ns.from_host(rows, points.codes)
        others, elsewhere = xp.take(others, chosen), xp.take(elsewhere, chosen)
    a = ratio(means.own, others, xp)
    b = ratio(means.other, elsewhere, xp) if between == "mean_other" else means.other
    b = xp.where(elsewhere > 0, b, xp.zeros_like(b))
    s = ratio(b - a, xp.maximum(a, b), xp)
    return xp.where(others > 0, s, xp.zeros_like(s))


def mean_of(values: Array, points: Points) -> Array:
    """The mean of the values of the samples that count, each with its weight."""
    xp = points.xp
    counted = points.codes < points.n_clusters
    weights = xp.ones_like(values) if points.weights is None else points.weights
    weights = xp.where(counted, weights, xp.zeros_like(weights))
    values = xp.where(counted, values, xp.zeros_like(values))
    return ratio(xp.sum(weights * values), xp.sum(weights), xp)
