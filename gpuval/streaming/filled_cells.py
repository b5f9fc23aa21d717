"""The cells of a large table that have samples, so that few samples are read and forgotten without all its cells."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray

_CELLS_PER_SAMPLE = 64
"""With fewer, sorting what was noted costs no less than going through the whole table."""


class FilledCells:
    """The flat indices of the cells that samples have come to, in a table of ``size`` cells, while these are few."""

    def __init__(self, size: int) -> None:
        self._most, self._noted = size // _CELLS_PER_SAMPLE, 0
        self._parts: list[NDArray] = []
        self._is_compact = False

    def has_room_for(self, n_samples: int) -> bool:
        """Whether so many samples more are still few."""
        return self._noted + n_samples <= self._most

    def note(self, cells: NDArray) -> bool:
        """Note the cells of samples, in memory that stays as it is; False if they are no longer few."""
        self._parts.append(cells)
        self._is_compact = False
        self._noted += len(cells)
        return self._noted <= self._most

    def places(self) -> NDArray:
        """Each cell once, in order."""
        if not self._is_compact:
            cells = np.concatenate(self._parts) if self._parts else np.zeros(0, dtype=np.int64)
            self._parts, self._is_compact = [np.unique(cells)], True
        return self._parts[0]
