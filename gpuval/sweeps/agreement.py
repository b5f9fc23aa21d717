"""How much the runs of one setting agree: the scores of all pairs of runs, and what is known of their mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.cells import DenseCells
from gpuval.metrics.external.element_centric import similarities
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio
from gpuval.results.scores import plain
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, samples_of_both, table_of_codes
from gpuval.table.overlaps import share_of_larger_group, share_of_own_larger_group
from gpuval.table.table import Table


class Agreement(NamedTuple):
    """What all pairs of the runs of a setting tell. Matrices have a row and a column for each run; NaN: not known."""

    scores: dict[Any, NDArray]
    """By the names of the measures."""
    similarity: NDArray
    """The element-centric scores."""
    expected: NDArray
    """What these are by chance, for clusters of the same sizes."""
    consistency: Array
    """Of each sample: its mean element-centric similarity over the pairs of runs that both have it, NaN if none has."""


def compare_runs(runs: Sequence[Labeling], functions: Mapping[Any, Callable[..., Any]]) -> Agreement:
    """Compare each pair of runs, over the samples that neither left out; each pair is counted once."""
    square = (len(runs), len(runs))
    similarity, expected = np.full(square, np.nan), np.full(square, np.nan)
    scores = {name: np.full(square, np.nan) for name in functions}
    places = [run.encoded.places for run in runs]
    n_runs = sum((_is_in(run) for run in runs[1:]), _is_in(runs[0]))
    total = n_runs * 0.0
    for i, j in combinations(range(len(runs)), 2):
        table = table_of_codes(runs[i], runs[j])
        if not bool(to_host(table.total) > 0):
            continue
        both = Contingency.from_table(table)
        for name, function in functions.items():
            scores[name][i, j] = scores[name][j, i] = float(plain(function(both)))
        similarity[i, j] = similarity[j, i] = float(plain(share_of_own_larger_group(table)))
        sizes = (to_host(x) for x in (table.class_sizes, table.cluster_sizes))
        expected[i, j] = expected[j, i] = expected_similarity(*sizes)
        total = total + _similarities(table, runs[i], runs[j], places[i], places[j])
    n_pairs = n_runs * (n_runs - 1.0) / 2.0
    consistency = ratio(total, n_pairs, backend_of(total).xp, if_zero=float("nan"))
    return Agreement(scores, similarity, expected, consistency)


def _is_in(run: Labeling) -> Array:
    """1 for each sample of a run, 0 for those that it left out."""
    codes = run.encoded.codes
    backend = backend_of(codes)
    xp, real = backend.xp, backend.widest(codes).float
    if run.keep is None:
        return xp.ones(codes.shape, dtype=real, device=backend.device(codes))
    return xp.astype(run.keep, real)


def _similarities(table: Table, first: Labeling, second: Labeling, rows: Array, columns: Array) -> Array:
    """The element-centric similarity of each sample; 0 of those that a run left out."""
    a, b = first.encoded, second.encoded
    if not isinstance(table.cells, DenseCells):
        present = samples_of_both(first, second)
        values = similarities(a, b, None, present)
        return values if present is None else backend_of(values).xp.where(present, values, 0.0)
    xp, of_cells = table.xp, share_of_larger_group(table)
    if b.has_spare:  # a column and a row of 0 for samples that were left out
        of_cells = xp.concat([of_cells, xp.zeros_like(of_cells[:, :1])], axis=1)
    if a.has_spare:
        of_cells = xp.concat([of_cells, xp.zeros_like(of_cells[:1, :])])
    return xp.take(xp.reshape(of_cells, (-1,)), rows * of_cells.shape[1] + columns)


def expected_similarity(class_sizes: NDArray, cluster_sizes: NDArray) -> float:
    """The mean element-centric score over all permutations of the labels, from the sizes of classes and clusters.

    With n samples it is 1/n sum_ij E[n_ij^2] / max(a_i, b_j), where n_ij has the hypergeometric distribution of a_i and
    b_j, with mean a_i b_j / n and variance a_i b_j (n - a_i) (n - b_j) / (n^2 (n - 1)).
    """
    sides = [np.unique(sizes[sizes > 0], return_counts=True) for sizes in (class_sizes, cluster_sizes)]
    (a, times_a), (b, times_b) = ((x.astype(np.float64), times) for x, times in sides)
    n = float(class_sizes.sum())
    a, b = a[:, None], b[None, :]
    mean = a * b / n
    squares = mean * mean + mean * (n - a) * (n - b) / (n * max(n - 1, 1.0))
    return float(times_a @ (squares / np.maximum(a, b)) @ times_b) / n


# The mean over the pairs of runs, and how much it would vary with other runs.


class PairMean(NamedTuple):
    """A mean over pairs of runs, and the means without each run that is in a pair."""

    mean: float
    without: NDArray

    @property
    def standard_error(self) -> float:
        """By the jackknife over runs: pairs of runs are not independent. NaN for fewer than three runs."""
        return jackknife_error(self.without)


def inconsistency(similarity: NDArray) -> float:
    """One divided by the mean element-centric score of all ordered pairs of runs, those of a run with itself included.

    That is 1 / (p' S p) of the distinct partitions, of which p has the shares of the runs and S the scores.
    """
    n_runs = len(similarity)
    return n_runs / (1 + (n_runs - 1) * mean_of_pairs(similarity).mean) if n_runs > 1 else float("nan")


def mean_of_pairs(scores: NDArray) -> PairMean:
    """The mean over all pairs whose score is known; from a symmetric matrix, whose diagonal does not count."""
    is_known = _are_known(scores)
    known = np.where(is_known, scores, 0.0)
    sums, numbers = known.sum(axis=1), is_known.sum(axis=1)
    with np.errstate(invalid="ignore"):
        mean = sums.sum() / numbers.sum()
        without = (sums.sum() - 2 * sums) / (numbers.sum() - 2 * numbers)
    return PairMean(float(mean), without[numbers > 0])


def _are_known(scores: NDArray) -> NDArray:
    is_known: NDArray = ~np.isnan(scores) & ~np.eye(len(scores), dtype=bool)
    return is_known


def jackknife_error(without: NDArray) -> float:
    """The standard error of which ``without`` has the values without each unit."""
    n = len(without)
    return float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())) if n else float("nan")


def means_of_draws(scores: NDArray, times: NDArray) -> NDArray:
    """The mean over pairs of each draw of runs, of which a row of ``times`` says how often it has each run.

    Copies of one run are not compared with each other: they would agree perfectly.
    """
    is_known = _are_known(scores)
    known, weights = np.where(is_known, scores, 0.0), times.astype(np.float64)
    with np.errstate(invalid="ignore"):
        means: NDArray = ((weights @ known) * weights).sum(axis=1) / ((weights @ is_known) * weights).sum(axis=1)
    return means
