"""Labelings of the same samples, with the group of each sample and its value of ``by``."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, to_host
from gpuval.inference.inputs import TableWithGroups, check_groups, check_in_memory, read_beside, table_at_place
from gpuval.inputs.labels import read_labels
from gpuval.inputs.strings import as_python
from gpuval.numerics import Array, NDArray
from gpuval.registry.requests import Building
from gpuval.table.labelings import Labeling, read_labelings
from gpuval.table.resampling.joint import JointCells, joint_cells


@dataclass(frozen=True, eq=False)
class SampleLabels:
    """One truth, and labelings that are compared with it."""

    truth: Labeling
    others: list[Labeling]
    by: Labeling | None
    groups: Labeling | None
    has_booleans: bool
    """Whether the values of ``by`` are booleans, which have become 0 and 1."""

    @property
    def like(self) -> Array:
        """An array of the library, and on the device, of the labels."""
        return self.truth.vector.data

    @cached_property
    def n_given(self) -> dict[Any, int]:
        """How many samples have each value of ``by``, in order, or how many there are, ignored or not."""
        if self.by is None:
            return {None: self.truth.vector.size}
        found, counts = count_codes(self.by)
        values = values_of_codes(self.by, found, has_booleans=self.has_booleans)
        return dict(zip(values, counts.tolist(), strict=True))

    def parts(self, place: int) -> dict[Any, JointCells]:
        """The joint cells of the truth, of a labeling and of the groups, for each value of ``by``, in order.

        Without ``by`` they are those of all samples, by the name None.
        """
        joint = self._joint(place)
        if self.groups is not None:
            check_groups(len(np.unique(joint.codes[2])))
        return self._parts_by_value(joint)

    def parts_of_both(self, first: int, second: int) -> dict[Any, JointCells]:
        """The same of two labelings: of the samples that both have, if there are any, be they of one group only."""
        return self._parts_by_value(self._joint(first, second)) if self._is_any_of(first, second) else {}

    def _joint(self, *places: int) -> JointCells:
        beside = [x for x in (self.groups, self.by) if x is not None]
        return joint_cells([self.truth, *(self.others[place] for place in places), *beside])

    def _parts_by_value(self, joint: JointCells) -> dict[Any, JointCells]:
        if self.by is None:
            return {None: joint}
        parts = joint.parts(len(joint.codes) - 1)
        return {bool(value) if self.has_booleans else value: part for value, part in parts}

    def _is_any_of(self, *places: int) -> bool:
        """Whether labelings have a sample in common, that counts; true where there are no samples at all."""
        masks = [x.keep for x in (self.truth, *(self.others[place] for place in places)) if x.keep is not None]
        if not masks:
            return True
        if self.truth.weights is not None:
            masks.append(self.truth.weights > 0)
        backend = backend_of(self.like)
        return not self.truth.vector.size or bool(to_host(backend.xp.any(reduce(operator.and_, masks))))

    def table_at(self, joint: JointCells, place: int) -> tuple[TableWithGroups, NDArray]:
        """The table of the truth and a labeling among joint cells, and to which of its cells these belong."""
        at_the_end = (self.groups is not None) + (self.by is not None)
        groups = None if self.groups is None else len(joint.codes) - at_the_end
        return table_at_place(joint, place, groups, self.like)


def read_sample_labels(
    labels_true: Any, named: Mapping[str, Any], building: Building, by: Any, groups: Any
) -> SampleLabels:
    """Read labels that must be in memory, as all that is known of a sample is looked at together."""
    use = "groups" if groups is not None else "by" if by is not None else "confidence_level"
    check_in_memory(f"with {use}", labels_true, *named.values(), by, groups)
    sample_weight, ignore_labels, *sizes = building
    if any(size is not None for size in sizes):
        raise TypeError(f"n_classes= and n_clusters= cannot be given with {use}=, as the labels are looked at")
    given = {"labels_true": labels_true, **named}
    truth, *others = read_labelings(given, sample_weight, ignore_labels, None, None, has_truth=True)
    values = None if by is None else read_beside(truth, given, by, "by")
    units = None if groups is None else read_beside(truth, given, groups, "groups")
    return SampleLabels(truth, others, values, units, by is not None and are_booleans(by))


def are_booleans(by: Any) -> bool:
    """Whether the values of ``by`` are booleans, which become 0 and 1 where they are read."""
    vector = read_labels(by, "by")
    return vector.backend.kind(vector.data) == "bool"


def count_codes(by: Labeling) -> tuple[NDArray, NDArray]:
    """The codes of ``by`` that occur, in order, and how many samples have each."""
    assert by.codes is not None
    codes, backend = by.codes.codes, backend_of(by.codes.codes)
    counts = to_host(backend.count(backend.xp.astype(codes, backend.widest(codes).int), by.codes.size))
    found = np.flatnonzero(counts)
    return found, counts[found]


def values_of_codes(by: Labeling, codes: NDArray, *, has_booleans: bool) -> list[Any]:
    """The values of ``by`` that codes stand for."""
    assert by.codes is not None
    values = np.asarray(to_host(by.codes.values) if is_array(by.codes.values) else by.codes.values)[codes]
    return [bool(x) if has_booleans else as_python(x) for x in values]
