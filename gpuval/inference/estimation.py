"""The uncertainty of a score: the jackknife, with each sample left out, and the bootstrap, of resampled tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import outside_of_graphs
from gpuval.engines.cells import SparseCells
from gpuval.inference.inputs import (
    Functions,
    ScoreFunctions,
    TableWithGroups,
    read_asked,
    read_counted,
    scores_of,
    scores_of_statistics,
)
from gpuval.inference.intervals import (
    UNKNOWN,
    JackknifeErrors,
    bootstrap_interval,
    check_level,
    clip_interval,
    from_left_out,
    student,
)
from gpuval.inputs.options import check_count, check_option, generator
from gpuval.measures.requests import Metrics
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_one_to_one
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.registry.families import measure_of, range_of
from gpuval.results.inferences import ScoreEstimate, ScoreEstimates
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import TablesWithoutCells, tables_in_batch, tables_of
from gpuval.table.resampling.draws import Sampler, chunks, sampler_of_groups, sampler_of_samples
from gpuval.table.resampling.leave_one_out import largest_two, statistics_left_out, tables_left_out

__all__ = ["bootstrap", "jackknife"]


@outside_of_graphs
def jackknife(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    confidence_level: float = 0.95,
    groups: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Standard error, bias and confidence interval of scores by the jackknife: each sample is left out once.

    The result is exact; nothing is drawn at random. Let n be the number of samples, t the score of all of them, n_ij
    the number of samples in the cell (i, j) of the table (class i and cluster j), and t_ij the score without one sample
    of this cell. Let m be the mean of these scores, the sum over i and j of n_ij t_ij / n. The variance is (n - 1)/n
    times the sum over i and j of n_ij (t_ij - m)^2, and the bias is (n - 1)(m - t) ([1]_, equations 11.5 and 11.11).
    The standard error SE is the square root of the variance. The interval reaches from t - q SE to t + q SE, where q is
    the quantile of Student's distribution for the level, with n - 1 degrees of freedom. For groups, n is their number.
    The interval is cut at the ends of the range of the measure.

    All samples of one cell are alike, so one score is needed for each cell that is not empty. For measures of pairs, of
    information and of overlap, it is found from what changes when a sample is left out, in as many steps as there are
    cells. For all other measures, as many tables are scored as there are such cells.

    Prefer it to :func:`bootstrap` for measures of information, because the bootstrap adds their bias a second time.
    With fewer than about 5 samples for each cell of the table (number of classes times number of clusters), the bias is
    larger than the standard error. For other measures, the intervals of :func:`bootstrap` are nearer to their level.
    Samples must be independent. The cells of one donor are not; use ``groups``. If labels were found from the same
    data, the interval does not include this uncertainty.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor. Then whole groups are left out, one at a time.
        Five groups or more are needed: in simulations with 5 to 30 groups, intervals of level 0.95 of the ARI, the NMI
        and the AMI contained the truth in 0.92 to 0.96 of the data sets.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        The estimate of one measure; or, for several measures, a mapping from their names to estimates. Standard error,
        bias and interval are NaN for fewer than 2 samples, and if a function returns NaN or an infinite number for a
        table. The standard error is 0 if all samples lie in one cell, or if the clusters are exactly the classes; here,
        too, this does not mean that errors are impossible. This function runs on the host: the counts of the table are
        transferred.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`evaluate` raises; for weights that are not counts; for a ``confidence_level`` outside
        of (0, 1); and for fewer than two groups.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.

    Examples
    --------
    The standard error of a perfect score is 0; that of a score near 0 is larger:

    >>> import gpuval
    >>> gpuval.jackknife("ari", [0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 2, 2])
    1.000 [1.000, 1.000]
    >>> estimate = gpuval.jackknife("ari", [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1])
    >>> bool(estimate.low < 0 < estimate.high)
    True
    """
    asked, level = read_asked(metrics, options), check_level(confidence_level)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    counted = read_counted("the jackknife", labels_true, labels_pred, groups, *building)
    estimates = jackknife_estimates(asked, counted, level)
    return next(iter(estimates.values())) if asked.is_one else estimates


# The bootstrap: confidence intervals from the scores of resampled tables.


@outside_of_graphs
def bootstrap(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Method = "bca",
    confidence_level: float = 0.95,
    resampling: Literal["multinomial", "poisson"] = "multinomial",
    pairs: Literal["distinct", "all"] = "distinct",
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Confidence intervals of scores by the bootstrap: samples are drawn again, with replacement, and scored.

    From the n samples, n are drawn with replacement; this is repeated ``n_resamples`` times, and the spread of the
    scores gives the interval. Use it to tell how much a score would vary with other samples of the same population. A
    score depends only on how many samples are in each cell of the table (each pair of a class and a cluster). So a
    resample is a multinomial draw of the counts of the cells: many tables are drawn and scored at once, and the labels
    are read only once.

    Copies of a sample. A resample may contain a sample several times. Two copies of one sample are always in the same
    class and in the same cluster, so their pair says nothing about the clustering. By default such pairs do not count:
    of m samples drawn from the n_ij samples of the cell in row i and column j, m (m - 1) / (2 n_ij) pairs are pairs of
    copies, on average. With ``pairs="all"`` they count, as if the labels themselves were resampled. The scores of pairs
    are then centred on the score of a table in which each sample is also paired with itself; with many clusters the
    intervals miss the score altogether.

    When to use something else. Let r be the number of classes, m the number of clusters, and K the number of cells that
    are not empty. Measures of information have a bias of about (K - r - m + 1) / (2 n), and resampling adds as much
    again. Measures of overlap, such as BCubed, have a similar problem, because they count the copies. Prefer
    :func:`jackknife` for both, and use neither with fewer than about 5 samples for each of the r m cells. Samples must
    be independent. The cells of one donor are not, and intervals are far too narrow if they are treated as independent
    samples; use ``groups``. If labels were found from the same data, the interval does not include this uncertainty.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
    n_resamples
        The number of tables that are drawn.
    method
        "percentile" takes the quantiles of the scores of the resamples. "basic" reflects these quantiles at the score.
        "bca" is bias-corrected and accelerated ([1]_, section 14.3); its intervals are the nearest to their level. If
        all scores of resamples are on one side of the score, "bca" takes percentiles. Of N samples, or groups, all
        three take the tails of Student's distribution with N - 1 degrees of freedom: those of a normal distribution at
        sqrt(N / (N - 1)) times its quantile ([3]_). Intervals are cut at the ends of the range of the measure.
    confidence_level
        A number between 0 and 1.
    resampling
        "multinomial"; or "poisson", where each sample is drawn Poisson(1) times, independently of the others, so that
        the number of samples varies ([2]_).
    pairs
        "distinct" leaves out the pairs of copies of one sample; "all" counts them.
    groups
        The group of each sample, shape (n_samples,), such as its donor. Then whole groups are drawn, with all their
        samples, and pairs of two copies of a group do not count. For fewer than about ten groups prefer
        :func:`jackknife`: in simulations, intervals of level 0.95 by "bca" contained the truth in 0.87 to 0.95 of the
        data sets with 5 to 8 groups, and in 0.93 to 0.97 with 10 to 30.
    random_state
        A seed, or a NumPy generator. The same seed gives the same interval on every backend.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        The estimate of one measure; or, for several measures, a mapping from their names to estimates, all from the
        same resampled tables. A table in which a class has disappeared is scored like any other.

        If all scores are the same, the interval has no width and the standard error is 0. This is so, for instance, if
        the clusters are exactly the classes, and does not mean that errors are impossible. NaN for fewer than 2
        samples, and if a function returns NaN or an infinite number for a table. This function runs on the host: the
        counts of the table are transferred, and tables are drawn and scored there.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`evaluate` raises; for weights that are not counts; for a ``confidence_level`` outside
        of (0, 1); for fewer than two groups or fewer than one resample; and for an unknown method.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] N. Chamandy, O. Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams",
       technical report, 2012.
    .. [3] T. C. Hesterberg, "What teachers should know about the bootstrap: resampling in the undergraduate statistics
       curriculum", The American Statistician 69, 2015.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.bootstrap("ari", [0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 2, 2], random_state=0)
    1.000 [1.000, 1.000]
    >>> estimate = gpuval.bootstrap("ari", [0, 0, 0, 1, 1, 1] * 5, [0, 1, 0, 1, 0, 1] * 5, random_state=0)
    >>> bool(estimate.low < 0 < estimate.high)
    True
    """
    asked, level = read_asked(metrics, options), check_level(confidence_level)
    check_option("method", method, ("bca", "percentile", "basic"))
    check_option("resampling", resampling, ("multinomial", "poisson"))
    check_option("pairs", pairs, ("distinct", "all"))
    n_resamples, random = check_count("n_resamples", n_resamples), generator(random_state)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    counted = read_counted("the bootstrap", labels_true, labels_pred, groups, *building)
    sampler = sampler_of(counted, poisson=resampling == "poisson", distinct=pairs == "distinct")
    estimates = bootstrap_estimates(asked, counted, sampler, n_resamples, method, level, random)
    return next(iter(estimates.values())) if asked.is_one else estimates


# The scores of a table without each of its samples, or each group of them, and of resampled tables.


def jackknife_estimates(asked: ScoreFunctions, counted: TableWithGroups, level: float) -> ScoreEstimates:
    """The estimates of functions by the jackknife."""
    scores = counted.scores(asked.functions)
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
    return counted.estimate(
        level, "jackknife", score, low, high, errors.standard_error, errors.bias, errors.acceleration
    )


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

    A unit is a sample, of which all of one cell give the same score, or a group. They are found once for a table.
    """
    known, has_groups = counted.scores_without, counted.groups is not None
    if new := {name: x for name, x in functions.items() if id(x) not in known}:  # a user's function has no hash, maybe
        found = (
            scores_of(new, _tables_without_groups(counted))
            if has_groups
            else _scores_without_samples(new, counted.table)
        )
        known.update({id(x): (x, found[name]) for name, x in new.items()})
    times = np.ones(counted.n_units, dtype=np.int64) if has_groups else np.asarray(counted.table.counts)
    return {name: known[id(x)][1] for name, x in functions.items()}, times


def _tables_without_groups(counted: TableWithGroups) -> Iterator[Contingency]:
    """The tables without each group, some at a time."""
    for block in slices(counted.n_units, tables_in_batch(counted.table)):
        yield from tables_of(counted.table, np.asarray(counted.table.counts - counted.groups[block].toarray()))


def _scores_without_samples(functions: Functions, table: Contingency) -> dict[Any, NDArray]:
    """The scores of each function without a sample of each cell."""
    batch = statistics_left_out(table)
    found = {name: _from_statistics(function, table, batch) for name, function in functions.items()}
    others = {name: functions[name] for name, scores in found.items() if scores is None}
    more = scores_of(others, tables_left_out(table)) if others else {}
    return {name: more[name] if scores is None else scores for name, scores in found.items()}


def _from_statistics(function: Callable[..., Any], table: Contingency, batch: TablesWithoutCells) -> NDArray | None:
    """The scores by what changes; None if the function reads cells, or is a user's."""
    measure = measure_of(function)
    has_options = isinstance(function, partial)
    of_matched = None if measure is None or has_options else _OF_MATCHED.get(measure.name)
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
    scores = counted.scores(asked.functions)
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
