"""Comparison of the scores of two or of many clusterings against the same true labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import outside_of_graphs
from gpuval.inference.estimation import deviation, estimate_left_out, estimate_of_replicates
from gpuval.inference.inputs import less, with_options
from gpuval.inference.intervals import (
    bootstrap_interval,
    check_level,
    choose_method,
    clip_interval,
    false_discoveries,
    from_replicates,
    from_student,
    student,
)
from gpuval.inference.paired import JackknifeScores, JointTables, jackknife_scores, read_paired, scores_drawn_together
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.options import check_count, check_option, generator
from gpuval.measures.requests import Metric, name_of
from gpuval.numerics import NDArray
from gpuval.registry.families import direction_of, range_of
from gpuval.registry.requests import read_metric
from gpuval.results.inferences import ScoreDifference, ScoreDifferences, ScoreEstimate, ScoreEstimates

__all__ = ["compare_many_scores", "compare_scores"]


@outside_of_graphs
def compare_scores(
    labels_true: Any,
    first: Any,
    second: Any,
    metric: Metric = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: PairedMethod | None = None,
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifference:
    """Compare the scores of two clusterings of the same samples: their difference, its interval and its p-value.

    Use it to tell whether one method is really better than another one, or only on these samples. Samples are resampled
    together with their three labels, and both clusterings are scored on the same resamples. What makes a sample hard
    for both clusterings is then in both scores, and cancels in their difference. So a difference may be beyond doubt
    even if the intervals of the two scores overlap. Samples with the same three labels are counted once, and the tables
    of both clusterings are sums of these counts.

    The null hypothesis is that both clusterings have the same score in the population of samples. The p-value is 1 less
    the level at which the interval would end at 0. For the jackknife, the difference divided by its standard error is
    compared with Student's distribution with N - 1 degrees of freedom ([1]_). N is the number of groups, or the
    effective number of samples: ``(sum |d_u|)^2 / sum d_u^2``, where d_u is how far the difference without sample u is
    from the mean of these. It is about the number of samples whose two labels differ. For the bootstrap, that level is
    found from the shares of resampled differences that are at most, or at least, 0, with the data as one more of them.
    If both clusterings have the same score in every resample, the difference is exactly 0 and p = 1. For the jackknife,
    p is NaN if the difference is not 0 but is the same whichever sample is left out, because this does not tell how it
    would vary.

    When not to use it:

    - for samples that are not independent, such as the cells of a few donors: p-values are then far too small. Give the
      donors as ``groups``, which are resampled as a whole;
    - if the true labels were made from the same data, or by one of the two methods: the test is about the agreement
      with these labels on more such samples, not about which clustering is right;
    - for the uncertainty of the clustering itself: the clusterings are fixed, and nothing is clustered again;
    - to test a clustering against chance: see :func:`permutation_test`.

    Some tests of two classifiers exchange their predictions sample by sample ([2]_). This must not be done with
    clusterings: cluster 1 of one clustering has nothing to do with cluster 1 of the other one, and exchanging the
    labels of some samples makes a clustering that neither method has found.

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,).
    first, second
        The labels of the two clusterings, shape (n_samples,).
    metric
        The name of a measure, full or short as for :func:`evaluate`; or a function that takes a :class:`Contingency` of
        NumPy and returns a number. For a function, higher is better, whatever its name is.
    n_resamples
        How many times samples are drawn. The smallest p-value is 2 / (n_resamples + 1).
    method
        "bca", "percentile" or "basic", as for :func:`bootstrap`; or "jackknife", which draws nothing, see
        :func:`jackknife`. None takes what :func:`evaluate` takes: "jackknife" for ``groups`` and for measures of
        information, overlap and matching, else "bca".
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor (five groups or more). Then whole groups are
        drawn or left out, with all their samples.
    random_state
        A seed, or a NumPy generator. The same seed gives the same interval on every backend.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples. A
        sample that is ignored in one of the three label vectors is left out of all of them.
    **options
        Options of the measure.

    Returns
    -------
    ScoreDifference
        The difference ``first - second``, also for distances, where lower is better; ``better`` says which of the two
        is better. Pairs of copies of one sample, or of one group, do not count, as in :func:`bootstrap`. NaN for fewer
        than 2 samples; of infinite differences no p-value is known. The interval has no width if the difference is the
        same in all resamples. This function runs on the host: the counts are transferred, and tables are drawn and
        scored there.

    Raises
    ------
    TypeError, ValueError
        For labels that are not vectors of one length, and for weights that are not counts; for a name that no measure
        has, and for a function that does not return one number; for a ``confidence_level`` outside of (0, 1); for fewer
        than two groups or fewer than one resample; and for an unknown method.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.

    Examples
    --------
    Only the names of the clusters differ, so the difference is 0. Then a perfect clustering, which is better than one
    that mixes the classes:

    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1] * 5
    >>> gpuval.compare_scores(truth, [0, 1, 1, 2, 2, 0] * 5, [7, 5, 5, 9, 9, 7] * 5, random_state=0)
    0.000 [0.000, 0.000], p = 1
    >>> gpuval.compare_scores(truth, truth, [0, 1, 0, 1, 0, 1] * 5, random_state=0).better
    'first'

    With 12 samples, the difference between two clusterings is not more than noise:

    >>> truth = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> one = [1, 3, 2, 2, 3, 1, 2, 1, 3, 2, 3, 2]
    >>> other = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> gpuval.compare_scores(truth, one, other, method="jackknife")
    0.296 [-0.489, 1.081], p = 0.39
    """
    how = _read_resampling(metric, options, method, confidence_level, n_resamples, random_state, groups)
    named = {"first": first, "second": second}
    found = uncertain_scores(read_paired(labels_true, named, groups, sample_weight, ignore_labels), how)
    return found.back(found.difference(0, 1))


# Comparison of the scores of many clusterings against the same true labels.


@outside_of_graphs
def compare_many_scores(
    labels_true: Any,
    labelings: Any,
    metric: Metric = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: PairedMethod | None = None,
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifferences:
    """Compare the scores of many clusterings of the same samples: which is the best, and is its lead more than noise.

    It works like :func:`compare_scores` with the method "jackknife", which explains the null hypothesis, and when not
    to use it. Each sample, or group, is left out for all clusterings, so that any two of them are compared on the same
    samples.

    One of many clusterings is always the best, even if all are equally good. So all pairs are adjusted together, and
    you may look at any of them afterwards:

    - *family-wise*: whichever clusterings really differ, the probability that any pair without a difference has a
      p-value of at most 0.05 is about 0.05, or less. With m pairs, the p-value is m times that of the pair alone, but
      at most 1 (Bonferroni). The intervals of the differences are adjusted in the same way: each has the level
      1 - 0.05 / m, and all of them together contain the true differences in about 95 of 100 data sets, or more. So an
      interval excludes 0 exactly where the family-wise p-value is at most 0.05. In simulations of four clusterings that
      are equally good, with 60 or 200 samples, or with 5 or 10 groups, some family-wise p-value was at most 0.05 in
      0.02 to 0.07 of the data sets;
    - *false discovery*: of the pairs with a p-value below 0.05, on average about 5 of 100, or fewer, have no difference
      ([1]_; by ``scipy.stats.false_discovery_control``).

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,).
    labelings
        At least two clusterings: a mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or
        a sequence of label vectors.
    metric
        As for :func:`compare_scores`, but a measure with a better direction: the entropy, for example, has none.
    n_resamples, method, confidence_level, groups, random_state
        As for :func:`compare_scores`. ``method`` is that of the intervals of the scores, which are not adjusted; the
        differences are always by the jackknife.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples. A
        sample that is ignored in one labeling is left out of all of them.
    **options
        Options of the measure.

    Returns
    -------
    ScoreDifferences
        The scores with their intervals, the ranks, the best clustering, and the differences of all pairs with their
        p-values. The scores of the resamples are kept in ``scores[name].replicates``; all names have the same
        resamples.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`compare_scores` raises; for fewer than two labelings, or for one that is not a label
        vector; and for a measure without a better direction.

    References
    ----------
    .. [1] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.

    Examples
    --------
    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 3
    >>> labelings = {"coarse": [x > 0 for x in truth], "exact": truth, "mixed": [0, 0, 1, 1, 1, 2, 2, 2, 0] * 3}
    >>> found = gpuval.compare_many_scores(truth, labelings, random_state=0)
    >>> found.best
    'exact'
    >>> bool(found["exact", "mixed"].p_value < 0.001)
    True

    Two clusterings that differ only in the names of their clusters: neither is better:

    >>> same = {"one": [0, 1, 1, 2, 2, 0], "other": [7, 5, 5, 9, 9, 7]}
    >>> gpuval.compare_many_scores([0, 0, 1, 1, 2, 2], same, method="jackknife")
           score                    difference to the best  p (family-wise)
    one    -0.250 [-0.250, -0.250]
    other  -0.250 [-0.250, -0.250]  0.000 [0.000, 0.000]                  1
    """
    how = _read_resampling(metric, options, method, confidence_level, n_resamples, random_state, groups)
    if not how.direction:
        raise ValueError(
            f"metric must be one of which higher or lower scores are better, got {how.name}; compare_scores(...) gives "
            "differences of any"
        )
    names, vectors = labelings_by_name(labelings)
    if len(names) < 2:
        raise ValueError(f"labelings must be at least two, got {len(names)}")
    found = uncertain_scores(read_paired(labels_true, vectors, groups, sample_weight, ignore_labels), how)
    return _differences(found, names)


def _differences(found: _UncertainScores, names: list[Any]) -> ScoreDifferences:
    """The differences of all pairs, those of the better score first."""
    ranks = _ranks(found)
    pairs = list(combinations(sorted(range(len(names)), key=ranks.__getitem__), 2))
    p_values = np.asarray([found.difference_left_out(*pair).p_value for pair in pairs])
    n_known = max(1, int(np.count_nonzero(~np.isnan(p_values))))  # the others are no part of the family
    host = [found.difference_left_out(*pair, n_known) for pair in pairs]
    family_wise = np.asarray([x.p_value for x in host])
    back = found.paired.counted[0].back
    return ScoreDifferences(
        ScoreEstimates({name: found.estimate(place) for place, name in enumerate(names)}),
        dict(zip(names, ranks, strict=True)),
        {(names[i], names[j]): found.back(x) for (i, j), x in zip(pairs, host, strict=True)},
        *(back(_square(p, pairs, len(names))) for p in (p_values, family_wise, false_discoveries(p_values))),
    )


def _ranks(found: _UncertainScores) -> list[int]:
    """Of each clustering 1, and 1 for each that is better; scores that are NaN come last."""
    sign = 1 if found.how.direction == "higher" else -1
    places = range(len(found.scores))

    def is_ahead(i: int, j: int) -> bool:
        if np.isnan(found.scores[j]):
            return not np.isnan(found.scores[i])
        return sign * found.difference_of_scores(i, j) > 0

    return [1 + sum(is_ahead(i, j) for i in places) for j in places]


def _square(p_values: NDArray, pairs: list[tuple[int, int]], n: int) -> NDArray:
    """The p-values of pairs as a matrix of all clusterings."""
    square = np.ones((n, n))
    for (i, j), p in zip(pairs, p_values, strict=True):
        square[i, j] = square[j, i] = p
    return square


# Scores of several clusterings, with their uncertainty by the paired jackknife or bootstrap.

PairedMethod = Literal["bca", "percentile", "basic", "jackknife"]


@dataclass(frozen=True, eq=False)
class Resampling:
    """How clusterings are compared, as it was checked."""

    function: Callable[..., Any]
    name: str
    """What messages call the function."""
    direction: str
    """Which scores are the better ones: "higher", "lower", or "" where none are."""
    method: PairedMethod
    level: float
    n_resamples: int
    random: np.random.Generator


def _read_resampling(
    metric: Metric,
    options: dict[str, Any],
    method: PairedMethod | None,
    confidence_level: float,
    n_resamples: int,
    random_state: Any,
    groups: Any,
) -> Resampling:
    """Check how clusterings are to be compared: without a method, by the one that suits the measure."""
    function = read_metric(metric, "metric must be the name of a measure", "a function of a table", options)
    if method is None:
        method = choose_method(function, has_groups=groups is not None)
    check_option("method", method, ("bca", "percentile", "basic", "jackknife"))
    level, n_resamples = check_level(confidence_level), check_count("n_resamples", n_resamples)
    direction = direction_of(function)
    asked = with_options(function, options)
    return Resampling(asked, name_of(asked), direction, method, level, n_resamples, generator(random_state))


@dataclass(frozen=True, eq=False)
class _UncertainScores:
    """The scores of clusterings, and those of what was left out or drawn, of the same units for all."""

    paired: JointTables
    how: Resampling
    scores: NDArray
    """Shape (n_clusterings,)."""
    replicates: NDArray | None
    """Of the bootstrap, shape (n_clusterings, n_resamples)."""

    @cached_property
    def left_out(self) -> JackknifeScores:
        """The scores without each unit, of all clusterings."""
        return jackknife_scores(self.how.function, self.paired, self.scores)

    @property
    def _needs_left_out(self) -> bool:
        return self.how.method in ("bca", "jackknife")

    def estimate(self, place: int) -> ScoreEstimate:
        """The score of a clustering, in the library of the labels."""
        counted, how, score = self.paired.counted[place], self.how, float(self.scores[place])
        ends = range_of(how.function)
        if self.replicates is None:
            return estimate_left_out(counted, how.level, score, self.left_out.errors(place), ends)
        acceleration = self.left_out.errors(place).acceleration if self._needs_left_out else np.nan
        drawn = self.replicates[place]
        return estimate_of_replicates(counted, how.method, how.level, score, drawn, acceleration, ends)

    def difference(self, first: int, second: int) -> ScoreDifference:
        """The score of one clustering less that of another: numbers of the host."""
        if self.replicates is None:
            return self.difference_left_out(first, second)
        how, n_units = self.how, self.paired.n_units
        difference, drawn = self.difference_of_scores(first, second), self.replicate_differences(first, second)
        standard_error, acceleration = deviation(less(drawn, drawn[0])), np.nan
        if self._needs_left_out:
            errors = self.left_out.errors_of_difference(first, second)
            standard_error, acceleration = errors.standard_error, errors.acceleration
        interval = bootstrap_interval(how.method, difference, drawn, how.level, acceleration, n_units)
        p_value = from_replicates(how.method, difference, drawn, acceleration, n_units)
        found = self._difference(first, second, interval, standard_error, p_value, how.method)
        return replace(found, replicates=drawn)

    def difference_left_out(self, first: int, second: int, n_differences: int = 1) -> ScoreDifference:
        """The same by the paired jackknife: one of several that hold together, by the method of Bonferroni."""
        difference, errors = self.difference_of_scores(first, second), self.left_out.errors_of_difference(first, second)
        standard_error, n_effective = errors.standard_error, errors.n_effective
        interval = student(difference, standard_error, 1 - (1 - self.how.level) / n_differences, n_effective)
        p_value = from_student(z_value(difference, standard_error), n_effective)
        adjusted = float(np.minimum(1.0, n_differences * p_value))
        return self._difference(first, second, interval, standard_error, adjusted, "jackknife")

    def _difference(
        self,
        first: int,
        second: int,
        interval: tuple[float, float],
        standard_error: float,
        p_value: float,
        method: str,
    ) -> ScoreDifference:
        """A difference with its interval, cut at the ends of the range of differences."""
        difference, (least, most) = self.difference_of_scores(first, second), range_of(self.how.function)
        low, high = clip_interval((least - most, most - least), difference, *interval)
        of_first, of_second = float(self.scores[first]), float(self.scores[second])
        found = of_first, of_second, difference, low, high, standard_error, z_value(difference, standard_error)
        which = "" if np.isnan(p_value) else _ahead(low, high, self.how.direction)
        return ScoreDifference(*found, p_value, which, self.how.level, method)

    def difference_of_scores(self, first: int, second: int) -> float:
        """The score of one clustering less that of another."""
        return float(less(self.scores[first], self.scores[second]))

    def replicate_differences(self, first: int, second: int) -> NDArray:
        """The same of resampled tables, shape (n_resamples,); none of the jackknife."""
        return np.zeros(0) if self.replicates is None else less(self.replicates[first], self.replicates[second])

    def back(self, difference: ScoreDifference) -> ScoreDifference:
        """A difference of the host in the library, and on the device, of the labels."""
        return difference_like(difference, self.paired.counted[0].back)


def difference_like(difference: ScoreDifference, back: Callable[[Any], Any]) -> ScoreDifference:
    """A difference whose numbers ``back`` brings from the host into a library, and to a device."""
    names = ("first", "second", "difference", "low", "high", "standard_error", "z", "p_value")
    found = {name: back(getattr(difference, name)) for name in names}
    drawn = None if difference.replicates is None else back(difference.replicates)
    return replace(difference, replicates=drawn, **found)


def uncertain_scores(paired: JointTables, how: Resampling) -> _UncertainScores:
    """Score clusterings, and resample them together; NaN replicates of fewer than two units."""
    scores = np.asarray([counted.scores({how.name: how.function}, "metric")[how.name] for counted in paired.counted])
    if how.method == "jackknife":
        replicates = None
    elif paired.n_units < 2:
        replicates = np.full((len(paired.counted), how.n_resamples), np.nan)
    else:
        replicates = scores_drawn_together(how.function, paired, how.n_resamples, how.random)
    return _UncertainScores(paired, how, scores, replicates)


def z_value(difference: float, standard_error: float) -> float:
    """A difference by its standard error; NaN where only this is 0."""
    return difference / (standard_error or np.nan) if difference else 0.0 * standard_error


def _ahead(low: float, high: float, direction: str) -> str:
    """Which of two clusterings is better: where the interval of the first less the second is on one side of 0."""
    if not direction or not (low > 0 or high < 0):
        return ""
    return "first" if (low > 0) == (direction == "higher") else "second"
