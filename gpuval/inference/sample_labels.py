"""True labels and labelings of the same samples, with the group of each sample and its value of ``by``."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
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
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings, table_of
from gpuval.table.resampling.joint import JointCells, joint_cells


@dataclass(frozen=True, eq=False)
class SampleLabels:
    """One true labeling or several, and labelings that are compared with each of them.

    The place of a labeling among L counts from 0 with the first true labeling, from L with the second one, and so on.
    """

    truths: list[Labeling]
    others: list[Labeling]
    by: Labeling | None
    groups: Labeling | None
    has_booleans: bool
    """Whether the values of ``by`` are booleans, which have become 0 and 1."""

    @property
    def like(self) -> Array:
        """An array of the library, and on the device, of the labels."""
        return self.truths[0].vector.data

    @property
    def places(self) -> range:
        """Those of all labelings with all true ones."""
        return range(len(self.truths) * len(self.others))

    def places_of(self, labeling: int) -> range:
        """Those of one labeling with each true one."""
        return self.places[labeling :: len(self.others)]

    def split(self, place: int) -> tuple[int, int]:
        """Which true labeling, and which labeling, is at a place."""
        return divmod(place, len(self.others))

    def sides(self, place: int) -> tuple[Labeling, Labeling]:
        """The true labeling and the labeling at a place."""
        truth, labeling = self.split(place)
        return self.truths[truth], self.others[labeling]

    def table(self, place: int) -> Contingency:
        """The table of these two."""
        return table_of(*self.sides(place))

    @cached_property
    def n_given(self) -> dict[Any, int]:
        """How many samples have each value of ``by``, in order, or how many there are, ignored or not."""
        if self.by is None:
            return {None: self.truths[0].vector.size}
        found, counts = count_codes(self.by)
        values = values_of_codes(self.by, found, has_booleans=self.has_booleans)
        return dict(zip(values, counts.tolist(), strict=True))

    def parts(self, place: int) -> dict[Any, JointCells]:
        """The joint cells of the truth, of the labeling at a place and of the groups, for each value of ``by``.

        The values are in order. Without ``by`` the cells are those of all samples, by the name None.
        """
        joint = self._joint(self.sides(place))
        if self.groups is not None:
            check_groups(len(np.unique(joint.codes[2])))
        return self._parts_by_value(joint)

    def parts_of_both(self, first: int, second: int) -> dict[Any, JointCells]:
        """The same of two labelings: of the samples that both have, if there are any, be they of one group only."""
        truth, labeling = self.sides(second)
        labelings = [*self.sides(first), labeling] + [truth] * self._have_other_truths(first, second)
        return self._parts_by_value(self._joint(labelings)) if self._is_any_of(labelings) else {}

    def _have_other_truths(self, first: int, second: int) -> bool:
        return self.split(first)[0] != self.split(second)[0]

    def _joint(self, labelings: Sequence[Labeling]) -> JointCells:
        return joint_cells([*labelings, *(x for x in (self.groups, self.by) if x is not None)])

    def _parts_by_value(self, joint: JointCells) -> dict[Any, JointCells]:
        if self.by is None:
            return {None: joint}
        parts = joint.parts(len(joint.codes) - 1)
        return {bool(value) if self.has_booleans else value: part for value, part in parts}

    def _is_any_of(self, labelings: Sequence[Labeling]) -> bool:
        """Whether labelings have a sample in common, that counts; true where there are no samples at all."""
        masks = [x.keep for x in labelings if x.keep is not None]
        if not masks:
            return True
        truth = self.truths[0]
        if truth.weights is not None:
            masks.append(truth.weights > 0)
        backend = backend_of(self.like)
        return not truth.vector.size or bool(to_host(backend.xp.any(reduce(operator.and_, masks))))

    def table_with_groups(self, part: JointCells) -> TableWithGroups:
        """The table of a part of the samples of a labeling."""
        return self._table_at(part, 0, 1)[0]

    def tables_of_both(self, part: JointCells, first: int, second: int) -> list[tuple[TableWithGroups, NDArray]]:
        """The table of each of two labelings of samples that both have, and to which of its cells joint ones belong."""
        row = 3 if self._have_other_truths(first, second) else 0
        return [self._table_at(part, 0, 1), self._table_at(part, row, 2)]

    def _table_at(self, joint: JointCells, row: int, column: int) -> tuple[TableWithGroups, NDArray]:
        at_the_end = (self.groups is not None) + (self.by is not None)
        groups = None if self.groups is None else len(joint.codes) - at_the_end
        return table_at_place(joint, row, column, groups, self.like)


def read_sample_labels(
    truths: Mapping[str, Any], named: Mapping[str, Any], building: Building, by: Any, groups: Any
) -> SampleLabels:
    """Read labels that must be in memory, as all that is known of a sample is looked at together.

    True labels and labelings are those of the names that messages use.
    """
    use = "groups" if groups is not None else "by" if by is not None else "confidence_level"
    check_in_memory(f"with {use}", *truths.values(), *named.values(), by, groups)
    sample_weight, ignore_labels, *sizes = building
    if any(size is not None for size in sizes):
        raise TypeError(f"n_classes= and n_clusters= cannot be given with {use}=, as the labels are looked at")
    given, n_true = {**truths, **named}, len(truths)
    sides = read_labelings(given, sample_weight, ignore_labels, None, None, n_true=n_true)
    values = None if by is None else read_beside(sides[0], given, by, "by")
    units = None if groups is None else read_beside(sides[0], given, groups, "groups")
    return SampleLabels(sides[:n_true], sides[n_true:], values, units, by is not None and are_booleans(by))


def are_booleans(by: Any) -> bool:
    """Whether the values of ``by`` are booleans, which become 0 and 1 where they are read."""
    vector = read_labels(by, "by")
    return vector.backend.kind(vector.data) == "bool"


def count_codes(by: Labeling) -> tuple[NDArray, NDArray]:
    """The codes of ``by`` that occur, in order, and how many samples have each."""
    codes = by.encoded.places
    counts = to_host(backend_of(codes).count(codes, by.encoded.size))
    found = np.flatnonzero(counts)
    return found, counts[found]


def values_of_codes(by: Labeling, codes: NDArray, *, has_booleans: bool) -> list[Any]:
    """The values of ``by`` that codes stand for."""
    labels = by.encoded.values
    values = np.asarray(to_host(labels) if is_array(labels) else labels)[codes]
    return [bool(x) if has_booleans else as_python(x) for x in values]
