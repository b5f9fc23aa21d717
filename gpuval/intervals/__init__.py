"""Measures of intervals: how well predicted intervals, such as events in time, match the true ones.

Each measure takes ``true_intervals`` and ``pred_intervals``, arrays of shape (n_samples, 2) with the start and the end
of one interval for each sample, and returns the mean over the samples. Start with :func:`jaccard_score` (intersection
over union, IoU). The other symmetric measures are :func:`sorensen_score` (Dice), :func:`simpson_score` (overlap),
:func:`braun_blanquet_score`, :func:`kulczynski_score` and :func:`ochiai_score` (cosine); :func:`inclusion_score` is the
precision or the recall of an interval, and :func:`mean_inclusion_score` any mean of both. :class:`IntervalAccumulator`
takes batches.

Examples
--------
>>> from gpuval import intervals
>>> float(intervals.jaccard_score([[0, 4], [2, 3]], [[0, 2], [2, 3]]))
0.75
"""

from gpuval.intervals.accumulator import *
from gpuval.intervals.similarity import *

__all__ = [
    "IntervalAccumulator",
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
    "mean_inclusion_score",
    "ochiai_score",
    "simpson_score",
    "sorensen_score",
]


def __dir__() -> list[str]:
    """The public names, for completion."""
    return list(__all__)
