"""The arrays of an accumulator of given size, and the samples that wait to be counted into them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from functools import partial
from operator import call
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import backend_of, is_array, outside_of_graphs
from gpuval.engines.cells import has_few_samples
from gpuval.numerics import Array, NDArray

_MOST_AT_ONCE = 1 << 15
"""Samples of which the cells are found at once; more are counted block by block, in a table of their own."""


class DenseSums:
    """A dense table, how many samples could not be counted, and the bounds of the labels.

    ``label_bounds`` is ``[min_true, ~max_true, min_pred, ~max_pred]``: with complements of the largest labels one
    ``minimum``, or one all-reduce with MIN, updates all four. It is for the error message alone, where values are not
    looked at on the host. ``given`` is how many samples were in batches with weights or labels to ignore, of which some
    may not count. ``samples``, of NumPy's labels alone, is how many count: it decides on the layout.

    What a graph adds to is arrays, in place: for a number of Python's that changes torch.compile would compile again.
    Where the library of the labels, that of ``like``, cannot write into arrays, and they lie in the host's memory (JAX
    on the CPU), they are NumPy's.
    """

    def __init__(
        self,
        counts: Array,
        invalid: Array,
        label_bounds: Array,
        given: Array,
        self_pairs: Array | None = None,
        like: Array | None = None,
    ) -> None:
        self.waiting: LabelBuffer | None = None
        """Labels that are not in the table yet: on the host, where their values are not looked at when they come."""
        self.filled: CellBuffer | None = None
        """The cells that have samples, of which some may wait here: while these are known and few."""
        self.is_waiting, self.may_wait = False, True
        """Whether samples wait here, and whether some may: a graph that has been compiled would not see them."""
        self._views: tuple[NDArray, NDArray, NDArray] | None = None
        self._counts, self.invalid, self.label_bounds, self.self_pairs = counts, invalid, label_bounds, self_pairs
        self.given, self.samples = given, 0
        self.like = counts if like is None else like
        self._library, self.backend = backend_of(self.like), backend_of(counts)
        self.raises, self.is_apart = self._library.on_host, self._library is not self.backend
        """Whether samples that cannot be counted are an error at once, as of NumPy's labels, and whether the labels are
        of another library than the arrays."""
        self.shape: tuple[int, int] = tuple(counts.shape)

    @property
    def counts(self) -> Array:
        """The table of all samples; if some wait while a graph is compiled, reading it breaks the graph once."""
        if self.backend.is_compiling():
            self._let_none_wait()
            if self.is_waiting:
                _settle(self)
        else:
            self.settle()
        return self._counts

    def _replace(self, counts: Array) -> None:
        """Use another array for the table."""
        self._counts, self._views = counts, None

    def __getstate__(self) -> dict[str, Any]:
        """The arrays, after all samples have been counted."""
        arrays = {name: getattr(self, name) for name in ("invalid", "label_bounds", "given", "self_pairs", "like")}
        return arrays | {"counts": self.counts, "samples": self.samples}

    def __setstate__(self, state: dict[str, Any]) -> None:
        samples = state.pop("samples")
        self.__init__(**state)  # type: ignore[misc]
        self.samples = samples

    # What waits

    def add_at_once(self, labels_true: Any, labels_pred: Any) -> bool:
        """Add two vectors of integers on the host without the usual reading; for anything else return False.

        NumPy labels are counted at once, if all of them are inside the table. Of other libraries the values are not
        looked at, and a copy of the labels waits.
        """
        if self.self_pairs is not None or not type(labels_true) is type(labels_pred) is type(self.like):
            return False
        if self.is_apart and self._library.widest(labels_true).int != self.like.dtype:
            return False  # jax_enable_x64 has changed, which is an error where they are read
        labels = self._library.host_labels(labels_true, labels_pred)
        if labels is None or (self.is_apart and any(x.dtype == np.uint64 for x in labels)):
            return False  # 64 bits without a sign do not wait: int64 does not hold the largest
        if self.is_apart and self._library.makes_tracers(labels_true):
            return False  # an update within jax.jit is refused where they are read
        if self.raises:
            if not self._add_labels(*labels):
                return False
            self.samples += len(labels[0])
            return True
        return self._wait(*labels)

    def _wait(self, true: NDArray, pred: NDArray) -> bool:
        """Keep labels on the host to be counted later; False if the table is not on the host."""
        if self._host_views() is None:
            return False
        if not self.may_wait:
            self._count_labels(true, pred)
            return True
        self.waiting = self.waiting or LabelBuffer()
        if not self.waiting.take(true, pred):
            self.count_waiting()
            if not self.waiting.take(true, pred):
                self._count_labels(true, pred)
                return True
        self.is_waiting = True
        return True

    def count_waiting(self) -> None:
        """Count the labels that wait."""
        if self.waiting is not None:
            true, pred = self.waiting.labels()
            if len(true):
                self._count_labels(true, pred, self.waiting.clear)

    def _count_labels(self, true: NDArray, pred: NDArray, *steps: Callable[[], Any]) -> None:
        """Count labels on the host, and those outside the table, with other ``steps`` of ``_call_together``."""
        if self._add_labels(true, pred, *steps):
            return
        is_inside = (true >= 0) & (true < self.shape[0]) & (pred >= 0) & (pred < self.shape[1])
        ends = (f(x) for x in (true, pred) for f in (np.min, np.max))
        low_true, high_true, low_pred, high_pred = map(int, ends)  # NumPy's ~ of a type without a sign has none
        _, invalid, bounds = self._memory_views()
        np.minimum(bounds, [low_true, ~high_true, low_pred, ~high_pred], out=bounds)
        outside = partial(np.add, invalid, np.count_nonzero(~is_inside), invalid)
        self._add_labels(true[is_inside], pred[is_inside], outside, *steps)

    def _add_labels(self, true: NDArray, pred: NDArray, *steps: Callable[[], Any]) -> bool:
        """Add labels on the host if all are inside the table, together with other ``steps``; else return False."""
        engine = engine_of(true)
        if len(true) > _MOST_AT_ONCE:
            self._know_cells_no_more()
            is_added = engine.add_in_place(self._memory_views()[0], true, pred)
            if is_added:
                _call_together(*steps)
            return is_added
        cells = engine.cells_within(true, pred, self.shape)
        if cells is None:
            return False
        if self.filled is not None and self.filled.has_room_for(len(cells)):
            self.is_waiting = True
            _call_together(self.filled.waiting(cells), *steps)
            return True
        self._know_cells_no_more()
        flat = self._memory_views()[0].reshape(-1)
        if has_few_samples(len(cells), len(flat)):
            _call_together(partial(np.add.at, flat, cells, 1), *steps)
        else:
            _call_together(partial(np.add, flat, np.bincount(cells, minlength=len(flat)), flat), *steps)
        return True

    def _know_cells_no_more(self) -> None:
        """Count waiting samples into the table and forget the list of filled cells, which will be incomplete."""
        if self.filled is not None:
            self._fill(self.filled)
            self.filled = None

    def settle(self) -> None:
        """Count all waiting samples into the table."""
        self.count_waiting()
        if self.filled is not None:
            self._fill(self.filled)
        self.is_waiting = False

    def _let_none_wait(self) -> None:
        """Make later updates count into the table at once, because a compiled graph reads the table or adds to it."""
        self.may_wait = False
        if self.filled is not None:
            self.filled.are_all = False

    # The cells that have samples

    def _none_filled(self) -> CellBuffer | None:
        is_of_use = self.may_wait and self.backend.lies_on_host(self._counts)
        return CellBuffer(math.prod(self.shape)) if is_of_use else None

    def _note(self, cell: Array | None) -> None:
        """Note the cells that samples were added to; None if these are not known."""
        if self.filled is not None:
            view = None if cell is None else self.backend.host_view(cell)
            if view is not None and self.filled.has_room_for(len(view)):
                self._fill(self.filled)
                self.filled.note(view)
            elif self.backend.is_compiling():
                self._let_none_wait()
            else:
                self._know_cells_no_more()

    def _fill(self, filled: CellBuffer) -> None:
        """Count the waiting samples into the table, by their cells."""
        if filled.is_waiting:
            counts, _, _ = self._memory_views()
            filled.move_into(counts.reshape(-1))

    def _nonempty_cells(self, flat: NDArray) -> tuple[NDArray, NDArray]:
        """The flat indices of the non-empty cells, in order, and their counts."""
        if self.filled is None or not self.filled.are_all:
            if self.filled is not None:
                self._fill(self.filled)
            places = np.flatnonzero(flat != 0)
            return places, flat[places]
        if (counted := self.filled.cell_counts()) is not None:
            return counted
        self._fill(self.filled)
        places = self.filled.table_cells()
        places = places[flat[places] != 0]  # samples that weigh nothing fill no cell
        return places, flat[places]

    def _clear_by_cells(self) -> bool:
        """Clear the cells that have samples; False if they are not known."""
        if self.filled is None or not self.filled.are_all:
            return False
        view = self.backend.host_view(self._counts)
        if view is not None:
            view.reshape(-1)[self.filled.table_cells()] = 0
        return view is not None

    # Views

    def _host_views(self) -> tuple[NDArray, NDArray, NDArray] | None:
        """NumPy's views of the table, ``invalid`` and ``label_bounds``; None if they do not lie on the host.

        They are kept: within a mode of PyTorch that sees all operations none can be made, and samples may wait already.
        """
        if self._views is None:
            counts, invalid, bounds = map(self.backend.host_view, (self._counts, self.invalid, self.label_bounds))
            if counts is not None and invalid is not None and bounds is not None and counts.flags.c_contiguous:
                self._views = counts, invalid, bounds
        return self._views

    def _memory_views(self) -> tuple[NDArray, NDArray, NDArray]:
        views = self._host_views()
        assert views is not None  # else nothing waits
        return views


_settle = outside_of_graphs(DenseSums.settle)


def add_into(x: Array, y: Array) -> Array:
    """The sum, in the memory of ``x`` where arrays may be written into."""
    if not backend_of(x).is_writable:
        return x + y
    x += y
    return x


def write_into(x: Array, y: Any) -> Array:
    """``y`` in the shape of ``x``, in its memory where arrays may be written into."""
    if not backend_of(x).is_writable:
        return backend_of(x).xp.zeros_like(x) + y
    if not is_array(y):  # PyTorch copies a number from the host, and waits
        y = backend_of(x).zeros_beside((), x.dtype, x) + y
    x[...] = y
    return x


# The cells of a large table on the host that has few samples: they are counted without a pass over the whole table.

_CELLS_PER_SAMPLE = 64
"""With fewer, sorting the cells of the samples costs no less than going through the whole table."""


class CellBuffer:
    """The flat index of the cell of each sample in a table of ``size`` cells, while there are few samples.

    Samples without weights wait here until the table itself is needed. Of the other samples, only the cells are noted.
    """

    def __init__(self, size: int) -> None:
        self._most = size // _CELLS_PER_SAMPLE
        self.are_all = True
        """Whether all samples are known here: none has come to the table otherwise, as in a graph."""
        self._cells: NDArray | None = None
        """Memory for the cells of all samples: first of those in the table, then of those that wait."""
        self._ends = [0, 0]

    def has_room_for(self, n_samples: int) -> bool:
        """Whether there are still few samples if ``n_samples`` are added."""
        return self.are_all and self._ends[1] + n_samples <= self._most

    @property
    def is_waiting(self) -> bool:
        """Whether samples wait here."""
        return self._ends[0] < self._ends[1]

    def waiting(self, cells: NDArray) -> Callable[[], None]:
        """A step for ``_call_together``: it appends cells of samples without weights, for which there is room."""
        return partial(self._ends.__setitem__, 1, self._append_cells(cells))

    def note(self, cells: NDArray) -> None:
        """Note the cells of samples that have been counted into the table; there must be room, and none may wait."""
        self._ends[:] = [self._append_cells(cells)] * 2

    def move_into(self, counts: NDArray) -> None:
        """Count the waiting samples into the table, given as a vector."""
        start, end = self._ends
        cells = self._known()[start:]
        _call_together(partial(np.add.at, counts, cells, 1), partial(self._ends.__setitem__, 0, end))

    def cell_counts(self) -> tuple[NDArray, NDArray] | None:
        """The sorted distinct cells and their counts; None if some samples are in the table already."""
        return None if self._ends[0] else np.unique(self._known(), return_counts=True)

    def table_cells(self) -> NDArray:
        """The sorted distinct cells of the samples that are in the table; if none waits, they replace those cells."""
        start, end = self._ends
        distinct = np.unique(cells := self._known()[:start])
        if start == end:
            ends = partial(self._ends.__setitem__, slice(None), [len(distinct)] * 2)
            _call_together(partial(cells.__setitem__, slice(len(distinct)), distinct), ends)
        return distinct

    def _append_cells(self, cells: NDArray) -> int:
        """Write cells behind those that are known, and return where they end."""
        if self._cells is None:
            self._cells = np.empty(self._most, dtype=np.int64)
        end = self._ends[1] + len(cells)
        self._cells[self._ends[1] : end] = cells
        return end

    def _known(self) -> NDArray:
        return np.zeros(0, dtype=np.int64) if self._cells is None else self._cells[: self._ends[1]]


# Small batches of labels on the host that wait to be counted together, because counting each by itself is slow.

_MOST = 1 << 14


class LabelBuffer:
    """Copies of the labels of small batches, in memory of a fixed size."""

    __slots__ = "_end", "_pred", "_true", "clear"

    def __init__(self) -> None:
        self._true, self._pred = np.empty((2, _MOST), dtype=np.int64)
        self._end: list[int] = []  # one number, or none if there are no labels
        self.clear = self._end.clear
        """Forget all of them: a function of C."""

    def take(self, true: NDArray, pred: NDArray) -> bool:
        """Copy two integer vectors of the same length; False if there is no room for them."""
        start = self._end[0] if self._end else 0
        end = start + len(true)
        if end > _MOST:
            return False
        self._true[start:end] = true
        self._pred[start:end] = pred
        self._end[:] = (end,)
        return True

    def labels(self) -> tuple[NDArray, NDArray]:
        """All waiting labels, as views that are valid until others are taken."""
        end = self._end[0] if self._end else 0
        return self._true[:end], self._pred[:end]


# Steps that an interrupt (Ctrl-C) cannot separate: after it, all of them are done, or none.


def _call_together(*steps: Callable[[], Any]) -> None:
    """Call several C functions, or ``partial`` objects of them, by a single call of a C function.

    Python raises an interrupt between its own instructions, and never inside a C function. So samples cannot be counted
    and still be kept as waiting, which would count them twice.
    """
    deque(map(call, steps), maxlen=0)
