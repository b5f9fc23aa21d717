"""Intervals, such as those of time that models find: how far a predicted one and a true one are the same."""

from gpuval.evaluation.intervals.accumulator import *
from gpuval.metrics.intervals.similarity import *

__all__ = [
    "IntervalAccumulator",
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
    "ochiai_score",
    "simpson_score",
    "sorensen_score",
]
