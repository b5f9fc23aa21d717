"""Clusterings of the same samples: their tables with one truth, and what is resampled for all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.evaluation.inference.estimation.resampled import margins_of_groups
from gpuval.evaluation.inference.reading import (
    CountedLabels,
    check_groups,
    check_in_memory,
    counted_cells,
    read_with_groups,
)
from gpuval.numerics import NDArray
from gpuval.table.resampling.draws import (
    Counting,
    UnitSampler,
    counts_of_groups_drawn,
    counts_of_samples,
    drawn_groups,
    drawn_samples,
)
from gpuval.table.resampling.joint import joint_cells, summing


@dataclass(frozen=True, eq=False)
class PairedLabels:
    """The table of each of several clusterings with one truth, of the same samples.

    A unit is what is drawn or left out: a sample, of which all of one joint cell are alike, or a group of samples.
    """

    counted: tuple[CountedLabels, ...]
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

    def of_units(self, place: int, scores: NDArray) -> NDArray:
        """The scores of a clustering without one unit: from those without a sample of each cell of its own table."""
        return scores if self.has_groups else scores[self.cells_of[place]]

    def sampler(self) -> UnitSampler:
        """What draws units, once for all clusterings."""
        return drawn_groups(self.n_units) if self.has_groups else drawn_samples(self.counts)

    def countings(self) -> Iterator[Counting]:
        """What counts drawn units in the table of each clustering, without pairs of copies."""
        for counted, cell_of in zip(self.counted, self.cells_of, strict=True):
            if self.has_groups:
                yield counts_of_groups_drawn(counted.groups, *margins_of_groups(counted))
            else:
                counts = np.asarray(counted.table.counts)
                yield counts_of_samples(counts, summing(cell_of, len(counts)))


def read_paired(
    labels_true: Any, named: Mapping[Any, Any], groups: Any, sample_weight: Any, ignore_labels: Any
) -> PairedLabels:
    """The tables of clusterings, by what messages call these; a sample that is ignored in one is left out of all."""
    check_in_memory("to compare scores,", labels_true, *named.values(), groups)
    labelings = read_with_groups({"labels_true": labels_true, **named}, groups, sample_weight, ignore_labels)
    joint = joint_cells(labelings)
    like = labelings[0].vector.data
    place_of_groups = None if groups is None else len(named) + 1
    found = [counted_cells(joint, place, place_of_groups, like) for place in range(1, len(named) + 1)]
    if groups is not None:
        check_groups(found[0][0].n_units)
    return PairedLabels(tuple(counted for counted, _ in found), tuple(cell_of for _, cell_of in found), joint.counts)
