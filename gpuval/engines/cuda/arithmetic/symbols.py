"""Symbols that stand for numbers on a device: a formula of symbols becomes the text of one kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

_C = {"double": "const double*", "bool": "const unsigned char*"}


class NotSymbolicError(Exception):
    """A formula asked for what is no arithmetic of single numbers."""


class Program:
    """The operations of a kernel, in their order."""

    def __init__(self) -> None:
        self.inputs: list[Number] = []
        self._lines: dict[str, tuple[str, set[str]]] = {}

    def given(self, kind: str) -> Number:
        """The next input, "double" or "bool"."""
        place = f"*in{len(self.inputs)}"
        self.inputs.append(self.number(kind, f"{place} != 0" if kind == "bool" else place, ()))
        return self.inputs[-1]

    def number(self, kind: str, text: str, parts: Iterable[Any]) -> Number:
        """What an expression of other numbers gives."""
        name = f"x{len(self._lines)}"
        self._lines[name] = f"const {kind} {name} = {text};", {x.name for x in parts if isinstance(x, Number)}
        return Number(self, kind, name)

    def kernel(
        self, name: str, results: Sequence[Any], may_be_invalid: bool, is_64bit: bool = True
    ) -> tuple[str, list[int]]:
        """The text, and the places of the inputs that it takes: those that the results need.

        Results are doubles, or floats if ``is_64bit`` is false. With ``may_be_invalid`` there is one more input, which
        makes them NaN where it is not 0.
        """
        needed = {x.name for x in results if isinstance(x, Number)}
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


def _operator(text: str, kind: str = "double") -> Callable[[Number, Any], Number]:
    """An operator of a number and another one, by its expression."""
    return lambda self, other: self._with(text, other, kind=kind)


class Number:
    """A number of a program."""

    __array_ufunc__ = None  # so that NumPy's scalars leave arithmetic to this
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, program: Program, kind: str, name: str) -> None:
        self.program, self.kind, self.name = program, kind, name

    def _with(self, text: str, *others: Any, kind: str = "double") -> Number:
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

    def __neg__(self) -> Number:
        return self._with("-{}")

    def __invert__(self) -> Number:
        return self._with("!{}", kind="bool")

    def __bool__(self) -> bool:
        raise NotSymbolicError("a branch on the value of a number")

    def __float__(self) -> float:
        raise NotSymbolicError("a look at the value of a number")


class Symbols:
    """The array namespace of numbers: as much of it as formulas use."""

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """``a`` where the condition holds, else ``b``."""
        if not isinstance(condition, Number):
            return a if condition else b
        return condition._with("{} ? {} : {}", a, b)

    def sqrt(self, x: Number) -> Number:
        """The square root."""
        return x._with("sqrt({})")

    def abs(self, x: Number) -> Number:
        """The absolute value."""
        return x._with("fabs({})")

    def minimum(self, a: Number, b: Any) -> Number:
        """The smaller one."""
        return a._with("{0} < {1} ? {0} : {1}", b)

    def maximum(self, a: Number, b: Any) -> Number:
        """The larger one."""
        return a._with("{0} > {1} ? {0} : {1}", b)

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"no function {name} of single numbers")


def check_are_numbers(values: Iterable[Any]) -> None:
    """Raise if one of the values is no number of a program."""
    for value in values:
        _text(value)


def _text(x: Any) -> str:
    if isinstance(x, Number):
        return x.name
    if isinstance(x, bool | np.bool_):
        return "true" if x else "false"
    if not isinstance(x, int | float | np.integer | np.floating) or not np.isfinite(float(x)):
        raise NotSymbolicError(f"no number of a program: {x!r}")
    return f"({float(x)!r})"
