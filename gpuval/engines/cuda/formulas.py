"""The arithmetic of a score in one kernel, whose text is made from the formula: CuPy arrays in, a CuPy array out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.engines.cuda.kernels import kernel_of_text

CupyArray = Any


def evaluated(text: str, inputs: Sequence[CupyArray], size: int) -> CupyArray:
    """The results of a kernel ``formula``, shape (size,), float64; inputs are of shape ()."""
    import cupy

    results = cupy.empty(size, dtype=np.float64)
    kernel_of_text(text, "gpuval::formula")((1,), (1,), (*map(_as_read, inputs), results))
    return results


def _as_read(x: CupyArray) -> CupyArray:
    return x.view(np.uint8) if x.dtype.kind == "b" else x
