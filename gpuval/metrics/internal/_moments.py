"""What measures read of clusters: the moments of the samples or of an accumulator, and distances between centres."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuval.geometry.blocks import InBlocks, InMemory, read_clusters
from gpuval.geometry.moments import Apart, Moments, joined, lengths_of
from gpuval.numerics import Array
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import root

_CELLS = 1 << 20
"""How many distances between centres are in memory at once."""


class _Accumulated:
    """Clusters of an accumulator: their moments are given, not the samples."""

    def __init__(self, moments: Moments) -> None:
        self.clustered = moments

    def moments(self) -> Moments:
        """The moments of the clusters."""
        return self.clustered


Clusters = InMemory | InBlocks | _Accumulated
"""What the moments of clusters can be read from."""


def read_clusters_or_moments(measure: str, X: Any, labels: Any, *, in_any_unit: bool, **building: Any) -> Clusters:
    """Read samples and labels, or the moments of an accumulator; ``measure`` is the measure's name, for messages."""
    if isinstance(X, Moments):
        for name, value in {"labels": labels, **building}.items():
            if value is not None:
                raise TypeError(
                    f"{name} cannot be given to {measure} with moments; give it where the samples are accumulated"
                )
        return _Accumulated(X)
    if labels is None:
        raise TypeError(
            f"labels must be given with samples; without labels, X must be the moments of an InternalAccumulator, "
            f"got {type(X).__name__}"
        )
    return read_clusters(X, labels, in_any_unit=in_any_unit, **building)


class Lengths(NamedTuple):
    """Square roots of sums of squares: the sums themselves might overflow or underflow, their roots do not."""

    between: Array
    """Of the distances of the centres to the mean of all samples; each centre counts once for each of its samples."""
    within: Array
    """Of the distances of the samples to the centres of their clusters."""


def between_and_within(moments: Moments) -> Lengths:
    """The square root of the scatter of the centres, and that of the scatter of the samples around the centres."""
    between = joined(root(moments.masses, moments.xp) * lengths_of(moments.about_mean))
    return Lengths(between, joined(moments.spreads))


class CentresApart(NamedTuple):
    """The smallest and the largest distance between the centres of two clusters that have samples."""

    least: Array
    largest: Array


def centres_apart(moments: Moments) -> CentresApart:
    """Find the smallest and the largest distance between two centres; 0 if two centres are equal up to rounding."""
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # skips clusters without samples
        moments, exists = moments.present(), exists[exists]
    xp, k, apart_from = backend.xp, exists.shape[0], Apart(moments)
    numbers = backend.arange_beside(0, k, None, moments.masses)
    largest = backend.zeros_beside((), moments.masses.dtype, moments.masses)
    least = largest + float("inf")
    for rows in slices(k, max(1, _CELLS // max(1, k))):
        apart, are_one = apart_from.of(rows)
        apart = xp.where(are_one, xp.zeros_like(apart), apart)
        is_pair = exists[rows][:, None] & exists[None, :] & (numbers[rows][:, None] != numbers[None, :])
        least = xp.minimum(least, xp.min(xp.where(is_pair, apart, xp.full_like(apart, float("inf")))))
        is_far = is_pair & ~xp.isnan(apart)  # a distance that may be rounding alone is not the largest
        largest = xp.maximum(largest, xp.max(xp.where(is_far, apart, xp.zeros_like(apart))))
    return CentresApart(least, largest)
