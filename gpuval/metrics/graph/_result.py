"""How scores of a graph go out: in the library of the graph, NaN where it or the labels could not be read."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.points import Points
from gpuval.metrics._per_label import LabelValues, groups_of
from gpuval.metrics._result import finished
from gpuval.numerics import Array


def given_out(score: Array, points: Points) -> Any:
    """A score, or one of each label, as it goes out: NaN if something is wrong with the graph or the labels."""
    if points.invalid is not None:
        score = points.xp.where(points.invalid > 0, points.xp.full_like(score, float("nan")), score)
    return finished(score, points.given)


def scores_of_labels(scores: Array, points: Points, has_size: bool) -> Any:
    """The scores of the labels that have samples, or, if their number is given, of all of these."""
    if not has_size:
        scores = points.xp.take(scores, points.indices(groups_of(points).codes))
    return given_out(scores, points)


def with_each_label(score: Array, scores: Array, points: Points, return_per_label: bool, has_size: bool) -> Any:
    """The score, with the labels and that of each if they were asked for."""
    whole = given_out(score, points)
    if not return_per_label:
        return whole
    if has_size:
        backend = points.backend
        numbers = backend.arange_beside(0, points.n_clusters, backend.widest(points.codes).int, points.codes)
        labels = finished(numbers, points.given)
    else:
        labels = groups_of(points).labels
    return LabelValues(whole, labels, scores_of_labels(scores, points, has_size))
