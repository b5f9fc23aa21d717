"""Kernels of arithmetic that waits: their text, and their launch on arrays of CuPy.

An *expression* is a tree whose leaves are arrays of CuPy and numbers, and whose nodes are operations, element by
element. :func:`evaluate` finds expressions of one shape, and :func:`reduce` their sums or extremes along some axes. The
text of a kernel has the operations and how each array is read; shapes, strides and numbers are its arguments.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, device, kernel_of_text

_BLOCK, _PER_THREAD = 256, 4

_WARP_UP_TO = 512
"""Up to so many elements a warp reduces them, and of more a block."""

_SUFFIXES = {"i8": "LL", "f4": "f"}
"""What a literal of a type ends with, if it would be of another one without."""

C = {np.dtype(name): text for name, text in [("?", "bool"), ("i4", "int"), ("i8", "long long")]}
C |= {np.dtype("f4"): "float", np.dtype("f8"): "double"}
"""The types of numbers that kernels have, and what these are in CUDA."""

_LITERALS = range(-4, 5)
"""Numbers that stand in the text of a kernel, as formulas have them; others, such as options, are arguments."""

_MOST_ARGUMENTS = 256
"""Beyond so many arguments of a kernel, of which it can have 4096 bytes, all numbers stand in its text."""


def form_of(kind: str, dtype: np.dtype[Any]) -> str:
    """What is made of two numbers: "sum", "max" or "min"; an extreme is NaN if one of them is."""
    if kind == "sum":
        return "{0} + {1}"
    first = f"{{0}} {'<' if kind == 'min' else '>'} {{1}}"
    return f"{first}{' || {0} != {0}' if dtype.kind == 'f' else ''} ? {{0}} : {{1}}"


Operation = tuple[str, tuple[Any, ...], tuple[Any, ...]]
"""A text, types and operands; see :class:`_Expression`."""


class _Expression(Protocol):
    """A node of a tree."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    known: CupyArray | None
    """The array of a leaf; None of an operation."""
    operation: Operation
    """
    The text of an operation, with braces for its operands; the types they are to have; and the operands, which may be
    numbers of NumPy. Or one of ``VIEW``, ``INDEX``, ``TAKE`` and ``CONCAT``, and what these need.
    """


VIEW, INDEX, TAKE, CONCAT = "view", "index", "take", "concat"
"""
Operations on places. A view has, in the place of types, the axis of its own for each axis of its operand. An index is
the place along its only axis. A take has an operand and the places along its first axis that are taken, which must be
of 0 to n - 1, and a concatenation two operands along it.
"""

Axes = tuple[str, ...]
"""The names of the places along the axes of an expression."""


class _Text:
    """The lines of a kernel for each element, and its parameters and arguments."""

    def __init__(self, axes: Axes, shape: tuple[int, ...]) -> None:
        self.lines: list[str] = []
        self.parameters: list[str] = []
        self.arguments: list[Any] = []
        self.axes, self._shape = axes, shape
        self._names: dict[Any, str] = {}
        self._of_arrays: dict[int, tuple[str, list[str]]] = {}
        self._used: set[str] = set()
        self._later: dict[str, Callable[[], str]] = {}

    def parameter(self, kind: str, argument: Any) -> str:
        """The name of a new parameter."""
        name = f"p{len(self.arguments)}"
        self.parameters.append(f"{kind} {name}")
        self.arguments.append(argument)
        return name

    def value(self, x: Any, axes: Axes) -> str:
        """The name of the value of an expression, or of a number, at places along axes, of which the last count."""
        if not hasattr(x, "operation"):
            is_many = len(self.arguments) > _MOST_ARGUMENTS and np.isfinite(x)
            is_literal = x.dtype.kind == "b" or x in _LITERALS or is_many
            return (
                f"({x.item()!r}{_SUFFIXES.get(x.dtype.str[1:], '')})".lower()
                if is_literal
                else self.parameter(C[x.dtype], x)
            )
        axes = tuple("0" if n == 1 else axis for n, axis in zip(x.shape, axes[len(axes) - len(x.shape) :], strict=True))
        if (id(x), axes) not in self._names:
            text = self._element(x.known, axes) if x.known is not None else self._operation_text(x.operation, axes)
            self._names[id(x), axes] = self._line(C[x.dtype], text)
        return self._names[id(x), axes]

    def _line(self, kind: str, text: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"const {kind} {name} = {text};")
        return name

    def _operation_text(self, operation: Operation, axes: Axes) -> str:
        form, types, operands = operation
        if form == VIEW:
            return self.value(operands[0], tuple("0" if j is None else axes[j] for j in types))
        if form == INDEX:
            return f"(long long){self._read(axes[0])}"
        if form == TAKE:
            x, places = operands
            place = self._place_token((id(places), axes[0]), lambda: self.value(places, axes[:1]))
            return self.value(x, (place, *axes[1:]))
        if form == CONCAT:
            place = self._read(axes[0])
            n = self.parameter("long long", np.int64(operands[0].shape[0]))
            is_first = self._line("bool", f"(long long){place} < {n}")
            ways = f"(long long){place} : {n} - 1", f"0 : (long long){place} - {n}"
            first, second = (
                self.value(
                    x, (self._place_token((is_first, way), self._line, "long long", f"{is_first} ? {way}"), *axes[1:])
                )
                for x, way in zip(operands, ways, strict=True)
            )
            return f"{is_first} ? {first} : {second}"
        names = [self.value(x, axes) for x in operands]
        cast = [y if x.dtype == t else f"({C[t]}){y}" for x, y, t in zip(operands, names, types, strict=True)]
        return form.format(*cast)

    def _place_token(self, key: Any, find: Callable[..., str], *arguments: str) -> str:
        """What stands for a place, which is found by ``find`` only if an array is read there."""
        token = f"@{key}"
        self._later.setdefault(token, functools.partial(find, *arguments))
        return token

    def _read(self, axis: str) -> str:
        """The name of the place along an axis."""
        if axis not in self._later:
            self._used.add(axis)
            return axis
        name = self._later[axis]()
        self._later[axis] = lambda: name
        return name

    def _element(self, x: CupyArray, axes: Axes) -> str:
        if id(x) not in self._of_arrays:
            name = self.parameter(f"const {C[x.dtype]}*", x)
            lengths = x.shape if self.axes != ("i",) else ()
            steps = [
                self.parameter("long long", np.int64(stride // x.itemsize)) if length > 1 else ""
                for length, stride in zip(lengths, x.strides, strict=False)
            ]
            self._of_arrays[id(x)] = name, steps
        name, steps = self._of_arrays[id(x)]
        if self.axes == ("i",):
            return f"{name}[{'i' if x.size > 1 else 0}]"
        terms = [f"{self._read(axis)} * {step}" for axis, step in zip(axes, steps, strict=True) if step]
        return f"{name}[{' + '.join(terms) or 0}]"

    def places(self, index: str, axes: Sequence[int]) -> list[str]:
        """Lines that find, from the number of an element, its place along each of some axes that arrays are read by."""
        lines = []
        names = [self.axes[j] for j in axes]
        for before in range(len(axes) - 1, 0, -1):
            axis, size = names[before], ""
            rest = not self._used.isdisjoint(names[:before])
            if rest or axis in self._used:
                size = self.parameter("unsigned long long", np.uint64(self._shape[axes[before]]))
            if axis in self._used:
                lines.append(f"const unsigned long long {axis} = {index} % {size};")
            if not rest:
                return lines
            lines.append(f"const unsigned long long {axis}_ = {index} / {size};")
            index = f"{axis}_"
        return [*lines, f"const unsigned long long {names[0]} = {index};"] if self._used & {*names[:1]} else lines

    def kernel(self, name: str, head: Sequence[str], tail: Sequence[str]) -> tuple[str, list[Any]]:
        """The text around these lines, and the arguments."""
        lines = [f"__global__ void {name}({', '.join(self.parameters)}) {{", *head, *self.lines, *tail, "}"]
        return "\n".join(["namespace gpuval {", *lines, "}", ""]), self.arguments


def evaluate(expressions: Sequence[_Expression], are_flat: bool) -> list[CupyArray]:
    """Arrays of one shape, by one kernel on the current device.

    ``are_flat`` says that all that it reads are arrays of this shape, contiguous ones, or of one element.
    """
    import cupy

    shape = expressions[0].shape
    results = [cupy.empty(shape, dtype=x.dtype) for x in expressions]
    if not results[0].size:
        return results
    axes = ("i",) if are_flat else tuple(f"i{j}" for j in range(len(shape)))
    text = _Text(axes, shape)
    places = ("i",) * len(shape) if are_flat else axes
    size = text.parameter("unsigned long long", np.uint64(results[0].size))
    head = [
        f"for (unsigned long long i = blockIdx.x * {_BLOCK}ull + threadIdx.x; i < {size};",
        f"     i += gridDim.x * {_BLOCK}ull) {{",
    ]
    tail = [
        f"{text.parameter(f'{C[x.dtype]}*', y)}[i] = {text.value(x, places)};"
        for x, y in zip(expressions, results, strict=True)
    ]
    head += [] if are_flat else text.places("i", range(len(shape)))
    code, arguments = text.kernel("arithmetic", head, [*tail, "}"])
    blocks = min(-(-results[0].size // (_BLOCK * _PER_THREAD)), 8 * device(cupy.cuda.Device().id).processors)
    kernel_of_text(code, "gpuval::arithmetic")((blocks,), (_BLOCK,), tuple(arguments))
    return results


def reduce(kinds: Sequence[str], expressions: Sequence[_Expression], axes: tuple[int, ...]) -> list[CupyArray]:
    """Sums or extremes of expressions of one shape along the same axes, by one kernel on the current device.

    Numbers are added in an order that depends on the shape alone.
    """
    import cupy

    shape = expressions[0].shape
    kept = [j for j in range(len(shape)) if j not in axes]
    results = [cupy.empty([shape[j] for j in kept], dtype=x.dtype) for x in expressions]
    n_results, n = results[0].size, math.prod(shape[j] for j in axes)
    if not n_results:
        return results
    width = 32 if n <= _WARP_UP_TO else _BLOCK
    per_block = _BLOCK // width
    text = _Text(tuple(f"i{j}" for j in range(len(shape))), shape)
    sizes = [text.parameter("unsigned long long", np.uint64(x)) for x in (n_results, n)]
    types, forms = [C[x.dtype] for x in expressions], []
    starts, outputs, values = [], [], []
    for kind, x, result in zip(kinds, expressions, results, strict=True):
        forms.append(form_of(kind, x.dtype))
        starts.append(text.parameter(C[x.dtype], _start_of(kind, x.dtype)))
        outputs.append(text.parameter(f"{C[x.dtype]}*", result))
        values.append(text.value(x, text.axes))

    def combine(others: Sequence[str]) -> list[str]:
        return [
            f"s{i} = {form.format(f's{i}', other)};" for i, (form, other) in enumerate(zip(forms, others, strict=True))
        ]

    numbers = range(len(types))
    head = [
        *(f"__shared__ {types[i]} of_warps{i}[{_BLOCK // 32}];" for i in numbers if width > 32),
        f"for (unsigned long long o = blockIdx.x * {per_block}ull + threadIdx.x / {width}; o < {sizes[0]};",
        f"     o += gridDim.x * {per_block}ull) {{",
        *text.places("o", kept),
        *(f"{types[i]} s{i} = {starts[i]};" for i in numbers),
        f"for (unsigned long long j = threadIdx.x % {width}; j < {sizes[1]}; j += {width}) {{",
        *text.places("j", axes),
    ]
    tail = [
        *combine(values),
        "}",
        "for (int offset = 16; offset > 0; offset /= 2) {",
        *(f"const {types[i]} t{i} = __shfl_down_sync(0xffffffffu, s{i}, offset);" for i in numbers),
        *combine([f"t{i}" for i in numbers]),
        "}",
    ]
    if width > 32:
        tail += [
            "__syncthreads();  // the numbers of warps before have been read",
            *(f"if (threadIdx.x % 32 == 0) of_warps{i}[threadIdx.x / 32] = s{i};" for i in numbers),
            "__syncthreads();",
            f"if (threadIdx.x == 0) for (int warp = 1; warp < {_BLOCK // 32}; ++warp) {{",
            *combine([f"of_warps{i}[warp]" for i in numbers]),
            "}",
        ]
    tail += [f"if (threadIdx.x % {width} == 0) {outputs[i]}[o] = s{i};" for i in numbers]
    code, arguments = text.kernel("reduction", head, [*tail, "}"])
    blocks = min(-(-n_results // per_block), 32 * device(cupy.cuda.Device().id).processors)
    kernel_of_text(code, "gpuval::reduction")((blocks,), (_BLOCK,), tuple(arguments))
    return results


def _start_of(kind: str, dtype: np.dtype[Any]) -> Any:
    """The number that changes no sum, or no extreme."""
    if kind == "sum":
        return dtype.type(0)
    if dtype.kind == "f":
        return dtype.type(np.inf if kind == "min" else -np.inf)
    return dtype.type(np.iinfo(dtype).max if kind == "min" else np.iinfo(dtype).min)
