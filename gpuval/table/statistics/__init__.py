"""What formulas read of a table: pairs of samples, entropies, expected information, and what is left of groups."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from gpuval.table.table import Table

Result = TypeVar("Result")


def statistic(function: Callable[[Table], Result]) -> Callable[[Table], Result]:
    """Find a result of a table once, for all formulas that read it.

    How long it is cached:

    ==================================================  ============================================================
    table                                               as long as
    ==================================================  ============================================================
    of NumPy, or seen as NumPy's                        the table
    of any library, what is found on the host           the table; not at all while torch.compile traces
    (``Table.cached``, as matchings are)
    on a GPU, by kernels                                one score, or those of one evaluation
    any other                                           not at all: each formula finds it anew
    ==================================================  ============================================================

    A tensor that is cached longer would drag its autograd graph, or the tracer or stream it belongs to, into another.
    """

    @functools.wraps(function)
    def found(table: Table) -> Result:
        results = table.results
        if results is None:
            return function(table)
        if found not in results:
            results[found] = function(table)
        return results[found]  # type: ignore[no-any-return]

    return found
