"""A score of a table on a GPU: what it reads is found by a kernel or two, and its formula is one more.

A formula is called once with a sketch of the table, whose results are symbols. If it is arithmetic of results that
``once_per_table`` finds, all of that arithmetic is one kernel from then on; else it goes through the functions of the
library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from gpuval.engines import cuda as _cuda
from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.symbols import NotSymbolicError, Number, Program, Symbols
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency
from gpuval.table.statistic import Sketch, with_memory

_fused: dict[Any, _Fused | None] = {}
"""By formula, whether tables may be invalid, and options."""


@dataclass(frozen=True)
class _Fused:
    """A kernel, what finds its inputs, which of all that is found it takes, and the value, of places of results."""

    text: str
    finders: tuple[Callable[[Contingency], Any], ...]
    taken: list[int]
    places: Any


def found_fused(formula: Callable[..., Any], table: Contingency, options: dict[str, Any]) -> tuple[Contingency, Any]:
    """A table that keeps what is found of it, and the value, NaN if it is invalid; None if it cannot be fused."""
    if not _cuda.are_of_one_table(table.counts, table.class_sizes, table.cluster_sizes, table.total):
        return table, None
    table = with_memory(table)
    if not all(x is None or isinstance(x, str | bool) for x in options.values()):
        return table, None  # numbers would be part of the text: a kernel for each of a sweep
    key = (formula, table.invalid is None, *sorted(options.items()))
    if key in _fused:
        fused = _fused[key]
    else:
        fused = _fused[key] = _fuse(formula, table, options)
    if fused is None:
        return table, None
    found = [x for finder in fused.finders for x in _leaves(finder(table))]
    inputs = [found[i] for i in fused.taken]
    if table.invalid is not None:
        inputs.append(table.invalid)
    return table, _placed(fused.places, _cuda.formula(fused.text, inputs, _count(fused.places)))


def _fuse(formula: Callable[..., Any], table: Contingency, options: dict[str, Any]) -> _Fused | None:
    program = Program()

    def symbolic(found: Any) -> Any:
        return _mapped(found, lambda x: program.given(_kind(x)), Symbols())

    sketch = Sketch(table, symbolic, Symbols())
    try:
        value = formula(sketch, **options)
        results = value if isinstance(value, tuple) else (value,)
        text, taken = program.kernel("formula", results, table.invalid is not None)
    except NotSymbolicError:
        return None
    places = tuple_like(value, range(len(results))) if isinstance(value, tuple) else 0
    return _Fused(text, tuple(sketch.finders), taken, places)


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


def _count(places: Any) -> int:
    return len(places) if isinstance(places, tuple) else 1


def _placed(places: Any, results: Array) -> Any:
    return tuple_like(places, [results[i] for i in places]) if isinstance(places, tuple) else results[places]


def tuple_like(value: tuple[Any, ...], items: Iterable[Any]) -> tuple[Any, ...]:
    """A tuple, or a named one, of other items."""
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
