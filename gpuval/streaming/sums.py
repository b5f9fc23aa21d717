"""The sums of an accumulator of given size. They are added to in place, where the library can write into arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import backend_of, move_to, to_host
from gpuval.engines.cells import DenseCells, SparseCells, dense_is_better, has_few_samples
from gpuval.inputs.options import check_dense, out_of_range
from gpuval.inputs.samples import Samples, codes_of_given_size, encode_samples, how_many_count
from gpuval.numerics import Array, NDArray
from gpuval.streaming.checkpoints import (
    checkpoint_array,
    read_array,
    read_cell_counts,
    read_integers,
    read_number,
    read_self_pairs,
)
from gpuval.streaming.fixed_sums import DenseSums, add_into, write_into
from gpuval.table.addition import invalid_of_sum
from gpuval.table.building import from_samples
from gpuval.table.self_pairs import (
    pairs_between,
    self_pairs_of_integers,
    self_pairs_of_table,
    self_pairs_of_weights,
    sum_of_self_pairs,
)
from gpuval.table.table import Table


class Sums(DenseSums):
    """The sums of an accumulator: add samples, tables and other sums, give a table, save and load."""

    @classmethod
    def of_nothing(cls, n_classes: int, n_clusters: int, like: Array) -> Sums:
        """Sums of no samples, in the library and on the device of ``like``."""
        check_dense(n_classes, n_clusters)
        library = backend_of(like)
        place = like if library.is_writable or not library.lies_on_host(like) else np.zeros(1)
        backend = backend_of(place)
        wide = backend.widest(place).int
        with backend.lasting():
            shapes = (n_classes, n_clusters), (), (4,), ()
            counts, invalid, bounds, given = (backend.zeros_beside(shape, wide, place) for shape in shapes)
            sums = cls(counts, invalid, bounds + backend.xp.iinfo(wide).max, given, like=like)
        sums.filled = sums._none_filled()
        return sums

    # Adding

    def be_real(self) -> None:
        """Change the counts to floats, which fractional weights need."""
        if self.self_pairs is None:
            with self.backend.lasting():
                counts = self.counts
                self.self_pairs = self_pairs_of_integers(counts)
                self._replace(self.backend.as_real(counts, counts))

    def add_samples(self, samples: Samples) -> None:
        """Add samples: by a kernel that counts into the table, by a scatter, or by a table of the samples."""
        samples = self._numpy_samples(samples) if self.is_apart else samples
        with self.backend.lasting():
            if self._add_by_engine(samples):
                self._note(None)
            elif has_few_samples(samples.true.size, math.prod(self.shape)) or self.is_apart:
                self._scatter(samples)
            else:
                self._lower_bounds(samples)
                table = from_samples(samples, *self.shape)
                self.add(table)
                if self.raises:
                    self.samples += how_many_count(samples, table.total)
            if not samples.all_count_once:
                self.given = add_into(self.given, self._number_of(samples))

    def add(self, table: Table, given: int = 0) -> None:
        """Add a table of the same size, and the number of samples that it was given."""
        if not table.is_integer:
            self.be_real()
        with self.backend.lasting():
            if isinstance(table.cells, SparseCells):
                cells = table.cells
                cell = self._here(cells.class_of) * self.shape[1] + self._here(cells.cluster_of)
            else:
                cell = None
            counts = self.backend.xp.astype(self._here(table.counts), self._counts.dtype, copy=False)
            if self.self_pairs is not None:
                own = None if table.self_pairs is None else self._here(table.self_pairs)
                before = self._counts if cell is None else self._counts_at(cell)
                self._add_self_pairs(self_pairs_of_table(counts, own), pairs_between(before, counts))
            if cell is None:
                self._note(None)
                self._set_counts(add_into(self._counts, counts))
            else:
                self._add_to_cells(counts, cell)
            if table.invalid is not None:
                self.invalid = add_into(self.invalid, self._here(table.invalid))
            if given:
                self.given = add_into(self.given, given)

    def merge(self, other: Sums) -> None:
        """Add the sums of another accumulator."""
        other.count_waiting()
        view = None if other.filled is None else other.backend.host_view(other._counts)
        few = None if view is None else other._listed(view)
        table = other._table_of(few or DenseCells(other.counts), other.self_pairs)
        self.add(replace(table, invalid=invalid_of_sum(table) if self.raises else other.invalid))
        with self.backend.lasting():
            self.label_bounds = write_into(
                self.label_bounds, self.backend.xp.minimum(self.label_bounds, other.label_bounds)
            )
            self.given = add_into(self.given, other.given)
        self.samples += other.samples

    def reset(self) -> None:
        """Forget all samples; the memory of a table of integers is kept."""
        with self.backend.lasting():
            if self.self_pairs is not None:
                self._replace(self.backend.zeros_beside(self.shape, self.invalid.dtype, self._counts))
                self.self_pairs = None
            elif not self._clear_by_cells():
                self._counts = write_into(self._counts, 0)
            self.invalid, self.given = write_into(self.invalid, 0), write_into(self.given, 0)
            self.label_bounds = write_into(self.label_bounds, self.backend.xp.iinfo(self.label_bounds.dtype).max)
        if self.waiting is not None:
            self.waiting.clear()
        self.filled, self.samples, self.is_waiting = self._none_filled(), 0, False

    def _number_of(self, samples: Samples) -> Any:
        """The number of samples: a Python number, or an array if a number would need a transfer to the device."""
        if self.backend.is_writable:
            return samples.true.size
        xp = self.backend.xp
        return self.backend.sum(xp.ones_like(samples.true.data, dtype=self.given.dtype))

    def _add_by_engine(self, samples: Samples) -> bool:
        """Add integer labels without encoding them, if the engine can count into the sums; else return False."""
        true, pred, weights = samples.true.data, samples.pred.data, samples.weights
        if samples.ignore or self.self_pairs is not None or _is_real(weights):
            return False
        if not engine_of(self._counts).add(self, true, pred, weights):
            return False
        if weights is not None:  # whose sums might come round to small ones
            self.invalid = add_into(self.invalid, self.backend.xp.astype(out_of_range(weights), self.invalid.dtype))
        return True

    def _scatter(self, samples: Samples) -> None:
        """Add each sample to its cell, without a temporary array of the size of the table."""
        xp = self.backend.xp
        if self.raises:
            true, pred, weights = encode_samples(samples, *self.shape)
            row, column = true.codes.astype(np.int64), pred.codes.astype(np.int64)
            values = np.ones(len(row), self._counts.dtype) if weights is None else weights
            self.samples += len(row)
        else:
            self._lower_bounds(samples)
            true, pred, weights, broken = codes_of_given_size(samples, *self.shape)
            self.invalid = add_into(self.invalid, broken)
            counted = true.codes < true.size
            row, column = xp.where(counted, true.codes, xp.zeros_like(true.codes)), pred.codes
            values = xp.astype(counted, self._counts.dtype) if weights is None else weights  # 0 where it is outside
        if _is_real(weights):
            self.be_real()
        cell = row * self.shape[1] + column
        values = xp.astype(values, self._counts.dtype, copy=False)
        if self.self_pairs is not None:
            own = _self_pairs_of_batch(values, weights, cell, math.prod(self.shape))
            self._add_self_pairs(own, pairs_between(values, self._counts_at(cell)))
        self._add_to_cells(values, cell)

    def _counts_at(self, cell: Array) -> Array:
        """The counts of cells, by their flat index."""
        return self.backend.xp.take(self.backend.xp.reshape(self._counts, (-1,)), cell)

    def _add_to_cells(self, values: Array, cell: Array) -> None:
        sums = self.backend.add(self.backend.xp.reshape(self._counts, (-1,)), values, cell)
        self._set_counts(self.backend.xp.reshape(sums, self.shape))
        self._note(cell)

    def _set_counts(self, counts: Array) -> None:
        self._counts = counts
        if not self.backend.widest(counts).is_64bit:  # or the next sum might come round to a small one
            too_large = self.backend.xp.astype(out_of_range(counts), self.invalid.dtype)
            self.invalid = add_into(self.invalid, too_large)

    def _add_self_pairs(self, known: Array, between: Array) -> None:
        self.self_pairs = add_into(self.self_pairs, sum_of_self_pairs(known, between))

    def _lower_bounds(self, samples: Samples) -> None:
        """Update the bounds of the labels, if their values are not looked at."""
        true, pred = samples.true.data, samples.pred.data
        backend = self.backend
        if self.raises or not true.shape[0] or "real" in (backend.kind(true), backend.kind(pred)):
            return
        a, b = backend.comparable(true), backend.comparable(pred)
        xp, wide = backend.xp, backend.widest(a).int
        integers = [x for x in (true, pred) if backend.kind(x) == "integer"]
        if any(xp.iinfo(x.dtype).max > xp.iinfo(wide).max for x in integers):
            return
        low_a, high_a, low_b, high_b = (xp.astype(f(x), wide) for x in (a, b) for f in (xp.min, xp.max))
        bounds = xp.stack([low_a, ~high_a, low_b, ~high_b])
        self.label_bounds = write_into(self.label_bounds, xp.minimum(self.label_bounds, bounds))

    # From another library

    def _here(self, x: Array) -> Array:
        """An array of the library of the labels, or of cells listed on the host, in the library of the sums."""
        return x if backend_of(x) is self.backend else self.backend.from_host(to_host(x), self._counts)

    def _numpy_samples(self, samples: Samples) -> Samples:
        true, pred = (replace(x, data=_as_numpy(x.data)) for x in (samples.true, samples.pred))
        return replace(
            samples, true=true, pred=pred, weights=None if samples.weights is None else _as_numpy(samples.weights)
        )

    # Reading

    def table(self) -> Table:
        """The table so far, as a copy; on the host in the layout that a single call would choose."""
        view = self.backend.host_view(self._counts)
        if view is not None:
            self.count_waiting()
        if view is None:
            counts, self_pairs = (None if x is None else self.backend.copied(x) for x in (self.counts, self.self_pairs))
            table = self._table_of(DenseCells(counts), self_pairs)
            return replace(table, invalid=invalid_of_sum(table, self.invalid))
        self_pairs = None if self.self_pairs is None else np.array(to_host(self.self_pairs))
        table = self._table_of(self._listed(view) or DenseCells(np.array(to_host(self.counts))), self_pairs)
        if self.raises:
            return replace(table, invalid=invalid_of_sum(table))
        broken = to_host(self.invalid) + out_of_range(table.total[..., None], -1, self.like)
        back = engine_of(self.like).back
        return replace(table, invalid=broken if broken else None).mapped(lambda x: back(x, self.like))

    def copy_given(self) -> Array | None:
        """A copy of ``given`` in the library of the labels; None if it is known to be 0."""
        view = self.backend.host_view(self.given)
        if view is None:
            return self.backend.copied(self.given)
        return engine_of(self.like).back(view.copy(), self.like) if view else None

    def _table_of(self, cells: DenseCells | SparseCells, self_pairs: Array | None) -> Table:
        return Table.of(cells, *map(range, self.shape), fixed=True, self_pairs=self_pairs)

    def _listed(self, view: NDArray) -> SparseCells | None:
        """The non-empty cells of the counts in NumPy; None if the dense layout is better."""
        if dense_is_better(*self.shape, self.samples):
            return None
        places, counts = self._nonempty_cells(view.reshape(-1))
        n_samples = int(counts.sum()) if counts.dtype.kind == "i" else len(counts)
        if not self.raises and dense_is_better(*self.shape, n_samples):
            return None
        return SparseCells(counts, *np.divmod(places, self.shape[1]), self.shape)

    def error(self, count: int, bounds: list[int]) -> ValueError:
        """The error for ``count`` samples that could not be counted, with the range of the labels if it is known."""
        low_true, high_true, low_pred, high_pred = bounds
        seen = (
            f"; labels_true range from {low_true} to {~high_true}, labels_pred from {low_pred} to {~high_pred} (in the "
            "batches whose labels were looked at)"
        )
        return ValueError(
            f"labels must be in [0, {self.shape[0]}) x [0, {self.shape[1]}), and sample_weight finite, not negative, "
            f"and not too large in sum; got {count} samples or sums that break this rule"
            + (seen if low_true != self.backend.xp.iinfo(self.label_bounds.dtype).max else "")
        )

    # Elsewhere

    def arrays(self) -> dict[str, Array | None]:
        """The arrays, by their names in a checkpoint."""
        own = self.counts, self.invalid, self.label_bounds, self.given, self.self_pairs
        return dict(zip(("counts", "invalid", "furthest", "given", "self_pairs"), own, strict=True))

    def state(self) -> dict[str, Any]:
        """Copies of the arrays, and the number of samples."""
        arrays = {
            name: None if x is None else checkpoint_array(self._clip_sums(x), self.like)
            for name, x in self.arrays().items()
        }
        return arrays | {"samples": self.samples}

    def _clip_sums(self, x: Array) -> Array:
        """Integers in the type of the library of the labels; a sum that is too large is clipped."""
        if not self.is_apart or x.dtype.kind == "f":
            return x
        largest = np.iinfo(self.like.dtype).max
        return np.clip(x, -largest, largest)

    def load(self, state: Mapping[str, Any]) -> None:
        """Take over a ``state`` of any library and device; if it is not valid, nothing changes."""
        invalid, given = (read_integers(state, name, ()) for name in ("invalid", "given"))
        are_right = not invalid
        counts = read_cell_counts(state, self.shape, are_right=are_right)
        samples = read_number(state, "samples")
        bounds = read_integers(state, "furthest", (4,))
        for name, value in (("invalid", invalid), ("given", given)):
            if value < 0:
                raise ValueError(f"state must have {name} that is not negative, got {value}")
        largest = int(self.backend.xp.iinfo(self.label_bounds.dtype).max)
        nowhere = bounds == np.iinfo(to_host(read_array(state, "furthest")).dtype).max
        bounds = np.where(nowhere, largest, np.clip(bounds, -largest, largest))
        known = read_self_pairs(state, counts, are_right=are_right)
        with self.backend.lasting():
            new_counts, new_invalid, new_bounds, new_given = (
                move_to(x, self.invalid) for x in (counts, invalid, bounds, given)
            )
            self_pairs = None if known is None else move_to(known, self.invalid)
            self._take_over(new_counts, new_invalid, new_bounds, new_given, self_pairs)
        self.samples = samples

    def unpack(self, packed: Array, label_bounds: Array, samples: int, given: int) -> None:
        """Take over counts, invalid and (of floats) self-pairs in one vector, and the rest."""
        with self.backend.lasting():
            packed, bounds = move_to(packed, self.invalid), move_to(label_bounds, self.invalid)
            xp, size = self.backend.xp, math.prod(self.shape)
            counts, invalid = xp.reshape(packed[:size], self.shape), xp.astype(packed[size], self.invalid.dtype)
            self_pairs = packed[size + 1 :]
            self._take_over(counts, invalid, bounds, given, self_pairs if self_pairs.shape[0] else None)
        self.samples = samples

    def _take_over(
        self, counts: Array, invalid: Array, label_bounds: Array, given: Any, self_pairs: Array | None
    ) -> None:
        fits = counts.dtype == self._counts.dtype  # else it is of floats, or has been
        if fits:
            self._counts = write_into(self._counts, counts)
        else:
            self._replace(counts)
        self.invalid, self.label_bounds = write_into(self.invalid, invalid), write_into(self.label_bounds, label_bounds)
        self.given, self.self_pairs, self.filled, self.waiting = write_into(self.given, given), self_pairs, None, None
        self.is_waiting = False


def _self_pairs_of_batch(values: Array, weights: Array | None, cell: Array, table_size: int) -> Array:
    """The self-pairs of samples by themselves: values are their weights as floats, or 1."""
    xp = backend_of(cell).xp
    codes, size = cell, table_size
    if backend_of(cell).has_positions(cell):
        # One code for each cell that occurs, its first place in their order: nothing is as large as the table.
        codes, size = xp.searchsorted(xp.sort(cell), cell), cell.shape[0]

    def sums_by_code(x: Array) -> Array:
        return backend_of(x).total(x, codes, size)

    sizes = sums_by_code(values)
    of_reals = self_pairs_of_weights(values if _is_real(weights) else None, codes, sizes, sums_by_code)
    return self_pairs_of_integers(sizes) if of_reals is None else of_reals


def _is_real(weights: Array | None) -> bool:
    return weights is not None and backend_of(weights).kind(weights) == "real"


def _as_numpy(x: Array) -> NDArray:
    """What lies in the host's memory; where NumPy does not compute with its type, in the widest of its kind."""
    view = backend_of(x).host_view(x)
    return to_host(backend_of(x).widened(x)) if view is None else view
