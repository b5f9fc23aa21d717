"""Scores of many tables: of a batch of them at once, or one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.engines.cells import DenseCells
from gpuval.numerics import NDArray
from gpuval.registry.families import measure_of
from gpuval.results.scores import is_number
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import CellsNeededError, TablesWithoutCells, as_users_know_it
from gpuval.table.table import Table

Functions = Mapping[Any, Callable[..., Any]]

_ONE_BY_ONE = ("adjusted_mutual_info_score", "expected_mutual_info")
"""Measures of a table that take fewer steps where its sizes are known, as equal ones are done once."""


@np.errstate(over="ignore", invalid="ignore")
def less(first: Any, second: Any, rounding: float = 2.0**-44) -> NDArray:
    """Scores less other scores; 0 where they are the same infinity, or the same but for rounding.

    ``rounding`` is what it may be of the smaller one of two, or of 1: so a number is never near an infinite one.
    """
    difference = np.asarray(first - second)
    near = np.abs(difference) <= rounding * np.maximum(1.0, np.minimum(np.abs(first), np.abs(second)))
    return np.where((first == second) | (near & np.isfinite(difference)), 0.0, difference)


def scores_of(functions: Functions, tables: Iterable[Contingency]) -> dict[Any, NDArray]:
    """The scores of each function for all tables, which come as single ones or as batches, shape (n_tables,)."""
    found: dict[Any, list[NDArray]] = {name: [] for name in functions}
    for table in tables:
        for name, function in functions.items():
            found[name].append(_scores(function, name, table))
    return {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in found.items()}


def scores_of_all(functions: Functions, table: Contingency, argument: str = "metrics") -> dict[Any, float]:
    """The score of each function for the table of all samples, with listed cells."""
    whole = as_users_know_it(table)
    return {name: _score_of(function, name, whole, argument) for name, function in functions.items()}


def _score_of(function: Callable[..., Any], name: Any, table: Contingency, argument: str = "metrics") -> float:
    """The score of one table: one number, or an error that names the argument and the function."""
    score = function(table)
    if not is_number(score) and getattr(score, "shape", None) != ():
        raise TypeError(f"{argument} must give one number for a table, got {type(score).__name__} from {name!r}")
    return float(score if is_number(score) else to_host(score))


def _scores(function: Callable[..., Any], name: Any, table: Contingency) -> NDArray:
    if len(table.shape) == 2:
        return np.asarray([_score_of(function, name, table)])
    if measure_of(function) not in {None, *_ONE_BY_ONE}:
        return np.asarray(function(table), dtype=np.float64)
    return np.asarray([_score_of(function, name, single) for single in _singles(table)])


def scores_of_statistics(function: Callable[..., Any], batch: TablesWithoutCells) -> NDArray | None:
    """The scores of tables that have statistics alone; None if the function reads cells, or is a user's."""
    if measure_of(function) is None:
        return None
    try:
        return np.asarray(function(batch), dtype=np.float64)
    except CellsNeededError:
        return None


def _singles(batch: Contingency) -> Iterable[Contingency]:
    """Each table of a batch: users' functions may take one only."""
    for i, counts in enumerate(batch.counts):
        own = None if batch.self_pairs is None else batch.self_pairs[i]
        labels = batch.classes, batch.clusters
        table = Table.of(DenseCells(counts), *labels, fixed=True, self_pairs=own, scales=batch.scales)
        yield Contingency.from_table(table)
