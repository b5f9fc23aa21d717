"""Arrays of CuPy whose arithmetic waits until it is read: then all of it is one kernel, and not one for each operation.

A :class:`Lazy` array is an array of CuPy, or waits: for operations on others, element by element, for a sum or an
extreme, or for other places of an array. What is none of these, such as a sort, reads its arrays. What is read is found
by a kernel of ``texts``, in which each operation is rounded by itself.

Measures work with lazy arrays of what they read (``engines.lazily``). They are never returned, and cannot be written
into.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from gpuval.engines.cuda.arithmetic.texts import CONCAT, TAKE, VIEW, C, evaluate, reduce

_MOST_ARRAYS, _DEEPEST = 24, 128
"""What waits is found before it would read more arrays than this, or be deeper."""

MOST_RESULTS = 8
"""Arrays that one kernel gives."""

_MOST_REDUCED = 1 << 16
"""So many elements are reduced to one by one block; of more, functions of CuPy make several parts."""

_LARGE = 1 << 20
"""Of more elements a reduction does not wait, as it would keep them in memory until it is read."""

BOOL, INT, _FLOAT = np.dtype("bool"), np.dtype("int64"), np.dtype("float64")


class Lazy:
    """An array of CuPy, or what waits for its first reader."""

    __slots__ = (
        "_leaves",
        "_reduction",
        "depth",
        "device",
        "dtype",
        "is_flat",
        "is_given",
        "known",
        "operation",
        "shape",
    )
    __array_ufunc__ = None  # so that NumPy's numbers leave arithmetic to this
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: Any, known: Any = None) -> None:
        self.shape, self.dtype, self.device, self.known = shape, dtype, device, known
        self.operation: tuple[str, tuple[Any, ...], tuple[Any, ...]] = "", (), ()
        self._reduction: tuple[str, Lazy, tuple[int, ...]] | None = None
        self.depth = 0
        self.is_flat = True  # each element is made of those at the same place
        self.is_given = False  # it is an array of a user or of a table, or a part of one
        self._leaves: dict[int, Lazy] | None = None  # None of arrays and reductions, which are their own leaves

    @property
    def array(self) -> Any:
        """The array of CuPy."""
        if self.known is None:
            find([self])
        return self.known

    @property
    def T(self) -> Any:
        """The transposed matrix."""
        return eager(operator.attrgetter("T"))(self)

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

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a lazy array is to be read before functions of NumPy and CuPy take it: without_waiting(x)")

    def __getitem__(self, key: Any) -> Lazy:
        view = _view(key if isinstance(key, tuple) else (key,), self.shape)
        if view is not None and view[0] == self.shape:
            return self
        if view is None or self.known is not None:
            found = leaf(self.array[read_in(key)])
            found.is_given = self.is_given
            return found
        return lazy_result(view[0], self.dtype, VIEW, view[1], self)

    def __iter__(self) -> Iterator[Lazy]:
        return map(leaf, self.array)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __index__(self) -> int:
        return operator.index(self.array)

    def __neg__(self) -> Any:
        return unary_operation("-{}", "if", operator.neg, self)

    def __invert__(self) -> Any:
        return unary_operation("!{}" if self.dtype == BOOL else "~{}", "bi", operator.invert, self)


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
        elif type(x) is int and x == 0 and shape[len(axes)] == 1:
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
        cast = common_type(x, y)
        if name == "truediv" and cast.kind != "f":
            cast = _FLOAT
        return operation(text if cast.kind in kinds else "", eager(function), (cast, cast), result or cast, x, y)

    setattr(Lazy, f"__{name}__", forward)
    if result is None:
        setattr(Lazy, f"__r{name}__", lambda y, x: forward(x, y))


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}.items():
    _define(_name, f"{{}} {_sign} {{}}", "if")
for _name, _sign in {"and": "&", "or": "|", "xor": "^"}.items():
    _define(_name, f"{{}} {_sign} {{}}", "bi")
for _name, _sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    _define(_name, f"{{}} {_sign} {{}}", "bif", BOOL)
_define("rshift", "{} >> {}", "i")
_define("pow", "pow({}, {})", "f")
for _name in ("lshift", "floordiv", "mod", "matmul"):
    _define(_name, "", "")


@functools.cache
def _common(*types: Any) -> np.dtype[Any]:
    """The type of a result; ``types`` are dtypes, or the types of Python's numbers."""
    return np.result_type(*(x if isinstance(x, np.dtype) else x(0) for x in types))


def common_type(*given: Any) -> np.dtype[Any]:
    """The common type of arrays and numbers."""
    kinds: tuple[Any, ...] = tuple(x.dtype if hasattr(x, "dtype") else type(x) for x in given)
    return _common(*kinds)


def operation(text: str, otherwise: Callable[..., Any], casts: tuple[Any, ...], dtype: Any, *given: Any) -> Any:
    """An operation that waits, on operands of the types ``casts``; or what it gives, if its types are not among those.

    ``otherwise`` gives that. There is no text of what never waits.
    """
    try:
        operands = tuple(_operand(x, cast) for x, cast in zip(given, casts, strict=True))
    except OverflowError:  # a number beyond the type
        return otherwise(*given)
    if not text or not {dtype, *casts, *(x.dtype for x in operands)} <= C.keys():
        return otherwise(*given)
    shapes = {x.shape for x in operands if isinstance(x, Lazy)}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    return lazy_result(shape, dtype, text, casts, *operands)


def unary_operation(text: str, kinds: str, function: Callable[..., Any], x: Any, result: Any = None) -> Any:
    """An operation on one array that waits, where its type is of these kinds."""
    x = as_lazy(x)
    return operation(text if x.dtype.kind in kinds else "", eager(function), (x.dtype,), result or x.dtype, x)


def _operand(x: Any, cast: Any) -> Any:
    """A lazy array, or a number as one of NumPy's of a type."""
    return cast.type(x) if isinstance(x, bool | int | float | np.generic) else as_lazy(x)


def lazy_result(shape: tuple[int, ...], dtype: Any, text: str, types: tuple[Any, ...], *operands: Any) -> Lazy:
    """What an operation gives, once it is read; see ``texts._Expression``."""
    arrays = [x for x in operands if isinstance(x, Lazy)]
    depth, leaves = 1 + max(x.depth for x in arrays), _leaves_of(arrays)
    if len(leaves) > _MOST_ARRAYS or depth > _DEEPEST:
        find(arrays)
        depth, leaves = 1, _leaves_of(arrays)
    found = Lazy(shape, dtype, arrays[0].device)
    found.operation, found.depth, found._leaves = (text, types, operands), depth, leaves
    of_one_place = all(x.is_flat and (x.shape == shape or x.size == 1) for x in arrays)
    found.is_flat = of_one_place and text not in (VIEW, TAKE, CONCAT)
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


def leaf(x: Any) -> Lazy:
    """A lazy array that waits for nothing."""
    return Lazy(x.shape, x.dtype, x.device, x)


def as_lazy(x: Any) -> Lazy:
    """An array of CuPy, as it may be given beside lazy ones, as a lazy one."""
    return x if isinstance(x, Lazy) else leaf(x)


def constant(value: Any, shape: tuple[int, ...], dtype: Any, device: Any) -> Lazy:
    """One number in a shape, in no memory until it is read."""
    found = Lazy(shape, np.dtype(dtype), device)
    found.operation, found._leaves = ("{}", (found.dtype,), (found.dtype.type(value),)), {}
    return found


def lazy_reduction(kind: str, x: Any, axis: Any, keepdims: bool) -> Any:
    """A reduction that waits; None if it has no kernel here."""
    x = as_lazy(x)
    if not x.ndim:
        return x
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(sorted(j % x.ndim for j in axes))
    n = math.prod(x.shape[j] for j in axes)
    if x.dtype not in C or x.dtype == BOOL or n > _MOST_REDUCED or (kind != "sum" and not n):
        return None
    kept = tuple(1 if j in axes else length for j, length in enumerate(x.shape) if keepdims or j not in axes)
    found = Lazy(kept, x.dtype, x.device)
    found._reduction, found.depth = (kind, x, axes), x.depth + 1
    if x.size > _LARGE:
        find([found])
    return found


# What waits is found


def find(lazies: Iterable[Lazy]) -> None:
    """Find what waits: what is of one shape by one kernel, or by a few."""
    pending = [x for x in {id(x): x for x in lazies}.values() if x.known is None]
    _reduce(x for x in _leaves_of(pending).values() if x.known is None)
    by_shape: dict[Any, list[Lazy]] = {}
    for x in pending:
        if x.known is None:
            by_shape.setdefault((x.shape, x.device.id), []).append(x)
    for (shape, _), alike in by_shape.items():
        for some in _kernel_groups(alike):
            leaves = [x.known for x in _leaves_of(some).values()]
            are_flat = all(x.is_flat for x in some) and all(
                x.size == 1 or (x.shape == shape and x.flags.c_contiguous) for x in leaves
            )
            with some[0].device:
                _keep(some, evaluate(some, are_flat))


def _reduce(lazies: Iterable[Lazy]) -> None:
    """Find reductions that wait: those of one shape along the same axes by one kernel, or by a few."""
    reductions = [(x, *x._reduction) for x in lazies if x._reduction is not None]
    if not reductions:
        return
    _reduce(x for x in _leaves_of(source for _, _, source, _ in reductions).values() if x.known is None)
    alike: dict[Any, list[Lazy]] = {}
    for x, _, source, axes in reductions:
        if x.known is None:
            alike.setdefault((source.shape, axes, x.device.id), []).append(x)
    for (_, axes, _), results in alike.items():
        for some in _kernel_groups(results):
            kinds, sources = zip(*(x._reduction[:2] for x in some), strict=True)  # type: ignore[index]
            with some[0].device:
                found = reduce(kinds, sources, axes)
            _keep(some, [y if y.shape == x.shape else y.reshape(x.shape) for x, y in zip(some, found, strict=True)])


def _kernel_groups(alike: list[Lazy]) -> Iterator[list[Lazy]]:
    """Parts of a list of lazy arrays, each for one kernel."""
    some: list[Lazy] = []
    for x in alike:
        sources = [y if y._reduction is None else y._reduction[1] for y in (*some, x)]
        if some and (len(some) == MOST_RESULTS or len(_leaves_of(sources)) > _MOST_ARRAYS):
            yield some
            some = []
        some.append(x)
    if some:
        yield some


def _keep(lazies: Sequence[Lazy], found: Sequence[Any]) -> None:
    for x, array in zip(lazies, found, strict=True):
        x.known, x.operation, x._reduction = array, ("", (), ()), None
        x.depth, x.is_flat, x._leaves = 0, True, None


# Functions of CuPy's arrays, for lazy ones


def arrays_in(x: Any) -> Iterator[Lazy]:
    """The lazy arrays in lists and tuples."""
    if isinstance(x, Lazy):
        yield x
    elif isinstance(x, list | tuple):
        for y in x:
            yield from arrays_in(y)


def read_in(x: Any) -> Any:
    """``x`` with CuPy's arrays in the place of lazy ones, also within lists and tuples."""
    if isinstance(x, Lazy):
        return x.array
    return _map_items(read_in, x)


def _make_lazy(x: Any) -> Any:
    """``x`` with lazy arrays in the place of CuPy's, also within lists and tuples."""
    import cupy

    return leaf(x) if isinstance(x, cupy.ndarray) else _map_items(_make_lazy, x)


def _map_items(function: Callable[[Any], Any], x: Any) -> Any:
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*map(function, x))
    return type(x)(map(function, x)) if isinstance(x, list | tuple) else x


def eager(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of CuPy's arrays as one of lazy arrays, which it reads."""

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        find([*arrays_in(given), *arrays_in(tuple(options.values()))])
        options = {name: read_in(x) for name, x in options.items()}
        found = _make_lazy(function(*map(read_in, given), **options))
        shown = [x.known for x in arrays_in(given) if x.is_given]
        for x in arrays_in(found) if shown else ():
            x.is_given = x.known.base is not None or any(x.known is y for y in shown)  # perhaps a part of it
        return found

    return call
