"""Clusterings of the same samples: their tables with one truth, and what is resampled for all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpuval.inference.estimation import margins_of_groups, scores_left_out
from gpuval.inference.inputs import (
    TableWithGroups,
    check_groups,
    check_in_memory,
    less,
    read_with_groups,
    scores_of,
    table_at_place,
)
from gpuval.inference.intervals import UNKNOWN, JackknifeErrors, from_left_out
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map
from gpuval.table.resampling.cells import tables_of
from gpuval.table.resampling.draws import (
    Counting,
    UnitSampler,
    chunks,
    counts_of_groups_drawn,
    counts_of_samples,
    group_units,
    sample_units,
)
from gpuval.table.resampling.joint import joint_cells, sum_matrix


@dataclass(frozen=True, eq=False)
class JointTables:
    """The table of each of several clusterings with one truth, of the same samples.

    A unit is what is drawn or left out: a sample, of which all of one joint cell are alike, or a group of samples.
    """

    counted: tuple[TableWithGroups, ...]
    """The table of each clustering."""
    cells_of: tuple[NDArray, ...]
    """For each clustering, to which cell of its table each joint cell belongs."""
    counts: NDArray
    """How many samples each joint cell has."""

    @property
    def has_groups(self) -> bool:
        """Whether groups are drawn and left out, not samples."""
        return self.counted[0].groups is not None

    @property
    def n_units(self) -> int:
        """How many samples there are, or how many groups."""
        return self.counted[0].n_units

    @property
    def units(self) -> NDArray:
        """How many units each score without one stands for: those of a joint cell, or one group."""
        return np.ones(self.n_units, dtype=np.int64) if self.has_groups else self.counts

    def unit_scores(self, place: int, scores: NDArray) -> NDArray:
        """The scores of a clustering without one unit: from those without a sample of each cell of its own table."""
        return scores if self.has_groups else scores[self.cells_of[place]]

    def sampler(self) -> UnitSampler:
        """What draws units, once for all clusterings."""
        return group_units(self.n_units) if self.has_groups else sample_units(self.counts)

    def countings(self) -> Iterator[Counting]:
        """What counts drawn units in the table of each clustering, without pairs of copies."""
        for counted, cell_of in zip(self.counted, self.cells_of, strict=True):
            if self.has_groups:
                yield counts_of_groups_drawn(counted.groups, *margins_of_groups(counted))
            else:
                counts = np.asarray(counted.table.counts)
                yield counts_of_samples(counts, sum_matrix(cell_of, len(counts)))


def read_paired(
    labels_true: Any, named: Mapping[Any, Any], groups: Any, sample_weight: Any, ignore_labels: Any
) -> JointTables:
    """The tables of clusterings, by what messages call these; a sample that is ignored in one is left out of all."""
    check_in_memory("to compare scores,", labels_true, *named.values(), groups)
    labelings = read_with_groups({"labels_true": labels_true, **named}, groups, sample_weight, ignore_labels)
    joint = joint_cells(labelings)
    like = labelings[0].vector.data
    place_of_groups = None if groups is None else len(named) + 1
    found = [table_at_place(joint, 0, place, place_of_groups, like) for place in range(1, len(named) + 1)]
    if groups is not None:
        check_groups(found[0][0].n_units)
    return JointTables(tuple(counted for counted, _ in found), tuple(cell_of for _, cell_of in found), joint.counts)


# The paired jackknife: the scores of all clusterings without the same unit, for every unit.


@dataclass(frozen=True, eq=False)
class JackknifeScores:
    """Scores of clusterings without each unit, as few as each clustering has by itself: one for a cell, or a group.

    Those of two clusterings meet in the joint cells: a difference takes as many steps as there are of these.
    """

    paired: JointTables
    scores: NDArray
    """Of all samples, shape (n_clusterings,)."""
    without: tuple[NDArray, ...]
    """For each clustering its scores without a sample of each cell of its table, or without each group; none of fewer
    than two units."""
    known: dict[tuple[int, int], JackknifeErrors] = field(default_factory=dict)
    """The errors of differences that have been computed, by the places of both clusterings."""

    def errors(self, place: int) -> JackknifeErrors:
        """What they tell of the score of a clustering; NaN for fewer than two units."""
        if self.paired.n_units < 2:
            return UNKNOWN
        counted = self.paired.counted[place]
        times = self.paired.units if self.paired.has_groups else np.asarray(counted.table.counts)
        return from_left_out(self.scores[place], self.without[place], times)

    def errors_of_difference(self, first: int, second: int) -> JackknifeErrors:
        """What they tell of the score of one clustering less that of another; NaN for fewer than two units.

        The standard error is exactly 0 where all differences without a unit are the same finite one but for rounding.
        The effective number is that of samples, at least 2; groups, which are sums of samples, all count.
        """
        if self.paired.n_units < 2:
            return UNKNOWN
        if (first, second) not in self.known:
            self.known[first, second] = self._errors_of_difference(first, second)
        return self.known[first, second]

    def _errors_of_difference(self, first: int, second: int) -> JackknifeErrors:
        of_first, of_second = (self.paired.unit_scores(x, self.without[x]) for x in (first, second))
        difference = float(less(self.scores[first], self.scores[second]))
        without = less(of_first, of_second)
        errors = from_left_out(difference, without, self.paired.units)
        is_same = np.isfinite(errors.standard_error) and not less(without, without[0]).any()
        standard_error = 0.0 if is_same else errors.standard_error
        n_effective = self.paired.n_units if self.paired.has_groups else max(errors.n_effective, 2.0)
        return errors._replace(standard_error=standard_error, n_effective=n_effective)


def jackknife_scores(function: Callable[..., Any], paired: JointTables, scores: NDArray) -> JackknifeScores:
    """Leave out each unit of clusterings that have these scores; nothing is left of fewer than two."""
    if paired.n_units < 2:
        return JackknifeScores(paired, scores, ())
    without = tuple(scores_left_out({None: function}, counted)[0][None] for counted in paired.counted)
    return JackknifeScores(paired, scores, without)


# The paired bootstrap: the scores of all clusterings of the same resampled units.


def scores_drawn_together(
    function: Callable[..., Any], paired: JointTables, n_resamples: int, random: np.random.Generator
) -> NDArray:
    """The scores of clusterings of resampled units, shape (n_clusterings, n_resamples).

    A column is of one draw of units. They are drawn some at a time, so that no more of them are there than one chunk
    in each thread, in the cells of one table after the other.
    """
    sampler, countings = paired.sampler(), list(paired.countings())
    tables = [x.table for x in paired.counted]

    def score_chunk(chunk: tuple[np.random.Generator, int]) -> NDArray:
        drawn = sampler(*chunk)
        return np.stack(
            [
                scores_of({None: function}, tables_of(table, *count(drawn)))[None]
                for table, count in zip(tables, countings, strict=True)
            ]
        )

    return np.concatenate(parallel_map(score_chunk, list(chunks(n_resamples, len(paired.counts), random))), axis=1)
