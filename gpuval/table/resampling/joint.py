"""The joint cells of several labelings: how many samples have the same labels in all of them, counted once.

There are no more of them than samples, and every table of two of the labelings is a sum of them. So what is drawn once
of the joint cells is a draw of all tables: that is what makes comparisons of two clusterings paired, and keeps the
samples of one donor together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.cells import SparseCells, has_few_samples
from gpuval.inputs.codes import Scale
from gpuval.inputs.samples import check_any_left, check_weights
from gpuval.inputs.strings import as_python
from gpuval.numerics import Array, NDArray
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling
from gpuval.table.table import Table, to_widest

_MOST_CODES = 1 << 62

_MOST_TRANSFERRED = 1 << 20
"""Counts that are brought from a device with those that are 0; of more codes those that occur are found there."""

_Step = int | NDArray
"""How codes were put together: times a number of labels, or renumbered, which keeps the distinct codes."""


@dataclass(frozen=True, eq=False)
class JointCells:
    """The joint cells of labelings, on the host."""

    codes: tuple[NDArray, ...]
    """For each labeling the code of each cell, shape (n_cells,)."""
    labels: tuple[range | NDArray, ...]
    """For each labeling the labels that its codes stand for."""
    scales: tuple[Scale, ...]
    """For each labeling the declared order of its labels."""
    counts: NDArray
    """How many samples each cell has, shape (n_cells,)."""

    def table(self, first: int, second: int) -> tuple[Contingency, NDArray]:
        """The non-empty cells of the table of two labelings, and to which of them each joint cell belongs."""
        shape = len(self.labels[first]), len(self.labels[second])
        flat, cell_of = np.unique(self.codes[first] * shape[1] + self.codes[second], return_inverse=True)
        counts = np.zeros(len(flat), dtype=np.int64)
        np.add.at(counts, cell_of, self.counts)
        listed = SparseCells(counts, *np.divmod(flat, shape[1]), shape)
        labels, scales = (self.labels[first], self.labels[second]), (self.scales[first], self.scales[second])
        table = Table.of(listed, *labels, fixed=True, scales=scales)
        return Contingency.from_table(table), cell_of

    def parts(self, place: int) -> Iterator[tuple[Any, JointCells]]:
        """Each label of the labeling at a place that occurs, and its cells, with no labels but those that they have."""
        order = np.argsort(self.codes[place], kind="stable")
        occurring, starts = np.unique(self.codes[place][order], return_index=True)
        of_all = [np.asarray(x) for x in self.labels]  # once, as a range of many takes long to become an array
        for code, cells in zip(occurring, np.split(order, starts[1:]), strict=False):
            found = [np.unique(x[cells], return_inverse=True) for x in self.codes]
            labels = tuple(x[kept] for x, (kept, _) in zip(of_all, found, strict=True))
            label = as_python(of_all[place][code])
            yield label, JointCells(tuple(codes for _, codes in found), labels, self.scales, self.counts[cells])


def sum_matrix(cell_of: NDArray, n_cells: int) -> Any:
    """The sparse matrix by which counts, shape (n_draws, n_joint_cells), become those of the cells of a table."""
    from scipy.sparse import csr_matrix

    ones = np.ones(len(cell_of), dtype=np.int64)
    places = np.arange(len(cell_of))
    return csr_matrix((ones, (places, cell_of)), shape=(len(cell_of), n_cells))


def joint_cells(labelings: Sequence[Labeling]) -> JointCells:
    """Count the joint cells of labelings of the same samples, which have been read and encoded, where these are."""
    keep = _keep_mask(labelings)
    weights = labelings[0].weights
    coded = [x.codes for x in labelings]
    codes = [x.codes if keep is None else x.codes[keep] for x in coded if x is not None]
    if weights is not None and keep is not None:
        weights = weights[keep]
    names = " and ".join(x.vector.name for x in labelings)
    ignores, n_samples = any(x.ignore for x in labelings), labelings[0].vector.size
    check_any_left(codes[0].shape[0] > 0, n_samples, names, ignores=ignores, weighs=False)
    check_any_left(check_weights(weights), n_samples, names, ignores=ignores, weighs=True)
    _check_counts(weights)
    sizes = [x.size for x in coded if x is not None]
    if not backend_of(codes[0]).widest(codes[0]).is_64bit:
        codes = [to_host(x) for x in codes]
        weights = None if weights is None else to_host(weights)
    values, counts = _count_codes(codes, sizes, weights)
    of_sides = [x.values if isinstance(x.values, range) else to_widest(x.values) for x in coded if x is not None]
    found = [_compact_codes(*x) for x in zip(values, of_sides, strict=True)]
    scales = tuple(x.scale for x in coded if x is not None)
    return JointCells(tuple(x for x, _ in found), tuple(x for _, x in found), scales, counts)


def _compact_codes(codes: NDArray, labels: range | NDArray) -> tuple[NDArray, range | NDArray]:
    """Codes into the labels that occur, and these."""
    occurs = np.zeros(len(labels), dtype=np.bool_)
    occurs[codes] = True
    return (codes, labels) if occurs.all() else ((np.cumsum(occurs) - 1)[codes], np.asarray(labels)[occurs])


def _check_counts(weights: Array | None) -> None:
    """Check that weights count samples: integers, or reals that are all 0 or 1."""
    if weights is None or backend_of(weights).kind(weights) == "integer":
        return
    host = to_host(weights)
    others = host[(host != 0) & (host != 1)]
    if len(others):
        raise ValueError(f"sample_weight must count samples (weights of an integer type do), got {others[0]}")


def _keep_mask(labelings: Sequence[Labeling]) -> Array | None:
    """Which samples are ignored in no labeling; None: all."""
    masks = [x.keep for x in labelings if x.keep is not None]
    return reduce(lambda x, y: x & y, masks) if masks else None


def _count_codes(codes: list[Array], sizes: list[int], weights: Array | None) -> tuple[tuple[NDArray, ...], NDArray]:
    """The distinct tuples of codes of which samples count, and the number or the weight of each."""
    backend = backend_of(codes[0])
    xp = backend.xp
    wide = backend.widest(codes[0]).int
    together, size = xp.astype(codes[0], wide), sizes[0]
    found: list[_Step] = []

    def renumber() -> None:
        nonlocal together, size
        distinct, together = _distinct(together, xp)
        found.append(distinct)
        size = len(distinct)

    for other, n in zip(codes[1:], sizes[1:], strict=True):
        if size * n >= _MOST_CODES:
            renumber()
        together, size = together * n + xp.astype(other, wide), size * n
        found.append(n)
    # Counting all codes is many times faster than their sort, if these are not many more than the samples.
    if has_few_samples(together.shape[0], size) or (size > _MOST_TRANSFERRED and not backend.on_host):
        renumber()
    counts = (
        backend.count(together, size) if weights is None else backend.total(xp.astype(weights, wide), together, size)
    )
    host = to_host(counts).astype(np.int64, copy=False)
    filled = np.flatnonzero(host)
    return _split_codes(filled, found), host[filled]


def _distinct(codes: Array, xp: Any) -> tuple[NDArray, Array]:
    """The distinct codes on the host, and the place of each sample's code among them."""
    found = xp.unique_inverse(codes)
    return to_host(found.values).astype(np.int64), xp.reshape(found.inverse_indices, codes.shape)


def _split_codes(values: NDArray, steps: list[_Step]) -> tuple[NDArray, ...]:
    """Undo the steps by which codes were put together."""
    codes: list[NDArray] = []
    for step in reversed(steps):
        if isinstance(step, int):
            values, last = np.divmod(values, step)
            codes.append(last)
        else:
            values = step[values]
    return (values, *reversed(codes))
