"""The scores of a table without each of its samples, or each group of them, and of resampled tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import numpy as np

from gpuval.engines.cells import SparseCells
from gpuval.inference.inputs import (
    Functions,
    ScoreFunctions,
    TableWithGroups,
    scores_of,
    scores_of_all,
    scores_of_statistics,
)
from gpuval.inference.intervals import (
    UNKNOWN,
    JackknifeErrors,
    bootstrap_interval,
    clip_interval,
    from_left_out,
    student,
)
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_one_to_one
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.registry.facts import range_of
from gpuval.registry.families import measure_of
from gpuval.results.inferences import ScoreEstimate, ScoreEstimates
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import TablesWithoutCells, tables_in_batch, tables_of
from gpuval.table.resampling.draws import Sampler, chunks, sampler_of_groups, sampler_of_samples
from gpuval.table.resampling.leave_one_out import largest_two, statistics_left_out, tables_left_out


def jackknife_estimates(asked: ScoreFunctions, counted: TableWithGroups, level: float) -> ScoreEstimates:
    """The estimates of functions by the jackknife."""
    scores = scores_of_all(asked.functions, counted.table)
    uncertain = _jackknife_errors(asked, counted, scores)
    found = {}
    for name, score in scores.items():
        ends = range_of(asked.functions[name])
        found[name] = estimate_left_out(counted, level, score, uncertain[name], ends)
    return ScoreEstimates(found)


def estimate_left_out(
    counted: TableWithGroups, level: float, score: float, errors: JackknifeErrors, ends: tuple[float, float]
) -> ScoreEstimate:
    """The estimate of a score by the jackknife, cut at the ends of its range."""
    low, high = clip_interval(ends, score, *student(score, errors.standard_error, level, counted.n_units))
    return counted.estimate(level, "jackknife", score, low, high, *errors)


def _jackknife_errors(
    asked: ScoreFunctions, counted: TableWithGroups, scores: dict[Any, float]
) -> dict[Any, JackknifeErrors]:
    """What the scores without each unit tell of each score; NaN for fewer than two units."""
    if counted.n_units < 2:
        return dict.fromkeys(scores, UNKNOWN)
    without, times = scores_left_out(asked.functions, counted)
    return {name: from_left_out(score, without[name], times) for name, score in scores.items()}


def scores_left_out(functions: Functions, counted: TableWithGroups) -> tuple[dict[Any, NDArray], NDArray]:
    """The scores of each function without one unit, and how many units give each of them.

    A unit is a sample, of which all of one cell give the same score, or a group.
    """
    if counted.groups is not None:
        return scores_of(functions, _tables_without_groups(counted)), np.ones(counted.n_units, dtype=np.int64)
    return scores_without_samples(functions, counted.table), np.asarray(counted.table.counts)


def _tables_without_groups(counted: TableWithGroups) -> Iterator[Contingency]:
    """The tables without each group, some at a time."""
    for block in slices(counted.n_units, tables_in_batch(counted.table)):
        yield from tables_of(counted.table, np.asarray(counted.table.counts - counted.groups[block].toarray()))


def scores_without_samples(functions: Functions, table: Contingency) -> dict[Any, NDArray]:
    """The scores of each function without a sample of each cell."""
    batch = statistics_left_out(table)
    found = {name: _from_statistics(function, table, batch) for name, function in functions.items()}
    others = {name: functions[name] for name, scores in found.items() if scores is None}
    more = scores_of(others, tables_left_out(table)) if others else {}
    return {name: more[name] if scores is None else scores for name, scores in found.items()}


def _from_statistics(function: Callable[..., Any], table: Contingency, batch: TablesWithoutCells) -> NDArray | None:
    """The scores by what changes; None if the function reads cells, or is a user's."""
    of_matched = _OF_MATCHED.get(measure_of(function) or "")
    if of_matched is not None:
        return of_matched(_jackknife_match_counts(table), int(table.total) - 1)
    return scores_of_statistics(function, batch)


_OF_MATCHED: Mapping[str, Callable[[NDArray, int], NDArray]] = {
    "clustering_accuracy": lambda matched, n: matched / n,
    "classification_error_distance": lambda matched, n: (n - matched) / n,
    "cluster_edit_distance": lambda matched, n: 2.0 * (n - matched),
}
"""Measures by how many of n samples the best matching has."""


def _jackknife_match_counts(table: Contingency) -> NDArray:
    """How many samples the best matching has without a sample of each cell.

    A matching that does not use a cell stays as good without one of its samples. So only for the cells of the matching
    that was found another one is looked for, which may be as good. It is not if the cell has more samples than the
    largest other ones of its class and of its cluster together, which are all that a matching can have in its place.
    """
    cells = table.cells
    assert isinstance(cells, SparseCells)
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


# The scores of resampled tables, and what intervals they give.

Method = Literal["bca", "percentile", "basic"]


def sampler_of(counted: TableWithGroups, *, poisson: bool = False, distinct: bool = True) -> Sampler:
    """What draws samples, or groups of them, as counts of the cells of the table."""
    if counted.groups is None:
        return sampler_of_samples(np.asarray(counted.table.counts), poisson=poisson, distinct=distinct)
    return sampler_of_groups(counted.groups, *margins_of_groups(counted), poisson=poisson, distinct=distinct)


def margins_of_groups(counted: TableWithGroups) -> tuple[Any, Any]:
    """The counts of each group by class, and by cluster."""
    from scipy.sparse import csr_matrix

    cells = counted.table.cells
    assert isinstance(cells, SparseCells)
    n_cells = len(cells.counts)
    ones, places = np.ones(n_cells, dtype=np.int64), np.arange(n_cells)
    by_class, by_cluster = (
        csr_matrix((ones, (places, codes)), shape=(n_cells, size))
        for codes, size in zip((cells.class_of, cells.cluster_of), cells.shape, strict=True)
    )
    return counted.groups @ by_class, counted.groups @ by_cluster


def bootstrap_estimates(
    asked: ScoreFunctions,
    counted: TableWithGroups,
    sampler: Sampler,
    n_resamples: int,
    method: Method,
    level: float,
    random: np.random.Generator,
) -> ScoreEstimates:
    """The estimates of functions by the bootstrap."""
    scores = scores_of_all(asked.functions, counted.table)
    if counted.n_units < 2:
        nan = np.nan
        return ScoreEstimates(
            {name: counted.estimate(level, method, x, nan, nan, nan, nan, nan) for name, x in scores.items()}
        )
    replicates = _scores_of_draws(asked, counted, sampler, n_resamples, random)
    uncertain = _jackknife_errors(asked, counted, scores) if method == "bca" else {}
    found = {}
    for name, score in scores.items():
        acceleration = uncertain[name].acceleration if uncertain else np.nan
        ends = range_of(asked.functions[name])
        found[name] = estimate_of_replicates(counted, method, level, score, replicates[name], acceleration, ends)
    return ScoreEstimates(found)


@np.errstate(invalid="ignore")
def estimate_of_replicates(
    counted: TableWithGroups,
    method: str,
    level: float,
    score: float,
    replicates: NDArray,
    acceleration: float,
    ends: tuple[float, float],
) -> ScoreEstimate:
    """The estimate of a score from those of resampled tables, cut at the ends of its range."""
    found = bootstrap_interval(method, score, replicates, level, acceleration, counted.n_units)
    low, high = clip_interval(ends, score, *found)
    bias = float(np.mean(replicates)) - score
    return counted.estimate(level, method, score, low, high, deviation(replicates), bias, acceleration, replicates)


@np.errstate(invalid="ignore")
def deviation(replicates: NDArray) -> float:
    """The standard deviation of scores of resampled tables; NaN of a single one."""
    return float(np.std(replicates, ddof=1)) if len(replicates) > 1 else np.nan


def _scores_of_draws(
    asked: ScoreFunctions, counted: TableWithGroups, sampler: Sampler, n_resamples: int, random: np.random.Generator
) -> dict[Any, NDArray]:
    """The scores of resampled tables, each shape (n_resamples,)."""

    def score_chunk(chunk: tuple[np.random.Generator, int]) -> dict[Any, NDArray]:
        draws = sampler(*chunk)
        return scores_of(asked.functions, tables_of(counted.table, *draws))

    n_numbers = len(counted.table.counts) + (0 if counted.groups is None else counted.n_units)
    parts = parallel_map(score_chunk, list(chunks(n_resamples, n_numbers, random)))
    return {name: np.concatenate([part[name] for part in parts]) for name in asked.functions}
