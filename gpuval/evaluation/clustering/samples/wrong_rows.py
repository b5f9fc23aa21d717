"""Errors about rows of X: a score of some of the samples counts its own rows, the error tells the rows of X."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.evaluation.clustering.samples.asked import InternalMeasure
from gpuval.geometry.distances.precomputed import read_precomputed
from gpuval.inputs.matrices.features import finite, read_features
from gpuval.numerics import NDArray


def with_rows_of(X: Any, error: ValueError, rows: NDArray, is_counted: NDArray, measure: InternalMeasure) -> ValueError:
    """The error of a measure of some rows of X, with the row of X if it is about a number that is wrong.

    ``is_counted`` says which of the rows count.
    """
    try:
        _check(X, rows[is_counted], measure)
    except ValueError as found:
        return found
    return error


def _check(X: Any, rows: NDArray, measure: InternalMeasure) -> None:
    if not measure.is_of_distances:
        _, samples, like = read_features(X, len(rows), True)
        finite(samples, backend_of(like).from_host(_mask(samples.shape[0], rows), like))
        return
    _, distances, like = read_precomputed(X, len(rows), True, measure.options.get("absent"))
    n_samples = distances.shape[0]
    distances.counted = backend_of(like).from_host(_mask(n_samples, rows), like)
    for first in range(0, n_samples, distances.height):
        distances.rows(first, min(first + distances.height, n_samples) - 1)


def _mask(size: int, rows: NDArray) -> NDArray:
    mask = np.zeros(size, dtype=bool)
    mask[rows] = True
    return mask
