"""Comparison of the scores of many clusterings against the same true labels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from gpuval.engines.backends import outside_of_graphs
from gpuval.evaluation.clustering.arguments import Metric
from gpuval.evaluation.inference.comparison.p_values import false_discoveries
from gpuval.evaluation.inference.comparison.paired import read_paired
from gpuval.evaluation.inference.comparison.score_differences import ScoreDifferences
from gpuval.evaluation.inference.comparison.uncertain import (
    PairedMethod,
    UncertainScores,
    read_resampling,
    uncertain_scores,
)
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimates
from gpuval.inputs.labels import named_labelings
from gpuval.numerics import NDArray

__all__ = ["compare_many_scores"]


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
      0.03 to 0.07 of the data sets;
    - *false discovery*: of the pairs with a p-value below 0.05, on average about 5 of 100, or fewer, have no difference
      ([1]_, not checked against the text; by ``scipy.stats.false_discovery_control``).

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
    how = read_resampling(metric, options, method, confidence_level, n_resamples, random_state, groups)
    if not how.direction:
        raise ValueError(
            f"metric must be one of which higher or lower scores are better, got {how.name}; compare_scores(...) gives "
            "differences of any"
        )
    names, vectors = named_labelings(labelings)
    if len(names) < 2:
        raise ValueError(f"labelings must be at least two, got {len(names)}")
    found = uncertain_scores(read_paired(labels_true, vectors, groups, sample_weight, ignore_labels), how)
    return _differences(found, names)


def _differences(found: UncertainScores, names: list[Any]) -> ScoreDifferences:
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


def _ranks(found: UncertainScores) -> list[int]:
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
