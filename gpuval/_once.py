"""Results that several measures of one table need: found once, and kept as long as the table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from gpuval import _namespace as ns
from gpuval.contingency import Contingency

Result = TypeVar("Result")


def once_per_table(function: Callable[[Contingency], Result]) -> Callable[[Contingency], Result]:
    """Keep what ``function`` gives for a table of NumPy.

    In other libraries results belong to the graph, trace or gradient they were found in: there each measure finds its
    own, except what it finds on the host (`recalled`).
    """

    @functools.wraps(function)
    def found(table: Contingency) -> Result:
        if not ns.is_numpy(table.counts):
            return function(table)
        return recalled(table, function)

    return found


def recalled(table: Contingency, function: Callable[[Contingency], Result]) -> Result:
    """``function(table)``, found the first time only."""
    if ns.is_compiling(table.counts):
        return function(table)
    kept: dict[Any, Any] = table.__dict__.setdefault("_kept", {})
    if function not in kept:
        kept[function] = function(table)
    return kept[function]  # type: ignore[no-any-return]
