"""What formulas do with lazy arrays: their array namespace and their backend, and how arrays become lazy."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, register_type
from gpuval.engines.backends.cupy import CupyBackend
from gpuval.engines.cuda.arithmetic.lazy import (
    BOOL,
    INT,
    MOST_RESULTS,
    Lazy,
    arrays_in,
    as_lazy,
    common_type,
    constant,
    eager,
    find,
    lazy_reduction,
    lazy_result,
    leaf,
    operation,
    read_in,
    unary_operation,
)
from gpuval.engines.cuda.arithmetic.texts import CONCAT, INDEX, TAKE, C, form_of
from gpuval.engines.cuda.kernels import has_cupy
from gpuval.numerics import Array

_DEEPEST_TAKEN = 8
"""What is deeper than this is found before elements of it are taken, each perhaps many times, or it says which."""

_MOST_PRODUCTS = 1 << 20
"""So many products are added up for a product of matrices by one kernel; of more, functions of CuPy make parts."""


def _join(x: Lazy, y: Lazy) -> Lazy:
    return lazy_result((len(x) + len(y), *x.shape[1:]), x.dtype, CONCAT, (), x, y)


class _Namespace:
    """The array namespace of lazy arrays: CuPy's, in which much waits."""

    def __init__(self, xp: Any) -> None:
        self._xp = xp

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._xp, name)
        if isinstance(found, ModuleType):
            found = _Namespace(found)
        elif callable(found) and not isinstance(found, type):
            found = eager(found)
        vars(self)[name] = found
        return found

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """``a`` where the condition holds, else ``b``."""
        cast = common_type(a, b)
        return operation("{} ? {} : {}", eager(self._xp.where), (BOOL, cast, cast), cast, condition, a, b)

    def astype(self, x: Lazy, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
        """``x`` in another type."""
        kind = np.dtype(dtype)
        otherwise = eager(lambda y: self._xp.astype(y, kind))
        return as_lazy(x) if x.dtype == kind else operation("{}", otherwise, (kind,), kind, x)

    def abs(self, x: Lazy) -> Any:
        """The absolute value."""
        return unary_operation("fabs({})" if x.dtype.kind == "f" else "{0} < 0 ? -{0} : {0}", "if", self._xp.abs, x)

    def sum(self, x: Lazy, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """The sum, of integers in their widest type, or in another type."""
        kind = np.dtype(dtype) if dtype else INT if x.dtype.kind in "bi" else x.dtype
        found = lazy_reduction("sum", self.astype(x, kind), axis, keepdims)
        return eager(self._xp.sum)(x, axis=axis, dtype=dtype, keepdims=keepdims) if found is None else found

    def take(self, x: Lazy, places: Lazy, /, *, axis: int | None = None) -> Any:
        """The elements at places along an axis; along the first one they wait, and places must be of 0 to n - 1."""
        x, places = as_lazy(x), as_lazy(places)
        is_first = x.ndim > 0 and x.shape[0] and axis in ((None, 0, -1) if x.ndim == 1 else (0,))
        if not is_first or places.ndim != 1 or places.dtype.kind != "i" or not {x.dtype, places.dtype} <= C.keys():
            return eager(self._xp.take)(x, places, axis=axis)
        find(y for y in (x, places) if y.depth > _DEEPEST_TAKEN)
        found = lazy_result((*places.shape, *x.shape[1:]), x.dtype, TAKE, (), x, places)
        found.depth += _DEEPEST_TAKEN  # before elements of this are taken in turn, it is found
        return found

    def concat(self, arrays: Sequence[Lazy], /, *, axis: int = 0) -> Any:
        """Arrays one after the other; a few of one type along the first axis wait."""
        given = [*map(as_lazy, arrays)]
        kinds = {(x.dtype, x.shape[1:]) for x in given if x.ndim}
        if (
            axis == 0
            and len(kinds) == 1
            and len(given) <= MOST_RESULTS
            and given[0].dtype in C
            and all(map(len, given))
        ):
            return functools.reduce(_join, given)
        return eager(self._xp.concat)(given, axis=axis)

    def stack(self, arrays: Sequence[Lazy], /, *, axis: int = 0) -> Any:
        """Arrays along a new axis; a few of one type along the first axis wait."""
        if axis == 0 or (axis == -1 and not as_lazy(arrays[0]).ndim):
            return self.concat([as_lazy(x)[None] for x in arrays])
        return eager(self._xp.stack)(arrays, axis=axis)

    def arange(self, start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
        """Integers in a row."""
        first, end = (0, start) if stop is None else (start, stop)
        if step != 1 or np.dtype(dtype or INT) != INT or not all(isinstance(x, int) for x in (first, end)):
            return eager(self._xp.arange)(start, stop, step, dtype=dtype, device=device)
        found: Any = constant(0, (max(0, end - first),), INT, device)
        found.operation, found.is_flat = (INDEX, (), ()), False
        return found + first if first else found

    def full_like(self, x: Lazy, value: Any, *, dtype: Any = None, device: Any = None) -> Lazy:
        """A number in the shape and the type of ``x``."""
        return self._constant(value, x.shape, dtype or x.dtype, x.device)

    def zeros_like(self, x: Lazy, *, dtype: Any = None, device: Any = None) -> Lazy:
        """0 in the shape and the type of ``x``."""
        return self.full_like(x, 0, dtype=dtype)

    def ones_like(self, x: Lazy, *, dtype: Any = None, device: Any = None) -> Lazy:
        """1 in the shape and the type of ``x``."""
        return self.full_like(x, 1, dtype=dtype)

    def zeros(self, shape: Any, *, dtype: Any, device: Any) -> Lazy:
        """0 in a shape and a type."""
        return self._constant(0, shape if isinstance(shape, tuple) else (shape,), dtype, device)

    def ones(self, shape: Any, *, dtype: Any, device: Any) -> Lazy:
        """1 in a shape and a type."""
        return self._constant(1, shape if isinstance(shape, tuple) else (shape,), dtype, device)

    def _constant(self, value: Any, shape: tuple[int, ...], dtype: Any, device: Any) -> Lazy:
        if np.dtype(dtype) in C:
            return constant(value, shape, dtype, device)
        return as_lazy(self._xp.full(shape, value, dtype=dtype, device=device))


def _function(name: str, result: Any = None) -> Any:
    """A function of floats."""
    return lambda self, x: unary_operation(f"{name}({{}})", "f", getattr(self._xp, name), x, result)


def _extreme(name: str) -> Any:
    """The smaller or the larger of two."""

    def function(self: _Namespace, x: Any, y: Any) -> Any:
        cast = common_type(x, y)
        return operation(form_of(name[:3], cast), eager(getattr(self._xp, name)), (cast, cast), cast, x, y)

    return function


def _extreme_along(name: str) -> Any:
    """The smallest or the largest along axes."""

    def function(self: _Namespace, x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        found = lazy_reduction(name, x, axis, keepdims)
        return eager(getattr(self._xp, name))(x, axis=axis, keepdims=keepdims) if found is None else found

    return function


def _test(name: str, kind: str) -> Any:
    """Whether any or all elements are true."""

    def function(self: _Namespace, x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        found = lazy_reduction(kind, self.astype(x != 0 if x.dtype != BOOL else x, INT), axis, keepdims)
        return eager(getattr(self._xp, name))(x, axis=axis, keepdims=keepdims) if found is None else found != 0

    return function


for _name in ("sqrt", "exp", "expm1", "log", "log1p", "log2", "floor", "ceil"):
    setattr(_Namespace, _name, _function(_name))
for _name in ("isnan", "isfinite", "isinf"):
    setattr(_Namespace, _name, _function(_name, BOOL))
for _name in ("minimum", "maximum"):
    setattr(_Namespace, _name, _extreme(_name))
for _name in ("min", "max"):
    setattr(_Namespace, _name, _extreme_along(_name))
for _name, _kind in {"any": "max", "all": "min"}.items():
    setattr(_Namespace, _name, _test(_name, _kind))


class _LazyBackend(CupyBackend):
    """Lazy arrays: what only CuPy has, it does with its own."""

    is_writable = False

    def __init__(self, cupy: CupyBackend) -> None:
        super().__init__(_Namespace(cupy.xp))  # type: ignore[arg-type]
        for name in ("count", "total", "total_of_runs", "largest"):
            setattr(self, name, eager(getattr(cupy, name)))

    def to_host(self, x: Lazy) -> np.ndarray[Any, Any]:
        return np.asarray(x.array.get())

    def as_cupy(self, *arrays: Lazy | None) -> AbstractContextManager[tuple[Any, ...]]:
        find(arrays_in(arrays))
        return super().as_cupy(*map(read_in, arrays))

    def to_cupy(self, x: Lazy) -> Array:
        return x.array

    def from_cupy(self, x: Any, like: Lazy) -> Lazy:
        return leaf(x)

    def copied(self, x: Lazy) -> Any:
        return x if x.known is None else super().copied(x)

    def repeated(self, step: Callable[[tuple[Array, ...]], tuple[Array, ...]], state: Any, times: Any) -> Any:
        def take_step(state: tuple[Array, ...]) -> tuple[Array, ...]:
            state = step(state)
            find(arrays_in(state))  # so that each step has the same kernels
            return state

        return super().repeated(take_step, state, times)

    def matmul(self, x: Any, y: Any) -> Any:
        if x.ndim == 2 and math.prod(x.shape) * math.prod(y.shape[1:]) <= _MOST_PRODUCTS:
            x, y = self.as_real(x, x), self.as_real(y, y)
            return self.xp.sum(x * y if y.ndim == 1 else x[:, :, None] * y[None, :, :], axis=1)
        return super().matmul(x, y)


@functools.cache
def _register(cupy: CupyBackend) -> None:
    register_type(Lazy, _LazyBackend(cupy))


def make_lazy(x: Any) -> Any:
    """An array of CuPy as a lazy one, where kernels can be compiled; anything else as it is."""
    backend = backend_of(x)
    if not isinstance(backend, CupyBackend) or not has_cupy():
        return x
    _register(backend)
    found = leaf(x)
    found.is_given = True
    return found


def read_all(x: Any, are_own: bool) -> Any:
    """A lazy array, or those of a tuple, as arrays of CuPy; anything else as it is.

    With ``are_own`` they are copies of what was given to :func:`make_lazy`, or is a part of it.
    """
    lazies = [*arrays_in(x)]
    find(lazies)
    if are_own:
        for y in lazies:
            if y.is_given:
                y.known, y.is_given = y.array.copy(), False
    return read_in(x)
