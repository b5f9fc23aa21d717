"""Clusters of cells by k-means, for the scores that compare such with labels: SciPy's, on the host."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gpuval.inputs.options import generator
from gpuval.numerics import NDArray

_STARTS = 10
"""Of which the clusters of least inertia are taken."""

_ROUNDS = 30
"""Of ten steps each, after which clusters are taken as they are."""


def k_means(X: NDArray, n_clusters: int, random_state: Any) -> NDArray:
    """The cluster of each row, from starts by k-means++."""
    from scipy.cluster.vq import kmeans2  # only now: nothing else here needs it

    random = generator(random_state)
    X = _centred(X.astype(np.float64))
    best: NDArray | None = None
    least = np.inf
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):  # of fewer places than clusters
        warnings.filterwarnings("ignore", "One of the clusters is empty", UserWarning)  # it keeps its centre
        for _ in range(_STARTS):
            centres, clusters = kmeans2(X, n_clusters, minit="++", seed=random)
            for _ in range(_ROUNDS):
                before = clusters
                centres, clusters = kmeans2(X, centres, minit="matrix")
                if np.array_equal(before, clusters):
                    break
            inertia = float(np.square(X - centres[clusters]).sum())
            if best is None or inertia < least:
                best, least = clusters, inertia
    assert best is not None
    return best


def _centred(X: NDArray) -> NDArray:
    """The rows about their mean, by a power of two, such that the largest number is below 1: SciPy fails for huge ones.

    Each column has a unit of its own until its mean is subtracted, as sums of huge numbers are beyond the floats.
    """
    units = np.frexp(np.abs(X).max(axis=0))[1]
    X = np.ldexp(X, -units)
    X -= X.mean(axis=0)
    largest, exponents = np.frexp(np.abs(X).max(axis=0))
    varies = largest > 0
    if not varies.any():
        return X
    scaled: NDArray = np.ldexp(X, units - (units + exponents)[varies].max())
    return scaled
