"""The scores of resampled tables, and what intervals they give."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.evaluation.inference.direction import range_of
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate, ScoreEstimates
from gpuval.evaluation.inference.estimation.intervals import of_replicates, within
from gpuval.evaluation.inference.estimation.left_out import errors_left_out
from gpuval.evaluation.inference.reading import Asked, CountedLabels
from gpuval.evaluation.inference.scoring import scores_of, scores_of_all
from gpuval.numerics import NDArray
from gpuval.numerics.threads import parallel_map
from gpuval.table.resampling.cells import tables_of
from gpuval.table.resampling.draws import Sampler, chunks, of_groups, of_samples

Method = Literal["bca", "percentile", "basic"]


def sampler_of(counted: CountedLabels, *, poisson: bool = False, distinct: bool = True) -> Sampler:
    """What draws samples, or groups of them, as counts of the cells of the table."""
    if counted.groups is None:
        return of_samples(np.asarray(counted.table.counts), poisson=poisson, distinct=distinct)
    return of_groups(counted.groups, *margins_of_groups(counted), poisson=poisson, distinct=distinct)


def margins_of_groups(counted: CountedLabels) -> tuple[Any, Any]:
    """The counts of each group by class, and by cluster."""
    from scipy.sparse import csr_matrix

    cells = counted.table.cells
    assert isinstance(cells, ListedCells)
    n_cells = len(cells.counts)
    ones, places = np.ones(n_cells, dtype=np.int64), np.arange(n_cells)
    by_class, by_cluster = (
        csr_matrix((ones, (places, codes)), shape=(n_cells, size))
        for codes, size in zip((cells.class_of, cells.cluster_of), cells.shape, strict=True)
    )
    return counted.groups @ by_class, counted.groups @ by_cluster


def bootstrapped(
    asked: Asked,
    counted: CountedLabels,
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
    replicates = scores_of_draws(asked, counted, sampler, n_resamples, random)
    uncertain = errors_left_out(asked, counted, scores) if method == "bca" else {}
    found = {}
    for name, score in scores.items():
        acceleration = uncertain[name].acceleration if uncertain else np.nan
        ends = range_of(asked.functions[name])
        found[name] = estimate_of_replicates(counted, method, level, score, replicates[name], acceleration, ends)
    return ScoreEstimates(found)


@np.errstate(invalid="ignore")
def estimate_of_replicates(
    counted: CountedLabels,
    method: str,
    level: float,
    score: float,
    replicates: NDArray,
    acceleration: float,
    ends: tuple[float, float],
) -> ScoreEstimate:
    """The estimate of a score from those of resampled tables, cut at the ends of its range."""
    found = of_replicates(method, score, replicates, level, acceleration, counted.n_units)
    low, high = within(ends, score, *found)
    bias = float(np.mean(replicates)) - score
    return counted.estimate(level, method, score, low, high, deviation(replicates), bias, acceleration, replicates)


@np.errstate(invalid="ignore")
def deviation(replicates: NDArray) -> float:
    """The standard deviation of scores of resampled tables; NaN of a single one."""
    return float(np.std(replicates, ddof=1)) if len(replicates) > 1 else np.nan


def scores_of_draws(
    asked: Asked, counted: CountedLabels, sampler: Sampler, n_resamples: int, random: np.random.Generator
) -> dict[Any, NDArray]:
    """The scores of resampled tables, each shape (n_resamples,)."""

    def of_chunk(chunk: tuple[np.random.Generator, int]) -> dict[Any, NDArray]:
        draws = sampler(*chunk)
        return scores_of(asked.functions, tables_of(counted.table, *draws))

    n_numbers = len(counted.table.counts) + (0 if counted.groups is None else counted.n_units)
    parts = parallel_map(of_chunk, list(chunks(n_resamples, n_numbers, random)))
    return {name: np.concatenate([part[name] for part in parts]) for name in asked.functions}
