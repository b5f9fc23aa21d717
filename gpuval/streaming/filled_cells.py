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
        self._most, self._n_samples = size // _CELLS_PER_SAMPLE, 0
        self.are_all = True
        """Whether all samples are known here: none has come to the table otherwise, as in a graph."""
        self._in_table: list[NDArray] = []
        self._waiting: list[NDArray] = []

    def has_room_for(self, n_samples: int) -> bool:
        """Whether there are still few samples if ``n_samples`` are added."""
        return self.are_all and self._n_samples + n_samples <= self._most

    @property
    def is_waiting(self) -> bool:
        """Whether samples wait here."""
        return bool(self._waiting)

    def waiting(self, cells: NDArray) -> Callable[[], None]:
        """A step for ``in_one_go`` that keeps the cells of samples without weights, for which there must be room."""
        self._n_samples += len(cells)  # too many after an interrupt, which does no harm
        return partial(self._waiting.append, cells)

    def note(self, cells: NDArray) -> None:
        """Note the cells of samples that have been counted into the table; there must be room for them."""
        if len(cells):  # else any number of batches without samples would be kept
            self._in_table.append(cells)
            self._n_samples += len(cells)

    def move_into(self, counts: NDArray) -> None:
        """Count the waiting samples into the table, given as a vector."""
        if self._waiting:
            cells = _together(self._waiting)
            in_one_go(partial(np.add.at, counts, cells, 1), partial(self._in_table.append, cells), self._waiting.clear)

    def counted(self) -> tuple[NDArray, NDArray] | None:
        """The sorted distinct cells and their counts; None if some samples are in the table already."""
        return None if self._in_table else np.unique(_together(self._waiting), return_counts=True)

    def in_table(self) -> NDArray:
        """The sorted distinct cells of the samples that are in the table."""
        self._in_table = [np.unique(_together(self._in_table))]
        return self._in_table[0]


def _together(parts: list[NDArray]) -> NDArray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
