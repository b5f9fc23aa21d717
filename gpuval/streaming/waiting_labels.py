"""Small batches of labels on the host that are counted together, as a batch by itself costs more calls than copies."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray

_MOST = 1 << 14


class WaitingLabels:
    """Copies of the labels of small batches, in memory that does not grow."""

    __slots__ = "_n_samples", "_pred", "_true"

    def __init__(self) -> None:
        self._true, self._pred = np.empty((2, _MOST), dtype=np.int64)
        self._n_samples = 0

    def take(self, true: NDArray, pred: NDArray) -> bool:
        """Copy two vectors of integers of one length; False if there is no room for them."""
        start, end = self._n_samples, self._n_samples + len(true)
        if end > _MOST:
            return False
        self._true[start:end] = true
        self._pred[start:end] = pred
        self._n_samples = end
        return True

    def taken(self) -> tuple[NDArray, NDArray]:
        """All of them, which then wait no longer: views, until others are taken."""
        n_samples, self._n_samples = self._n_samples, 0
        return self._true[:n_samples], self._pred[:n_samples]

    def clear(self) -> None:
        """Forget all of them."""
        self._n_samples = 0
