"""Derivatives of sums of distances with respect to samples and weights, by NumPy, in one pass over few pairs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import NUMPY
from gpuval.geometry.distances.tiles import tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, UnitRows
from gpuval.geometry.points import Points, RowSubset, with_zero
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map, parallel_map_with_blas, product, slices

_SIDE = 512
"""The most rows and columns of a tile."""

_SMALL = 64
"""Clusters that begin within so many columns are gone through together."""

_AT_ONCE = 16
"""Tiles whose derivatives are held until they are added."""

_SORTED = 1 << 14
"""Numbers that are sorted at once, if a feature has no more."""

_NEAR = {4: 2.0**-8, 8: 2.0**-20}
"""Where the square of a distance is less than this share of the squares it is a difference of, by bytes of a number,
its derivative is found by differences: from a product of matrices it would have lost more than about 4 or 10 digits."""


class Slopes(NamedTuple):
    """The derivatives G_ic: of each row those by the sums of two clusters, or of all."""

    rows: NDArray
    """The sample that each row is."""
    own: NDArray
    """By the sum of the row's own cluster."""
    other: NDArray
    """By the sum of the cluster ``which``."""
    which: NDArray | None
    """The other cluster of each row; None if ``other`` is by the sum of every cluster but the own."""


class _Derivatives(NamedTuple):
    """The derivatives by the samples, shape (n_samples, n_features), and by their weights, shape (n_samples,)."""

    samples: NDArray
    weights: NDArray


class _Pairs(NamedTuple):
    """Some rows, as places in the slopes, with some columns, as a slice of the samples sorted by cluster."""

    rows: NDArray
    columns: slice


def score_derivatives(points: Points, metric: str, slopes: Slopes, of_masses: NDArray) -> _Derivatives:
    """The derivatives of a score by those by sums of distances to clusters, and by the masses of the clusters.

    All rows are samples that count. The sum over the own cluster of a row without a length, whose cosine distance from
    itself is 0, is without that.
    """
    if metric in ("cosine", "correlation"):
        unit = UnitRows(points.X if metric == "cosine" else CentredRows(points.X))
        found = _cosine_derivatives(replace(points, X=unit.read(slice(None))), slopes)
        found = found._replace(samples=unit.derivative(found.samples))
    else:
        found = _BY_METRIC[metric](points, slopes)
    return found._replace(weights=found.weights + with_zero(of_masses)[points.codes])


def _pairs(points: Points, slopes: Slopes, order: NDArray, small: int) -> Iterator[_Pairs]:
    """The pairs whose G_ic are not 0: of neighbouring clusters that begin within ``small`` columns together."""
    codes, first = np.unique(points.codes[order], return_index=True)
    own, edges = points.codes[slopes.rows], [*first, len(order)]
    for clusters in np.split(np.arange(len(codes)), np.flatnonzero(np.diff(first // small)) + 1):
        low, high = codes[clusters[0]], codes[clusters[-1]]
        is_in = np.ones(len(own), dtype=bool)
        if slopes.which is not None:
            is_in = ((own >= low) & (own <= high)) | ((slopes.which >= low) & (slopes.which <= high))
        yield _Pairs(np.flatnonzero(is_in), slice(edges[clusters[0]], edges[clusters[-1] + 1]))


def _pair_slopes(points: Points, slopes: Slopes, rows: NDArray, columns: NDArray) -> NDArray:
    """G_ic of rows and samples, of shape (n_rows, n_columns), or (n_rows, 1) for the samples of one cluster."""
    clusters = points.codes[columns]
    clusters = clusters[:1] if clusters[0] == clusters[-1] else clusters  # which are sorted
    other = slopes.other[rows, None]
    if slopes.which is not None:
        other = np.where(slopes.which[rows, None] == clusters, other, 0.0)
    return np.where(points.codes[slopes.rows[rows], None] == clusters, slopes.own[rows, None], other)


def _order(points: Points) -> NDArray:
    """The samples that count, by cluster."""
    return np.argsort(points.codes, kind="stable")[: int(points.sizes.sum())]


def _weights(points: Points, samples: NDArray) -> NDArray:
    return np.ones(len(samples)) if points.weights is None else points.weights[samples]


# Euclidean distances: (x - y) / d is a product of matrices of 1 / d with the samples.


def _euclidean_derivatives(points: Points, slopes: Slopes) -> _Derivatives:
    order = _order(points)
    total = _Derivatives(np.zeros(points.X.shape), np.zeros(points.n_samples))
    pairs = list(_pairs(points, slopes, order, _SMALL if slopes.which is not None else points.n_samples))
    rows, end = np.concatenate([x.rows for x in pairs]), 0
    tiles = []
    for some in pairs:
        begin, end = end, end + len(some.rows)
        tiles += [
            (i, j) for i in slices(end, _SIDE, begin) for j in slices(some.columns.stop, _SIDE, some.columns.start)
        ]
    of_tile = _EuclideanTiles(points, slopes, rows, order).derivatives
    for part in slices(len(tiles), _AT_ONCE):
        found = parallel_map_with_blas(of_tile, tiles[part])
        for (i, j), (of_rows, of_columns, of_weights) in zip(tiles[part], found, strict=True):
            total.samples[slopes.rows[rows[i]]] += of_rows
            total.samples[order[j]] += of_columns
            total.weights[order[j]] += of_weights
    return total


class _EuclideanTiles:
    """Rows, as places in the slopes, and columns, which are samples: as read, and their distances by the tile."""

    def __init__(self, points: Points, slopes: Slopes, rows: NDArray, columns: NDArray) -> None:
        self._points, self._slopes, self._rows, self._columns = points, slopes, rows, columns
        self._x, self._y = RowSubset(points.X, slopes.rows[rows]), points.X[columns]
        self._distances = tiles_of(self._x, self._y, "euclidean", NUMPY)

    def derivatives(self, tile: tuple[slice, slice]) -> tuple[NDArray, NDArray, NDArray]:
        """Those by the rows, by the columns, and by the weights of the columns."""
        rows, columns = tile
        distances = self._distances.tile(self._distances.rows(rows), columns)
        of_sums = _pair_slopes(self._points, self._slopes, self._rows[rows], self._columns[columns])
        weights = _weights(self._points, self._columns[columns])
        of_weights = np.zeros(len(weights))
        if self._points.weights is not None:
            of_weights = np.einsum("ij,ij->j", np.broadcast_to(of_sums, distances.shape), distances)
        given_x, given_y = self._x.read(rows), self._y[columns]
        centre = given_y.mean(axis=0, dtype=np.float64).astype(distances.dtype)
        x, y = given_x.astype(distances.dtype) - centre, given_y.astype(distances.dtype) - centre
        distances[distances == 0] = np.inf  # where there is no derivative: 0 takes its place
        i, j = _near(distances, x, y)
        factors = of_sums.astype(distances.dtype) * weights.astype(distances.dtype)
        factors = np.divide(factors, distances, out=distances)
        of_near, factors[i, j] = factors[i, j], 0.0
        of_rows = factors.sum(axis=1)[:, None] * x - product(factors, y.T)
        of_columns = factors.sum(axis=0)[:, None] * y - product(factors.T, x.T)
        for part in slices(len(i), max(1, _SIDE**2 // x.shape[1])):
            apart = (given_x[i[part]] - given_y[j[part]]) * of_near[part, None]
            np.add.at(of_rows, i[part], apart)
            np.subtract.at(of_columns, j[part], apart)
        return of_rows, of_columns, of_weights


def _near(distances: NDArray, x: NDArray, y: NDArray) -> tuple[NDArray, NDArray]:
    """The pairs whose distance is small beside their distances from 0."""
    share = _NEAR[distances.itemsize]
    squares_x, squares_y = np.einsum("ij,ij->i", x, x), np.einsum("ij,ij->i", y, y)
    if distances.min() ** 2 >= share * (squares_x.max() + squares_y.max()):
        none = np.zeros(0, dtype=np.intp)
        return none, none
    i, j = np.nonzero(distances**2 < share * (squares_x[:, None] + squares_y))
    return i, j


# City-block distances: of sorted features, the signs of differences add up to differences of running sums.


def _cityblock_derivatives(points: Points, slopes: Slopes) -> _Derivatives:
    order = _order(points)
    total = _Derivatives(np.zeros(points.X.shape), np.zeros(points.n_samples))
    weights = np.zeros(points.n_samples)
    weights[order] = _weights(points, order)
    for pairs in _pairs(points, slopes, order, 1):
        columns = order[pairs.columns]
        of_all, of_cluster = np.zeros(points.n_samples), np.zeros(points.n_samples)
        of_all[slopes.rows[pairs.rows]] = _pair_slopes(points, slopes, pairs.rows, columns)[:, 0]
        of_cluster[columns] = weights[columns]
        samples = np.union1d(slopes.rows[pairs.rows], columns)
        of_features = functools.partial(_feature_derivatives, points, samples, of_all[samples], of_cluster[samples])
        parts = slices(points.X.shape[1], max(1, _SORTED // len(samples)))
        is_column = of_cluster[samples] > 0
        for part, (of_samples, of_weights) in zip(parts, parallel_map(of_features, parts), strict=True):
            total.samples[samples, part] += of_samples
            total.weights[samples[is_column]] += of_weights[is_column]
    return total


def _feature_derivatives(
    points: Points, samples: NDArray, of_sums: NDArray, weights: NDArray, part: slice
) -> tuple[NDArray, NDArray]:
    """The derivatives by some features of samples, and by their weights.

    ``of_sums`` are the derivatives by the sums over one cluster, 0 for a sample that is no row, and ``weights`` those
    in the cluster, 0 for a sample of another.
    """
    x = points.X[samples, part].astype(np.float64)
    x -= x.mean(axis=0)
    balance = _Balance(x.T)
    signs = balance.of(of_sums).T
    of_weights = np.zeros(len(x))
    if points.weights is not None:
        of_weights = np.sum(signs * x - balance.of((of_sums[:, None] * x).T).T, axis=1)
    return of_sums[:, None] * balance.of(weights).T + weights[:, None] * signs, of_weights


class _Balance:
    """Of each number of a vector, the masses of those below it less the masses of those above it; of many vectors."""

    def __init__(self, values: NDArray) -> None:
        size = values.shape[1]
        self._order = np.argsort(values, axis=1)
        values = np.take_along_axis(values, self._order, axis=1)
        changes = values[:, 1:] != values[:, :-1]
        places = np.arange(1, size)
        self._first, self._end = np.zeros(values.shape, dtype=np.intp), np.full(values.shape, size)
        self._first[:, 1:] = np.maximum.accumulate(np.where(changes, places, 0), axis=1)
        self._end[:, :-1] = np.minimum.accumulate(np.where(changes, places, size)[:, ::-1], axis=1)[:, ::-1]

    def of(self, masses: NDArray) -> NDArray:
        """Of masses of each number, or of each place in the vectors."""
        masses = np.take_along_axis(np.broadcast_to(masses, self._order.shape), self._order, axis=1)
        sums = np.zeros((len(masses), masses.shape[1] + 1))
        np.cumsum(masses, axis=1, out=sums[:, 1:])
        below, up_to = (np.take_along_axis(sums, places, axis=1) for places in (self._first, self._end))
        found = np.empty_like(below)
        np.put_along_axis(found, self._order, below + up_to - sums[:, -1:], axis=1)
        return found


# Squared distances: sums over pairs follow from sums over clusters, of their samples and of the rows that ask for them.


def _cosine_derivatives(points: Points, slopes: Slopes) -> _Derivatives:
    """Of samples of length 1 the halves of those of squares; those of length 0 are at 1 from all others."""
    no_length = 1.0 - points.X.any(axis=1)
    slopes = slopes._replace(own=slopes.own / 2, other=slopes.other / 2)
    found = _sqeuclidean_derivatives(points, slopes, no_length)
    if not points.counts_samples:  # by a real weight, which is taken from the sum of the sample itself
        found.weights[slopes.rows] -= 2 * slopes.own * no_length[slopes.rows]
    return found


def _sqeuclidean_derivatives(points: Points, slopes: Slopes, apart: Any = 0.0) -> _Derivatives:
    """The derivatives of sums of squared distances, to each of which ``apart`` of both samples is added."""
    k, codes = points.n_clusters, points.codes
    x = points.X - points.X[codes < k].mean(axis=0, dtype=np.float64)
    squares = np.einsum("ij,ij->i", x, x) + apart
    weights = np.ones(len(x)) if points.weights is None else points.weights
    terms = np.column_stack([x, np.ones(len(x)), squares])
    rows, own = terms[slopes.rows], codes[slopes.rows]
    of_clusters, to_own = _cluster_sums(weights, codes, terms, k), slopes.own
    if slopes.which is None:  # by all clusters, and the own once more
        to_own = slopes.own - slopes.other
        of_rows = slopes.other[:, None] * of_clusters.sum(axis=0)
        of_columns = np.broadcast_to(slopes.other @ rows, of_clusters.shape)
    else:
        of_rows = slopes.other[:, None] * of_clusters[slopes.which]
        of_columns = _cluster_sums(slopes.other, slopes.which, rows, k)
    of_rows = of_rows + to_own[:, None] * of_clusters[own]
    of_columns = with_zero(of_columns + _cluster_sums(to_own, own, rows, k))[codes]
    samples = weights[:, None] * _gradient_of_squares(x, of_columns)
    samples[slopes.rows] += _gradient_of_squares(x[slopes.rows], of_rows)
    with_x, number, of_squares = of_columns[:, :-2], of_columns[:, -2], of_columns[:, -1]
    return _Derivatives(samples, of_squares + number * squares - 2 * np.einsum("ij,ij->i", x, with_x))


def _gradient_of_squares(x: NDArray, sums: NDArray) -> NDArray:
    """The derivative of sums of squares |x - y|^2 by x, of the sums of y and of their number."""
    return np.asarray(2 * (sums[:, -2:-1] * x - sums[:, :-2]))


def _cluster_sums(factors: NDArray, codes: NDArray, values: NDArray, k: int) -> NDArray:
    """The sums of rows of values times factors over each of the k clusters."""
    from scipy.sparse import csc_array  # only now: few measures need SciPy

    by_cluster = csc_array((factors, codes, np.arange(len(codes) + 1)), shape=(k + 1, len(codes)))
    return np.asarray(by_cluster @ values)[:k]


_BY_METRIC: dict[str, Callable[[Points, Slopes], _Derivatives]] = {
    "euclidean": _euclidean_derivatives,
    "cityblock": _cityblock_derivatives,
    "sqeuclidean": _sqeuclidean_derivatives,
}
"""Of distances between samples as they are."""
