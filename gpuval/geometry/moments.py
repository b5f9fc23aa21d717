"""The masses, centres and scatters of clusters, in passes that lose no digits; they add up, over batches and blocks.

A centre is a place among the samples and an offset from it. Samples less a place are exact where they are near it,
however far from zero both lie; in 64 bits the offset is what rounding took from the place.
"""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_sparse, to_host
from gpuval.geometry.distances.rows import rows_of
from gpuval.geometry.points import Points, read_points, with_zero
from gpuval.inputs.features import are_extreme
from gpuval.numerics import Array, NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import ratio, root
from gpuval.numerics.threads import parallel_map

_CELLS = 1 << 19, 1 << 23
"""Numbers in a block of rows, on the host and on a device."""

_AT_ONCE = 64
"""Blocks whose sums are held until they are added."""

_SAMPLE = 64
"""Rows whose medians are the origin."""


@dataclass(frozen=True)
class Centres:
    """Of each cluster its mass, and its mean: a place and the offset from it.

    Shapes (n_clusters,), and (n_clusters, n_features) of both, of the widest float; the origin, shape (n_features,), is
    among the samples. ``n_counted`` is how many samples there are in all, ``invalid`` how many could not be read, where
    no value of a device is transferred, ``values`` the label of each cluster, and ``given`` what results are like.
    """

    masses: Array
    places: Array
    offsets: Array
    origin: Array
    n_counted: Array
    values: Any
    invalid: Array | None
    given: Any

    @property
    def backend(self) -> Backend:
        """The backend of all arrays but ``given``; not cached, as workers of Dask send moments to one another."""
        return backend_of(self.masses)

    @property
    def xp(self) -> Any:
        """The array namespace of the backend."""
        return self.backend.xp

    @property
    def means(self) -> Array:
        """The means less the origin: what distances between them are computed from."""
        return (self.places - self.origin[None, :]) + self.offsets

    @property
    def rounding(self) -> Array:
        """The distance below which two means are the same but for rounding."""
        return _rounding_of(self.means)


@dataclass(frozen=True)
class Moments(Centres):
    """The same, and of each cluster the sum of the squared distances to its mean, shape (n_clusters,)."""

    scatters: Array

    def __add__(self, other: Moments) -> Moments:
        """The moments of the samples of both.

        The sums of squares are those of Chan, Golub and LeVeque 1983, equation 2.1, not checked against the text.
        """
        if self.places.shape[1] != other.places.shape[1]:
            raise ValueError(
                f"X must have as many features in each batch ({self.places.shape[1]}), got {other.places.shape[1]}"
            )
        if not _are_same(self.values, other.values):
            self, other = _of_the_same_labels(self, other)
        xp, masses = self.xp, self.masses + other.masses
        is_new = (self.masses == 0)[:, None]  # whose place may be anywhere
        places = xp.where(is_new, other.places, self.places)
        apart = (other.places - places) + (other.offsets - xp.where(is_new, 0.0, self.offsets))
        share = ratio(other.masses, masses, xp)
        invalid = [x for x in (self.invalid, other.invalid) if x is not None]
        return Moments(
            masses=masses,
            places=places,
            offsets=xp.where(is_new, other.offsets, self.offsets + share[:, None] * apart),
            scatters=self.scatters + other.scatters + self.masses * share * xp.sum(apart * apart, axis=1),
            origin=xp.where(xp.any(self.masses > 0), self.origin, other.origin),
            n_counted=self.n_counted + other.n_counted,
            values=self.values,
            invalid=sum(invalid[1:], invalid[0]) if invalid else None,
            given=self.given,
        )


def _are_same(values: Any, others: Any) -> bool:
    """Whether two lists of labels are known to be the same."""
    return values is others or (isinstance(values, range) and isinstance(others, range) and values == others)


def listed(values: Any) -> list[Any]:
    """The labels of clusters on the host."""
    return list(values) if isinstance(values, range) else list(to_host(values).tolist())


def _of_the_same_labels(first: Moments, second: Moments) -> tuple[Moments, Moments]:
    """Both with the labels of either: a host step, where labels are on a device."""
    labels, others = listed(first.values), listed(second.values)
    codes = {label: i for i, label in enumerate(dict.fromkeys([*labels, *others]))}
    values = np.fromiter(codes, dtype=object, count=len(codes))
    return _spread(first, [codes[x] for x in labels], values), _spread(second, [codes[x] for x in others], values)


def _spread(moments: Moments, codes: list[int], values: NDArray) -> Moments:
    """The moments of clusters with these codes among all ``values``; zeros for the clusters of other codes."""
    xp, source = moments.xp, np.full(len(values), len(codes))
    source[codes] = np.arange(len(codes))
    index = moments.backend.from_host(source, moments.masses)
    names = "masses", "places", "offsets", "scatters"
    arrays = {name: xp.take(with_zero(getattr(moments, name)), index, axis=0) for name in names}
    return replace(moments, values=values, **arrays)


def read_for_moments(X: Any, labels: Any, *, in_any_unit: bool = False, **building: Any) -> Points:
    """Samples and labels; on a device after a check, as there what does not count is multiplied by 0, not left out.

    With ``in_any_unit`` they are in another unit if squares of distances need one; on the host a few rows tell.
    """
    points = read_points(X, labels, **building)
    if not points.backend.on_host:
        return points.finite(in_any_unit=in_any_unit)
    is_double = points.X.dtype == np.float64 and not is_sparse(points.X)
    if in_any_unit and is_double and are_extreme(points.X[_few_of(points)]):
        return points.finite(in_any_unit=True)
    return points


def _few_of(points: Points) -> slice:
    """Some rows, from all over the samples."""
    return slice(0, points.n_samples, max(1, points.n_samples // _SAMPLE))


def centres_of(points: Points) -> Centres:
    """The centres of the clusters of samples: in one pass, in 32 bits in two."""
    backend, like = points.backend, points.given
    origin = _origin(points)
    row = origin[None, :]  # JAX may refuse to add the dimension
    means = _mean_of(points, lambda block: block.less(row))
    places = row + means
    moved = places - row
    offsets = (row - (places - moved)) + (means - moved)  # what rounding took from the sum (Knuth's TwoSum)
    if not backend.widest(points.codes).is_64bit:
        all_places = with_zero(places)
        offsets = _mean_of(points, lambda block: block.less(all_places, block.codes))
    library = backend_of(like)
    given = library.zeros_beside((0,), library.widest(like).float, like)  # not the samples, which may be many
    return Centres(points.masses, places, offsets, origin, points.n_counted, points.values, points.invalid, given)


def moments_of(points: Points) -> Moments:
    """The moments of the clusters of samples: one pass more."""
    centres, xp = centres_of(points), points.xp
    scatters = around(points, centres.places, centres.offsets, lambda squares, xp: squares)
    # Equal samples are as near to their mean as rounding lets it be: in 32 bits it has been refined.
    is_64bit = points.backend.widest(points.codes).is_64bit
    rounding = _rounding_of(centres.means if is_64bit else centres.offsets)
    is_nothing = scatters <= centres.masses * rounding**2
    return Moments(**vars(centres), scatters=xp.where(is_nothing, xp.zeros_like(scatters), scatters))


def _rounding_of(places: Array) -> Array:
    backend = backend_of(places)
    xp = backend.xp
    if 0 in places.shape:
        return backend.zeros_beside((), places.dtype, places)
    extents = xp.max(xp.abs(places), axis=0)
    return 16 * xp.finfo(places.dtype).eps * xp.sqrt(xp.sum(extents * extents))


def mean_radii(points: Points, centres: Centres) -> Array:
    """The mean distance of the samples of each cluster to its centre."""
    return ratio(around(points, centres.places, centres.offsets, root), points.masses, points.xp)


def _origin(points: Points) -> Array:
    """A place among the samples: the medians of the features of some, whatever others are like."""
    backend, some = points.backend, _few_of(points)
    xp, masses = backend.xp, points.masses
    if is_sparse(points.X):  # most of whose numbers are 0
        return backend.zeros_beside((points.X.shape[1],), masses.dtype, masses)
    rows = backend.as_real(rows_of(points.X, some), masses)
    if backend.on_host:
        rows = rows[points.codes[some] < points.n_clusters]
    if rows.shape[0] == 0:
        return backend.zeros_beside((rows.shape[1],), rows.dtype, rows)
    place = xp.sort(rows, axis=0)[rows.shape[0] // 2, :] + 0.0  # in memory of its own
    if backend.on_host and np.abs(place).max() <= np.abs(rows - place).max():
        return np.zeros_like(place)  # which is among the samples, too, and takes no subtraction
    return place


def _mean_of(points: Points, of_rows: Callable[[_Block], Array]) -> Array:
    """The mean over each cluster of what a function gives for its rows."""
    sums = _over_blocks(points, lambda block: _summed(of_rows(block), block, points.n_clusters))
    _check_finite(sums, points)
    return ratio(sums, points.masses[:, None], points.xp)


def _check_finite(sums: Array, points: Points) -> None:
    if points.may_sync and not bool(to_host(points.xp.isfinite(points.xp.sum(sums)))):
        points.finite()  # which raises, if it is for numbers that are not finite
        raise ValueError("X must be of numbers whose squares add up to floats, got larger ones; scale them")


def around(points: Points, places: Array, offsets: Array, power: Callable[[Array, Any], Array]) -> Array:
    """For each cluster, the sum of a function of the squared distance to its centre."""
    xp, on_host = points.xp, points.backend.on_host
    # On the host a pass more is spared where offsets are nothing beside the distances between the places.
    are_nothing = on_host and bool(np.abs(offsets).max(initial=0) <= 2.0**-50 * _extent(places))
    places, offsets = with_zero(places), with_zero(offsets)

    def of_block(block: _Block) -> Array:
        apart = block.less(places, block.codes)
        if not are_nothing:
            apart = apart - xp.take(offsets, block.codes, axis=0)
        squares = np.einsum("ij,ij->i", apart, apart) if on_host else xp.sum(apart * apart, axis=1)
        return _summed(power(squares, xp), block, points.n_clusters)

    sums = _over_blocks(points, of_block)
    _check_finite(sums, points)
    return sums


def _extent(places: NDArray) -> float:
    return float(np.ptp(places, axis=0).max()) if len(places) else 0.0


@dataclass(frozen=True)
class _Block:
    """Some rows; on the host with room for what they become, which is used again for the next block."""

    rows: Array
    codes: Array
    weights: Array | None
    room: Array | None

    def less(self, places: Array, codes: Array | None = None) -> Array:
        """The rows less a place, or less those of their codes, in the widest float."""
        if self.room is None:
            backend = backend_of(self.rows)
            taken = places if codes is None else backend.xp.take(places, codes, axis=0)
            return backend.as_real(self.rows, self.rows) - taken
        room = self.room[: len(self.rows)]
        if codes is None and not places.any():
            if self.rows.dtype == room.dtype:
                return self.rows
            np.copyto(room, self.rows)
            return room
        if codes is not None:
            places = np.take(places, codes, axis=0, out=room, mode="clip")  # codes are fine: only "raise" has a copy
        return np.subtract(self.rows, places, out=room)


def _over_blocks(points: Points, of_block: Callable[[_Block], Array]) -> Array:
    """The sum of what a function of rows, codes and weights gives for blocks of rows."""
    on_host, (n, n_features) = points.backend.on_host, points.X.shape
    step = max(1, _CELLS[0] // n_features if on_host else _CELLS[1] // max(n_features, points.n_clusters))
    step = max(step, min(points.n_clusters, _CELLS[1] // n_features)) if on_host else step

    def of_rows(rows: slice, room: Array | None = None) -> Array:
        weights = None if points.weights is None else points.weights[rows]
        return of_block(_Block(rows_of(points.X, rows), points.codes[rows], weights, room))

    blocks = slices(n, step) or [slice(0, 0)]
    if not on_host:
        return functools.reduce(operator.add, map(of_rows, blocks))
    rooms = threading.local()

    def with_room(rows: slice) -> Array:
        if not hasattr(rooms, "own"):
            rooms.own = np.empty((min(step, n), n_features))
        return of_rows(rows, rooms.own)

    total = 0
    for some in slices(len(blocks), _AT_ONCE):  # whose sums are there at once
        total = functools.reduce(operator.add, parallel_map(with_room, blocks[some]), total)
    return total


def _summed(values: Array, block: _Block, n_clusters: int) -> Array:
    """The sums of values of rows, numbers or vectors, by the codes of the rows, shape (n_clusters, ...)."""
    backend, codes, weights = backend_of(values), block.codes, block.weights
    if backend.on_host and values.ndim == 1:
        weighed = values if weights is None else values * weights
        return np.bincount(codes, weighed, minlength=n_clusters + 1)[:n_clusters]
    if backend.on_host:
        from scipy.sparse import csc_array  # only now: few measures need SciPy

        ones = np.ones(len(codes)) if weights is None else weights
        by_cluster = csc_array((ones, codes, np.arange(len(codes) + 1)), shape=(n_clusters + 1, len(codes)))
        return np.asarray(by_cluster @ values)[:n_clusters]
    xp = backend.xp
    clusters = backend.arange_beside(0, n_clusters, codes.dtype, codes)
    hits = xp.astype(clusters[:, None] == codes[None, :], values.dtype)
    return backend.matmul(hits if weights is None else hits * weights[None, :], values)
