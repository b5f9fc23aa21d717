"""Small batches of labels on the host that are counted together, as a batch by itself costs more calls than copies."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray

_MOST = 1 << 14


class WaitingLabels:
    """Copies of the labels of small batches, in memory that does not grow."""

    __slots__ = "_ends", "_pred", "_true", "clear"

    def __init__(self) -> None:
        self._true, self._pred = np.empty((2, _MOST), dtype=np.int64)
        self._ends: list[int] = []
        self.clear = self._ends.clear
        """Forget all of them: a function of C."""

    def take(self, true: NDArray, pred: NDArray) -> bool:
        """Copy two vectors of integers of one length; False if there is no room for them."""
        start = self._ends[-1] if self._ends else 0
        end = start + len(true)
        if end > _MOST:
            return False
        self._true[start:end] = true
        self._pred[start:end] = pred
        self._ends.append(end)
        return True

    def labels(self) -> tuple[NDArray, NDArray]:
        """All of them: views, until others are taken."""
        end = self._ends[-1] if self._ends else 0
        return self._true[:end], self._pred[:end]
