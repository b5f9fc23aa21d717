"""The moments of samples: a pass for the places, one for distances, and two more where rounding of places matters."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, fields_of, is_sparse, to_host
from gpuval.geometry.moments.clusters import (
    Centres,
    Moments,
    are_usual,
    largest_usual,
    lengths_of,
    scales_of,
    usual_squares,
)
from gpuval.geometry.moments.sums import (
    Block,
    distances_of_entries,
    map_rows,
    sums_by_cluster,
    sums_of_samples,
    sums_over,
    sums_unless_none,
)
from gpuval.geometry.points import Points, pairwise_distances, read_points, rows_of, with_zero
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import slices
from gpuval.numerics.stable import ratio, root

_ROUNDINGS = 16, 64
"""The unit roundoffs by which a mean of numbers may be off: of differences from a place near them, and of samples."""

_NOTHING = 2.0**-40
"""What an error is of a spread where it changes no score by more than rounding does."""


def read_for_moments(X: Any, labels: Any, *, in_any_unit: bool = False, **building: Any) -> Points:
    """Samples and labels; on a device after a check, as there what does not count is multiplied by 0, not left out.

    With ``in_any_unit`` those of a device are in another unit if squares need one.
    """
    points = read_points(X, labels, **building)
    return points if points.backend.on_host else points.finite(in_any_unit=in_any_unit)


def centres_of(points: Points) -> Centres:
    """The centres of the clusters of samples: in one pass, and on a device in two."""
    places = _means(points, lambda: sums_of_samples(points))
    if points.backend.on_host:
        offsets: Array = np.broadcast_to(0.0, places.shape)  # takes no memory
    else:
        offsets = _mean_offsets(points, places)
    return Centres(places=places, offsets=offsets, **_centre_fields(points))


def moments_of(points: Points) -> Moments:
    """The moments of the clusters of samples."""
    return _moments_and_lengths(points)[0]


def moments_and_radii(points: Points) -> tuple[Moments, Array]:
    """The moments, and the mean distance of the samples of each cluster to its centre."""
    moments, lengths = _moments_and_lengths(points, with_lengths=True)
    return moments, _only(ratio(lengths, points.masses, points.xp), moments.spreads != 0)


def scatters_beyond(points: Points, moments: Moments, least: float) -> Array:
    """Of each cluster the sum of the squared distances to its mean, of those that are larger than ``least``.

    Without weights their mean tells; with weights it may be that of one heavy sample.
    """
    if points.weights is None:
        return _only(moments.scatters, ~(moments.scatters <= least * moments.masses))
    distances = distances_to_centres(points, moments.places, moments.offsets)
    with _quiet(points):
        squares = distances * distances
    return sums_by_cluster(_only(squares, ~(squares <= least)), points)


def distances_to_centres(points: Points, places: Array, offsets: Array) -> Array:
    """The distance of each sample to the centre of its cluster, shape (n_samples,)."""
    apart = _differences_from(places, offsets)

    def find(block: Block) -> Array:
        return lengths_of(apart(block))

    if not is_sparse(points.X) or not points.backend.on_host or offsets.any():
        return map_rows(points, find)
    distances, others = distances_of_entries(points, _with_spare(places))
    distances[others] = map_rows(replace(points, X=points.X[others], codes=points.codes[others], weights=None), find)
    return distances


def _differences_from(places: Array, offsets: Array) -> Callable[[Block], Array]:
    """What finds the rows of a block less the centres of their clusters."""
    places = _with_spare(places)
    if backend_of(places).on_host and not offsets.any():
        return lambda block: block.less(places)
    offsets = _with_spare(offsets)
    return lambda block: block.less(places) - block.take_by_code(offsets)


def _with_spare(places: Array) -> Array:
    """Places, and one for the spare code: on the host any will do."""
    return places if backend_of(places).on_host and len(places) else with_zero(places)


def _moments_and_lengths(points: Points, *, with_lengths: bool = False) -> tuple[Moments, Array | None]:
    """The moments, and if asked for the sum over each cluster of the distances to its centre."""
    xp, masses, centres = points.xp, points.masses, centres_of(points)
    eps = xp.finfo(masses.dtype).eps
    spreads, means, lengths = _spreads(points, centres, with_lengths)
    if points.backend.on_host:
        errors = _only(_ROUNDINGS[1] * eps * (lengths_of(centres.places) + means), means != 0)
        if bool((errors <= _NOTHING * means).all()):
            return Moments(**fields_of(centres), spreads=spreads, errors=errors), lengths
        centres = Centres(**fields_of(centres) | {"offsets": _mean_offsets(points, centres.places)})
        spreads, means, lengths = _spreads(points, centres, with_lengths)
    beyond = _ROUNDINGS[0] * eps * lengths_of(centres.offsets)
    # Equal samples are as near to their mean as rounding lets it be.
    spreads = _only(spreads, ~(means <= beyond))
    return Moments(**fields_of(centres), spreads=spreads, errors=_ROUNDINGS[0] * eps * means + beyond), lengths


def _spreads(points: Points, centres: Centres, with_lengths: bool) -> tuple[Array, Array, Array | None]:
    """Of each cluster the spread, the root of the mean square of the distances, and if asked for the sum of these."""
    xp, k, on_host = points.xp, points.n_clusters, points.backend.on_host
    sums = _usual_sums(points, centres, with_lengths) if on_host and not is_sparse(points.X) else None
    if sums is not None:
        return np.sqrt(sums[0]), np.sqrt(ratio(sums[0], points.masses, xp)), sums[1] if with_lengths else None
    distances = distances_to_centres(points, centres.places, centres.offsets)
    lengths = sums_by_cluster(distances, points) if with_lengths else None
    if on_host and are_usual(distances):
        squares = sums_by_cluster(distances * distances, points)
        return np.sqrt(squares), np.sqrt(ratio(squares, points.masses, xp)), lengths
    with _quiet(points):
        scales = scales_of(points.backend.largest(points.backend.without_gradient(distances), points.codes, k + 1))
        scaled = distances / xp.take(scales, points.codes, axis=0)
        scales, squares = scales[:k], sums_by_cluster(scaled * scaled, points)
    return scales * root(squares, xp), scales * root(ratio(squares, points.masses, xp), xp), lengths


def _usual_sums(points: Points, centres: Centres, with_lengths: bool) -> list[NDArray] | None:
    """The sums of the squared distances, and of the distances, found while these are near; None if one is too odd."""
    apart = _differences_from(centres.places, centres.offsets)

    def sums_of_block(block: Block) -> list[NDArray] | None:
        differences = apart(block)
        squares = usual_squares(differences)
        if squares is not None:
            return [squares, np.sqrt(squares)] if with_lengths else [squares]
        distances = lengths_of(differences)
        if not are_usual(distances):
            return None
        return [distances * distances, distances] if with_lengths else [distances * distances]

    return sums_unless_none(points, sums_of_block)


def _quiet(points: Points) -> AbstractContextManager[Any]:
    """Within, NumPy does not warn of what does not count, or of what is told of later."""
    return np.errstate(over="ignore", invalid="ignore") if points.backend.on_host else nullcontext()


def _only(values: Array, kept: Array) -> Array:
    xp = backend_of(values).xp
    return xp.where(kept, values, xp.zeros_like(values))


def _centre_fields(points: Points) -> dict[str, Any]:
    """What centres have of the samples beside their means."""
    library = backend_of(points.like)
    given = library.zeros_beside((0,), library.widest(points.like).float, points.like)  # not the samples themselves
    names = "masses", "n_counted", "values", "invalid"
    return {name: getattr(points, name) for name in names} | {"like": given}


def _mean_offsets(points: Points, places: Array) -> Array:
    """How far the means of the samples are from the places."""
    places = _with_spare(places)
    return _means(points, lambda: sums_over(points, lambda block: block.less(places)))


def _means(points: Points, find_sums: Callable[[], Array]) -> Array:
    """The mean over each cluster, of sums of it."""
    xp, masses = points.xp, points.masses
    with _quiet(points):
        sums = find_sums()
        is_fine = not points.may_sync or bool(to_host(xp.isfinite(xp.sum(sums))))
    if not is_fine and not bool(to_host(xp.all(xp.isfinite(sums)))):
        points.finite()  # which raises, if it is for numbers that are not finite
        raise ValueError("X must be of numbers whose sums are floats, got larger ones; scale them")
    return sums / xp.where(masses == 0, xp.ones_like(masses), masses)[:, None]


# The distances between the means of clusters, exact even if some are very near each other and others very far.

_NEAR = 2.0**20
"""What a distance is to be of the rounding of the means, so that it has the digits of a score."""

_CELLS = 1 << 20
"""Differences that are there at once."""


class CentreDistances:
    """The distances between the means of clusters, and which are 0 but for rounding."""

    def __init__(self, moments: Moments) -> None:
        self._moments, self._means = moments, moments.means
        self._rounding = moments.errors_of_means(self._means)
        xp, k = moments.xp, moments.masses.shape[0]
        largest = xp.max(xp.abs(self._means)) if k else xp.sum(moments.masses)
        scale = scales_of(largest)
        self._unit = xp.where(scale > 1, scale / largest_usual(largest), scale)  # so that near ones are far from 0
        self._in_unit = self._means / self._unit

    def of(self, rows: slice) -> tuple[Array, Array]:
        """Of some clusters and all, shape (n_rows, n_clusters): the distances, and whether the means are the same."""
        moments, rounding, xp = self._moments, self._rounding, self._moments.xp
        apart = pairwise_distances(self._in_unit[rows, :], self._in_unit, "euclidean")
        least = xp.finfo(apart.dtype).smallest_normal ** 0.5 / xp.finfo(apart.dtype).eps
        is_vague = apart < least  # its square might have vanished
        apart = apart * self._unit
        either = rounding[rows][:, None] + rounding[None, :]
        if not moments.backend.on_host:
            fixed = moments.backend.without_gradient(self._in_unit)
            at_most = pairwise_distances(fixed[rows, :], fixed, "cityblock") * self._unit
            are_one = (apart <= either) & (~is_vague | (at_most <= either))
            return xp.where(is_vague & ~are_one, xp.full_like(apart, float("nan")), apart), are_one
        near = np.nonzero(is_vague | (apart <= _NEAR * either))
        for some in slices(len(near[0]), max(1, _CELLS // moments.places.shape[1])):
            i, j = near[0][some], near[1][some]
            apart[i, j] = self._pair_distances(i + rows.start, j)
        errors = moments.errors
        return apart, apart <= errors[rows][:, None] + errors[None, :]

    def _pair_distances(self, i: NDArray, j: NDArray) -> NDArray:
        """The distances of pairs of means, of which places that are near each other take nothing."""
        places, offsets = self._moments.places, self._moments.offsets
        found: NDArray = lengths_of((places[i] - places[j]) + (offsets[i] - offsets[j]))
        return found


# How samples scatter about the centres of their clusters, direction by direction, and with a number of each sample.

_NUMBERS = 1 << 21
"""Numbers in a block of rows."""


def scatter_matrix(points: Points, centres: Centres, unit: Array) -> Array:
    """The sum of w d d' over the samples, shape (n_features, n_features), in squares of a unit.

    A difference d is that of a sample to the centre of its cluster, and w is what the sample weighs.
    """
    backend, (n, n_features) = points.backend, points.X.shape
    differences, xp, height = (
        _differences_from(centres.places, centres.offsets),
        points.xp,
        max(1, _NUMBERS // n_features),
    )
    room = np.empty((min(n, height), n_features)) if backend.on_host else None

    def scatter_of_rows(rows: slice) -> Array:
        codes = points.codes[rows]
        weights = None if points.weights is None else points.weights[rows]
        with np.errstate(over="ignore", invalid="ignore"):  # of what does not count
            apart = differences(Block(rows_of(points.X, rows), codes, weights, room)) / unit
        apart = xp.where((codes < points.n_clusters)[:, None], apart, xp.zeros_like(apart))
        return backend.matmul(xp.matrix_transpose(apart), apart if weights is None else apart * weights[:, None])

    return functools.reduce(operator.add, map(scatter_of_rows, slices(n, height) or [slice(0, 0)]))


def sums_of_products(points: Points, centres: Centres, values: Array) -> Array:
    """The sums over each cluster of w v d, shape (n_clusters, n_features), with a number v of each sample."""
    weights = values if points.weights is None else points.weights * values
    differences = _differences_from(centres.places, centres.offsets)
    return sums_over(replace(points, weights=weights), differences)
