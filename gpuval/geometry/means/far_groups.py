"""Groups of samples that are far from each other, whatever their labels are.

A product of matrices gives the distances of samples to all digits if these are apart about as far as they are from the
centre of their tile. Where a tile has samples of groups that are far apart, such as two modalities of measurement, most
of its distances would be computed again. So samples are sorted by group first, and a tile has rows of one group.
"""

from __future__ import annotations

import numpy as np

from gpuval.geometry.distances.products import near_share, type_of_products
from gpuval.numerics import NDArray
from gpuval.numerics.blas import product
from gpuval.numerics.slices import slices

_SAMPLE = 64
"""Samples of which the groups are found."""

_FEW = 2.0**-8
"""Groups are looked for where more than this share of the pairs is too near for a product."""

_MOST, _FEWEST_SAMPLES = 16, 128
"""The most groups, and the fewest samples that a group has on average."""

_ROWS = 4096
"""Samples of which the nearest centre is found at once."""


def far_groups(X: NDArray) -> NDArray | None:
    """The number of the group of each sample, shape (n_samples,); None if one is enough."""
    n, most = len(X), min(_MOST, len(X) // _FEWEST_SAMPLES)
    if most < 2:
        return None
    origin = X[0].astype(np.float64)
    some = X[:: -(-n // _SAMPLE)] - origin
    squares = np.einsum("ij,ij->i", some, some)
    # Rounding is nothing to a choice of centres.
    apart = np.maximum(squares[:, None] + squares + product(-2 * some, some), 0)
    mean, dtype = some.mean(axis=0), type_of_products(n, X.dtype)
    from_centre = np.einsum("ij,ij->i", some - mean, some - mean)
    group, random, centres = np.zeros(len(some), dtype=np.int64), np.random.default_rng(0), [0]
    while near_share(apart, from_centre, group, dtype) > _FEW and len(centres) < most:
        nearest = apart[:, centres].min(axis=1)
        if not nearest.any():
            break
        centres.append(int(random.choice(len(some), p=nearest / nearest.sum())))
        group = apart[:, centres].argmin(axis=1)
        from_centre = apart[:, centres].min(axis=1)
    if len(centres) == 1:
        return None
    return _nearest(X, origin, some[centres])


def _nearest(X: NDArray, origin: NDArray, centres: NDArray) -> NDArray:
    """The number of the nearest centre of each sample; samples and centres less the origin."""
    squares = np.einsum("ij,ij->i", centres, centres)
    parts = [(product(X[rows] - origin, -2 * centres) + squares).argmin(axis=1) for rows in slices(len(X), _ROWS)]
    return np.concatenate(parts)
