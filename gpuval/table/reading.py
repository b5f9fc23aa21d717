"""From label vectors of users, in memory or in Dask, to a contingency table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from gpuval.engines import Layout, sum_over_blocks
from gpuval.engines.backends import is_dask, to_host
from gpuval.inputs.options import check_size, check_sizes
from gpuval.inputs.samples import (
    Samples,
    check_any_left,
    how_many_count,
    read_block,
    read_block_of_one,
    read_labeling,
    read_samples,
)
from gpuval.inputs.selection import LabelsToIgnore, read_ignored
from gpuval.numerics import Array
from gpuval.table.building import choose_layout, from_samples, table_for_score
from gpuval.table.table import Table

Result = TypeVar("Result")


@dataclass(eq=False)  # not frozen, as ``Vector``
class BlockCounts:
    """The table of a block of samples, the number of samples that count, and the number of all; blocks can be added."""

    table: Table
    samples: int
    given: int

    def __add__(self, other: BlockCounts) -> BlockCounts:
        """Add another block."""
        from gpuval.table.addition import add_tables  # only now: a score of one block adds nothing

        return BlockCounts(add_tables(self.table, other.table), self.samples + other.samples, self.given + other.given)

    def check_not_empty(self, names: str, ignores: bool, weighs: bool) -> BlockCounts:
        """The block, after a check that some of all samples count; with sizes given on a device, its table tells."""
        if not (ignores or weighs):
            return self
        if self.table.fixed and not self.table.backend.on_host:
            return replace(self, table=self.table.with_given(self.given))
        is_any = bool(to_host(self.table.total) != 0)
        check_any_left(is_any, self.given, names, ignores=ignores, weighs=weighs and self.samples > 0)
        return self

    def to_table(self, layout: Layout | None) -> Table:
        """The table, in the layout that is asked for or that one call would choose."""
        if layout is None:
            return choose_layout(self.table, self.samples)
        return self.table.dense() if layout == "dense" else self.table.listed()


Use = Callable[[Table, Array | None], Result]
"""What is done with a table, and with an array of the library that scores are to be of; None: that of the table."""


def from_labels(
    labels_true: Any,
    labels_pred: Any,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    layout: Layout | None = None,
) -> Table:
    """The table of two label vectors, in their library and on their device."""
    sizes = check_sizes(n_classes, n_clusters)
    if layout not in (None, "dense", "cells"):
        raise ValueError(f"layout must be 'dense', 'cells' or None, got {layout!r}")
    found = _read(labels_true, labels_pred, sample_weight, ignore_labels, sizes)
    return found.to_table(layout) if isinstance(found, BlockCounts) else from_samples(found, *sizes, layout)


def use_table(
    use: Use[Result],
    labels_true: Any,
    labels_pred: Any,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    *,
    are_all: bool = True,
) -> Result:
    """The result of ``use`` for the table of two label vectors, which is made where the engine counts and not kept.

    If the samples ``are_all`` of a call, one of them must count; of a batch, none need count.
    """
    sizes = check_sizes(n_classes, n_clusters)
    found = _read(labels_true, labels_pred, sample_weight, ignore_labels, sizes, are_all=are_all)
    return use(found.to_table(None), None) if isinstance(found, BlockCounts) else _use_samples(use, found, *sizes)


def use_table_of_one(
    use: Use[Result], labels: Any, sample_weight: Any, ignore_labels: Any, n_classes: int | None
) -> Result:
    """The result of ``use`` for the table of one label vector, with a single cluster as the other side."""
    size = None if n_classes is None else check_size(n_classes, "n_classes")
    one = None if size is None else 1
    if is_dask(labels):
        ignore = read_ignored(ignore_labels)
        LabelsToIgnore(ignore, ignore).check_by_dtype({"labels": labels}, {})
        read_part = functools.partial(read_block_of_one, ignore_labels=ignore)
        counted = _count_blocks(read_part, {"labels": labels, "sample_weight": sample_weight}, size, one)
        return use(counted.check_not_empty("labels", bool(ignore), sample_weight is not None).table, None)
    return _use_samples(use, read_labeling(labels, sample_weight, ignore_labels), size, one)


def _use_samples(use: Use[Result], samples: Samples, n_classes: int | None, n_clusters: int | None) -> Result:
    like, engine = samples.true.data, samples.engine
    if samples.backend.on_host:
        return use(table_for_score(samples, n_classes, n_clusters, engine), None)
    with engine.at_work(like):
        table = table_for_score(samples, n_classes, n_clusters, engine)
        return use(table, None if table.backend is samples.backend else like)


def host_table(samples: Samples, n_classes: int | None, n_clusters: int | None) -> Table | None:
    """The table in NumPy of samples that lie on the host, whatever their library; None if they lie elsewhere."""
    if not all(map(samples.backend.lies_on_host, (samples.true.data, samples.pred.data))):
        return None
    return table_for_score(samples, n_classes, n_clusters, samples.engine).host_view()


def _read(
    labels_true: Any,
    labels_pred: Any,
    sample_weight: Any,
    ignore_labels: Any,
    sizes: tuple[int | None, int | None],
    *,
    are_all: bool = True,
) -> Samples | BlockCounts:
    """The samples; those that Dask holds as they have been counted."""
    if not (is_dask(labels_true) or is_dask(labels_pred)):
        return read_samples(labels_true, labels_pred, sample_weight, ignore_labels, are_all=are_all)
    ignore = LabelsToIgnore.read(ignore_labels)
    ignore.check_by_dtype({"labels_true": labels_true}, {"labels_pred": labels_pred})
    counted = count_label_blocks(labels_true, labels_pred, sample_weight, ignore, *sizes)
    return counted.check_not_empty("labels_true and labels_pred", bool(ignore), sample_weight is not None)


def count_label_blocks(
    labels_true: Any,
    labels_pred: Any,
    sample_weight: Any,
    ignore: LabelsToIgnore,
    n_classes: int | None,
    n_clusters: int | None,
) -> BlockCounts:
    """Count two label vectors in Dask block by block."""
    columns = {"labels_true": labels_true, "labels_pred": labels_pred, "sample_weight": sample_weight}
    return _count_blocks(functools.partial(read_block, ignore_labels=ignore), columns, n_classes, n_clusters)


def _count_blocks(
    read_part: Callable[..., Samples], columns: dict[str, Any], n_classes: int | None, n_clusters: int | None
) -> BlockCounts:
    """Count what ``read_part`` makes of each block of the columns."""
    count = functools.partial(_read_and_count, read_part=read_part, n_classes=n_classes, n_clusters=n_clusters)
    return cast(BlockCounts, sum_over_blocks(count, columns))


def _read_and_count(
    *, read_part: Callable[..., Samples], n_classes: int | None, n_clusters: int | None, **columns: Any
) -> BlockCounts:
    return count_block(read_part(**columns), n_classes, n_clusters)


def count_block(samples: Samples, n_classes: int | None, n_clusters: int | None) -> BlockCounts:
    """Count a block of samples."""
    table = from_samples(samples, n_classes, n_clusters)
    return BlockCounts(table, how_many_count(samples, table.total), samples.true.size)
