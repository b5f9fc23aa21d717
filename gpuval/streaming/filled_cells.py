"""Few samples of a large table on the host: their cells, which are counted without going through the whole table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gpuval.numerics import NDArray
from gpuval.streaming.in_one_go import in_one_go

_CELLS_PER_SAMPLE = 64
"""With fewer, sorting the cells of the samples costs no less than going through the whole table."""


class FilledCells:
    """The flat index of the cell of each sample in a table of ``size`` cells, while the samples are few.

    Samples that count once wait here, until somebody needs the table itself; of the others the cells are noted.
    """

    def __init__(self, size: int) -> None:
        self._most, self._n_samples = size // _CELLS_PER_SAMPLE, 0
        self.are_all = True
        """Whether all samples are known here: none has come to the table otherwise, as in a graph."""
        self._in_table: list[NDArray] = []
        self._waiting: list[NDArray] = []

    def has_room_for(self, n_samples: int) -> bool:
        """Whether with so many more the samples are still few."""
        return self.are_all and self._n_samples + n_samples <= self._most

    @property
    def is_waiting(self) -> bool:
        """Whether samples wait here."""
        return bool(self._waiting)

    def waiting(self, cells: NDArray) -> Callable[[], None]:
        """What keeps samples that count once, for which there is room: a step of ``in_one_go``."""
        self._n_samples += len(cells)  # too many after an interrupt, which does no harm
        return partial(self._waiting.append, cells)

    def note(self, cells: NDArray) -> None:
        """Note the cells of samples that are in the table, for which there is room."""
        if len(cells):  # else any number of batches without samples would be kept
            self._in_table.append(cells)
            self._n_samples += len(cells)

    def move_into(self, counts: NDArray) -> None:
        """Count the samples that wait into the table itself, a vector."""
        if self._waiting:
            cells = _together(self._waiting)
            in_one_go(partial(np.add.at, counts, cells, 1), partial(self._in_table.append, cells), self._waiting.clear)

    def counted(self) -> tuple[NDArray, NDArray] | None:
        """Each cell once, in order, and its count; None if the table itself has samples, too."""
        return None if self._in_table else np.unique(_together(self._waiting), return_counts=True)

    def in_table(self) -> NDArray:
        """The cells of the samples that are in the table, each once, in order."""
        self._in_table = [np.unique(_together(self._in_table))]
        return self._in_table[0]


def _together(parts: list[NDArray]) -> NDArray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
