"""The scores of random tables, and where the score of a table stands among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.inference.inputs import Functions, less, scores_of, scores_of_statistics
from gpuval.measures.measure import Statistic
from gpuval.metrics.external.standardized import pair_count_moments, standardized_rand_score
from gpuval.numerics import NDArray
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.parallel import parallel_map
from gpuval.registry.families import direction_of, measure_of
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.permuted_tables import CellSums, NullModel, cell_sums, join_sums, null_statistics

_ROUNDING = 2.0**-40
"""What rounding may make of two scores that are the same, as a share of them, or of 1."""


@dataclass(frozen=True)
class Tails:
    """How many random tables are better than a table, and how many are as good; 1 is added for the table itself."""

    better: float
    as_good: float
    n_tables: int

    @property
    def p_value(self) -> float:
        """The probability of what is as good or better."""
        return (self.better + self.as_good + 1) / (self.n_tables + 1)

    @property
    def mid_p_value(self) -> float:
        """The same with half of what is as good."""
        return (self.better + (self.as_good + 1) / 2) / (self.n_tables + 1)


def statistic_of(function: Callable[..., Any]) -> Statistic | None:
    """In what a measure is monotone; None for any other function."""
    measure = measure_of(function)
    return None if measure is None else measure.follows


def _need_cells(functions: Functions, table: Contingency) -> set[Any]:
    """The names of the functions that read more of a table than statistics of pairs and of information."""
    batch = null_statistics(table, _sums_of(table))
    return {name for name, function in functions.items() if scores_of_statistics(function, batch) is None}


def _sums_of(table: Contingency) -> CellSums:
    """The sums over the cells of a table of counts in NumPy."""
    return cell_sums(np.asarray(table.counts).reshape(1, -1, 1))


def random_table_scores(
    functions: Functions, table: Contingency, n_tables: int, random: np.random.Generator
) -> tuple[CellSums, dict[Any, NDArray]]:
    """The sums over the cells of random tables, and their scores by each function."""
    model = NullModel(table.class_sizes, table.cluster_sizes, table)
    scored = {name: functions[name] for name in _need_cells(functions, table)}

    def score_chunk(chunk: tuple[np.random.Generator, int]) -> tuple[CellSums, dict[Any, NDArray]]:
        sums: list[CellSums] = []

        def tables() -> Iterator[Contingency]:
            for some, drawn_table in model.batches(*chunk, with_tables=True):
                sums.append(some)
                assert drawn_table is not None
                yield drawn_table

        if not scored:
            return join_sums(some for some, _ in model.batches(*chunk, with_tables=False)), {}
        scores = scores_of(scored, tables())
        return join_sums(sums), scores

    parts = parallel_map(score_chunk, model.chunks(n_tables, random))
    sums = join_sums(some for some, _ in parts)
    scores = {name: np.concatenate([found[name] for _, found in parts]) for name in scored}
    batch = null_statistics(table, sums)
    for name, function in functions.items():
        if name not in scores:
            scores[name] = np.asarray(function(batch), dtype=np.float64)
    return sums, scores


def tails_of(function: Callable[..., Any], table: Contingency, sums: CellSums, score: float, scores: NDArray) -> Tails:
    """Where a table stands: by pairs or information, in which a measure is monotone, else by its score."""
    statistic, own = statistic_of(function), _sums_of(table)
    if statistic == "pairs":
        return _tails(sums.squares - own.squares[0])
    if statistic == "information":
        return _tails(less(sums.logarithms, own.logarithms[0], _ROUNDING))
    if np.isnan(score) or np.isnan(scores).any():
        return Tails(np.nan, np.nan, len(scores))
    excess = less(score, scores, _ROUNDING) if direction_of(function) == "lower" else less(scores, score, _ROUNDING)
    return _tails(excess)


def _tails(excess: NDArray) -> Tails:
    return Tails(int(np.sum(excess > 0)), int(np.sum(excess == 0)), len(excess))


@np.errstate(invalid="ignore")
def mean_and_deviation(scores: NDArray) -> tuple[float, float]:
    """Of random tables; a deviation that is rounding is 0, and that of infinite scores among others is NaN."""
    mean = float(np.mean(scores))
    if len(scores) < 2:
        return mean, np.nan
    spread = scores - mean
    is_constant = not less(scores, mean, _ROUNDING).any()
    return mean, 0.0 if is_constant else float(np.sqrt(np.sum(spread * spread) / (len(scores) - 1)))


def z_score(score: float, mean: float, deviation: float) -> float:
    """How many standard deviations a score is above a mean; NaN for a deviation of 0."""
    return (score - mean) / deviation if deviation > 0 else np.nan


def as_good_as(scores: NDArray, score: float) -> int:
    """How many scores are as high, but for rounding, or higher."""
    return int(np.sum(less(scores, score, _ROUNDING) >= 0))


# The law of T, the pairs together in both partitions, by three moments: a shifted gamma law, Pearson's type III.


def upper_tail(z: float, skewness: float) -> float:
    """P(Z >= z) of a gamma law, shifted to mean 0 and scaled to variance 1; the normal law for a skewness of 0.

    With k = 4 / skewness^2 it is Q(k, k + z sqrt(k)), of the regularised incomplete gamma function; mirrored, if the
    skewness is negative.
    """
    from scipy.special import gammainc, gammaincc, ndtr

    if abs(skewness) < 1e-8:
        return float(ndtr(-z))
    k = 4 / skewness**2
    if skewness < 0:
        return float(gammainc(k, max(0.0, k - z * math.sqrt(k))))
    return float(gammaincc(k, max(0.0, k + z * math.sqrt(k))))


def p_value_of_pairs(table: Contingency) -> float:
    """The probability of as many pairs together in both partitions, or more; 1 where the sizes settle their number."""
    z = float(standardized_rand_score(table))
    return 1.0 if math.isnan(z) else upper_tail(z, float(pair_count_moments(table).skewness))


def mean_and_deviation_by_moments(function: Callable[..., Any], table: Contingency) -> tuple[float, float]:
    """Of a score that is linear in T, exactly; of any other by a line through its values one deviation off the mean."""
    n, moments = int(table.total), pair_count_moments(table)
    mean, deviation = float(moments.mean), math.sqrt(moments.variance)
    if deviation == 0:
        return float(function(table)), 0.0
    low, high = max(0, math.floor(mean - deviation)), math.ceil(mean + deviation)
    squares = np.asarray([2 * low + n, 2 * high + n])
    first, last = np.asarray(function(null_statistics(table, CellSums(squares, np.zeros(2)))), dtype=np.float64)
    slope = float(last - first) / (high - low)
    return float(first) + slope * (mean - low), abs(slope) * deviation


def check_squares(table: Contingency) -> None:
    """Check that the squares of counts, added up, fit into 64 bits."""
    if table.total > LARGEST_ROOT:
        raise ValueError(f"permutation tests take at most {LARGEST_ROOT} samples, got {int(table.total)}")
