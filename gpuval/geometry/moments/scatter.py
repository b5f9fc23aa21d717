"""How samples scatter about the centres of their clusters, direction by direction, and with a number of each sample."""

from __future__ import annotations

import functools
import operator
from dataclasses import replace

import numpy as np

from gpuval.geometry.distances.rows import rows_of
from gpuval.geometry.moments.clusters import Centres
from gpuval.geometry.moments.finding import differences_from
from gpuval.geometry.moments.sums import Block, sums_over
from gpuval.geometry.points import Points
from gpuval.numerics import Array
from gpuval.numerics.slices import slices

_NUMBERS = 1 << 21
"""Numbers in a block of rows."""


def scatter_matrix(points: Points, centres: Centres, unit: Array) -> Array:
    """The sum of w d d' over the samples, shape (n_features, n_features), in squares of a unit.

    A difference d is that of a sample to the centre of its cluster, and w is what the sample weighs.
    """
    backend, (n, n_features) = points.backend, points.X.shape
    differences, xp, height = (
        differences_from(centres.places, centres.offsets),
        points.xp,
        max(1, _NUMBERS // n_features),
    )
    room = np.empty((min(n, height), n_features)) if backend.on_host else None

    def of_rows(rows: slice) -> Array:
        codes = points.codes[rows]
        weights = None if points.weights is None else points.weights[rows]
        with np.errstate(over="ignore", invalid="ignore"):  # of what does not count
            apart = differences(Block(rows_of(points.X, rows), codes, weights, room)) / unit
        apart = xp.where((codes < points.n_clusters)[:, None], apart, xp.zeros_like(apart))
        return backend.matmul(xp.matrix_transpose(apart), apart if weights is None else apart * weights[:, None])

    return functools.reduce(operator.add, map(of_rows, slices(n, height) or [slice(0, 0)]))


def sums_of_products(points: Points, centres: Centres, values: Array) -> Array:
    """The sums over each cluster of w v d, shape (n_clusters, n_features), with a number v of each sample."""
    weights = values if points.weights is None else points.weights * values
    differences = differences_from(centres.places, centres.offsets)
    return sums_over(replace(points, weights=weights), differences)
