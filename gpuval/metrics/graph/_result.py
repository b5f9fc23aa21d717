"""How scores of a graph go out: in the library of the graph, NaN where it or the labels could not be read."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.points import Points
from gpuval.metrics._common.labelled import LabelScores
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.internal._result import as_score_of_any
from gpuval.numerics import Array


def scores_by_label(scores: Array, points: Points, has_size: bool) -> LabelScores:
    """The labels that have samples, or, if their number is given, all of these, and their scores."""
    groups = groups_of(points, has_size=has_size)
    if not has_size:
        scores = points.xp.take(scores, points.indices(groups.codes))
    return LabelScores(groups.labels, as_score_of_any(scores, points))


def with_each_label(score: Array, scores: Array, points: Points, return_per_label: bool, has_size: bool) -> Any:
    """The score, with the labels and that of each if they were asked for."""
    whole = as_score_of_any(score, points)
    return LabelValues(whole, *scores_by_label(scores, points, has_size)) if return_per_label else whole
