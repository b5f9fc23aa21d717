"""The cells of a large table on the host that has few samples: they are counted without a pass over the whole table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gpuval.numerics import NDArray
from gpuval.streaming.in_one_go import in_one_go

_CELLS_PER_SAMPLE = 64
"""With fewer, sorting the cells of the samples costs no less than going through the whole table."""


class FilledCells:
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
        """A step for ``in_one_go`` that keeps the cells of samples without weights, for which there must be room."""
        return partial(self._ends.__setitem__, 1, self._written(cells))

    def note(self, cells: NDArray) -> None:
        """Note the cells of samples that have been counted into the table; there must be room, and none may wait."""
        self._ends[:] = [self._written(cells)] * 2

    def move_into(self, counts: NDArray) -> None:
        """Count the waiting samples into the table, given as a vector."""
        start, end = self._ends
        cells = self._known()[start:]
        in_one_go(partial(np.add.at, counts, cells, 1), partial(self._ends.__setitem__, 0, end))

    def counted(self) -> tuple[NDArray, NDArray] | None:
        """The sorted distinct cells and their counts; None if some samples are in the table already."""
        return None if self._ends[0] else np.unique(self._known(), return_counts=True)

    def in_table(self) -> NDArray:
        """The sorted distinct cells of the samples that are in the table; if none waits, they replace those cells."""
        start, end = self._ends
        distinct = np.unique(cells := self._known()[:start])
        if start == end:
            ends = partial(self._ends.__setitem__, slice(None), [len(distinct)] * 2)
            in_one_go(partial(cells.__setitem__, slice(len(distinct)), distinct), ends)
        return distinct

    def _written(self, cells: NDArray) -> int:
        """Write cells behind those that are known, and return where they end."""
        if self._cells is None:
            self._cells = np.empty(self._most, dtype=np.int64)
        end = self._ends[1] + len(cells)
        self._cells[self._ends[1] : end] = cells
        return end

    def _known(self) -> NDArray:
        return np.zeros(0, dtype=np.int64) if self._cells is None else self._cells[: self._ends[1]]
