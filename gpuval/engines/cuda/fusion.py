"""The arithmetic of a score as one kernel.

A formula is called once with a recorder in the place of its table: what it reads of statistics are symbols, and the
arithmetic with them is recorded. If that is all it does, it is the text of one kernel from then on; else the formula
goes through the functions of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.kernels import CupyArray, kernel_of_text
from gpuval.engines.cuda.symbols import NotSymbolicError, Number, Program, Symbols
from gpuval.engines.engine import each
from gpuval.numerics import Array

Statistic = Callable[[Any], Any]


@dataclass(frozen=True)
class _Fused:
    """A kernel, the statistics it reads, which of their numbers it takes, and the value, with indices of results."""

    text: str
    statistics: tuple[Statistic, ...]
    taken: list[int]
    places: Any


_fused: dict[Any, _Fused | None] = {}
"""By formula, whether tables may be invalid, and options."""


def fused(formula: Callable[..., Any], table: Any, options: dict[str, Any]) -> Any:
    """The value of a formula of a table on a GPU, NaN if the table is invalid; None if it is no single kernel."""
    if not all(x is None or isinstance(x, str | bool) for x in options.values()):
        return None  # numbers would be part of the text: a kernel for each of a sweep
    key = (formula, table.invalid is None, *sorted(options.items()))
    if key in _fused:
        program = _fused[key]
    else:
        program = _fused[key] = _fuse(formula, table, options)
    if program is None:
        return None
    known = [x for statistic in program.statistics for x in _leaves(statistic(table))]
    inputs = [known[i] for i in program.taken]
    if table.invalid is not None:
        inputs.append(table.invalid)
    with table.backend.as_cupy(*inputs) as seen:
        found = evaluated(program.text, seen, len(program.places) if isinstance(program.places, tuple) else 1)
        results = table.backend.from_cupy(found, inputs[0])
    return each(program.places, lambda i: results[i])


def evaluated(text: str, inputs: Sequence[CupyArray], size: int) -> CupyArray:
    """The results of a kernel ``formula``, shape (size,), float64; inputs are of shape ()."""
    import cupy

    results = cupy.empty(size, dtype=np.float64)
    kernel_of_text(text, "gpuval::formula")((1,), (1,), (*map(_as_read, inputs), results))
    return results


def _as_read(x: CupyArray) -> CupyArray:
    return x.view(np.uint8) if x.dtype.kind == "b" else x


class _Results(dict[Statistic, Any]):
    """The results of statistics, with symbols in the place of their arrays: each is found when it is asked for."""

    def __init__(self, table: Any, symbolic: Callable[[Any], Any]) -> None:
        super().__init__()
        self._table, self._symbolic = table, symbolic

    def __contains__(self, statistic: object) -> bool:
        return True

    def __missing__(self, statistic: Statistic) -> Any:
        self[statistic] = self._symbolic(statistic(self._table))
        return self[statistic]


class _Recorder:
    """A table of which only statistics are known, as symbols: what a formula reads of it is recorded."""

    def __init__(self, results: _Results, xp: Symbols) -> None:
        self.results, self.xp = results, xp

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"the formula reads {name} of its table")


def _fuse(formula: Callable[..., Any], table: Any, options: dict[str, Any]) -> _Fused | None:
    program = Program()

    def symbolic(found: Any) -> Any:
        return _mapped(found, lambda x: program.given(_kind(x)), Symbols())

    results = _Results(table, symbolic)
    recorder = _Recorder(results, Symbols())
    try:
        value = formula(recorder, **options)
        numbers = value if isinstance(value, tuple) else (value,)
        text, taken = program.kernel("formula", numbers, table.invalid is not None)
    except NotSymbolicError:
        return None
    indices = iter(range(len(numbers)))
    places = each(value, lambda _: next(indices))
    return _Fused(text, tuple(results), taken, places)


def _kind(x: Array) -> str:
    kind = backend_of(x).kind(x)
    if kind not in ("real", "bool") or len(x.shape):
        raise NotSymbolicError(f"an input that is no single number: {kind} of shape {tuple(x.shape)}")
    return "double" if kind == "real" else "bool"


def _leaves(found: Any) -> Iterator[Array]:
    """The arrays of a result: of itself, of a tuple, or of a dataclass."""
    if isinstance(found, tuple):
        yield from found
    elif is_dataclass(found):
        yield from (getattr(found, x.name) for x in fields(found) if x.name != "xp")
    else:
        yield found


def _mapped(found: Any, function: Callable[[Array], Number], xp: Symbols) -> Any:
    if isinstance(found, tuple):
        return tuple(map(function, found))
    if is_dataclass(found) and not isinstance(found, type):
        new = {x.name: function(getattr(found, x.name)) for x in fields(found) if x.name != "xp"}
        return replace(found, **new, xp=xp)
    return function(found)
