"""How a score goes out: in the library of what was given; of NumPy, a number is a scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_if_array, backend_of
from gpuval.engines.engine import each
from gpuval.numerics import Array


def finished(value: Any, like: Array | None = None) -> Any:
    """A value, or each of a tuple; what an engine has found elsewhere goes to the library and device of ``like``."""
    if like is None and isinstance(value, np.generic):
        return value
    if isinstance(value, tuple):
        return each(value, lambda x: finished(x, like))
    found = backend_if_array(value)
    if found is not None and not found.on_host:
        return value if like is None or backend_of(like) is found else backend_of(like).from_cupy(value, like)
    if like is not None:
        return backend_of(like).from_host(value, like)
    return value[()] if isinstance(value, np.ndarray) else value
