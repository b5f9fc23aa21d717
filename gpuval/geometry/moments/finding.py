"""The moments of samples: a pass for the places, one for distances, and two more where rounding of places matters."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, to_host
from gpuval.geometry.moments.clusters import Centres, Moments
from gpuval.geometry.moments.lengths import are_usual, lengths_of, scales_of
from gpuval.geometry.moments.sparse import distances_of_entries
from gpuval.geometry.moments.sums import Block, of_rows, sums_by_cluster, sums_of_samples, sums_over
from gpuval.geometry.points import Points, read_points, with_zero
from gpuval.inputs.features import are_extreme
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root

_SAMPLE = 8
"""Rows that tell whether a unit is needed."""

_ROUNDINGS = 16, 64
"""The unit roundoffs by which a mean of numbers may be off: of differences from a place near them, and of samples."""

_NOTHING = 2.0**-40
"""What an error is of a spread where it changes no score by more than rounding does."""


def read_for_moments(X: Any, labels: Any, *, in_any_unit: bool = False, **building: Any) -> Points:
    """Samples and labels; on a device after a check, as there what does not count is multiplied by 0, not left out.

    With ``in_any_unit`` they are in another unit if sums need one; on the host a few rows tell.
    """
    points = read_points(X, labels, **building)
    if not points.backend.on_host:
        return points.finite(in_any_unit=in_any_unit)
    some = points.X if is_sparse(points.X) else points.X[:: max(1, points.n_samples // _SAMPLE)]
    might_overflow = some.dtype == np.float64  # narrower numbers have sums
    return points.finite(in_any_unit=True) if in_any_unit and might_overflow and are_extreme(some) else points


def centres_of(points: Points) -> Centres:
    """The centres of the clusters of samples: in one pass, and on a device in two."""
    places = _means(points, lambda: sums_of_samples(points))
    if points.backend.on_host:
        offsets: Array = np.broadcast_to(0.0, places.shape)  # takes no memory
    else:
        offsets = _left_over(points, places)
    return Centres(places=places, offsets=offsets, **_known(points))


def moments_of(points: Points) -> Moments:
    """The moments of the clusters of samples."""
    return _moments_and_distances(points)[0]


def moments_and_radii(points: Points) -> tuple[Moments, Array]:
    """The moments, and the mean distance of the samples of each cluster to its centre."""
    moments, distances = _moments_and_distances(points)
    return moments, _only(ratio(sums_by_cluster(distances, points), points.masses, points.xp), moments.spreads != 0)


def distances_to_centres(points: Points, places: Array, offsets: Array) -> Array:
    """The distance of each sample to the centre of its cluster, shape (n_samples,)."""
    places = _with_spare(places)
    if points.backend.on_host and not offsets.any():
        if not is_sparse(points.X):
            return of_rows(points, lambda block: lengths_of(block.less(places)))
        distances, others = distances_of_entries(points, places)
        some = replace(points, X=points.X[others], codes=points.codes[others], weights=None)
        distances[others] = of_rows(some, lambda block: lengths_of(block.less(places)))
        return distances
    offsets = _with_spare(offsets)

    def lengths(block: Block) -> Array:
        return lengths_of(block.less(places) - block.of_codes(offsets))

    return of_rows(points, lengths)


def _with_spare(places: Array) -> Array:
    """Places, and one for the spare code: on the host any will do."""
    return places if backend_of(places).on_host and len(places) else with_zero(places)


def _moments_and_distances(points: Points) -> tuple[Moments, Array]:
    xp, masses, centres = points.xp, points.masses, centres_of(points)
    eps = xp.finfo(masses.dtype).eps
    distances, spreads, means = _spreads(points, centres)
    if points.backend.on_host:
        errors = _only(_ROUNDINGS[1] * eps * (lengths_of(centres.places) + means), means != 0)
        if bool((errors <= _NOTHING * means).all()):
            return Moments(**vars(centres), spreads=spreads, errors=errors), distances
        centres = Centres(**vars(centres) | {"offsets": _left_over(points, centres.places)})
        distances, spreads, means = _spreads(points, centres)
    beyond = _ROUNDINGS[0] * eps * lengths_of(centres.offsets)
    # Equal samples are as near to their mean as rounding lets it be.
    spreads = _only(spreads, ~(means <= beyond))
    return Moments(**vars(centres), spreads=spreads, errors=_ROUNDINGS[0] * eps * means + beyond), distances


def _spreads(points: Points, centres: Centres) -> tuple[Array, Array, Array]:
    """The distance of each sample to its centre, and of each cluster the spread and the root of the mean square."""
    xp, k = points.xp, points.n_clusters
    distances = distances_to_centres(points, centres.places, centres.offsets)
    if points.backend.on_host and are_usual(distances):
        sums = sums_by_cluster(distances * distances, points)
        return distances, np.sqrt(sums), np.sqrt(ratio(sums, points.masses, xp))
    with _quiet(points):
        scales = scales_of(points.backend.largest(points.backend.without_gradient(distances), points.codes, k + 1))
        scaled = distances / xp.take(scales, points.codes, axis=0)
        scales, sums = scales[:k], sums_by_cluster(scaled * scaled, points)
    return distances, scales * root(sums, xp), scales * root(ratio(sums, points.masses, xp), xp)


def _quiet(points: Points) -> AbstractContextManager[Any]:
    """Within, NumPy does not warn of what does not count, or of what is told of later."""
    return np.errstate(over="ignore", invalid="ignore") if points.backend.on_host else nullcontext()


def _only(values: Array, kept: Array) -> Array:
    xp = backend_of(values).xp
    return xp.where(kept, values, xp.zeros_like(values))


def _known(points: Points) -> dict[str, Any]:
    """What centres have of the samples beside their means."""
    library = backend_of(points.given)
    given = library.zeros_beside((0,), library.widest(points.given).float, points.given)  # not the samples themselves
    names = "masses", "n_counted", "values", "invalid"
    return {name: getattr(points, name) for name in names} | {"given": given}


def _left_over(points: Points, places: Array) -> Array:
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
