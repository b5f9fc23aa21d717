"""The arithmetic of scores as one kernel.

A formula is called once with a recorder instead of its table: the statistics that it reads are symbols, and its
arithmetic with them is recorded. If it does nothing else, the record becomes the text of a kernel, which is used from
then on. A formula that does more uses the functions of the library.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.kernels import CupyArray, kernel_of_text
from gpuval.engines.engine import Formula, each
from gpuval.numerics import Array

Statistic = Callable[[Any], Any]
Formulas = tuple[tuple[Formula, dict[str, Any]], ...]
"""Formulas, each with its options."""


@dataclass(frozen=True)
class _FormulaKernel:
    """A kernel, which numbers of statistics it takes, how many it gives, and the values made of their indices."""

    text: str
    inputs: dict[Statistic, list[int]]
    size: int
    values: list[Any]
    """For each formula the index of its number, or a tuple of them; None if it is not in the kernel."""


_fused: dict[Any, _FormulaKernel | None] = {}
"""By formulas and their options, and what else the text depends on."""


def evaluate_formulas(formulas: Formulas, table: Any, is_64bit: bool) -> tuple[CupyArray | None, list[Any]]:
    """The numbers of formulas of a table of CuPy, NaN if the table is invalid, and which of them each formula gives.

    They are of shape () if it is one number, else a vector, or None if no formula is part of a kernel; a formula gives
    an index, a tuple of indices, or None if it is no part. The table is this call's own: from then on it has the
    statistics that kernels find, and no others.
    """
    nothing = None, [None] * len(formulas)
    if any(_has_numbers(options) for _, options in formulas if options):
        return nothing  # numbers would be part of the text: a kernel for each of a sweep
    of_table = type(table.cells), table.invalid is None, is_64bit
    key = tuple((formula, *sorted(options.items())) if options else formula for formula, options in formulas), of_table
    _let_kernels_find_all(table)
    if key in _fused:
        program = _fused[key]
    else:
        program = _fused[key] = _fuse(formulas, table, is_64bit)
    if program is None:
        return nothing
    inputs: list[CupyArray] = []
    for statistic, places in program.inputs.items():
        found = _leaves(statistic(table))
        inputs.extend(found[i] for i in places)
    if table.invalid is not None:
        inputs.append(table.invalid)
    results = launch_formula(program.text, inputs, program.size, is_64bit)
    return results.reshape(()) if program.size == 1 else results, program.values


def _has_numbers(options: dict[str, Any]) -> bool:
    return any(not (x is None or isinstance(x, str | bool)) for x in options.values())


def launch_formula(text: str, inputs: Sequence[CupyArray], size: int, is_64bit: bool = True) -> CupyArray:
    """The results of a kernel ``formula``, shape (size,), float64 or float32; inputs are of shape ()."""
    import cupy

    results = cupy.empty(size, dtype=np.float64 if is_64bit else np.float32)
    kernel_of_text(text, "gpuval::formula")((1,), (1,), (*map(_as_read, inputs), results))
    return results


def _as_read(x: CupyArray) -> CupyArray:
    return x.view(np.uint8) if x.dtype.kind == "b" else x


class _NoLibrary:
    """In the place of the library of a table: statistics that no kernel finds do not go on with its functions."""

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"a statistic that no kernel finds: it asks for {name}")


def _let_kernels_find_all(table: Any) -> None:
    nothing = _NoLibrary()
    vars(table).update(results={}, xp=nothing, backend=nothing)


class _Results(dict[Statistic, Any]):
    """The results of statistics, with symbols in the place of their arrays: each is found when it is asked for."""

    def __init__(self, table: Any, symbolic: Callable[[Statistic, Any], Any]) -> None:
        super().__init__()
        self._table, self._symbolic = table, symbolic

    def __contains__(self, statistic: object) -> bool:
        return True

    def __missing__(self, statistic: Statistic) -> Any:
        self[statistic] = self._symbolic(statistic, statistic(self._table))
        return self[statistic]


class _Recorder:
    """A table of which only statistics are known, as symbols: what a formula reads of it is recorded."""

    def __init__(self, results: _Results, xp: Symbols) -> None:
        self.results, self.xp = results, xp

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"the formula reads {name} of its table")


def _fuse(formulas: Formulas, table: Any, is_64bit: bool) -> _FormulaKernel | None:
    program = Program()
    sources: list[tuple[Statistic, int]] = []

    def symbolic(statistic: Statistic, found: Any) -> Any:
        def add_symbol(place: int, x: Array) -> _Number:
            number = program.add_input(_kind(x))
            sources.append((statistic, place))
            return number

        return _map_arrays(found, add_symbol, Symbols())

    recorder = _Recorder(_Results(table, symbolic), Symbols())
    numbers: list[Any] = []
    values: list[Any] = []
    indices = itertools.count()
    for formula, options in formulas:
        try:
            value = formula(recorder, **options)
            own = value if isinstance(value, tuple) else (value,)
            _check_are_numbers(own)
        except NotSymbolicError:
            values.append(None)
            continue
        numbers.extend(own)
        values.append(each(value, lambda _: next(indices)))
    if not numbers:
        return None
    text, taken = program.kernel("formula", numbers, table.invalid is not None, is_64bit)
    inputs: dict[Statistic, list[int]] = {}
    for i in taken:  # a statistic gives all its numbers before the next one is asked for
        inputs.setdefault(sources[i][0], []).append(sources[i][1])
    return _FormulaKernel(text, inputs, len(numbers), values)


def _kind(x: Array) -> str:
    kind = backend_of(x).kind(x)
    if kind not in ("real", "bool") or len(x.shape):
        raise NotSymbolicError(f"an input that is no single number: {kind} of shape {tuple(x.shape)}")
    return "double" if kind == "real" else "bool"


def _leaves(found: Any) -> tuple[Array, ...]:
    """The arrays of a result: of itself, of a tuple, or of a dataclass."""
    if isinstance(found, tuple):
        return found
    names = _names_of_arrays(found)
    return tuple(getattr(found, name) for name in names) if names else (found,)


def _names_of_arrays(found: Any) -> list[str]:
    """The fields of a dataclass that are arrays; none of anything else."""
    return [name for name in getattr(type(found), "__dataclass_fields__", ()) if name != "xp"]


def _map_arrays(found: Any, function: Callable[[int, Array], _Number], xp: Symbols) -> Any:
    """A result with ``function`` of the place and of the value of each of its arrays."""
    numbers = tuple(function(i, x) for i, x in enumerate(_leaves(found)))
    if isinstance(found, tuple):
        return numbers
    names = _names_of_arrays(found)
    return replace(found, **dict(zip(names, numbers, strict=True)), xp=xp) if names else numbers[0]


# Symbols that stand for numbers on a device: a formula of symbols becomes the text of one kernel.

_C = {"double": "const double*", "bool": "const unsigned char*"}


class NotSymbolicError(Exception):
    """A formula asked for what is no arithmetic of single numbers."""


class Program:
    """The operations of a kernel, in their order."""

    def __init__(self) -> None:
        self.inputs: list[_Number] = []
        self._lines: dict[str, tuple[str, set[str]]] = {}

    def add_input(self, kind: str) -> _Number:
        """The next input, "double" or "bool"."""
        place = f"*in{len(self.inputs)}"
        self.inputs.append(self.number(kind, f"{place} != 0" if kind == "bool" else place, ()))
        return self.inputs[-1]

    def number(self, kind: str, text: str, parts: Iterable[Any]) -> _Number:
        """What an expression of other numbers gives."""
        name = f"x{len(self._lines)}"
        self._lines[name] = f"const {kind} {name} = {text};", {x.name for x in parts if isinstance(x, _Number)}
        return _Number(self, kind, name)

    def kernel(
        self, name: str, results: Sequence[Any], may_be_invalid: bool, is_64bit: bool = True
    ) -> tuple[str, list[int]]:
        """The text, and the places of the inputs that it takes: those that the results need.

        Results are doubles, or floats if ``is_64bit`` is false. With ``may_be_invalid`` there is one more input, which
        makes them NaN where it is not 0.
        """
        needed = {x.name for x in results if isinstance(x, _Number)}
        for line in reversed(self._lines):
            if line in needed:
                needed |= self._lines[line][1]
        taken = [i for i, x in enumerate(self.inputs) if x.name in needed]
        parameters = [f"{_C[self.inputs[i].kind]} in{i}" for i in taken]
        invalid = ["const unsigned long long* invalid"] if may_be_invalid else []
        nan = '*invalid != 0 ? nan("") : ' if may_be_invalid else ""
        lines = [text for line, (text, _) in self._lines.items() if line in needed]
        lines += [f"out[{i}] = {nan}{_text(x)};" for i, x in enumerate(results)]
        out = f"{'double' if is_64bit else 'float'}* out"
        head = f"__global__ void {name}({', '.join([*parameters, *invalid, out])})"
        return "\n".join(["namespace gpuval {", f"{head} {{", *(f"  {line}" for line in lines), "}", "}", ""]), taken


def _operator(text: str, kind: str = "double") -> Callable[[_Number, Any], _Number]:
    """An operator of a number and another one, by its expression."""
    return lambda self, other: self._with(text, other, kind=kind)


class _Number:
    """A number of a program."""

    __array_ufunc__ = None  # so that NumPy's scalars leave arithmetic to this
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, program: Program, kind: str, name: str) -> None:
        self.program, self.kind, self.name = program, kind, name

    def _with(self, text: str, *others: Any, kind: str = "double") -> _Number:
        return self.program.number(kind, text.format(self.name, *map(_text, others)), (self, *others))

    __add__, __radd__ = _operator("{} + {}"), _operator("{1} + {0}")
    __sub__, __rsub__ = _operator("{} - {}"), _operator("{1} - {0}")
    __mul__, __rmul__ = _operator("{} * {}"), _operator("{1} * {0}")
    __truediv__, __rtruediv__ = _operator("{} / {}"), _operator("{1} / {0}")
    __lt__ = _operator("{} < {}", "bool")
    __le__ = _operator("{} <= {}", "bool")
    __gt__ = _operator("{} > {}", "bool")
    __ge__ = _operator("{} >= {}", "bool")
    __and__ = _operator("{} && {}", "bool")
    __or__ = _operator("{} || {}", "bool")
    __eq__ = _operator("{} == {}", "bool")  # type: ignore[assignment]
    __ne__ = _operator("{} != {}", "bool")  # type: ignore[assignment]

    def __neg__(self) -> _Number:
        return self._with("-{}")

    def __invert__(self) -> _Number:
        return self._with("!{}", kind="bool")

    def __bool__(self) -> bool:
        raise NotSymbolicError("a branch on the value of a number")

    def __float__(self) -> float:
        raise NotSymbolicError("a look at the value of a number")


class Symbols:
    """The array namespace of numbers: as much of it as formulas use."""

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """``a`` where the condition holds, else ``b``."""
        if not isinstance(condition, _Number):
            return a if condition else b
        return condition._with("{} ? {} : {}", a, b)

    def sqrt(self, x: _Number) -> _Number:
        """The square root."""
        return x._with("sqrt({})")

    def abs(self, x: _Number) -> _Number:
        """The absolute value."""
        return x._with("fabs({})")

    def minimum(self, a: _Number, b: Any) -> _Number:
        """The smaller one."""
        return a._with("{0} < {1} ? {0} : {1}", b)

    def maximum(self, a: _Number, b: Any) -> _Number:
        """The larger one."""
        return a._with("{0} > {1} ? {0} : {1}", b)

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"no function {name} of single numbers")


def _check_are_numbers(values: Iterable[Any]) -> None:
    """Raise if one of the values is no number of a program."""
    for value in values:
        _text(value)


def _text(x: Any) -> str:
    if isinstance(x, _Number):
        return x.name
    if isinstance(x, bool | np.bool_):
        return "true" if x else "false"
    if not isinstance(x, int | float | np.integer | np.floating) or not np.isfinite(float(x)):
        raise NotSymbolicError(f"no number of a program: {x!r}")
    return f"({float(x)!r})"
