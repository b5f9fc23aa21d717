"""What a statistic is, of which formulas read, and the check for measures that are defined for counts only."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from gpuval.engines.backends import to_host
from gpuval.numerics import Array
from gpuval.table.self_pairs import are_of_counts
from gpuval.table.table import Table

Formula = Callable[[Table], Array]
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
    def look_up(table: Table) -> Result:
        results = table.results
        if results is None:
            return function(table)
        if look_up not in results:
            results[look_up] = function(table)
        return results[look_up]  # type: ignore[no-any-return]

    return look_up


def part_of(at_once: Callable[[Table], tuple[Array, ...] | None], place: int) -> Callable[[Formula], Formula]:
    """Find a statistic by its formula, unless the engine finds several at once: then it stands at a place of these."""

    def part(formula: Formula) -> Formula:
        @functools.wraps(formula)
        def read_part(table: Table) -> Array:
            parts = at_once(table)
            return table.backend.at_once(formula, table) if parts is None else parts[place]

        return statistic(read_part)

    return part


# A check for measures that are defined for tables of counts only: an error, or NaN if values are not known.


def must_be_of_counts(table: Table, measures: str, reason: str) -> Array | None:
    """None for a table of counts; else whether its floats are counts, which is an error where it is known.

    The message names the ``measures``, and the ``reason`` why they need counts.
    """
    if table.is_integer:
        return None
    whole = are_of_counts(table.self_pairs, table.total)
    if not table.backend.is_known(whole):
        return whole
    table.check_valid()
    if not to_host(whole).all():
        raise ValueError(
            f"{measures} need a table of counts, got one of real weights or fractions: {reason}; use weights of an "
            "integer type"
        )
    return None
