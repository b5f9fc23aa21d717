"""Small batches of labels on the host that wait to be counted together, because counting each by itself is slow."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray

_MOST = 1 << 14


class WaitingLabels:
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
