"""Clusters for measures of centres: of samples in memory, or held by Dask, whose moments are added up in a tree."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import is_dask, to_host
from gpuval.geometry.extremes import extremes
from gpuval.geometry.moments import (
    Moments,
    distances_to_centres,
    label_list,
    moments_and_radii,
    moments_of,
    read_for_moments,
    sums_by_cluster,
)
from gpuval.geometry.points import Points, check_order
from gpuval.geometry.progress import Progress
from gpuval.inputs.selection import read_ignored
from gpuval.numerics import NDArray
from gpuval.numerics.stable import ratio


class InMemory:
    """Clusters of samples in memory; with ``in_any_unit`` those of the host change theirs if moments need another."""

    def __init__(self, points: Points, *, in_any_unit: bool) -> None:
        self.clustered: Points = points
        self._may_change = in_any_unit and points.backend.on_host  # on a device all were looked at before

    def with_unit_for_squares(self) -> InMemory:
        """The same in a unit in which squares of distances are floats: all samples are looked at."""
        return InMemory(self.clustered.finite(in_any_unit=True), in_any_unit=False) if self._may_change else self

    def moments(self) -> Moments:
        """Their moments."""
        return self._moments_in_usual_unit(lambda points: (moments_of(points), None))[0]

    def moments_and_radii(self) -> tuple[Moments, Any]:
        """Their moments, and the mean distances of the samples to their centres."""
        return self._moments_in_usual_unit(moments_and_radii)

    def _moments_in_usual_unit(self, find: Callable[[Points], tuple[Moments, Any]]) -> tuple[Moments, Any]:
        """What ``find`` returns: moments, and what it has found with them.

        If the moments show that squares overflow or vanish, the unit is changed, and ``find`` is called again: to look
        at all samples first would take longer.
        """
        if self._may_change:
            with suppress(ValueError):  # of sums beyond the floats
                found = find(self.clustered)
                if found[0].are_usual():
                    return found
            self.clustered = self.clustered.finite(in_any_unit=True)
        return find(self.clustered)

    def distances_to_mean(self) -> Any:
        """The sum of the distances of all samples to the mean of all."""
        points = self.clustered
        xp, counted = points.xp, points.codes < points.n_clusters
        codes = xp.where(counted, xp.zeros_like(points.codes), xp.ones_like(points.codes))
        moments, radii = moments_and_radii(replace(points, codes=codes, n_clusters=1, values=range(1)).with_new_sizes())
        return xp.sum(moments.masses * radii)

    def least_apart(self) -> Any:
        """The smallest distance between samples of different clusters."""
        with Progress(self.clustered.n_samples, shown=False) as progress:
            return extremes(self.clustered, "euclidean", progress).between


class InBlocks:
    """Clusters of samples that Dask holds: each block is read by the worker that holds it."""

    def __init__(self, X: Any, labels: Any, sample_weight: Any, reading: dict[str, Any]) -> None:
        name = reading.get("name", "labels")
        check_order(X, labels, name)
        self._columns = {"X": X, name: labels, "sample_weight": sample_weight}
        self._reading = reading | {"ignore_labels": read_ignored(reading.get("ignore_labels"))}
        build = functools.partial(_moments_of_block, reading=self._reading)
        self.clustered: Moments = sum_over_blocks(build, self._columns)

    def moments(self) -> Moments:
        """Their moments, which are known after a first round over the blocks."""
        return self.clustered

    def moments_and_radii(self) -> tuple[Moments, Any]:
        """Their moments, and the mean distances of the samples to their centres: a second round."""
        moments = self.clustered
        both = np.stack([to_host(moments.places), to_host(moments.offsets)], axis=1)
        sums = self._distances_to(both)
        return moments, ratio(sums, moments.masses, moments.xp)

    def distances_to_mean(self) -> Any:
        """The sum of the distances of all samples to the mean of all: another round."""
        moments = self.clustered
        origin, masses, means = (to_host(x) for x in (moments.origin, moments.masses, moments.means))
        both = np.stack([origin, ratio(masses @ means, masses.sum(), np)])
        return moments.xp.sum(self._distances_to(np.broadcast_to(both, (len(masses), *both.shape))))

    def _distances_to(self, both: NDArray) -> Any:
        """The sums over the clusters of the distances of their samples to a place and an offset of each."""
        moments = self.clustered
        places = dict(zip(label_list(moments.values), both, strict=True))
        build = functools.partial(_distances_of_block, reading=self._reading, places=places)
        sums = sum_over_blocks(build, self._columns)
        total = np.asarray([sums.by_label.get(label, 0.0) for label in places])
        return moments.backend.from_host(total, moments.masses)


def read_clusters(
    X: Any, labels: Any, *, sample_weight: Any = None, in_any_unit: bool = False, **reading: Any
) -> InMemory | InBlocks:
    """Samples and labels, in memory or held by Dask; ``clustered`` is what tells of degenerate clusters.

    ``in_any_unit`` is for scores of samples in memory, which have no unit: blocks share the one that was given.
    """
    if is_dask(X) or is_dask(labels):
        return InBlocks(X, labels, sample_weight, reading)
    reading |= {"sample_weight": sample_weight, "in_any_unit": in_any_unit}
    return InMemory(read_for_moments(X, labels, **reading), in_any_unit=in_any_unit)


@dataclass(frozen=True)
class _Sums:
    """Numbers by label, which add up."""

    by_label: dict[Any, float]

    def __add__(self, other: _Sums) -> _Sums:
        labels = {**self.by_label, **other.by_label}
        return _Sums({x: self.by_label.get(x, 0.0) + other.by_label.get(x, 0.0) for x in labels})


def _read_block(X: Any, sample_weight: Any = None, *, reading: dict[str, Any], **named: Any) -> Points:
    (labels,) = named.values()  # by what users call them
    return read_for_moments(X, labels, sample_weight=sample_weight, **reading | {"may_move": False})


def _moments_of_block(*, reading: dict[str, Any], **columns: Any) -> Moments:
    return moments_of(_read_block(reading=reading, **columns))


def _distances_of_block(*, reading: dict[str, Any], places: dict[Any, NDArray], **columns: Any) -> _Sums:
    points = _read_block(reading=reading, **columns)
    clusters = label_list(points.values)
    if not clusters:
        return _Sums({})
    nowhere = np.zeros((2, points.X.shape[1]))
    on_host = np.stack([places.get(label, nowhere) for label in clusters], axis=1)
    both = points.backend.from_host(on_host, points.masses)
    sums = sums_by_cluster(distances_to_centres(points, both[0, ...], both[1, ...]), points)
    return _Sums(dict(zip(clusters, to_host(sums).tolist(), strict=True)))
