"""Samples held by Dask: moments of each block, added up in a tree, and in a second round the mean distances."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.engines.blocks import from_blocks
from gpuval.geometry.moments import Moments, around, listed, moments_of, read_for_moments
from gpuval.geometry.points import check_order
from gpuval.numerics.stable import ratio, root

NDArray = np.ndarray[Any, Any]


def moments_of_blocks(X: Any, labels: Any, sample_weight: Any, **reading: Any) -> Moments:
    """The moments of all blocks, each computed by the worker that holds the block."""
    check_order(X, labels)
    build = functools.partial(_moments_of_block, reading=reading)
    return from_blocks(build, {"X": X, "labels": labels, "sample_weight": sample_weight})  # type: ignore[no-any-return]


def radii_of_blocks(X: Any, labels: Any, sample_weight: Any, **reading: Any) -> tuple[Moments, Any]:
    """The moments of all blocks, and the mean distances of the samples to the centres: two rounds."""
    moments = moments_of_blocks(X, labels, sample_weight, **reading)
    both = np.stack([to_host(moments.places), to_host(moments.offsets)], axis=1)
    places = dict(zip(listed(moments.values), both, strict=True))
    build = functools.partial(_distances_of_block, reading=reading, places=places)
    sums = from_blocks(build, {"X": X, "labels": labels, "sample_weight": sample_weight})
    total = np.asarray([sums.by_label.get(label, 0.0) for label in places])
    return moments, ratio(moments.backend.from_host(total, moments.masses), moments.masses, moments.xp)


@dataclass(frozen=True)
class _Sums:
    """Numbers by label, which add up."""

    by_label: dict[Any, float]

    def __add__(self, other: _Sums) -> _Sums:
        labels = {**self.by_label, **other.by_label}
        return _Sums({x: self.by_label.get(x, 0.0) + other.by_label.get(x, 0.0) for x in labels})


def _moments_of_block(X: Any, labels: Any, sample_weight: Any = None, *, reading: dict[str, Any]) -> Moments:
    return moments_of(read_for_moments(X, labels, sample_weight=sample_weight, **reading))


def _distances_of_block(
    X: Any, labels: Any, sample_weight: Any = None, *, reading: dict[str, Any], places: dict[Any, NDArray]
) -> _Sums:
    points = read_for_moments(X, labels, sample_weight=sample_weight, **reading)
    clusters = listed(points.values)
    if not clusters:
        return _Sums({})
    nowhere = np.zeros((2, points.X.shape[1]))
    on_host = np.stack([places.get(label, nowhere) for label in clusters], axis=1)
    both = points.backend.from_host(on_host, points.masses)
    sums = around(points, both[0, ...], both[1, ...], root)
    return _Sums(dict(zip(clusters, to_host(sums).tolist(), strict=True)))
