"""The moments of clusters as measures read them, of samples or of an accumulator; and what several find in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuval.geometry.blocks import InBlocks, InMemory, read_clusters
from gpuval.geometry.moments import Apart, Moments, joined, lengths_of
from gpuval.numerics import Array
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import root

_CELLS = 1 << 20
"""Distances of clusters to all others that are there at once."""


class _Accumulated:
    """Clusters whose moments are there."""

    def __init__(self, moments: Moments) -> None:
        self.clustered = moments

    def moments(self) -> Moments:
        """Their moments."""
        return self.clustered


Clusters = InMemory | InBlocks | _Accumulated
"""What has moments."""


def read_clusters_or_moments(measure: str, X: Any, labels: Any, *, in_any_unit: bool, **building: Any) -> Clusters:
    """Samples and labels, or the moments of an accumulator alone; ``measure`` is its name, for messages."""
    if isinstance(X, Moments):
        for name, value in {"labels": labels, **building}.items():
            if value is not None:
                raise TypeError(f"{name} must be given where the samples are: {measure} of moments takes no {name}=")
        return _Accumulated(X)
    if labels is None:
        raise TypeError(
            f"labels must be given with samples; X alone must be an accumulator's moments, got {type(X).__name__}"
        )
    return read_clusters(X, labels, in_any_unit=in_any_unit, **building)


class Lengths(NamedTuple):
    """Roots of sums of squares, which are floats where the squares may be none."""

    between: Array
    """Of the centres about the mean of all, each as often as its samples."""
    within: Array
    """Of the samples about their centres."""


def between_and_within(moments: Moments) -> Lengths:
    """The root of the scatter of the centres, and of that of the samples around them."""
    between = joined(root(moments.masses, moments.xp) * lengths_of(moments.about_mean))
    return Lengths(between, joined(moments.spreads))


class CentresApart(NamedTuple):
    """The distances between the centres of clusters that have samples."""

    least: Array
    largest: Array


def centres_apart(moments: Moments) -> CentresApart:
    """The smallest and the largest distance between two centres; 0 for two that are one but for rounding."""
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # clusters without samples need not be gone through
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
        is_far = is_pair & ~xp.isnan(apart)  # what is too near to be known is not the largest
        largest = xp.maximum(largest, xp.max(xp.where(is_far, apart, xp.zeros_like(apart))))
    return CentresApart(least, largest)
