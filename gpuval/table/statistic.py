"""Results that several measures of one table need: found once, and kept as long as the table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.symbols import NotSymbolicError, Symbols
from gpuval.table.contingency import Contingency

Result = TypeVar("Result")


class Sketch:
    """A table of which only results are known, as symbols: what a formula reads of it is written down."""

    def __init__(self, table: Contingency, symbolic: Callable[[Any], Any], xp: Symbols) -> None:
        self.xp = xp
        self.finders: list[Callable[[Contingency], Any]] = []
        self._table, self._symbolic, self._found = table, symbolic, {}  # type: ignore[var-annotated]

    def found(self, finder: Callable[[Contingency], Any]) -> Any:
        """The result of a finder, with symbols in the place of its arrays."""
        if finder not in self._found:
            self._found[finder] = self._symbolic(finder(self._table))
            self.finders.append(finder)
        return self._found[finder]

    def __getattr__(self, name: str) -> Any:
        raise NotSymbolicError(f"the formula reads {name} of its table")


def once_per_table(function: Callable[[Contingency], Result]) -> Callable[[Contingency], Result]:
    """Keep what ``function`` gives for a table of NumPy.

    In other libraries results belong to the graph, trace or gradient they were found in: there each measure finds its
    own, once (`with_memory`), except what it finds on the host (`recalled`).
    """

    @functools.wraps(function)
    def found(table: Contingency) -> Result:
        if isinstance(table, Sketch):
            return table.found(found)  # type: ignore[no-any-return]
        if not backend_of(table.counts).on_host:
            memory = table.__dict__.get("_memory")
            if memory is None:
                return function(table)
            if function not in memory:
                memory[function] = function(table)
            return memory[function]  # type: ignore[no-any-return]
        return recalled(table, function)

    return found


def with_memory(table: Contingency) -> Contingency:
    """The same table, which keeps all that is found of it: for one score, as it is another object."""
    kept = table.__dict__.setdefault("_kept", {})  # of host steps, which stays with the table
    table = replace(table)
    table.__dict__.update(_memory={}, _kept=kept)
    return table


def recalled(table: Contingency, function: Callable[[Contingency], Result]) -> Result:
    """``function(table)``, found the first time only."""
    if backend_of(table.counts).is_compiling():
        return function(table)
    kept: dict[Any, Any] = table.__dict__.setdefault("_kept", {})
    if function not in kept:
        kept[function] = function(table)
    return kept[function]  # type: ignore[no-any-return]
