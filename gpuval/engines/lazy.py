"""Arrays of CuPy whose arithmetic waits until it is read: then all of it is one kernel, and not one for each operation.

A :class:`Lazy` array is an array of CuPy, or waits: for operations on others, element by element, for a sum or an
extreme, or for other places of an array. What is none of these, such as a sort, reads its arrays. What is read is found
by a kernel of ``arithmetic``, in which each operation is rounded by itself.

Measures work with lazy arrays of what they read (:func:`lazily`). They are never returned, and cannot be written into.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import numpy as np

from gpuval.engines.arithmetic import CONCAT, INDEX, TAKE, VIEW, C, evaluate, form_of, reduce
from gpuval.engines.backends import backend_of, known_as
from gpuval.engines.backends.cupy import CupyBackend
from gpuval.engines.cuda.arrays import has_cupy
from gpuval.numerics import Array

_MOST_ARRAYS, _DEEPEST = 24, 128
"""What waits is found before it would read more arrays than this, or be deeper."""

_DEEPEST_TAKEN = 8
"""And so is what is deeper than this before elements of it are taken, each perhaps many times, or it says which."""

_MOST_RESULTS = 8
"""Arrays that one kernel gives."""

_MOST_REDUCED, _MOST_PRODUCTS = 1 << 16, 1 << 20
"""
So many elements are reduced to one by one block, and so many products are added up for a product of matrices; of more,
functions of CuPy make several parts.
"""

_BOOL, _INT, _FLOAT = np.dtype("bool"), np.dtype("int64"), np.dtype("float64")


class Lazy:
    """An array of CuPy, or what waits for its first reader."""

    __slots__ = ("_leaves", "_reduction", "depth", "device", "dtype", "is_flat", "known", "operation", "shape")
    __array_ufunc__ = None  # so that NumPy's numbers leave arithmetic to this
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: Any, known: Any = None) -> None:
        self.shape, self.dtype, self.device, self.known = shape, dtype, device, known
        self.operation: tuple[str, tuple[Any, ...], tuple[Any, ...]] = "", (), ()
        self._reduction: tuple[str, Lazy, tuple[int, ...]] | None = None
        self.depth, self.is_flat = 0, True
        self._leaves: dict[int, Lazy] | None = None  # of an operation; not itself, as a cycle would keep its memory

    @property
    def array(self) -> Any:
        """The array of CuPy."""
        if self.known is None:
            _find([self])
        return self.known

    @property
    def T(self) -> Lazy:
        """The transposed matrix."""
        return _leaf(self.array.T)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Lazy:
        view = _view(key if isinstance(key, tuple) else (key,), self.shape)
        if view is not None and view[0] == self.shape:
            return self
        if view is None or self.known is not None:
            return _leaf(self.array[_read(key)])
        return _waiting(view[0], self.dtype, VIEW, view[1], self)

    def __iter__(self) -> Iterator[Lazy]:
        return map(_leaf, self.array)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __index__(self) -> int:
        return operator.index(self.array)

    def __neg__(self) -> Any:
        return _of_one("-{}", "if", operator.neg, self)

    def __invert__(self) -> Any:
        return _of_one("!{}" if self.dtype == _BOOL else "~{}", "bi", operator.invert, self)


def _view(key: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int | None, ...]] | None:
    """The shape of a view, and its axis for each axis here; None if the key takes some of an axis.

    It may add axes, and leave out such of one element.
    """
    n_missing = len(shape) - sum(x is not None and x is not Ellipsis for x in key)
    key = key if any(x is Ellipsis for x in key) else (*key, Ellipsis)
    of_view: list[int] = []
    axes: list[int | None] = []
    for x in itertools.chain.from_iterable([slice(None)] * n_missing if y is Ellipsis else [y] for y in key):
        if x is None:
            of_view.append(1)
        elif isinstance(x, slice) and x.indices(shape[len(axes)]) == (0, shape[len(axes)], 1):
            of_view.append(shape[len(axes)])
            axes.append(len(of_view) - 1)
        elif x == 0 and not isinstance(x, bool | Lazy) and shape[len(axes)] == 1:
            axes.append(None)
        else:
            return None
    return tuple(of_view), tuple(axes)


def _define(name: str, text: str, kinds: str, result: Any = None) -> None:
    """Give lazy arrays an operator of two that waits, where their common type is of these kinds.

    ``result`` is its type if that is not the common one.
    """
    function = getattr(operator, f"__{name}__")

    def forward(x: Any, y: Any) -> Any:
        cast = _type_of(x, y)
        if name == "truediv" and cast.kind != "f":
            cast = _FLOAT
        return _operation(text if cast.kind in kinds else "", _eager(function), (cast, cast), result or cast, x, y)

    setattr(Lazy, f"__{name}__", forward)
    if result is None:
        setattr(Lazy, f"__r{name}__", lambda y, x: forward(x, y))


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}.items():
    _define(_name, f"{{}} {_sign} {{}}", "if")
for _name, _sign in {"and": "&", "or": "|", "xor": "^"}.items():
    _define(_name, f"{{}} {_sign} {{}}", "bi")
for _name, _sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    _define(_name, f"{{}} {_sign} {{}}", "bif", _BOOL)
_define("rshift", "{} >> {}", "i")
_define("pow", "pow({}, {})", "f")
for _name in ("lshift", "floordiv", "mod", "matmul"):
    _define(_name, "", "")


@functools.cache
def _common(*types: Any) -> np.dtype[Any]:
    """The type of a result; ``types`` are dtypes, or the types of Python's numbers."""
    return np.result_type(*(x if isinstance(x, np.dtype) else x(0) for x in types))


def _type_of(*given: Any) -> np.dtype[Any]:
    kinds: tuple[Any, ...] = tuple(x.dtype if hasattr(x, "dtype") else type(x) for x in given)
    return _common(*kinds)


def _operation(text: str, eager: Callable[..., Any], casts: tuple[Any, ...], dtype: Any, *given: Any) -> Any:
    """An operation that waits, on operands of the types ``casts``; or what it gives, if its types are not among those.

    ``eager`` gives that. There is no text of what never waits.
    """
    operands = tuple(_operand(x, cast) for x, cast in zip(given, casts, strict=True))
    if not text or not {dtype, *casts, *(x.dtype for x in operands)} <= C.keys():
        return eager(*given)
    shapes = {x.shape for x in operands if isinstance(x, Lazy)}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    return _waiting(shape, dtype, text, casts, *operands)


def _of_one(text: str, kinds: str, function: Callable[..., Any], x: Any, result: Any = None) -> Any:
    """An operation on one array that waits, where its type is of these kinds."""
    x = _lazy(x)
    return _operation(text if x.dtype.kind in kinds else "", _eager(function), (x.dtype,), result or x.dtype, x)


def _operand(x: Any, cast: Any) -> Any:
    """A lazy array, or a number as one of NumPy's of a type."""
    return cast.type(x) if isinstance(x, bool | int | float | np.generic) else _lazy(x)


def _waiting(shape: tuple[int, ...], dtype: Any, text: str, types: tuple[Any, ...], *operands: Any) -> Lazy:
    arrays = [x for x in operands if isinstance(x, Lazy)]
    depth, leaves = 1 + max(x.depth for x in arrays), _leaves_of(arrays)
    if len(leaves) > _MOST_ARRAYS or depth > _DEEPEST:
        _find(arrays)
        depth, leaves = 1, _leaves_of(arrays)
    found = Lazy(shape, dtype, arrays[0].device)
    found.operation, found.depth, found._leaves = (text, types, operands), depth, leaves
    found.is_flat = text not in (VIEW, TAKE, CONCAT) and all(x.is_flat for x in arrays)
    return found


def _leaves_of(arrays: Iterable[Lazy]) -> dict[int, Lazy]:
    """What is read for arrays: those of CuPy, and reductions, by their identity."""
    leaves: dict[int, Lazy] = {}
    for x in arrays:
        if x._leaves is None:
            leaves[id(x)] = x
        else:
            leaves.update(x._leaves)
    return leaves


def _leaf(x: Any) -> Lazy:
    """A lazy array that waits for nothing."""
    return Lazy(x.shape, x.dtype, x.device, x)


def _lazy(x: Any) -> Lazy:
    """An array of CuPy, as it may be given beside lazy ones, as a lazy one."""
    return x if isinstance(x, Lazy) else _leaf(x)


def _constant(value: Any, shape: tuple[int, ...], dtype: Any, device: Any) -> Lazy:
    found = Lazy(shape, np.dtype(dtype), device)
    found.operation, found._leaves = ("{}", (found.dtype,), (found.dtype.type(value),)), {}
    return found


def _joined(x: Lazy, y: Lazy) -> Lazy:
    return _waiting((len(x) + len(y), *x.shape[1:]), x.dtype, CONCAT, (), x, y)


def _reduced(kind: str, x: Any, axis: Any, keepdims: bool) -> Any:
    """A reduction that waits; None if it has no kernel here."""
    x = _lazy(x)
    if not x.ndim:
        return x
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(sorted(j % x.ndim for j in axes))
    n = math.prod(x.shape[j] for j in axes)
    if x.dtype not in C or x.dtype == _BOOL or n > _MOST_REDUCED or (kind != "sum" and not n):
        return None
    kept = tuple(1 if j in axes else length for j, length in enumerate(x.shape) if keepdims or j not in axes)
    found = Lazy(kept, x.dtype, x.device)
    found._reduction = kind, x, axes
    return found


# What waits is found


def _find(waiting: Iterable[Lazy]) -> None:
    """Find what waits: what is of one shape by one kernel, or by a few."""
    pending = [x for x in {id(x): x for x in waiting}.values() if x.known is None]
    _reduce(x for x in _leaves_of(pending).values() if x.known is None)
    by_shape: dict[Any, list[Lazy]] = {}
    for x in pending:
        if x.known is None:
            by_shape.setdefault(x.shape, []).append(x)
    for shape, alike in by_shape.items():
        for some in _fitting(alike):
            leaves = [x.known for x in _leaves_of(some).values()]
            are_flat = all(x.is_flat for x in some) and all(
                x.size == 1 or (x.shape == shape and x.flags.c_contiguous) for x in leaves
            )
            with some[0].device:
                _keep(some, evaluate(some, are_flat))


def _reduce(waiting: Iterable[Lazy]) -> None:
    """Find reductions that wait: those of one shape along the same axes by one kernel, or by a few."""
    reductions = [(x, *x._reduction) for x in waiting if x._reduction is not None]
    if not reductions:
        return
    _reduce(x for x in _leaves_of(source for _, _, source, _ in reductions).values() if x.known is None)
    alike: dict[Any, list[Lazy]] = {}
    for x, _, source, axes in reductions:
        if x.known is None:
            alike.setdefault((source.shape, axes), []).append(x)
    for (_, axes), results in alike.items():
        for some in _fitting(results):
            kinds, sources = zip(*(x._reduction[:2] for x in some), strict=True)  # type: ignore[index]
            with some[0].device:
                found = reduce(kinds, sources, axes)
            _keep(some, [y if y.shape == x.shape else y.reshape(x.shape) for x, y in zip(some, found, strict=True)])


def _fitting(alike: list[Lazy]) -> Iterator[list[Lazy]]:
    """Parts of a list of lazy arrays, each for one kernel."""
    some: list[Lazy] = []
    for x in alike:
        sources = [y if y._reduction is None else y._reduction[1] for y in (*some, x)]
        if some and (len(some) == _MOST_RESULTS or len(_leaves_of(sources)) > _MOST_ARRAYS):
            yield some
            some = []
        some.append(x)
    if some:
        yield some


def _keep(waiting: Sequence[Lazy], found: Sequence[Any]) -> None:
    for x, array in zip(waiting, found, strict=True):
        x.known, x.operation, x._reduction = array, ("", (), ()), None
        x.depth, x.is_flat, x._leaves = 0, True, None


# Functions of CuPy's arrays, for lazy ones


def _arrays_in(x: Any) -> Iterator[Lazy]:
    if isinstance(x, Lazy):
        yield x
    elif isinstance(x, list | tuple):
        for y in x:
            yield from _arrays_in(y)


def _read(x: Any) -> Any:
    """``x`` with CuPy's arrays in the place of lazy ones, also within lists and tuples."""
    if isinstance(x, Lazy):
        return x.array
    return _mapped(_read, x)


def _made_lazy(x: Any) -> Any:
    """``x`` with lazy arrays in the place of CuPy's, also within lists and tuples."""
    import cupy

    return _leaf(x) if isinstance(x, cupy.ndarray) else _mapped(_made_lazy, x)


def _mapped(function: Callable[[Any], Any], x: Any) -> Any:
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*map(function, x))
    return type(x)(map(function, x)) if isinstance(x, list | tuple) else x


def _eager(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of CuPy's arrays as one of lazy arrays, which it reads."""

    @functools.wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        _find([*_arrays_in(given), *_arrays_in(tuple(options.values()))])
        options = {name: _read(x) for name, x in options.items()}
        return _made_lazy(function(*map(_read, given), **options))

    return called


class _Namespace:
    """The array namespace of lazy arrays: CuPy's, in which much waits."""

    def __init__(self, xp: Any) -> None:
        self._xp = xp

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._xp, name)
        if isinstance(found, ModuleType):
            found = _Namespace(found)
        elif callable(found) and not isinstance(found, type):
            found = _eager(found)
        vars(self)[name] = found
        return found

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """``a`` where the condition holds, else ``b``."""
        cast = _type_of(a, b)
        return _operation("{} ? {} : {}", _eager(self._xp.where), (_BOOL, cast, cast), cast, condition, a, b)

    def astype(self, x: Lazy, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
        """``x`` in another type."""
        kind = np.dtype(dtype)
        eager = _eager(lambda y: self._xp.astype(y, kind))
        return _lazy(x) if x.dtype == kind else _operation("{}", eager, (kind,), kind, x)

    def abs(self, x: Lazy) -> Any:
        """The absolute value."""
        return _of_one("fabs({})" if x.dtype.kind == "f" else "{0} < 0 ? -{0} : {0}", "if", self._xp.abs, x)

    def sum(self, x: Lazy, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """The sum, of integers in their widest type, or in another type."""
        kind = np.dtype(dtype) if dtype else _INT if x.dtype.kind in "bi" else x.dtype
        found = _reduced("sum", self.astype(x, kind), axis, keepdims)
        return _eager(self._xp.sum)(x, axis=axis, dtype=dtype, keepdims=keepdims) if found is None else found

    def max(self, x: Lazy, *, axis: Any = None, keepdims: bool = False) -> Any:
        """The largest."""
        found = _reduced("max", x, axis, keepdims)
        return _eager(self._xp.max)(x, axis=axis, keepdims=keepdims) if found is None else found

    def min(self, x: Lazy, *, axis: Any = None, keepdims: bool = False) -> Any:
        """The smallest."""
        found = _reduced("min", x, axis, keepdims)
        return _eager(self._xp.min)(x, axis=axis, keepdims=keepdims) if found is None else found

    def take(self, x: Lazy, places: Lazy, /, *, axis: int | None = None) -> Any:
        """The elements at places along an axis; along the first one they wait."""
        x, places = _lazy(x), _lazy(places)
        is_first = x.ndim > 0 and x.shape[0] and axis in ((None, 0, -1) if x.ndim == 1 else (0,))
        if not is_first or places.ndim != 1 or not {x.dtype, places.dtype} <= C.keys():
            return _eager(self._xp.take)(x, places, axis=axis)
        _find(y for y in (x, places) if y.depth > _DEEPEST_TAKEN)
        found = _waiting((*places.shape, *x.shape[1:]), x.dtype, TAKE, (), x, places)
        found.depth += _DEEPEST_TAKEN  # before elements of this are taken in turn, it is found
        return found

    def concat(self, arrays: Sequence[Lazy], /, *, axis: int = 0) -> Any:
        """Arrays one after the other; a few of one type along the first axis wait."""
        given = [*map(_lazy, arrays)]
        kinds = {(x.dtype, x.shape[1:]) for x in given if x.ndim}
        if (
            axis == 0
            and len(kinds) == 1
            and len(given) <= _MOST_RESULTS
            and given[0].dtype in C
            and all(map(len, given))
        ):
            return functools.reduce(_joined, given)
        return _eager(self._xp.concat)(given, axis=axis)

    def stack(self, arrays: Sequence[Lazy], /, *, axis: int = 0) -> Any:
        """Arrays along a new axis; a few of one type along the first axis wait."""
        if axis == 0 or (axis == -1 and not _lazy(arrays[0]).ndim):
            return self.concat([_lazy(x)[None] for x in arrays])
        return _eager(self._xp.stack)(arrays, axis=axis)

    def arange(self, start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
        """Integers in a row."""
        first, end = (0, start) if stop is None else (start, stop)
        if step != 1 or np.dtype(dtype or _INT) != _INT or not all(isinstance(x, int) for x in (first, end)):
            return _eager(self._xp.arange)(start, stop, step, dtype=dtype, device=device)
        found: Any = _constant(0, (max(0, end - first),), _INT, device)
        found.operation, found.is_flat = (INDEX, (), ()), False
        return found + first if first else found

    def full_like(self, x: Lazy, value: Any, *, dtype: Any = None, device: Any = None) -> Lazy:
        """A number in the shape and the type of ``x``."""
        return _constant(value, x.shape, dtype or x.dtype, x.device)

    def zeros_like(self, x: Lazy, *, dtype: Any = None, device: Any = None) -> Lazy:
        """0 in the shape and the type of ``x``."""
        return self.full_like(x, 0, dtype=dtype)

    def ones_like(self, x: Lazy, *, dtype: Any = None, device: Any = None) -> Lazy:
        """1 in the shape and the type of ``x``."""
        return self.full_like(x, 1, dtype=dtype)

    def zeros(self, shape: Any, *, dtype: Any, device: Any) -> Lazy:
        """0 in a shape and a type."""
        return _constant(0, shape if isinstance(shape, tuple) else (shape,), dtype, device)

    def ones(self, shape: Any, *, dtype: Any, device: Any) -> Lazy:
        """1 in a shape and a type."""
        return _constant(1, shape if isinstance(shape, tuple) else (shape,), dtype, device)


def _function(name: str, result: Any = None) -> Any:
    """A function of floats."""
    return lambda self, x: _of_one(f"{name}({{}})", "f", getattr(self._xp, name), x, result)


def _extreme(name: str) -> Any:
    """The smaller or the larger of two."""

    def function(self: _Namespace, x: Any, y: Any) -> Any:
        cast = _type_of(x, y)
        return _operation(form_of(name[:3], cast), _eager(getattr(self._xp, name)), (cast, cast), cast, x, y)

    return function


def _test(name: str, kind: str) -> Any:
    """Whether any or all elements are true."""

    def function(self: _Namespace, x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        found = _reduced(kind, self.astype(x != 0 if x.dtype != _BOOL else x, _INT), axis, keepdims)
        return _eager(getattr(self._xp, name))(x, axis=axis, keepdims=keepdims) if found is None else found != 0

    return function


for _name in ("sqrt", "exp", "expm1", "log", "log1p", "log2", "floor", "ceil"):
    setattr(_Namespace, _name, _function(_name))
for _name in ("isnan", "isfinite", "isinf"):
    setattr(_Namespace, _name, _function(_name, _BOOL))
for _name in ("minimum", "maximum"):
    setattr(_Namespace, _name, _extreme(_name))
for _name, _kind in {"any": "max", "all": "min"}.items():
    setattr(_Namespace, _name, _test(_name, _kind))


class _LazyBackend(CupyBackend):
    """Lazy arrays: what only CuPy has, it does with its own."""

    is_writable = False

    def __init__(self, cupy: CupyBackend) -> None:
        super().__init__(_Namespace(cupy.xp))  # type: ignore[arg-type]
        for name in ("count", "total", "total_of_runs", "largest"):
            setattr(self, name, _eager(getattr(cupy, name)))

    def to_host(self, x: Lazy) -> np.ndarray[Any, Any]:
        return np.asarray(x.array.get())

    def as_cupy(self, *arrays: Lazy | None) -> AbstractContextManager[tuple[Any, ...]]:
        _find(_arrays_in(arrays))
        return super().as_cupy(*map(_read, arrays))

    def to_cupy(self, x: Lazy) -> Array:
        return x.array

    def from_cupy(self, x: Any, like: Lazy) -> Lazy:
        return _leaf(x)

    def copied(self, x: Lazy) -> Any:
        return x if x.known is None else super().copied(x)

    def matmul(self, x: Any, y: Any) -> Any:
        if x.ndim == 2 and math.prod(x.shape) * math.prod(y.shape[1:]) <= _MOST_PRODUCTS:
            x, y = self.as_real(x, x), self.as_real(y, y)
            return self.xp.sum(x * y if y.ndim == 1 else x[:, :, None] * y[None, :, :], axis=1)
        return super().matmul(x, y)


@functools.cache
def _registered(cupy: CupyBackend) -> None:
    known_as(Lazy, _LazyBackend(cupy))


def lazily(x: Any) -> Any:
    """``x`` as a lazy array, if it is an array of CuPy; anything else as it is."""
    if type(x).__module__ != "cupy" or not isinstance(backend := backend_of(x), CupyBackend) or not has_cupy():
        return x
    _registered(backend)
    return _leaf(x)


def read(x: Any) -> Any:
    """A lazy array, or those of a tuple, as arrays of CuPy; anything else as it is."""
    _find(_arrays_in(x))
    return _read(x)
