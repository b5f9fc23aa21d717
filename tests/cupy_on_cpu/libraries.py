"""In the place of CuPy's modules of thrust, cuSOLVER and cuRAND, whose code is for GPUs: NumPy, on the device's memory.

What has a function of none of these is missing, and says so.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Before = Callable[[int], None]
"""Has the device do what stands before on a stream."""


def _at(before: Before, address: int, dtype: Any, shape: Sequence[int], order: Any = "C") -> np.ndarray:
    """Memory of the device, which has done all that stands before."""
    import cupy

    before(cupy.cuda.get_current_stream().ptr)
    dtype, size = np.dtype(dtype), int(np.prod(shape))
    if not size:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (size * dtype.itemsize)).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(shape, order=order)


def thrust(before: Before) -> types.ModuleType:
    """``cupy.cuda.thrust``: sorts of rows in place."""

    def sort(dtype: Any, data: int, keys: int, shape: Sequence[int]) -> None:
        _at(before, data, dtype, shape).sort(axis=-1, kind="stable")

    def argsort(dtype: Any, positions: int, data: int, keys: int, shape: Sequence[int]) -> None:
        values = _at(before, data, dtype, shape)
        order = np.argsort(values, axis=-1, kind="stable")
        _at(before, positions, np.int64, shape)[...] = order
        values[...] = np.take_along_axis(values, order, axis=-1)

    def lexsort(dtype: Any, positions: int, keys: int, k: int, n: int) -> None:
        _at(before, positions, np.int64, (n,))[...] = np.lexsort(_at(before, keys, dtype, (k, n)))

    return _module("cupy.cuda.thrust", available=True, sort=sort, argsort=argsort, lexsort=lexsort)


def cusolver(before: Before) -> types.ModuleType:
    """``cupy_backends.cuda.libs.cusolver``: the eigenvectors of a symmetric matrix, which are columns in memory."""

    def xsyevd(*given: Any) -> None:
        _, _, _, lower, n, _, a, _, _, w, _, _, _, _, _, info = given
        matrix = _at(before, a, np.float64, (n, n), "F")
        _at(before, w, np.float64, (n,))[...], matrix[...] = np.linalg.eigh(matrix, "U" if lower else "L")
        _at(before, info, np.int32, (1,))[...] = 0

    def nothing(*given: Any) -> int:
        return 0

    names = "create", "destroy", "setStream", "createParams", "destroyParams"
    return _module(
        "cupy_backends.cuda.libs.cusolver",
        CUSOLVER_EIG_MODE_VECTOR=1,
        xsyevd=xsyevd,
        xsyevd_bufferSize=lambda *given: (0, 0),
        **dict.fromkeys(names, nothing),
    )


def cusparse() -> types.ModuleType:
    """``cupy_backends.cuda.libs.cusparse``: descriptors of sparse matrices, of which the arrays alone are read."""
    return _module("cupy_backends.cuda.libs.cusparse", createMatDescr=lambda: 0)


def curand(before: Before) -> types.ModuleType:
    """``cupy_backends.cuda.libs.curand``: integers, and numbers that are uniform or normal."""
    generators: list[Any] = []

    def create(method: int) -> int:
        generators.append(None)
        return len(generators) - 1

    def seed(generator: int, value: int) -> None:
        generators[generator] = np.random.default_rng(value)

    def integers(generator: int, address: int, n: int) -> None:
        _at(before, address, np.uint32, (n,))[...] = generators[generator].integers(0, 1 << 32, n)

    def uniform(generator: int, address: int, n: int) -> None:
        _at(before, address, np.float64, (n,))[...] = generators[generator].random(n)

    def normal(generator: int, address: int, n: int, mean: float, deviation: float) -> None:
        _at(before, address, np.float64, (n,))[...] = generators[generator].normal(mean, deviation, n)

    return _module(
        "cupy_backends.cuda.libs.curand",
        **dict.fromkeys((f"CURAND_RNG_PSEUDO_{name}" for name in ("DEFAULT", "MT19937", "MTGP32")), 0),
        createGenerator=create,
        destroyGenerator=lambda generator: None,
        setPseudoRandomGeneratorSeed=seed,
        setGeneratorOffset=lambda generator, offset: None,
        generate=integers,
        generateUniformDouble=uniform,
        generateNormalDouble=normal,
    )


def _module(name: str, **functions: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(functions)
    return made
