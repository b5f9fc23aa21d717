"""The paired jackknife: the scores of all clusterings without the same unit, for every unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.evaluation.inference.comparison.paired import PairedLabels
from gpuval.evaluation.inference.estimation.intervals import UNKNOWN, LeftOutErrors, from_left_out
from gpuval.evaluation.inference.estimation.left_out import scores_left_out
from gpuval.evaluation.inference.scoring import less
from gpuval.numerics import NDArray


@dataclass(frozen=True, eq=False)
class LeftOutTogether:
    """Scores of clusterings without each unit, as few as each clustering has by itself: one for a cell, or a group.

    Those of two clusterings meet in the joint cells: a difference takes as many steps as there are of these.
    """

    paired: PairedLabels
    scores: NDArray
    """Of all samples, shape (n_clusterings,)."""
    without: tuple[NDArray, ...]
    """For each clustering its scores without a sample of each cell of its table, or without each group; none of fewer
    than two units."""

    def errors(self, place: int) -> LeftOutErrors:
        """What they tell of the score of a clustering; NaN for fewer than two units."""
        if self.paired.n_units < 2:
            return UNKNOWN
        counted = self.paired.counted[place]
        times = self.paired.units if self.paired.has_groups else np.asarray(counted.table.counts)
        return from_left_out(self.scores[place], self.without[place], times)

    def errors_of_difference(self, first: int, second: int) -> LeftOutErrors:
        """What they tell of the score of one clustering less that of another; NaN for fewer than two units.

        The standard error is exactly 0 where all differences without a unit are the same finite one but for rounding.
        """
        if self.paired.n_units < 2:
            return UNKNOWN
        of_first, of_second = (self.paired.of_units(x, self.without[x]) for x in (first, second))
        difference = float(less(self.scores[first], self.scores[second]))
        without = less(of_first, of_second)
        errors = from_left_out(difference, without, self.paired.units)
        is_same = np.isfinite(errors.standard_error) and not less(without, without[0]).any()
        return errors._replace(standard_error=0.0) if is_same else errors


def left_out_together(function: Callable[..., Any], paired: PairedLabels, scores: NDArray) -> LeftOutTogether:
    """Leave out each unit of clusterings that have these scores; nothing is left of fewer than two."""
    if paired.n_units < 2:
        return LeftOutTogether(paired, scores, ())
    without = tuple(scores_left_out({None: function}, counted)[0][None] for counted in paired.counted)
    return LeftOutTogether(paired, scores, without)
