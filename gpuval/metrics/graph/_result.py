"""How a graph measure returns scores: in the library of the graph, NaN if the graph or the labels are not valid."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.points import Points
from gpuval.metrics._common.labelled import LabelScores
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.internal._result import as_score_of_any
from gpuval.numerics import Array


def scores_by_label(scores: Array, points: Points, has_size: bool) -> LabelScores:
    """The labels that have samples (all labels, if their number is given), and their scores."""
    groups = groups_of(points, has_size=has_size)
    if not has_size:
        scores = points.xp.take(scores, points.indices(groups.codes))
    return LabelScores(groups.labels, as_score_of_any(scores, points))


def with_each_label(score: Array, scores: Array, points: Points, return_per_label: bool, has_size: bool) -> Any:
    """The score; if asked for, also the labels and the score of each label."""
    whole = as_score_of_any(score, points)
    return LabelValues(whole, *scores_by_label(scores, points, has_size)) if return_per_label else whole
