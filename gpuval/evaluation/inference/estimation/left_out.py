"""The scores of a table without each of its samples, or without each group of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.evaluation.clustering.registry import measure_of
from gpuval.evaluation.inference.direction import range_of
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate, ScoreEstimates
from gpuval.evaluation.inference.estimation.intervals import UNKNOWN, LeftOutErrors, from_left_out, student, within
from gpuval.evaluation.inference.reading import Asked, CountedLabels
from gpuval.evaluation.inference.scoring import Functions, scores_of, scores_of_all, scores_of_statistics
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_one_to_one
from gpuval.numerics.slices import slices
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import tables_in_batch, tables_of
from gpuval.table.resampling.leave_one_out import left_out, tables_left_out
from gpuval.table.resampling.overlaps_left_out import largest_two
from gpuval.table.resampling.without_cells import TablesWithoutCells


def jackknifed(asked: Asked, counted: CountedLabels, level: float) -> ScoreEstimates:
    """The estimates of functions by the jackknife."""
    scores = scores_of_all(asked.functions, counted.table)
    uncertain = errors_left_out(asked, counted, scores)
    found = {}
    for name, score in scores.items():
        ends = range_of(asked.functions[name])
        found[name] = estimate_left_out(counted, level, score, uncertain[name], ends)
    return ScoreEstimates(found)


def estimate_left_out(
    counted: CountedLabels, level: float, score: float, errors: LeftOutErrors, ends: tuple[float, float]
) -> ScoreEstimate:
    """The estimate of a score by the jackknife, cut at the ends of its range."""
    low, high = within(ends, score, *student(score, errors.standard_error, level, counted.n_units))
    return counted.estimate(level, "jackknife", score, low, high, *errors)


def errors_left_out(asked: Asked, counted: CountedLabels, scores: dict[Any, float]) -> dict[Any, LeftOutErrors]:
    """What the scores without each unit tell of each score; NaN for fewer than two units."""
    if counted.n_units < 2:
        return dict.fromkeys(scores, UNKNOWN)
    without, times = scores_left_out(asked.functions, counted)
    return {name: from_left_out(score, without[name], times) for name, score in scores.items()}


def scores_left_out(functions: Functions, counted: CountedLabels) -> tuple[dict[Any, NDArray], NDArray]:
    """The scores of each function without one unit, and how many units give each of them.

    A unit is a sample, of which all of one cell give the same score, or a group.
    """
    if counted.groups is not None:
        return scores_of(functions, _without_groups(counted)), np.ones(counted.n_units, dtype=np.int64)
    return scores_without_samples(functions, counted.table), np.asarray(counted.table.counts)


def _without_groups(counted: CountedLabels) -> Iterator[Contingency]:
    """The tables without each group, some at a time."""
    for block in slices(counted.n_units, tables_in_batch(counted.table)):
        yield from tables_of(counted.table, np.asarray(counted.table.counts - counted.groups[block].toarray()))


def scores_without_samples(functions: Functions, table: Contingency) -> dict[Any, NDArray]:
    """The scores of each function without a sample of each cell."""
    batch = left_out(table)
    found = {name: _from_statistics(function, table, batch) for name, function in functions.items()}
    others = {name: functions[name] for name, scores in found.items() if scores is None}
    more = scores_of(others, tables_left_out(table)) if others else {}
    return {name: more[name] if scores is None else scores for name, scores in found.items()}


def _from_statistics(function: Callable[..., Any], table: Contingency, batch: TablesWithoutCells) -> NDArray | None:
    """The scores by what changes; None if the function reads cells, or is a user's."""
    of_matched = _OF_MATCHED.get(measure_of(function) or "")
    if of_matched is not None:
        return of_matched(_matched_left_out(table), int(table.total) - 1)
    return scores_of_statistics(function, batch)


_OF_MATCHED: Mapping[str, Callable[[NDArray, int], NDArray]] = {
    "clustering_accuracy": lambda matched, n: matched / n,
    "classification_error_distance": lambda matched, n: (n - matched) / n,
    "cluster_edit_distance": lambda matched, n: 2.0 * (n - matched),
}
"""Measures by how many of n samples the best matching has."""


def _matched_left_out(table: Contingency) -> NDArray:
    """How many samples the best matching has without a sample of each cell.

    A matching that does not use a cell stays as good without one of its samples. So only for the cells of the matching
    that was found another one is looked for, which may be as good. It is not if the cell has more samples than the
    largest other ones of its class and of its cluster together, which are all that a matching can have in its place.
    """
    cells = table.cells
    assert isinstance(cells, ListedCells)
    counts, rows, columns, shape = np.asarray(cells.counts), cells.class_of, cells.cluster_of, cells.shape
    used = np.flatnonzero(_are_matched(counts, rows, columns, shape))
    best = counts[used].sum()
    found = np.full(len(counts), best)
    in_place = _largest_other(counts, rows)[used] + _largest_other(counts, columns)[used]
    found[used] = best - 1
    for cell in used[counts[used] <= in_place]:
        others = counts.copy()
        others[cell] -= 1
        found[cell] = others[_are_matched(others, rows, columns, shape)].sum()
    return found


def _largest_other(counts: NDArray, groups: NDArray) -> NDArray:
    """The largest count of each cell's group but for its own; 0 if there is no other."""
    first, second = largest_two(counts, groups, int(groups.max(initial=-1)) + 1)
    return np.where(counts == first[groups], second[groups], first[groups])


def _are_matched(counts: NDArray, rows: NDArray, columns: NDArray, shape: tuple[int, int]) -> NDArray:
    """Which cells are those of the best matching; a cell may be empty."""
    kept = counts > 0
    partner = np.full(shape[0], -1)
    matched_rows, matched_columns = best_one_to_one(counts[kept], rows[kept], columns[kept], shape)
    partner[matched_rows] = matched_columns
    return np.asarray(partner[rows] == columns)
