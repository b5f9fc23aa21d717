"""A check for measures that are defined for tables of counts only: an error, or NaN if values are not known."""

from __future__ import annotations

from gpuval.engines.backends import to_host
from gpuval.numerics import Array
from gpuval.table.self_pairs import are_of_counts
from gpuval.table.table import Table


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
