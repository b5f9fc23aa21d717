"""The distances between the means of clusters, exact even if some are very near each other and others very far."""

from __future__ import annotations

import numpy as np

from gpuval.geometry.distances.differences import by_differences
from gpuval.geometry.moments.clusters import Moments
from gpuval.geometry.moments.lengths import largest_usual, lengths_of, scales_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.slices import slices

_NEAR = 2.0**20
"""What a distance is to be of the rounding of the means, so that it has the digits of a score."""

_CELLS = 1 << 20
"""Differences that are there at once."""


class Apart:
    """The distances between the means of clusters, and which are 0 but for rounding."""

    def __init__(self, moments: Moments) -> None:
        self._moments, self._means = moments, moments.means
        self._rounding = moments.rounding_of(self._means)
        xp, k = moments.xp, moments.masses.shape[0]
        largest = xp.max(xp.abs(self._means)) if k else xp.sum(moments.masses)
        scale = scales_of(largest)
        self._unit = xp.where(scale > 1, scale / largest_usual(largest), scale)  # so that near ones are far from 0
        self._in_unit = self._means / self._unit

    def of(self, rows: slice) -> tuple[Array, Array]:
        """Of some clusters and all, shape (n_rows, n_clusters): the distances, and whether the means are the same."""
        moments, rounding, xp = self._moments, self._rounding, self._moments.xp
        apart = by_differences(self._in_unit[rows, :], self._in_unit, "euclidean")
        least = xp.finfo(apart.dtype).smallest_normal ** 0.5 / xp.finfo(apart.dtype).eps
        is_vague = apart < least  # its square might have vanished
        apart = apart * self._unit
        either = rounding[rows][:, None] + rounding[None, :]
        if not moments.backend.on_host:
            fixed = moments.backend.without_gradient(self._in_unit)
            at_most = by_differences(fixed[rows, :], fixed, "cityblock") * self._unit
            are_one = (apart <= either) & (~is_vague | (at_most <= either))
            return xp.where(is_vague & ~are_one, xp.full_like(apart, float("nan")), apart), are_one
        near = np.nonzero(is_vague | (apart <= _NEAR * either))
        for some in slices(len(near[0]), max(1, _CELLS // moments.places.shape[1])):
            i, j = near[0][some], near[1][some]
            apart[i, j] = self._between(i + rows.start, j)
        errors = moments.errors
        return apart, apart <= errors[rows][:, None] + errors[None, :]

    def _between(self, i: NDArray, j: NDArray) -> NDArray:
        """The distances of pairs of means, of which places that are near each other take nothing."""
        places, offsets = self._moments.places, self._moments.offsets
        found: NDArray = lengths_of((places[i] - places[j]) + (offsets[i] - offsets[j]))
        return found
