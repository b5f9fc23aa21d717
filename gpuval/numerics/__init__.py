"""Numbers that keep their digits: functions of arrays and their namespace, which know nothing of tables or labels."""

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Array = Any
"""An array of any supported library; the standard has no common base class to name."""

NDArray = np.ndarray[Any, Any]
"""An array of NumPy."""

F = TypeVar("F", bound=Callable[..., Any])

_fused: dict[Any, Any] = {}
"""Functions as CuPy has compiled them, by what of their arguments is no array."""


def elementwise(function: F) -> F:
    """Have CuPy compile arithmetic element by element into one kernel; for other libraries the function is as it is.

    Its first argument is an array, and what else is none becomes part of the kernel. It gives an array, or a tuple of
    arrays, by operators, ``where``, and functions of single elements.
    """

    @functools.wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        library = type(given[0]).__module__
        if library != "cupy":
            return function(*given, **options)
        are_arrays = [type(x).__module__ == library for x in given]
        others = [None if is_array else x for x, is_array in zip(given, are_arrays, strict=True)]
        key = function, repr((others, options))
        if key not in _fused:

            def of_arrays(*arrays: Any) -> Any:
                left = iter(arrays)
                all_given = (next(left) if is_array else x for x, is_array in zip(others, are_arrays, strict=True))
                return function(*all_given, **options)

            _fused[key] = sys.modules[library].fuse(kernel_name=f"gpuval_{function.__name__}")(of_arrays)
        return _fused[key](*(x for x, is_array in zip(given, are_arrays, strict=True) if is_array))

    return called  # type: ignore[return-value]
