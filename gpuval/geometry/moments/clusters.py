"""Masses, centres and spreads of clusters, and how those of two parts of the samples combine."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import OfOneLibrary, backend_of, to_host
from gpuval.geometry.points import all_invalid, with_zero
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio, root

_BY_CLUSTER = "masses", "places", "offsets", "spreads", "errors"
"""The arrays of moments with a row for each cluster."""

_ROUNDINGS = 4
"""Roundings in a sum of a few numbers."""


@dataclass(frozen=True)
class Centres(OfOneLibrary):
    """Of each cluster its mass, and its mean: a place and the offset from it.

    Shapes (n_clusters,), and (n_clusters, n_features) of both, of the widest float. ``n_counted`` is how many samples
    there are in all, ``invalid`` how many could not be read, where no value of a device is transferred, ``values`` the
    label of each cluster, and ``like`` what results are like.
    """

    _like = "masses"

    masses: Array
    places: Array
    offsets: Array
    n_counted: Array
    values: Any
    invalid: Array | None
    like: Any

    @property
    def origin(self) -> Array:
        """A place among the clusters, shape (n_features,): of each feature the median, whatever some are like."""
        xp, exists = self.xp, self.masses > 0
        if self.backend.on_host:
            some = self.places[exists]
            return np.sort(some, axis=0)[len(some) // 2] if len(some) else np.zeros(self.places.shape[1])
        number = self.backend.count_true(exists)
        if 0 in self.places.shape:
            return xp.sum(self.places, axis=0)
        in_order = xp.sort(xp.where(exists[:, None], self.places, xp.full_like(self.places, float("inf"))), axis=0)
        middle = xp.take(in_order, xp.reshape(number // 2, (1,)), axis=0)[0, :]
        return xp.where(number > 0, middle, xp.zeros_like(middle))

    @property
    def means(self) -> Array:
        """The means less the origin: what distances between them are computed from."""
        return (self.places - self.origin[None, :]) + self.offsets

    @property
    def means_from_place(self) -> Array:
        """The means less a place of theirs, on the host that of the heaviest: sums of squares need no better one."""
        is_known = self.backend.on_host and len(self.masses)
        place = self.places[int(np.argmax(self.masses))] if is_known else self.origin
        return (self.places - place[None, :]) + self.offsets

    @property
    def about_mean(self) -> Array:
        """The means less the mean of all samples."""
        xp, masses, means = self.xp, self.masses, self.means_from_place
        mean = ratio(xp.sum(masses[:, None] * means, axis=0), xp.sum(masses), xp)
        return means - mean[None, :]


@dataclass(frozen=True)
class Moments(Centres):
    """The same, and of each cluster two lengths, shape (n_clusters,).

    A spread is the root of the sum of the squared distances to the mean, and an error how far the place and its offset
    may be from the mean by rounding.
    """

    spreads: Array
    errors: Array

    @property
    def scatters(self) -> Array:
        """Of each cluster the sum of the squared distances to its mean."""
        return square_lengths(self.spreads)

    @property
    def mean_errors(self) -> Array:
        """How far rounding may have moved each of ``means``: two are one but for rounding, if no further apart."""
        return self.errors_of_means(self.means)

    def errors_of_means(self, means: Array) -> Array:
        """The same, where the means are there."""
        return self.errors + _ROUNDINGS * self.xp.finfo(means.dtype).eps * lengths_of(means)

    def are_usual(self) -> bool:
        """Whether the largest length on the host is one whose sums and squares are floats, with all digits."""
        lengths = np.concatenate([lengths_of(self.places), self.spreads])
        return are_usual(lengths.max(initial=0.0, keepdims=True))

    def present(self) -> Moments:
        """Those of the clusters that have samples, on the host."""
        exists = self.masses > 0
        return replace(self, **{name: getattr(self, name)[exists] for name in _BY_CLUSTER})

    def check_features(self, other: Moments, name: str = "X") -> None:
        """Check that other samples, the argument ``name``, have as many features."""
        own, new = self.places.shape[1], other.places.shape[1]
        if own != new:
            raise ValueError(f"{name} must have as many features in each batch ({own}), got {new}")

    def __add__(self, other: Moments) -> Moments:
        """The moments of the samples of both.

        The sums of squares are those of Chan, Golub and LeVeque 1983, equation 2.1.
        """
        self.check_features(other)
        if not _are_same(self.values, other.values):
            self, other = _align_labels(self, other)
        xp, masses = self.xp, self.masses + other.masses
        is_new = self.masses == 0  # whose place may be anywhere
        places = xp.where(is_new[:, None], other.places, self.places)
        offsets = xp.where(is_new[:, None], other.offsets, self.offsets)
        apart = (other.places - places) + (other.offsets - offsets)
        share = ratio(other.masses, masses, xp)
        errors = xp.where(is_new, other.errors, xp.maximum(self.errors, other.errors))
        # No difference but what rounding made; where one has no samples, the mean is that of the other.
        is_one = is_new | (other.masses == 0) | (lengths_of(apart) <= self.errors + other.errors)
        apart = xp.where(is_one[:, None], xp.zeros_like(apart), apart)
        shift = share[:, None] * apart
        return Moments(
            masses=masses,
            places=places,
            offsets=offsets + shift,
            spreads=combine_lengths(self.spreads, other.spreads, root(self.masses * share, xp) * lengths_of(apart)),
            errors=errors + _ROUNDINGS * xp.finfo(places.dtype).eps * lengths_of(shift),
            n_counted=self.n_counted + other.n_counted,
            values=self.values,
            invalid=all_invalid(self.invalid, other.invalid),
            like=self.like,
        )


def _are_same(values: Any, others: Any) -> bool:
    """Whether two lists of labels are known to be the same."""
    return values is others or (isinstance(values, range) and isinstance(others, range) and values == others)


def label_list(values: Any) -> list[Any]:
    """The labels of clusters on the host."""
    return list(values) if isinstance(values, range) else list(to_host(values).tolist())


def _align_labels(first: Moments, second: Moments) -> tuple[Moments, Moments]:
    """Both with the labels of either: a host step, where labels are on a device."""
    labels, others = label_list(first.values), label_list(second.values)
    codes = {label: i for i, label in enumerate(dict.fromkeys([*labels, *others]))}
    values = np.fromiter(codes, dtype=object, count=len(codes))
    return _spread(first, [codes[x] for x in labels], values), _spread(second, [codes[x] for x in others], values)


def _spread(moments: Moments, codes: list[int], values: NDArray) -> Moments:
    """The moments of clusters with these codes among all ``values``; zeros for the clusters of other codes."""
    xp, source = moments.xp, np.full(len(values), len(codes))
    source[codes] = np.arange(len(codes))
    index = moments.backend.from_host(source, moments.masses)
    arrays = {name: xp.take(with_zero(getattr(moments, name)), index, axis=0) for name in _BY_CLUSTER}
    return replace(moments, values=values, **arrays)


# Euclidean lengths of any size, also where their squares would overflow or underflow.

_USUAL = 40, 400
"""In 32 and in 64 bits: numbers from 2^-this to 2^this have squares that are floats, and so have sums of these."""


_BY_BLAS = 64, 8192
"""From how many numbers on a product takes BLAS less time, and up to how many it surely stays in its thread."""


def lengths_of(rows: Array) -> Array:
    """The Euclidean length of each row, shape (n_rows,)."""
    if backend_of(rows).on_host:
        return _host_lengths(rows)
    if rows.shape[1] == 0:
        return backend_of(rows).xp.sum(rows, axis=1)
    scales = scales_of(backend_of(rows).xp.max(backend_of(rows).xp.abs(rows), axis=1))
    scaled = rows / scales[:, None]
    xp = backend_of(rows).xp
    return scales * root(xp.sum(scaled * scaled, axis=1), xp)


def square_lengths(lengths: Array) -> Array:
    """The squares of lengths; infinite, without a warning of NumPy's, where they are beyond the floats."""
    with np.errstate(over="ignore") if backend_of(lengths).on_host else nullcontext():
        return lengths * lengths


def _host_lengths(rows: NDArray) -> NDArray:
    with np.errstate(over="ignore", invalid="ignore"):
        squares = _squares(rows)
        least = 2.0 ** (-2 * _USUAL[1])
        if squares.min(initial=np.inf) > least and squares.max(initial=0.0) < np.inf:
            return np.sqrt(squares, out=squares)
        found: NDArray = np.sqrt(squares)
        odd = np.flatnonzero(~((squares > least) & (squares < np.inf)))
        if rows.shape[1]:
            scales = np.abs(rows[odd]).max(axis=1, initial=0.0)
            scales[scales == 0] = 1.0
            scaled = rows[odd] / scales[:, None]
            found[odd] = scales * np.sqrt(_squares(scaled))
    return found


def _squares(rows: NDArray) -> NDArray:
    """The sum of the squares of each row."""
    by_blas = _BY_BLAS[0] <= rows.shape[1] <= _BY_BLAS[1]
    found: NDArray = np.vecdot(rows, rows) if by_blas else np.einsum("ij,ij->i", rows, rows)
    return found


def usual_squares(rows: NDArray) -> NDArray | None:
    """The sum of the squares of each row of the host in 64 bits; None if one is no usual number, or 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = _squares(rows)
    usual = largest_usual(squares) ** 2
    return squares if squares.min(initial=1.0) >= 1 / usual and squares.max(initial=0.0) <= usual else None


def scales_of(largest: Array) -> Array:
    """By what to divide, so that squares are floats, where the largest numbers are these: 1, unless it is needed."""
    backend = backend_of(largest)
    xp, largest = backend.xp, backend.without_gradient(largest)
    usual = largest_usual(largest)
    is_odd = (largest > 0) & ((largest < 1 / usual) | (largest > usual))
    return xp.where(is_odd, largest, xp.ones_like(largest))


def are_usual(lengths: NDArray) -> bool:
    """Whether all numbers of the host, 0 or more, have squares that are floats."""
    usual = largest_usual(lengths)
    if not lengths.max(initial=0.0) <= usual:
        return False
    is_least = lengths.min(initial=1.0) >= 1 / usual  # none is 0: a look that takes less time
    return bool(is_least or lengths.min(initial=1.0, where=lengths > 0) >= 1 / usual)


def largest_usual(like: Array) -> float:
    """The largest number that needs no other unit, in the type of an array."""
    return float(2.0 ** _USUAL[like.dtype == backend_of(like).xp.float64])


def combine_lengths(*lengths: Any) -> Array:
    """The root of the sum of the squares of vectors of lengths: place by place, or of one vector a number."""
    xp = backend_of(lengths[0]).xp
    return lengths_of(xp.stack(lengths, axis=1)) if len(lengths) > 1 else lengths_of(lengths[0][None, :])[0]
