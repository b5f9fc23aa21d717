"""The sums of an accumulator of given size: added to in place, where arrays may be written into."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, backend_of, moved, to_host
from gpuval.engines.cells import DenseCells, dense_is_better, has_few_samples
from gpuval.inputs.limits import check_dense, out_of_range
from gpuval.inputs.samples import Samples, codes_of_given_size, encode_samples, how_many_count
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import read_integers, read_self_pairs, stored_counts
from gpuval.table.addition import invalid_of_sum
from gpuval.table.building import from_samples
from gpuval.table.self_pairs import (
    known_self_pairs,
    pairs_between,
    self_pairs_of_integers,
    self_pairs_of_weights,
    sum_of_self_pairs,
)
from gpuval.table.table import Table


class Sums:
    """A dense table, how many samples could not be counted, and the bounds of the labels.

    ``label_bounds`` is ``[min_true, ~max_true, min_pred, ~max_pred]``: with complements of the largest labels one
    ``minimum``, or one all-reduce with MIN, updates all four. It is for the error message alone, where values are not
    looked at on the host. ``samples`` is how many samples there were, as far as the host knows: it decides on the
    layout there.
    """

    def __init__(
        self, counts: Array, invalid: Array, label_bounds: Array, self_pairs: Array | None = None, samples: int = 0
    ) -> None:
        self.counts, self.invalid, self.label_bounds, self.self_pairs = counts, invalid, label_bounds, self_pairs
        self.samples = samples
        self.shape: tuple[int, int] = tuple(counts.shape)

    @classmethod
    def of_nothing(cls, n_classes: int, n_clusters: int, like: Array) -> Sums:
        """The sums of no samples, in the library and on the device of ``like``."""
        check_dense(n_classes, n_clusters)
        backend = backend_of(like)
        wide = backend.widest(like).int
        with backend.lasting():
            shapes = (n_classes, n_clusters), (), (4,)
            counts, invalid, bounds = (backend.zeros_beside(shape, wide, like) for shape in shapes)
            return cls(counts, invalid, bounds + backend.xp.iinfo(wide).max)

    @property
    def backend(self) -> Backend:
        """The backend of the arrays."""
        return backend_of(self.counts)

    # Adding

    def be_real(self) -> None:
        """Go on with floats, as real weights need."""
        if self.self_pairs is None:
            with self.backend.lasting():
                self.self_pairs = self_pairs_of_integers(self.counts)
                self.counts = self.backend.as_real(self.counts, self.counts)

    def add_samples(self, samples: Samples) -> None:
        """Add samples: by a kernel that counts into the table itself, by a scatter into it, or by a table of theirs."""
        with self.backend.lasting():
            if self._add_by_engine(samples):
                self.samples += samples.true.size
            elif has_few_samples(samples.true.size, math.prod(self.shape)):
                self.samples += self._scatter(samples)
            else:
                self._lower_bounds(samples)
                table = from_samples(samples, *self.shape)
                self.add(table)
                self.samples += how_many_count(samples, table.total)

    def add(self, table: Table) -> None:
        """Add a table of the same size."""
        if not table.is_integer:
            self.be_real()
        with self.backend.lasting():
            counts = self.backend.xp.astype(table.dense().counts, self.counts.dtype, copy=False)
            if self.self_pairs is not None:
                known = known_self_pairs(counts, table.self_pairs)
                self._add_self_pairs(known, pairs_between(self.counts, counts))
            self._put_in(_added(self.counts, counts))
            if table.invalid is not None:
                self.invalid = _added(self.invalid, table.invalid)

    def merge(self, other: Sums) -> None:
        """Add the sums of another one."""
        self.add(other._as_table(other.counts, other.self_pairs))
        with self.backend.lasting():
            self.label_bounds = _put(self.label_bounds, self.backend.xp.minimum(self.label_bounds, other.label_bounds))
        self.samples += other.samples

    def reset(self) -> None:
        """Forget all samples; a table of integers keeps its memory."""
        with self.backend.lasting():
            if self.self_pairs is not None:
                self.counts, self.self_pairs = (
                    self.backend.zeros_beside(self.shape, self.invalid.dtype, self.counts),
                    None,
                )
            self.counts, self.invalid = _put(self.counts, 0), _put(self.invalid, 0)
            self.label_bounds = _put(self.label_bounds, self.backend.xp.iinfo(self.label_bounds.dtype).max)
        self.samples = 0

    def _add_by_engine(self, samples: Samples) -> bool:
        """Add integer labels as they are, if the engine counts into sums that are there."""
        true, pred, weights = samples.true.data, samples.pred.data, samples.weights
        if samples.ignore or self.self_pairs is not None or _is_real(weights):
            return False
        if not engine_of(self.counts).add(self, true, pred, weights):
            return False
        if weights is not None:  # whose sums might come round to small ones
            self.invalid = _added(self.invalid, self.backend.xp.astype(out_of_range(weights), self.invalid.dtype))
        return True

    def add_at_once(self, labels_true: Any, labels_pred: Any) -> bool:
        """Add two vectors of integers in the host's memory that are all inside; False if they are anything else.

        They are not even read: it is what a loop on the host waits for.
        """
        if self.self_pairs is not None or not type(labels_true) is type(labels_pred) is type(self.counts):
            return False
        if not engine_of(self.counts).add_at_once(self.counts, labels_true, labels_pred):
            return False
        self.samples += len(labels_true)
        return True

    def _scatter(self, samples: Samples) -> int:
        """Add each sample to its cell: nothing of the size of the table is made.

        Gives how many samples are not to be ignored, where the host knows; else how many there are.
        """
        xp = self.backend.xp
        if self.backend.on_host:
            true, pred, weights = encode_samples(samples, *self.shape)
            row, column = true.codes.astype(np.int64), pred.codes.astype(np.int64)
            values = np.ones(len(row), self.counts.dtype) if weights is None else weights
        else:
            self._lower_bounds(samples)
            true, pred, weights, broken = codes_of_given_size(samples, *self.shape)
            self.invalid = _added(self.invalid, broken)
            counted = true.codes < true.size
            row, column = xp.where(counted, true.codes, xp.zeros_like(true.codes)), pred.codes
            values = xp.astype(counted, self.counts.dtype) if weights is None else weights  # 0 where it is outside
        if _is_real(weights):
            self.be_real()
        cell = row * self.shape[1] + column
        values = xp.astype(values, self.counts.dtype, copy=False)
        if self.self_pairs is not None:
            before = xp.take(xp.reshape(self.counts, (-1,)), cell)
            own = _self_pairs_of_batch(values, weights, cell, math.prod(self.shape))
            self._add_self_pairs(own, pairs_between(values, before))
        sums = self.backend.add(xp.reshape(self.counts, (-1,)), values, cell)
        self._put_in(xp.reshape(sums, self.shape))
        return int(row.shape[0])

    def _put_in(self, counts: Array) -> None:
        self.counts = counts
        if not self.backend.widest(counts).is_64bit:  # or the next sum might come round to a small one
            too_large = self.backend.xp.astype(out_of_range(counts), self.invalid.dtype)
            self.invalid = _added(self.invalid, too_large)

    def _add_self_pairs(self, known: Array, between: Array) -> None:
        self.self_pairs = _added(self.self_pairs, sum_of_self_pairs(known, between))

    def _lower_bounds(self, samples: Samples) -> None:
        """Lower the bounds of the labels, where values are not looked at."""
        true, pred = samples.true.data, samples.pred.data
        backend = self.backend
        if backend.on_host or not true.shape[0] or "real" in (backend.kind(true), backend.kind(pred)):
            return
        a, b = backend.comparable(true), backend.comparable(pred)
        xp, wide = backend.xp, backend.widest(a).int
        if any(xp.iinfo(x.dtype).max > xp.iinfo(wide).max for x in (a, b)):
            return
        low_a, high_a, low_b, high_b = (xp.astype(f(x), wide) for x in (a, b) for f in (xp.min, xp.max))
        bounds = xp.stack([low_a, ~high_a, low_b, ~high_b])
        self.label_bounds = _put(self.label_bounds, xp.minimum(self.label_bounds, bounds))

    # Reading

    def table(self) -> Table:
        """The table so far, in memory of its own; on the host in the layout that one call would choose."""
        self_pairs = None if self.self_pairs is None else self.backend.copied(self.self_pairs)
        table = self._as_table(self.backend.copied(self.counts), self_pairs)
        is_listed = self.backend.on_host and not dense_is_better(*self.shape, self.samples)
        return table.listed() if is_listed else table

    def _as_table(self, counts: Array, self_pairs: Array | None) -> Table:
        """The table so far, of these counts and self-pairs, which are the own ones or copies of them."""
        table = Table.of(DenseCells(counts), *map(range, self.shape), fixed=True, self_pairs=self_pairs)
        return replace(table, invalid=invalid_of_sum(table, self.invalid))

    def error(self, count: int, bounds: list[int]) -> ValueError:
        """What to say of ``count`` samples that could not be counted: where labels are, if they have been looked at."""
        low_true, high_true, low_pred, high_pred = bounds
        seen = f"; labels_true were seen from {low_true} to {~high_true}, labels_pred from {low_pred} to {~high_pred}"
        return ValueError(
            f"labels must be in [0, {self.shape[0]}) x [0, {self.shape[1]}), and sample_weight finite, not negative, "
            f"and not too large in sum; got {count} samples or sums that are not"
            + (seen if low_true != self.backend.xp.iinfo(self.label_bounds.dtype).max else "")
        )

    # Elsewhere

    def arrays(self) -> dict[str, Array | None]:
        """The arrays, by their names in a checkpoint."""
        own = self.counts, self.invalid, self.label_bounds, self.self_pairs
        return dict(zip(("counts", "invalid", "furthest", "self_pairs"), own, strict=True))

    def state(self) -> dict[str, Any]:
        """Copies of the arrays, and the number of samples."""
        copies = {name: None if x is None else self.backend.copied(x) for name, x in self.arrays().items()}
        return copies | {"samples": self.samples}

    def load(self, state: Mapping[str, Any], samples: int) -> None:
        """Take over what :meth:`state` gave, of any library and device; nothing changes if it cannot be."""
        counts = stored_counts(state, self.shape)
        invalid, bounds = read_integers(state, "invalid", ()), read_integers(state, "furthest", (4,))
        largest = int(self.backend.xp.iinfo(self.label_bounds.dtype).max)
        nowhere = bounds == np.iinfo(to_host(state["furthest"]).dtype).max
        bounds = np.where(nowhere, largest, np.clip(bounds, -largest, largest))
        known = read_self_pairs(state, counts)
        with self.backend.lasting():
            new_counts, new_invalid, new_bounds = (moved(x, self.invalid) for x in (counts, invalid, bounds))
            self_pairs = None if known is None else moved(known, self.invalid)
            self._take_over(new_counts, new_invalid, new_bounds, self_pairs)
        self.samples = samples

    def unpack(self, packed: Array, label_bounds: Array, samples: int) -> None:
        """Take over counts, invalid and (of floats) self-pairs in one vector, and the rest."""
        with self.backend.lasting():
            packed, bounds = moved(packed, self.invalid), moved(label_bounds, self.invalid)
            xp, size = self.backend.xp, math.prod(self.shape)
            counts, invalid = xp.reshape(packed[:size], self.shape), xp.astype(packed[size], self.invalid.dtype)
            self_pairs = packed[size + 1 :]
            self._take_over(counts, invalid, bounds, self_pairs if self_pairs.shape[0] else None)
        self.samples = samples

    def _take_over(self, counts: Array, invalid: Array, label_bounds: Array, self_pairs: Array | None) -> None:
        fits = counts.dtype == self.counts.dtype  # else it is of floats, or has been
        self.counts = _put(self.counts, counts) if fits else counts
        self.invalid, self.label_bounds = _put(self.invalid, invalid), _put(self.label_bounds, label_bounds)
        self.self_pairs = self_pairs


class NoneLeftError(ValueError):
    """There were samples, and labels to ignore or weights have left none."""


def check_counted(table: Table, given: Any, sums: Sums | None = None) -> None:
    """Raise if samples could not be counted, or if there were some (``given``) and none is left: one transfer."""
    xp, is_lost = table.xp, (table.total == 0) & (given > 0)
    if table.backend.on_host:
        count, lost, bounds = 0, bool(is_lost), []
    else:
        wide = table.backend.widest(table.counts).int
        invalid = xp.zeros_like(is_lost, dtype=wide) if table.invalid is None else xp.astype(table.invalid, wide)
        known = xp.stack([invalid, xp.astype(is_lost, wide)])
        known = known if sums is None else xp.concat([known, sums.label_bounds])
        count, lost, *bounds = to_host(known).tolist()
    if count and sums is not None:
        raise sums.error(count, bounds)
    table.check_valid(count)
    if lost:
        raise NoneLeftError(
            f"ignore_labels and sample_weight must leave at least one sample, got none left of {int(given)}; ignore "
            "fewer labels, or weigh samples that count"
        )


def _self_pairs_of_batch(values: Array, weights: Array | None, cell: Array, table_size: int) -> Array:
    """The self-pairs of samples by themselves: values are their weights as floats, or 1."""
    xp = backend_of(cell).xp
    codes, size = cell, table_size
    if backend_of(cell).has_positions(cell):
        # One code for each cell that occurs, its first place in their order: nothing is as large as the table.
        codes, size = xp.searchsorted(xp.sort(cell), cell), cell.shape[0]

    def added_up(x: Array) -> Array:
        return backend_of(x).total(x, codes, size)

    sizes = added_up(values)
    of_reals = self_pairs_of_weights(values if _is_real(weights) else None, codes, sizes, added_up)
    return self_pairs_of_integers(sizes) if of_reals is None else of_reals


def _is_real(weights: Array | None) -> bool:
    return weights is not None and backend_of(weights).kind(weights) == "real"


def _added(x: Array, y: Array) -> Array:
    """The sum, in the memory of ``x`` where arrays may be written into."""
    if not backend_of(x).is_writable:
        return x + y
    x += y
    return x


def _put(x: Array, y: Any) -> Array:
    """``y`` in the shape of ``x``, in its memory where arrays may be written into."""
    if not backend_of(x).is_writable:
        return backend_of(x).xp.zeros_like(x) + y
    x[...] = y
    return x
