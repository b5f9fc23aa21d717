"""The library in which a score is returned: that of the input; a NumPy number is a scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines import engine_of, without_waiting
from gpuval.engines.backends import backend_of, is_array
from gpuval.engines.engine import each
from gpuval.numerics import Array


def finished(value: Any, like: Array | None = None) -> Any:
    """A value, or each value of a tuple, as it is returned: in the library and on the device of ``like``, if given."""
    if like is None and isinstance(value, np.generic):
        return value
    value = without_waiting(value, are_own=True)
    if isinstance(value, tuple):
        return each(value, lambda x: finished(x, like))
    if like is not None and not (is_array(value) and backend_of(value) is backend_of(like)):
        return engine_of(like).back(value, like)
    return value[()] if isinstance(value, np.ndarray) else value
